// GET /settings, GET /health and GET /.well-known/openid-configuration: what is switched on here, and who signs its tokens.

import { knownProviders } from './providers.ts';
import type { Room } from './room.ts';

export function settings(room: Room): Record<string, unknown> {
  const external: Record<string, boolean> = { anonymous_users: room.settings.anonymous, email: true, phone: false };
  for (const name of knownProviders) external[name] = false;
  for (const name of room.providers.names) external[name] = true;
  return {
    external,
    disable_signup: room.settings.disableSignup,
    mailer_autoconfirm: room.autoconfirm,
    phone_autoconfirm: false,
    sms_provider: '',
    saml_enabled: false,
    passkeys_enabled: room.settings.passkeys,
  };
}

/** Enough for a service that checks our tokens; we are nobody's sign-in provider. */
export function discovery(room: Room): Record<string, string> {
  const issuer = `${room.siteUrl}/auth/v1`;
  return { issuer, jwks_uri: `${issuer}/.well-known/jwks.json` };
}

export function health(): Record<string, string> {
  return { name: 'Kanbase', version: '1', description: 'Kanbase identity, speaking the protocol of GoTrue' };
}
