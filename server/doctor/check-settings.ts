// Settings that are valid one by one and yet do not go together, or are not meant for the public.

import type { Config } from '../config/config.ts';
import { checkKey } from './check-billing.ts';
import { type Finding, good, thought } from './finding.ts';

export function checkSettings(config: Config): Finding[] {
  const { server, database, mail } = config;
  const found: Finding[] = [];
  if (server.siteUrl === null) found.push(thought('health.site.missing', 'health.site.set'));
  else found.push(good('health.site.good', { url: server.siteUrl }));
  if (server.siteUrl?.startsWith('https:') && server.trustProxy.length === 0)
    found.push(thought('health.proxy.untrusted', 'health.proxy.trust'));
  if (database.url !== null && server.jwtSecret === null)
    found.push(thought('health.jwtSecret.missing', 'health.jwtSecret.set'));
  if (mail.smtpUrl === null) found.push(thought('health.mail.off', 'health.mail.set'));
  else found.push(good('health.mail.good'));
  found.push(...checkSignUp(config), ...checkKey(config));
  return found;
}

/** Whoever types an address is taken at their word where accounts need not confirm it. */
function checkSignUp({ identity, mail }: Config): Finding[] {
  const policy = identity.disableSignup ? 'off' : identity.signUp;
  const found: Finding[] = [];
  if (policy === 'domains' && identity.signUpDomains.length === 0)
    found.push(thought('health.signUp.noDomains', 'health.signUp.nameDomains'));
  if ((policy === 'open' || policy === 'off') && identity.signUpDomains.length > 0)
    found.push(thought('health.signUp.unusedDomains', 'health.signUp.useDomains', { policy }));
  if ((policy === 'domains' || policy === 'invited') && (identity.autoconfirm ?? mail.smtpUrl === null))
    found.push(thought('health.signUp.unconfirmed', 'health.signUp.confirm'));
  if (found.length > 0) return found;
  return [good('health.signUp.good', { policy, domains: identity.signUpDomains.join(', ') })];
}
