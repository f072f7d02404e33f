// Settings that are valid one by one and yet do not go together, or are not meant for the public.

import { providerMode } from '../../billing/provider-mode.ts';
import type { Config } from '../../config/config.ts';
import { type Finding, good, thought } from './finding.ts';

export function checkSettings(config: Config): Finding[] {
  const { server, database, mail, billing } = config;
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
  const mode = providerMode(billing);
  if (mode === 'off') found.push(good('billing is off'));
  else if (billing.webhookSecret === null)
    found.push(
      thought(
        `billing is on (${mode}), but BILLING_WEBHOOK_SECRET is not set`,
        'Set it to the signing secret of the endpoint at the payment provider: without it no event is believed.',
      ),
    );
  else found.push(good(`billing is on (${mode} keys)`));
  return found;
}
