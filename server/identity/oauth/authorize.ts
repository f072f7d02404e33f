// GET /oauth/authorize: a program sends a browser here. Until client and address are known to belong together, nobody is sent anywhere; after
// that, faults go back to the program. A good request is kept, and the browser goes on to the consent page with its id.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { sql } from '../../database/sql.ts';
import { CatalogError } from '../../errors.ts';
import type { IdentityContext } from '../identity-context.ts';
import { countRequest } from '../requests/rate-limits.ts';
import { withParameters } from '../requests/redirects.ts';
import { arrayLiteral } from './array-literal.ts';
import { findClient } from './clients.ts';
import { refuseOAuth } from './errors.ts';
import { clientIdOf, type OAuthClient } from './oauth-client.ts';
import { inAddress, type Parameters } from './parameters.ts';
import { issuerOf } from './program-tokens.ts';
import { matchesRedirectUri } from './redirect-uris.ts';
import { readResources } from './resources.ts';
import { readScopes } from './scopes.ts';

export const requestSeconds = 600;
const longestText = 4096;

export async function authorize(
  context: IdentityContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  await countRequest(context, request, 'signIn');
  const sent = inAddress(request);
  for (const name of ['client_id', 'redirect_uri'])
    if (sent.all(name).length > 1) throw refuseOAuth('invalid_request', `${name} is there twice`);
  const client = await findClient(context, sent.text('client_id'), true);
  if (client === null) throw refuseOAuth('invalid_client', 'There is no such client', { status: 400 });
  const redirectUri = redirectUriIn(client, sent);
  const state = sent.all('state')[0] ?? null;
  reply.headers({
    'referrer-policy': 'no-referrer',
    'content-security-policy': "frame-ancestors 'none'",
    'x-frame-options': 'DENY',
  });
  try {
    const id = await keepRequest(context, client, redirectUri, sent);
    const page = new URL(context.siteUrl + context.settings.oauthConsentPath);
    page.searchParams.set('authorization_id', id);
    return reply.redirect(page.href, 302);
  } catch (error) {
    if (!(error instanceof CatalogError) || error.status >= 500) throw error;
    return reply.redirect(faultAddress(context, redirectUri, state, error), 302);
  }
}

/** Back to the program with a fault; the issuer beside it, so that a program that knows several takes no answer for another's (RFC 9207). */
export function faultAddress(
  context: IdentityContext,
  redirectUri: string,
  state: string | null,
  { code, message }: Pick<CatalogError, 'code' | 'message'>,
): string {
  return answerAddress(context, redirectUri, state, { error: code, error_description: message });
}

export function answerAddress(
  context: IdentityContext,
  redirectUri: string,
  state: string | null,
  answer: Readonly<Record<string, string>>,
): string {
  const all = { ...answer, ...(state === null ? {} : { state }), iss: issuerOf(context) };
  return withParameters(redirectUri, all, 'query');
}

function redirectUriIn(client: OAuthClient, sent: Parameters): string {
  const asked = sent.text('redirect_uri');
  const [only] = client.redirect_uris;
  if (asked === '' && only !== undefined && client.redirect_uris.length === 1) return only;
  if (asked === '' || !matchesRedirectUri(client.redirect_uris, asked))
    throw refuseOAuth('invalid_request', 'redirect_uri is none of those that the client is registered with');
  return asked;
}

async function keepRequest(
  context: IdentityContext,
  client: OAuthClient,
  redirectUri: string,
  sent: Parameters,
): Promise<string> {
  sent.checkOnce();
  for (const name of ['request', 'request_uri'])
    if (sent.text(name) !== '') throw refuseOAuth('request_not_supported', `${name} is not supported`);
  if (sent.text('response_type') !== 'code')
    throw refuseOAuth('unsupported_response_type', 'response_type must be code');
  if (!client.grant_types.includes('authorization_code'))
    throw refuseOAuth('unauthorized_client', `${clientIdOf(client)} may not ask for a code`);
  if (!['', 'query'].includes(sent.text('response_mode')))
    throw refuseOAuth('invalid_request', 'response_mode must be query');
  const challenge = challengeIn(sent);
  const scopes = readScopes(sent.text('scope'), client.scopes);
  const resources = readResources(context, sent.all('resource'));
  const prompts = sent.text('prompt').split(' ');
  if (prompts.includes('none')) throw refuseOAuth('interaction_required', 'Consent is given on a page');
  const [state, nonce] = [sent.text('state'), sent.text('nonce')];
  if (state.length > longestText || nonce.length > longestText)
    throw refuseOAuth('invalid_request', `state and nonce have at most ${longestText} characters`);
  const expiresAt = new Date(Date.now() + requestSeconds * 1000);
  const [row] = await context.query<{ id: string }>(sql`
    insert into auth.oauth_authorizations
      (client_id, redirect_uri, scopes, resources, code_challenge, state, nonce, always_ask, expires_at)
    values (${client.id}, ${redirectUri}, ${arrayLiteral(scopes)}::text[], ${arrayLiteral(resources)}::text[], ${challenge},
      ${state === '' ? null : state}, ${nonce === '' ? null : nonce}, ${prompts.some((one) => one !== '')}, ${expiresAt})
    returning id`);
  if (row === undefined) throw refuseOAuth('invalid_request', 'The request cannot be kept');
  return row.id;
}

function challengeIn(sent: Parameters): string {
  const challenge = sent.text('code_challenge');
  if (challenge === '') throw refuseOAuth('invalid_request', 'code_challenge is missing: PKCE is required');
  if (sent.text('code_challenge_method') !== 'S256')
    throw refuseOAuth('invalid_request', 'code_challenge_method must be S256');
  if (!/^[\w-]{43}$/.test(challenge)) throw refuseOAuth('invalid_request', 'code_challenge is no SHA-256 in base64url');
  return challenge;
}
