// Settings that are valid one by one and yet do not go together, or are not meant for the public.

import type { Config } from '../../config/config.ts';
import { checkKey } from './check-billing.ts';
import { type Finding, good, thought } from './finding.ts';

export function checkSettings(config: Config): Finding[] {
  const { server, database, mail } = config;
  const found: Finding[] = [];
  if (server.siteUrl === null)
    found.push(
      thought(
        'SITE_URL is not set: links in mails point to localhost',
        'Set SITE_URL to the public address, such as https://boards.example.com.',
      ),
    );
  else found.push(good(`the site is ${server.siteUrl}`));
  if (server.siteUrl?.startsWith('https:') && server.trustProxy.length === 0)
    found.push(
      thought(
        'SITE_URL is https, but no proxy is trusted: every visitor seems to come from the proxy',
        'Set TRUST_PROXY to the address of the proxy that ends TLS, such as 127.0.0.1 or 10.0.0.0/8.',
      ),
    );
  if (database.url !== null && server.jwtSecret === null)
    found.push(
      thought(
        'JWT_SECRET is not set: it is kept in this data directory only',
        'Set the same JWT_SECRET on every node, or tokens of one will be refused by the others.',
      ),
    );
  if (mail.smtpUrl === null)
    found.push(
      thought(
        'SMTP_URL is not set: mails are kept, not sent',
        'Set SMTP_URL to your mail server; until then read them at /dev/inbox on this machine.',
      ),
    );
  else found.push(good('mail is sent'));
  found.push(...checkKey(config));
  return found;
}
