// GET /settings and GET /health: what is switched on here.

import type { Room } from './room.ts';

/** Providers that clients know by name; ours are true, the rest are not offered. */
const known = [
  'apple', 'azure', 'bitbucket', 'discord', 'facebook', 'figma', 'fly', 'github', 'gitlab', 'google', 'kakao', 'keycloak',
  'linkedin', 'linkedin_oidc', 'notion', 'slack', 'slack_oidc', 'snapchat', 'spotify', 'twitch', 'twitter', 'workos', 'x', 'zoom',
]; // biome-ignore format: a list

export function settings(room: Room): Record<string, unknown> {
  const external: Record<string, boolean> = { anonymous_users: room.settings.anonymous, email: true, phone: false };
  for (const name of known) external[name] = false;
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

export function health(): Record<string, string> {
  return { name: 'Kanbase', version: '1', description: 'Kanbase identity, speaking the protocol of GoTrue' };
}
