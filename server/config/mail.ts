// Settings of the mail server.

import { optionalText, text, whole } from './setting.ts';

export const mailSettings = {
  smtpUrl: optionalText('SMTP_URL', {
    meaning:
      'smtp:// or smtps:// address of your mail server. Outside production, with SITE_URL on this machine, the start banner links to emails saved for lack of one.',
    fallbackText: 'emails are saved, not sent',
    secret: true,
  }),
  from: optionalText('MAIL_FROM', {
    meaning: 'Sender of emails, as in: Kanbase <hello@example.com>.',
    fallbackText: 'Kanbase <no-reply@the host of SITE_URL>',
  }),
  productName: text('MAIL_PRODUCT_NAME', { meaning: 'Name of the product in emails.', fallback: 'Kanbase' }),
  templatesDir: optionalText('MAIL_TEMPLATES_DIR', {
    meaning: 'A directory whose <kind>.txt, <kind>.html and <kind>.subject.txt replace our own texts.',
  }),
  attempts: whole(
    'MAIL_ATTEMPTS',
    { min: 1, max: 50 },
    { meaning: 'How often an email is tried before it counts as failed.', fallback: 12 },
  ),
  retentionDays: whole(
    'MAIL_KEPT_DAYS',
    { min: 1, max: 3650 },
    { meaning: 'Days the list of delivered emails is kept.', fallback: 7 },
  ),
} as const;
