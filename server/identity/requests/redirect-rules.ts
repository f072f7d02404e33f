// Redirect rules of this server: the site and the addresses in AUTH_REDIRECT_URLS.

import type { IdentityContext } from '../identity-context.ts';
import type { RedirectRules } from './redirects.ts';

export function redirectRulesOf(context: IdentityContext): RedirectRules {
  return { siteUrl: context.siteUrl, redirectUrls: context.settings.redirectUrls };
}
