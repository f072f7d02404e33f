// /admin/custom-providers: providers that people may sign in with, entered and removed with the service key. Their secrets are never told.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { sql } from '../../database/sql.ts';
import { PostgresError } from '../../database/types.ts';
import { readPath } from '../../http/read-parameters.ts';
import { openOutwardFetch } from '../../limits/outward-fetch.ts';
import { seal } from '../../session/seal.ts';
import { refuse } from '../errors.ts';
import type { IdentityContext } from '../identity-context.ts';
import { arrayLiteral } from '../oauth/array-literal.ts';
import {
  customPrefix,
  findCustomProvider,
  type ProviderRow,
  providerColumns,
} from '../outside-issuers/custom-providers.ts';
import {
  type Discovery,
  DiscoveryFault,
  discoverProvider,
  faultOfAddress,
} from '../outside-issuers/discover-provider.ts';
import { type Body, readBody, readQuery } from '../requests/read-body.ts';
import { requireAdmin } from '../requests/require-user.ts';
import { checkMapping, checkParameters } from './check-custom-provider.ts';
import * as described from './described-providers.ts';

/** What is entered, as it is kept; the secret sealed. */
type Entered = Omit<ProviderRow, 'id' | 'created_at' | 'updated_at' | 'discovery_cached_at'>;

export async function listProviders(context: IdentityContext, request: FastifyRequest): Promise<unknown> {
  await requireAdmin(context, request);
  const { type = '' } = readQuery(request, described.listProviders);
  if (type !== '' && type !== 'oauth2' && type !== 'oidc')
    throw refuse('validation_failed', "type must be either 'oauth2' or 'oidc'");
  const rows = await context.query<ProviderRow>(sql`
    select ${providerColumns} from auth.custom_oauth_providers where ${type} in ('', provider_type) order by created_at, id`);
  return { providers: rows.map(tell) };
}

export async function readProvider(context: IdentityContext, request: FastifyRequest): Promise<unknown> {
  await requireAdmin(context, request);
  return tell(await requireProvider(context, identifierIn(request)));
}

export async function createProvider(
  context: IdentityContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  await requireAdmin(context, request);
  const sent = await readBody(request, described.createProvider);
  const { identifier, client_secret: secret, ...rest } = sent;
  requirePrefix(identifier);
  if (!/^custom:[a-z0-9][a-z0-9:_.-]{0,62}$/.test(identifier))
    throw refuse('validation_failed', 'identifier may hold small letters, digits and :_.- after its prefix');
  if (secret === '') throw refuse('validation_failed', 'client_secret is required');
  const entered = await check(context, {
    ...nothing,
    ...rest,
    identifier,
    client_secret: seal(secret, context.keys.seal),
  });
  try {
    const [row] = await context.query<ProviderRow>(sql`
      insert into auth.custom_oauth_providers (provider_type, identifier, name, client_id, client_secret, acceptable_client_ids, scopes,
        custom_claims_allowlist, pkce_enabled, attribute_mapping, authorization_params, enabled, email_optional, issuer, discovery_url,
        skip_nonce_check, authorization_url, token_url, userinfo_url, jwks_uri, cached_discovery, discovery_cached_at)
      values (${entered.provider_type}, ${identifier}, ${entered.name}, ${entered.client_id}, ${entered.client_secret},
        ${arrayLiteral(entered.acceptable_client_ids)}::text[], ${arrayLiteral(entered.scopes)}::text[],
        ${arrayLiteral(entered.custom_claims_allowlist)}::text[], ${entered.pkce_enabled}, ${entered.attribute_mapping}::jsonb,
        ${entered.authorization_params}::jsonb, ${entered.enabled}, ${entered.email_optional}, ${entered.issuer},
        ${entered.discovery_url}, ${entered.skip_nonce_check}, ${entered.authorization_url}, ${entered.token_url},
        ${entered.userinfo_url}, ${entered.jwks_uri}, ${entered.cached_discovery}::jsonb, now())
      returning ${providerColumns}`);
    context.log.info({ provider: identifier }, 'a provider for sign-ins was entered');
    return reply.code(201).send(row && tell(row));
  } catch (error) {
    if (error instanceof PostgresError && error.sqlstate === '23505')
      throw refuse('conflict', 'A custom OAuth provider with this identifier already exists');
    throw error;
  }
}

export async function updateProvider(context: IdentityContext, request: FastifyRequest): Promise<unknown> {
  await requireAdmin(context, request);
  const { client_secret: secret = '', ...sent } = await readBody(request, described.updateProvider);
  const before = await requireProvider(context, identifierIn(request));
  const changed: Entered = {
    ...before,
    ...sent,
    client_secret: secret === '' ? before.client_secret : seal(secret, context.keys.seal),
  };
  const hasMoved = changed.issuer !== before.issuer || changed.discovery_url !== before.discovery_url;
  const entered = await check(context, changed, !hasMoved);
  // Of two changes at once the later one was looked at before the earlier one was made: it says so.
  const [row] = await context.query<ProviderRow>(sql`
    update auth.custom_oauth_providers set name = ${entered.name}, client_id = ${entered.client_id}, client_secret = ${entered.client_secret},
      acceptable_client_ids = ${arrayLiteral(entered.acceptable_client_ids)}::text[], scopes = ${arrayLiteral(entered.scopes)}::text[],
      custom_claims_allowlist = ${arrayLiteral(entered.custom_claims_allowlist)}::text[], pkce_enabled = ${entered.pkce_enabled},
      attribute_mapping = ${entered.attribute_mapping}::jsonb, authorization_params = ${entered.authorization_params}::jsonb,
      enabled = ${entered.enabled}, email_optional = ${entered.email_optional}, issuer = ${entered.issuer},
      discovery_url = ${entered.discovery_url}, skip_nonce_check = ${entered.skip_nonce_check},
      authorization_url = ${entered.authorization_url}, token_url = ${entered.token_url}, userinfo_url = ${entered.userinfo_url},
      jwks_uri = ${entered.jwks_uri}, cached_discovery = ${entered.cached_discovery}::jsonb,
      discovery_cached_at = case when ${hasMoved} then now() else discovery_cached_at end, updated_at = clock_timestamp()
    where id = ${before.id} and auth.wire_time(updated_at) = ${before.updated_at} returning ${providerColumns}`);
  if (row === undefined) throw refuse('conflict', 'The provider was changed at the same time: try again');
  context.log.info({ provider: row.identifier }, 'a provider for sign-ins was changed');
  return tell(row);
}

export async function deleteProvider(
  context: IdentityContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  await requireAdmin(context, request);
  const { id, identifier } = await requireProvider(context, identifierIn(request));
  await context.query(sql`delete from auth.custom_oauth_providers where id = ${id}`);
  context.log.info({ provider: identifier }, 'a provider for sign-ins was removed');
  return reply.code(204).send();
}

const nothing = {
  acceptable_client_ids: [],
  scopes: [],
  custom_claims_allowlist: [],
  pkce_enabled: true,
  attribute_mapping: {},
  authorization_params: {},
  enabled: true,
  email_optional: false,
  issuer: null,
  discovery_url: null,
  skip_nonce_check: false,
  authorization_url: null,
  token_url: null,
  userinfo_url: null,
  jwks_uri: null,
  cached_discovery: null,
} as const;

const addresses = {
  oidc: ['issuer', 'discovery_url'],
  oauth2: ['authorization_url', 'token_url', 'userinfo_url', 'issuer', 'jwks_uri'],
} as const;
const neededAddresses: readonly string[] = ['issuer of oidc', 'authorization_url', 'token_url', 'userinfo_url'];

/** All of it fits; an OpenID Connect provider answers, unless it is known. */
async function check(context: IdentityContext, entered: Entered, isKnown = false): Promise<Entered> {
  const { provider_type: type } = entered;
  for (const name of ['name', 'client_id'] as const)
    if (entered[name].trim() === '') throw refuse('validation_failed', `${name} is required`);
  checkParameters(entered.authorization_params);
  checkMapping(entered.attribute_mapping);
  const allowed = context.settings.oauthDocumentNetworks;
  const read: Record<string, string | null> = {};
  for (const name of addresses[type]) {
    const address = entered[name] || null;
    read[name] = address;
    const isNeeded = neededAddresses.includes(name) || neededAddresses.includes(`${name} of ${type}`);
    const kind = type === 'oidc' ? 'OIDC' : 'OAuth2';
    if (address === null && isNeeded) throw refuse('validation_failed', `${name} is required for ${kind} providers`);
    const fault = address === null ? null : faultOfAddress(address, allowed);
    if (fault !== null) throw refuse('validation_failed', `${name} ${fault}`);
  }
  const settled: Entered = { ...entered, ...read };
  if (type === 'oauth2' || isKnown) return settled;
  return { ...settled, cached_discovery: await discover(context, settled, allowed) };
}

async function discover(
  context: IdentityContext,
  { issuer, discovery_url: url }: Entered,
  allowed: readonly string[],
): Promise<Discovery> {
  try {
    return await discoverProvider(openOutwardFetch(allowed), issuer ?? '', url, allowed);
  } catch (error) {
    if (!(error instanceof DiscoveryFault)) throw error;
    context.log.info({ err: error.cause ?? error, issuer }, 'the discovery document of a provider cannot be used');
    throw refuse('validation_failed', error.message, { cause: error });
  }
}

function identifierIn(request: FastifyRequest): string {
  const { identifier } = readPath(request, described.getProvider);
  requirePrefix(identifier);
  return identifier;
}

function requirePrefix(identifier: string): void {
  if (!identifier.startsWith(customPrefix))
    throw refuse(
      'validation_failed',
      `identifier must start with 'custom:' prefix, e.g. 'custom:${identifier.slice(0, 60)}'`,
    );
}

async function requireProvider(context: IdentityContext, identifier: string): Promise<ProviderRow> {
  const row = await findCustomProvider(context, identifier);
  if (row === undefined) throw refuse('custom_provider_not_found', 'Custom OAuth provider not found');
  return row;
}

function tell(row: ProviderRow): Body {
  const { client_secret: _secret, cached_discovery: found, discovery_cached_at: _since, ...told } = row;
  const set = Object.fromEntries(Object.entries(told).filter(([, value]) => value !== null));
  return row.provider_type === 'oauth2'
    ? set
    : { ...set, discovery_document: found === null ? null : tellDiscovery(found) };
}

/** As the official client names its parts. */
function tellDiscovery(found: Discovery): Body {
  const {
    scopes_supported: supported_scopes,
    response_types_supported: supported_response_types,
    subject_types_supported: supported_subject_types,
    id_token_signing_alg_values_supported: supported_id_token_signing_algs,
    token_endpoint_auth_methods_supported: _methods,
    code_challenge_methods_supported: _challenges,
    ...rest
  } = found;
  const lists = {
    supported_scopes,
    supported_response_types,
    supported_subject_types,
    supported_id_token_signing_algs,
  };
  return { ...rest, ...Object.fromEntries(Object.entries(lists).filter(([, value]) => value !== undefined)) };
}
