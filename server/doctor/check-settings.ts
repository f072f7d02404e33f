// Settings that are valid one by one and yet do not go together, or are not meant for the public.

import type { Config } from '../config/config.ts';
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
        'Set SMTP_URL to your mail server; until then, outside production and with SITE_URL on this machine, the link of the start banner opens /dev/inbox.',
      ),
    );
  else found.push(good('mail is sent'));
  found.push(...checkSignUp(config), ...checkKey(config));
  return found;
}

/** Whoever types an address is taken at their word where accounts need not confirm it. */
function checkSignUp({ identity, mail }: Config): Finding[] {
  const policy = identity.disableSignup ? 'off' : identity.signUp;
  const found: Finding[] = [];
  if (policy === 'domains' && identity.signUpDomains.length === 0)
    found.push(
      thought(
        'AUTH_SIGN_UP is domains, but AUTH_SIGN_UP_DOMAINS names none: nobody can sign up',
        'Set AUTH_SIGN_UP_DOMAINS, such as example.com, or AUTH_SIGN_UP=off.',
      ),
    );
  if ((policy === 'open' || policy === 'off') && identity.signUpDomains.length > 0)
    found.push(
      thought(
        `AUTH_SIGN_UP_DOMAINS is set, but means nothing while sign-up is ${policy}`,
        'Set AUTH_SIGN_UP to domains or invited, or leave the domains out.',
      ),
    );
  if ((policy === 'domains' || policy === 'invited') && (identity.autoconfirm ?? mail.smtpUrl === null))
    found.push(
      thought(
        'sign-up is limited by address, but addresses are not confirmed: whoever knows an accepted one can use it',
        'Set SMTP_URL so that addresses are confirmed by mail, and leave AUTH_AUTOCONFIRM out.',
      ),
    );
  const words = {
    open: 'everybody may sign up',
    invited: 'invited people may sign up',
    domains: `addresses at ${identity.signUpDomains.join(', ')} may sign up`,
    off: 'nobody may sign up',
  };
  return found.length > 0 ? found : [good(words[policy])];
}
