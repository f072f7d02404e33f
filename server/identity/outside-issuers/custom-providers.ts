// Providers that were entered by the API for administrators. Their rows are read at each sign-in, so that a change counts on all nodes at once; what
// was learned of one (its keys, say) is kept as long as its row stays the same.

import type { Configuration } from 'openid-client';
import { sql } from '../../database/sql.ts';
import { openOutwardFetch } from '../../limits/outward-fetch.ts';
import { unseal } from '../../session/seal.ts';
import type { IdentityContext } from '../identity-context.ts';
import { type Discovery, discoverProvider } from './discover-provider.ts';
import { type Provider, usualScopes } from './providers.ts';

export const customPrefix = 'custom:';
const freshMs = 86_400_000;

export interface ProviderRow {
  readonly id: string;
  readonly provider_type: 'oauth2' | 'oidc';
  readonly identifier: string;
  readonly name: string;
  readonly client_id: string;
  readonly client_secret: string;
  readonly acceptable_client_ids: readonly string[];
  readonly scopes: readonly string[];
  readonly custom_claims_allowlist: readonly string[];
  readonly pkce_enabled: boolean;
  readonly attribute_mapping: Readonly<Record<string, unknown>>;
  readonly authorization_params: Readonly<Record<string, string>>;
  readonly enabled: boolean;
  readonly email_optional: boolean;
  readonly issuer: string | null;
  readonly discovery_url: string | null;
  readonly skip_nonce_check: boolean;
  readonly authorization_url: string | null;
  readonly token_url: string | null;
  readonly userinfo_url: string | null;
  readonly jwks_uri: string | null;
  readonly cached_discovery: Discovery | null;
  readonly discovery_cached_at: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

export const providerColumns = sql`id, provider_type, identifier, name, client_id, client_secret,
  to_jsonb(acceptable_client_ids) as acceptable_client_ids, to_jsonb(scopes) as scopes, to_jsonb(custom_claims_allowlist) as custom_claims_allowlist,
  pkce_enabled, attribute_mapping, authorization_params, enabled, email_optional, issuer, discovery_url,
  skip_nonce_check, authorization_url, token_url, userinfo_url, jwks_uri, cached_discovery,
  auth.wire_time(discovery_cached_at) as discovery_cached_at, auth.wire_time(created_at) as created_at,
  auth.wire_time(updated_at) as updated_at`;

interface Known {
  readonly version: string;
  readonly provider: Provider;
}

/** By identity door, since tests have several in a process; the number of providers is small. */
const known = new WeakMap<IdentityContext, Map<string, Known>>();

/** One of the settings, or one that is entered and enabled. */
export async function findProvider(context: IdentityContext, name: string): Promise<Provider | undefined> {
  const ofSettings = context.providers.find(name);
  if (ofSettings !== undefined || !name.startsWith(customPrefix)) return ofSettings;
  const row = await findCustomProvider(context, name);
  if (!row?.enabled) return undefined;
  const ofContext = known.get(context) ?? new Map<string, Known>();
  known.set(context, ofContext);
  const version = `${row.id} ${row.updated_at}`;
  const before = ofContext.get(name);
  if (before?.version === version) return before.provider;
  const provider = openCustomProvider(context, row);
  ofContext.set(name, { version, provider });
  return provider;
}

export async function isCustomProvider(context: IdentityContext, name: string): Promise<boolean> {
  return name.startsWith(customPrefix) && (await findCustomProvider(context, name)) !== undefined;
}

export async function findCustomProvider(context: IdentityContext, name: string): Promise<ProviderRow | undefined> {
  const [row] = await context.query<ProviderRow>(sql`
    select ${providerColumns} from auth.custom_oauth_providers where identifier = ${name}`);
  return row;
}

/** Those that people may choose, with their names. */
export function enabledProviders(
  context: IdentityContext,
): Promise<readonly { readonly identifier: string; readonly name: string }[]> {
  return context.query(sql`
    select identifier, name from auth.custom_oauth_providers where enabled order by name, identifier`);
}

function openCustomProvider(context: IdentityContext, row: ProviderRow): Provider {
  const allowed = context.settings.oauthDocumentNetworks;
  const fetch = openOutwardFetch(allowed);
  const isOpenId = row.provider_type === 'oidc';
  let asked: Promise<Configuration> | null = null;
  let since = 0;
  return {
    name: row.identifier,
    issuer: issuerOf(row),
    clientIds: [row.client_id, ...row.acceptable_client_ids],
    scopes: scopesOf(row),
    trustEmail: false,
    groups: null,
    custom: {
      userinfoUrl: isOpenId ? null : row.userinfo_url,
      usesPkce: row.pkce_enabled,
      usesNonce: isOpenId && !row.skip_nonce_check,
      isEmailOptional: row.email_optional,
      parameters: row.authorization_params,
      mapping: row.attribute_mapping,
      keptClaims: row.custom_claims_allowlist,
      fetch,
    },
    client() {
      if (asked === null || Date.now() - since > freshMs) {
        since = Date.now();
        asked = introduce(context, row, fetch).catch((error: unknown) => {
          asked = null;
          throw error;
        });
      }
      return asked;
    },
  };
}

/** Whose ids of people they are: of OAuth 2 without an issuer, those of the address that says who a person is. Tenants may share its host. */
function issuerOf({ issuer, userinfo_url: url }: ProviderRow): string {
  if (issuer !== null) return issuer;
  const { origin, pathname } = new URL(url ?? '');
  return origin + pathname;
}

function scopesOf({ provider_type: type, scopes }: ProviderRow): string {
  if (type === 'oauth2') return scopes.join(' ');
  return scopes.length === 0 ? usualScopes : [...new Set(['openid', ...scopes])].join(' ');
}

async function introduce(
  context: IdentityContext,
  row: ProviderRow,
  fetch: ReturnType<typeof openOutwardFetch>,
): Promise<Configuration> {
  const oidc = await import('openid-client');
  const secret = unseal(row.client_secret, context.keys.seal);
  if (typeof secret !== 'string') throw new Error('the secret of the provider cannot be read: enter it again');
  const metadata = row.provider_type === 'oidc' ? await discoveryOf(context, row, fetch) : plainMetadata(row);
  const methods =
    'token_endpoint_auth_methods_supported' in metadata ? metadata.token_endpoint_auth_methods_supported : null;
  const isBasic = methods?.includes('client_secret_basic') === true && !methods.includes('client_secret_post');
  const client = new oidc.Configuration(
    { ...metadata } as ConstructorParameters<typeof oidc.Configuration>[0],
    row.client_id,
    undefined,
    isBasic ? oidc.ClientSecretBasic(secret) : oidc.ClientSecretPost(secret),
  );
  client[oidc.customFetch] = async (url, options) => {
    const response = await fetch(url, options as RequestInit);
    return row.provider_type === 'oauth2' && url === row.token_url ? withoutIdToken(response) : response;
  };
  // Addresses were checked when they were entered: plain http leads into networks that the operator allows.
  if (JSON.stringify(metadata).includes('"http:')) oidc.allowInsecureRequests(client);
  return client;
}

/** Nobody asked for it, and nothing is known by which it could be checked. */
async function withoutIdToken(response: Response): Promise<Response> {
  const text = await response.text();
  const { status, headers } = response;
  try {
    const { id_token: _unasked, ...tokens } = JSON.parse(text) as Record<string, unknown>;
    return new Response(JSON.stringify(tokens), { status, headers });
  } catch {
    return new Response(text, { status, headers });
  }
}

function plainMetadata(row: ProviderRow): Record<string, string> {
  return {
    // As an answer would name it (RFC 9207).
    issuer: row.issuer ?? new URL(row.userinfo_url ?? '').origin,
    authorization_endpoint: row.authorization_url ?? '',
    token_endpoint: row.token_url ?? '',
    userinfo_endpoint: row.userinfo_url ?? '',
    ...(row.jwks_uri === null ? {} : { jwks_uri: row.jwks_uri }),
  };
}

/** As it was when it was entered, or a day ago at most; where the provider is away, as it was. */
async function discoveryOf(
  context: IdentityContext,
  row: ProviderRow,
  fetch: ReturnType<typeof openOutwardFetch>,
): Promise<Discovery> {
  const { cached_discovery: kept, issuer } = row;
  const isFresh = Date.now() - Date.parse(row.discovery_cached_at ?? '') < freshMs;
  if (kept !== null && isFresh) return kept;
  try {
    const found = await discoverProvider(
      fetch,
      issuer ?? '',
      row.discovery_url,
      context.settings.oauthDocumentNetworks,
    );
    await context.query(sql`
      update auth.custom_oauth_providers set cached_discovery = ${found}, discovery_cached_at = now()
      where id = ${row.id} and issuer = ${issuer}`);
    return found;
  } catch (error) {
    if (kept === null) throw error;
    context.log.warn({ err: error, provider: row.identifier }, 'the discovery document of a provider cannot be read');
    return kept;
  }
}
