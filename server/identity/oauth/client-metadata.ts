// Metadata of a program, checked when it is registered: by an administrator, by itself, or in its document.

import { refuseOAuth } from './errors.ts';
import { faultOfRedirectUri } from './redirect-uris.ts';
import { readScopes } from './scopes.ts';

/** As RFC 7591 has it; what is not sent is undefined. */
export interface SentMetadata {
  readonly client_name?: string | undefined;
  readonly client_uri?: string | undefined;
  readonly logo_uri?: string | undefined;
  readonly redirect_uris?: readonly string[] | undefined;
  readonly grant_types?: readonly string[] | undefined;
  readonly response_types?: readonly string[] | undefined;
  readonly scope?: string | undefined;
  readonly token_endpoint_auth_method?: string | undefined;
}

export interface ClientMetadata {
  readonly client_name: string;
  readonly client_uri: string | null;
  readonly logo_uri: string | null;
  readonly redirect_uris: readonly string[];
  readonly grant_types: readonly string[];
  readonly scopes: readonly string[] | null;
  readonly token_endpoint_auth_method: string;
}

export const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code';
/** Of clients of service accounts alone, which their managers make (create_service_account_client): nobody registers one. */
export const credentialsGrant = 'client_credentials';
export const grantTypes = ['authorization_code', 'refresh_token', deviceGrant] as const;
export const authMethods = ['client_secret_basic', 'client_secret_post', 'none'] as const;
const mostRedirectUris = 20;
const longestName = 200;

export function readClientMetadata(sent: SentMetadata, usualMethod: string): ClientMetadata {
  const method = sent.token_endpoint_auth_method ?? usualMethod;
  if (!(authMethods as readonly string[]).includes(method))
    throw unacceptable(`token_endpoint_auth_method must be one of ${authMethods.join(', ')}`);
  const grants = [...new Set(sent.grant_types ?? ['authorization_code', 'refresh_token'])];
  const strange = grants.find((one) => !(grantTypes as readonly string[]).includes(one));
  if (strange !== undefined) throw unacceptable(`grant_types may hold ${grantTypes.join(', ')}`);
  if (sent.response_types?.some((one) => one !== 'code')) throw unacceptable('response_types may hold code alone');
  return {
    client_name: nameIn(sent.client_name ?? ''),
    client_uri: pageIn('client_uri', sent.client_uri),
    logo_uri: pageIn('logo_uri', sent.logo_uri),
    redirect_uris: redirectUrisIn(sent.redirect_uris ?? [], grants),
    grant_types: grants,
    scopes: sent.scope === undefined || sent.scope === '' ? null : readScopes(sent.scope, null),
    token_endpoint_auth_method: method,
  };
}

function unacceptable(words: string): Error {
  return refuseOAuth('invalid_client_metadata', words);
}

/** It stands on the consent page: nothing in it may turn the text around it or look like another name. */
function nameIn(sent: string): string {
  const name = sent.trim().replaceAll(/\s+/g, ' ');
  if (name === '') throw unacceptable('client_name is required');
  if (name.length > longestName) throw unacceptable(`client_name has at most ${longestName} characters`);
  if (/[\p{Cc}\p{Cf}\p{Surrogate}\p{Private_Use}]/u.test(name))
    throw unacceptable('client_name holds characters that are not seen');
  return name;
}

function pageIn(field: string, sent: string | undefined): string | null {
  if (sent === undefined || sent === '') return null;
  if (sent.length > 2000 || !URL.canParse(sent) || !/^https?:$/.test(new URL(sent).protocol))
    throw unacceptable(`${field} must be an address on the web`);
  return new URL(sent).href;
}

function redirectUrisIn(sent: readonly string[], grants: readonly string[]): readonly string[] {
  if (sent.length === 0 && grants.includes('authorization_code')) throw unacceptable('redirect_uris is required');
  if (sent.length > mostRedirectUris) throw unacceptable(`At most ${mostRedirectUris} redirect_uris`);
  for (const uri of sent) {
    const fault = faultOfRedirectUri(uri);
    if (fault !== null) throw refuseOAuth('invalid_redirect_uri', `${uri.slice(0, 200)} ${fault}`);
  }
  return [...new Set(sent)];
}
