// Checks of a provider that is entered: parameters of the request for a sign-in are not ours, and claims don't stand for what the server decides.

import { refuse } from '../errors.ts';

/** Part of the exchange itself. */
const reserved: ReadonlySet<string> = new Set([
  'client_id', 'client_secret', 'redirect_uri', 'response_type', 'response_mode', 'state', 'code_challenge', 'code_challenge_method',
  'code_verifier', 'nonce', 'scope', 'request', 'request_uri',
]); // biome-ignore format: a list

/** Decided here, whatever a provider says. */
const protectedNames: ReadonlySet<string> = new Set([
  'id', 'aud', 'iss', 'role', 'app_metadata', 'created_at', 'updated_at', 'confirmed_at', 'email_confirmed_at', 'phone_confirmed_at',
  'phone_verified', 'banned_until', 'is_super_admin', 'is_operator',
]); // biome-ignore format: a list

const mostEntries = 50;

export function checkParameters(parameters: Readonly<Record<string, unknown>>): void {
  if (Object.keys(parameters).length > mostEntries)
    throw refuse('validation_failed', `At most ${mostEntries} authorization_params`);
  for (const [name, value] of Object.entries(parameters)) {
    if (reserved.has(name)) throw refuse('validation_failed', `Cannot override reserved OAuth parameter: ${name}`);
    if (typeof value !== 'string')
      throw refuse('validation_failed', `Authorization parameter "${name}" must be a string`);
  }
}

/** A claim by its name or path; an address may also be said to be verified, always. */
export function checkMapping(mapping: Readonly<Record<string, unknown>>): void {
  if (Object.keys(mapping).length > mostEntries)
    throw refuse('validation_failed', `At most ${mostEntries} entries of attribute_mapping`);
  for (const [name, from] of Object.entries(mapping)) {
    if (protectedNames.has(name)) throw refuse('validation_failed', `Cannot map to protected system field: ${name}`);
    if (typeof from !== 'string' && !(name === 'email_verified' && from === true))
      throw refuse('validation_failed', `attribute_mapping: ${name} must name a claim`);
  }
}
