// Where a sign-in may return to here: the site and what AUTH_REDIRECT_URLS lists.

import type { IdentityContext } from '../identity-context.ts';
import type { RedirectRules } from './redirects.ts';

export function redirectRulesOf(context: IdentityContext): RedirectRules {
  return { siteUrl: context.siteUrl, redirectUrls: context.settings.redirectUrls };
}
