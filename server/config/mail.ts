// How mail leaves the house.

import { optionalText } from './setting.ts';

export const mailSettings = {
  smtpUrl: optionalText('SMTP_URL', { meaning: 'smtp:// or smtps:// address of your mail server.', fallbackText: 'mail is kept, not sent', secret: true }),
} as const;
