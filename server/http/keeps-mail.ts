// Tells whether mail is kept to be read at /dev/inbox: there is no mail server, this is not production, and SITE_URL names this
// machine. Who may read it is decided by the secret of the inbox alone (mail/inbox-secret.ts).

import { isLoopbackHost } from '../loopback.ts';
import type { Services } from '../services.ts';

export function keepsMail({ config, siteUrl }: Pick<Services, 'config' | 'siteUrl'>): boolean {
  return config.mail.smtpUrl === null && !config.server.production && isLoopbackHost(new URL(siteUrl).hostname);
}
