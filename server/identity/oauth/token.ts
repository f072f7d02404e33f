// POST /oauth/token: a code, a refresh token, a device's code, or the secret of a service account's client, for tokens of a program. POST
// /oauth/revoke ends them (RFC 7009).

import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sql } from '../../database/sql.ts';
import { CatalogError } from '../../errors.ts';
import { refuse } from '../errors.ts';
import type { IdentityContext } from '../identity-context.ts';
import { clientInfoOf } from '../requests/client-info.ts';
import { countProven, countRequest, refuseWhenSpent } from '../requests/rate-limits.ts';
import { isUuid } from '../requests/read-body.ts';
import { readRefreshToken } from '../tokens/refresh-token.ts';
import { arrayLiteral } from './array-literal.ts';
import { credentialsGrant, deviceGrant } from './client-metadata.ts';
import { authenticateClient, hashOf } from './clients.ts';
import { refuseOAuth } from './errors.ts';
import { clientIdOf, type OAuthClient } from './oauth-client.ts';
import { inBody, type Parameters } from './parameters.ts';
import { type ProgramSession, programTokens, refuseRole, type TokenAnswer } from './program-tokens.ts';
import { readResources } from './resources.ts';
import { readScopes } from './scopes.ts';

export interface Outcome extends ProgramSession {
  readonly outcome: string;
}

interface Exchange {
  readonly context: IdentityContext;
  readonly request: FastifyRequest;
  readonly client: OAuthClient;
  readonly form: Parameters;
}

const exchanges: Readonly<Record<string, (exchange: Exchange) => Promise<Outcome | undefined>>> = {
  authorization_code: exchangeCode,
  refresh_token: refresh,
  [deviceGrant]: exchangeDevice,
  [credentialsGrant]: openForService,
};

/** Of a token by client credentials, in seconds: the next one costs a request and no person. */
const longestService = 3600;

export async function exchangeToken(
  context: IdentityContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<TokenAnswer> {
  reply.header('pragma', 'no-cache');
  const { client, form } = await readAuthenticated(context, request);
  const way = form.text('grant_type');
  if (way === '') throw refuseOAuth('invalid_request', 'grant_type is missing');
  const exchange = Object.hasOwn(exchanges, way) ? exchanges[way] : undefined;
  if (exchange === undefined) throw refuse('unsupported_grant_type', `Unsupported grant_type: ${way.slice(0, 100)}`);
  if (!client.grant_types.includes(way))
    throw refuseOAuth('unauthorized_client', 'The client is not registered for it');
  try {
    const result = checkOutcome(await exchange({ context, request, client, form }));
    return await programTokens(context, client, result);
  } catch (error) {
    // A device that waits is no guesser.
    if (!(error instanceof CatalogError && waiting.has(error.code))) await countRequest(context, request, 'verify');
    throw error;
  }
}

const waiting: ReadonlySet<string> = new Set(['authorization_pending', 'slow_down', 'access_denied', 'expired_token']);

/** Faults count, so that nobody guesses; what works does not, since a program may serve many people from one address. */
async function readAuthenticated(
  context: IdentityContext,
  request: FastifyRequest,
): Promise<Pick<Exchange, 'client' | 'form'>> {
  await refuseWhenSpent(context, request, 'verify');
  try {
    const form = await inBody(request);
    return { form, client: await authenticateClient(context, request, form) };
  } catch (error) {
    await countRequest(context, request, 'verify');
    throw error;
  }
}

function checkOutcome(result: Outcome | undefined): Outcome {
  switch (result?.outcome) {
    case 'ok':
      return result;
    case 'scope':
      throw refuseOAuth('invalid_scope', 'scope may hold only what was granted');
    case 'target':
      throw refuseOAuth('invalid_target', 'resource may name only what was authorized');
    case 'projects':
      throw refuseOAuth('invalid_request', 'projects may name only those of the client');
    case 'pending':
      throw refuseOAuth('authorization_pending', 'The person has not answered yet');
    case 'often':
      throw refuseOAuth('slow_down', 'Ask every five seconds');
    case 'role':
      throw refuseRole();
    case 'denied':
      throw refuseOAuth('access_denied', 'The person refused');
    case 'late':
      throw refuseOAuth('expired_token', 'The code of the device is too old');
    default:
      throw refuseOAuth('invalid_grant', 'It is unknown, used, too old, or another client’s');
  }
}

async function exchangeCode({ context, request, client, form }: Exchange): Promise<Outcome | undefined> {
  const [code, verifier] = [form.text('code'), form.text('code_verifier')];
  if (code === '' || verifier === '') throw refuseOAuth('invalid_request', 'code and code_verifier are needed');
  if (!/^[\w.~-]{43,128}$/.test(verifier)) throw refuseOAuth('invalid_grant', 'code_verifier is malformed');
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  const redirectUri = form.text('redirect_uri');
  const { agent, address } = clientInfoOf(request);
  const [row] = await context.query<{ result: Outcome }>(sql`
    select auth.exchange_oauth_code(${hashOf(code)}, ${client.id}, ${challenge}, ${redirectUri === '' ? null : redirectUri},
      ${targetsIn(context, form)}::text[], ${agent}, ${address}) as result`);
  return row?.result;
}

async function refresh({ context, request, client, form }: Exchange): Promise<Outcome | undefined> {
  const token = readRefreshToken(form.text('refresh_token'), context.keys.programs);
  if (token === null) return undefined;
  await countProven(context, request, 'refresh', token.sessionId);
  const { agent, address } = clientInfoOf(request);
  const asked = form.text('scope');
  const narrowed = asked === '' ? null : readScopes(asked, client.scopes);
  const [row] = await context.query<{ result: Outcome }>(sql`
    select auth.refresh_oauth_session(${token.sessionId}, ${token.counter}, ${client.id}, ${arrayLiteral(narrowed)}::text[],
      ${targetsIn(context, form)}::text[], make_interval(secs => ${context.settings.sessionInactivity}), ${agent}, ${address}) as result`);
  return row?.result;
}

async function exchangeDevice({ context, request, client, form }: Exchange): Promise<Outcome | undefined> {
  const code = form.text('device_code');
  if (code === '') throw refuseOAuth('invalid_request', 'device_code is needed');
  const { agent, address } = clientInfoOf(request);
  const [row] = await context.query<{ result: Outcome }>(sql`
    select auth.exchange_device_code(${hashOf(code)}, ${client.id}, ${targetsIn(context, form)}::text[], ${agent}, ${address}) as result`);
  return row?.result;
}

/** Less than the client may on request: `scope`, and `projects` with ids. */
async function openForService({ context, request, client, form }: Exchange): Promise<Outcome | undefined> {
  await countProven(context, request, 'refresh', client.id);
  const asked = form.text('scope');
  const narrowed = asked === '' ? null : readScopes(asked, client.scopes);
  const projects = form.text('projects').split(' ').filter(Boolean);
  if (!projects.every(isUuid)) throw refuseOAuth('invalid_request', 'projects holds ids, with spaces between');
  const seconds = Math.min(context.settings.tokenLifetime, longestService);
  const { agent, address } = clientInfoOf(request);
  const [row] = await context.query<{ result: Outcome }>(sql`
    select auth.open_service_session(${client.id}, ${client.secret_hash}, ${arrayLiteral(narrowed)}::text[], ${arrayLiteral(projects.length === 0 ? null : projects)}::uuid[],
      ${targetsIn(context, form) ?? '{}'}::text[], make_interval(secs => ${seconds}), ${agent}, ${address}) as result`);
  return row?.result;
}

function targetsIn(context: IdentityContext, form: Parameters): string | null {
  const named = form.all('resource');
  return named.length === 0 ? null : arrayLiteral(readResources(context, named));
}

/** Ends the session of a token; of one that is unknown nothing is said. */
export async function revokeToken(
  context: IdentityContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { client, form } = await readAuthenticated(context, request);
  const sent = form.text('token');
  if (sent === '') throw refuseOAuth('invalid_request', 'token is missing');
  const session = readRefreshToken(sent, context.keys.programs)?.sessionId ?? (await sessionOf(context, client, sent));
  if (session !== null)
    await context.query(sql`
      delete from auth.sessions s using auth.oauth_grants g
      where s.id = ${session} and g.id = s.oauth_grant_id and g.client_id = ${client.id}`);
  return reply.code(200).header('content-length', '0').send();
}

async function sessionOf(context: IdentityContext, client: OAuthClient, token: string): Promise<string | null> {
  try {
    const { claims } = await context.sessions.verify(token);
    return claims.client_id === clientIdOf(client) ? (claims.session_id ?? null) : null;
  } catch {
    return null;
  }
}
