// GET /settings and GET /health: what is switched on here.

import { signUpPolicy } from './accounts/sign-up-policy.ts';
import type { IdentityContext } from './identity-context.ts';
import { enabledProviders } from './outside-issuers/custom-providers.ts';
import { knownProviders } from './outside-issuers/providers.ts';

export async function settings(context: IdentityContext): Promise<Record<string, unknown>> {
  const policy = signUpPolicy(context.settings);
  const external: Record<string, boolean> = { anonymous_users: context.settings.anonymous, email: true, phone: false };
  for (const name of knownProviders) external[name] = false;
  for (const name of context.providers.names) external[name] = true;
  const custom = await enabledProviders(context);
  for (const { identifier } of custom) external[identifier] = true;
  return {
    external,
    // Ours: what the buttons of custom providers say.
    custom_providers: custom,
    disable_signup: policy === 'off',
    // Ours: who may sign up, so that a page can say it before somebody has typed a password.
    sign_up: { policy, domains: policy === 'open' || policy === 'off' ? [] : context.settings.signUpDomains },
    mailer_autoconfirm: context.autoconfirm,
    phone_autoconfirm: false,
    sms_provider: '',
    saml_enabled: false,
    passkeys_enabled: context.settings.passkeys,
  };
}

export function health(): Record<string, string> {
  return { name: 'Kanbase', version: '1', description: 'Kanbase identity, speaking the protocol of GoTrue' };
}
