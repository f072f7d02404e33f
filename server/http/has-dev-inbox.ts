// Tells whether emails are stored for /dev/inbox instead of being sent: no mail server is set, this is not production, and SITE_URL names this
// machine. Reading the inbox takes its secret (mail/inbox-secret.ts).

import { isLoopbackHost } from '../loopback.ts';
import type { Services } from '../services.ts';

export function hasDevInbox({ config, siteUrl }: Pick<Services, 'config' | 'siteUrl'>): boolean {
  return config.mail.smtpUrl === null && !config.server.production && isLoopbackHost(new URL(siteUrl).hostname);
}
