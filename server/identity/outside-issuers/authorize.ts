// GET /authorize: off to an issuer. State, nonce and a code verifier of our own go with every sign-in; the browser that
// leaves gets a cookie, so that nobody can finish a sign-in in somebody else's browser.

import { createHash, randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sql } from '../../database/sql.ts';
import { seal } from '../../session/seal.ts';
import { toCatalogError } from '../dialect.ts';
import { refuse } from '../errors.ts';
import type { IdentityContext } from '../identity-context.ts';
import { errorAddress } from '../mail/verify.ts';
import { headerValue, otherQuery, readQuery } from '../requests/read-body.ts';
import { redirectRulesOf } from '../requests/redirect-rules.ts';
import { redirectOf } from '../requests/redirects.ts';
import { requireSecondFactor, requireUser } from '../requests/require-user.ts';
import { asChallenge } from '../tokens/flows.ts';
import { findProvider, isCustomProvider } from './custom-providers.ts';
import { authorize as describedAuthorize, linkIdentity } from './described.ts';
import { knownProviders, type Provider } from './providers.ts';

/** What we keep sealed about our own exchange with the issuer. */
export interface FlowSecrets {
  /** Null for a provider that gives it back in no ID token. */
  readonly nonce: string | null;
  readonly verifier: string | null;
  /** Hash of the browser's cookie; null when the address was handed to a program, not to a browser. */
  readonly browser: string | null;
}

/** Ours to set; whatever else is in the query is meant for the issuer (prompt, login_hint, hd, access_type …). */
const ours = new Set([
  'provider', 'scopes', 'redirect_to', 'code_challenge', 'code_challenge_method', 'skip_http_redirect', 'apikey',
  'client_id', 'client_secret', 'redirect_uri', 'response_type', 'response_mode', 'scope', 'state', 'nonce', 'request',
  'request_uri', 'invite_token',
]); // biome-ignore format: a list

export function cookieName(state: string): string {
  return `kanbase-flow-${createHash('sha256').update(state).digest('hex').slice(0, 12)}`;
}

export async function authorize(
  context: IdentityContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  try {
    const { url, state, browser } = await leave(context, request, null, true);
    return reply.header('set-cookie', cookie(context, state, browser)).redirect(url, 302);
  } catch (thrown) {
    const error = toCatalogError(thrown, request);
    // A program that asks for what is not offered gets an error. A person who pressed a button goes back to the app, which
    // has words for it; as everybody does when the issuer is away.
    if (error.status < 500 && !headerValue(request, 'accept')?.includes('text/html')) throw error;
    return reply.redirect(errorAddress(redirectOf(redirectRulesOf(context), request), error, 'both', request.id), 302);
  }
}

/** GET /user/identities/authorize: the same for someone who is signed in and adds an identity. */
export async function authorizeLink(
  context: IdentityContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  if (!context.settings.manualLinking) throw refuse('manual_linking_disabled', 'Manual linking is disabled');
  const caller = await requireUser(context, request);
  requireSecondFactor(caller, 'AAL2 required to link an identity', 403);
  const { user } = caller;
  // A page of our own keeps the cookie of this response. For pages elsewhere the code verifier ties the flow to the browser
  // that began it. Without either, a link sent to somebody else would add their identity to the account of the sender: so
  // the person who comes back is asked first (link-consent.ts).
  const keepsCookies = headerValue(request, 'sec-fetch-site') === 'same-origin';
  const { url, state, browser } = await leave(context, request, user.id, keepsCookies);
  if (keepsCookies) reply.header('set-cookie', cookie(context, state, browser));
  if (readQuery(request, linkIdentity).skip_http_redirect === 'true') return reply.send({ url });
  return reply.redirect(url, 302);
}

async function leave(
  context: IdentityContext,
  request: FastifyRequest,
  linkingUserId: string | null,
  tied: boolean,
): Promise<{ url: string; state: string; browser: string }> {
  const asked = readQuery(request, describedAuthorize);
  const provider = await providerNamed(context, asked.provider ?? '');
  const { parameters = {}, usesNonce = true, usesPkce = true } = provider.custom ?? {};
  const challenge = asChallenge(asked.code_challenge ?? '', asked.code_challenge_method ?? '');
  const redirectTo = redirectOf(redirectRulesOf(context), request);
  const client = await reach(context, provider);
  const oidc = await import('openid-client');
  const state = randomBytes(24).toString('base64url');
  const browser = randomBytes(24).toString('base64url');
  const secrets: FlowSecrets = {
    nonce: usesNonce ? oidc.randomNonce() : null,
    verifier: usesPkce ? oidc.randomPKCECodeVerifier() : null,
    browser: tied ? hashOf(browser) : null,
  };
  const expiresAt = new Date(Date.now() + context.settings.flowLifetime * 1000);
  await context.query(sql`
    insert into auth.flow_state (state_hash, provider_type, authentication_method, code_challenge, code_challenge_method,
      redirect_to, linking_user_id, provider_state, expires_at)
    values (${hashOf(state)}, ${provider.name}, 'oauth', ${challenge?.challenge}, ${challenge?.method},
      ${redirectTo}, ${linkingUserId}, ${{ sealed: seal(secrets, context.keys.seal) }}, ${expiresAt})`);
  const { nonce, verifier } = secrets;
  const scope = scopesOf(provider, asked.scopes ?? '');
  const url = oidc.buildAuthorizationUrl(client, {
    ...parameters,
    ...otherQuery(request, ours),
    redirect_uri: context.providers.callbackUrl,
    ...(scope === '' ? {} : { scope }),
    state,
    ...(nonce === null ? {} : { nonce }),
    ...(verifier === null
      ? {}
      : { code_challenge: await oidc.calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256' }),
  });
  return { url: url.href, state, browser };
}

export async function providerNamed(context: IdentityContext, name: string): Promise<Provider> {
  const provider = await findProvider(context, name);
  if (provider) return provider;
  throw refuse(
    'validation_failed',
    knownProviders.includes(name) || (await isCustomProvider(context, name))
      ? 'Unsupported provider: provider is not enabled'
      : `Unsupported provider: Provider ${name === '' ? '' : `${name.slice(0, 40)} `}could not be found`,
  );
}

/** The issuer's own description, or words for the person who waits. */
export async function reach(context: IdentityContext, provider: Provider): ReturnType<Provider['client']> {
  try {
    return await provider.client();
  } catch (error) {
    context.log.error({ err: error, provider: provider.name }, 'the identity provider cannot be reached');
    throw refuse('unexpected_failure', `${provider.name} cannot be reached at the moment, please try again`, {
      status: 503,
      cause: error,
    });
  }
}

function scopesOf(provider: Provider, asked: string): string {
  return [
    ...new Set(`${provider.scopes} ${asked.replaceAll(',', ' ')}`.split(/\s+/).filter((scope) => scope !== '')),
  ].join(' ');
}

function cookie(context: IdentityContext, state: string, browser: string): string {
  const secure = context.apiUrl.startsWith('https:') ? '; Secure' : '';
  return `${cookieName(state)}=${browser}; Path=/auth/v1/callback; Max-Age=${context.settings.flowLifetime}; HttpOnly; SameSite=Lax${secure}`;
}

export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
