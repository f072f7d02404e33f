// GET /callback: back from an issuer. Whatever happens, the person ends up on a page of the app.

import { timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sql } from '../../database/sql.ts';
import { CatalogError } from '../../errors.ts';
import { seal, unseal } from '../../session/seal.ts';
import { toCatalogError } from '../dialect.ts';
import { refuse } from '../errors.ts';
import type { IdentityContext } from '../identity-context.ts';
import { errorAddress } from '../mail/verify.ts';
import { clientInfoOf } from '../requests/client-info.ts';
import { type Page, sendPage } from '../requests/plain-page.ts';
import { headerValue, isObject, readQuery } from '../requests/read-body.ts';
import { redirectRulesOf } from '../requests/redirect-rules.ts';
import { acceptRedirect, withParameters } from '../requests/redirects.ts';
import { issueCode } from '../tokens/flows.ts';
import { openSession } from '../tokens/session-tokens.ts';
import { cookieName, type FlowSecrets, hashOf, providerNamed, reach } from './authorize.ts';
import { providerCallback } from './described.ts';
import { askForConsent, implicitAddress } from './link-consent.ts';
import { mapClaims } from './map-claims.ts';
import {
  accountOf,
  checkLink,
  linkTo,
  type OutsideIdentity,
  onceMoreIfTaken,
  readIdentity,
} from './outside-identities.ts';

interface Flow {
  readonly id: string;
  readonly provider_type: string;
  readonly redirect_to: string | null;
  readonly linking_user_id: string | null;
  readonly code_challenge: string | null;
  readonly provider_state: { readonly sealed: string };
}

export async function callback(
  context: IdentityContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { state = '' } = readQuery(request, providerCallback);
  reply.header('set-cookie', `${cookieName(state)}=; Path=/auth/v1/callback; Max-Age=0; HttpOnly; SameSite=Lax`);
  let redirectTo = context.siteUrl;
  try {
    const flow = await takeFlow(context, request, state);
    redirectTo = acceptRedirect(redirectRulesOf(context), flow.redirect_to ?? '') ?? context.siteUrl;
    const end = await finish(context, request, flow, redirectTo);
    return typeof end === 'string' ? reply.redirect(end, 302) : sendPage(reply, end);
  } catch (thrown) {
    const error = toCatalogError(thrown, request);
    return reply.redirect(errorAddress(redirectTo, error, 'both', request.id), 302);
  }
}

/** A state is good once, for a while, in the browser it was given to. */
async function takeFlow(
  context: IdentityContext,
  request: FastifyRequest,
  state: string,
): Promise<Flow & { secrets: FlowSecrets }> {
  if (state === '') throw refuse('bad_oauth_callback', 'OAuth state parameter missing');
  if (!/^[\w-]+$/.test(state)) throw refuse('bad_oauth_state', 'OAuth callback with invalid state');
  const [flow] = await context.query<Flow>(sql`
    update auth.flow_state set state_hash = null where state_hash = ${hashOf(state)} and expires_at > now()
    returning id, provider_type, redirect_to, linking_user_id, code_challenge, provider_state`);
  const secrets = flow === undefined ? undefined : unseal(flow.provider_state.sealed, context.keys.seal);
  if (flow === undefined || !isObject(secrets)) throw refuse('bad_oauth_state', 'OAuth callback with invalid state');
  const { nonce, verifier, browser } = secrets as unknown as FlowSecrets;
  if (browser !== null && !sameHash(hashOf(cookieIn(request, cookieName(state))), browser))
    throw refuse('bad_oauth_state', 'The sign-in was started in another browser');
  return { ...flow, secrets: { nonce, verifier, browser } };
}

async function finish(
  context: IdentityContext,
  request: FastifyRequest,
  flow: Flow & { secrets: FlowSecrets },
  redirectTo: string,
): Promise<string | Page> {
  const { error: refused = '', error_description: why = '' } = readQuery(request, providerCallback);
  if (refused !== '') {
    await context.query(sql`delete from auth.flow_state where id = ${flow.id}`);
    return withParameters(redirectTo, { error: refused.slice(0, 100), error_description: why.slice(0, 500) }, 'both');
  }
  const { identity, accessToken, refreshToken } = await ask(context, request, flow);
  const clientInfo = clientInfoOf(request);
  const providerTokens = { accessToken, refreshToken };
  if (flow.linking_user_id !== null && flow.code_challenge === null && flow.secrets.browser === null)
    return askForConsent(context, request, flow.id, flow.linking_user_id, { ...providerTokens, identity });
  const outcome = await onceMoreIfTaken(() =>
    context.transact(async (db) => {
      const linking = flow.linking_user_id;
      if (flow.code_challenge !== null) {
        // With a code verifier the link is made at the exchange, by the browser that asked for it.
        if (linking !== null) await checkLink(db, linking, identity);
        const userId = linking ?? (await accountOf(context, db, identity, clientInfo));
        const sealed = seal({ ...providerTokens, ...(linking === null ? {} : { identity }) }, context.keys.seal);
        await db.query(sql`update auth.flow_state set provider_state = ${{ sealed }} where id = ${flow.id}`);
        return { code: await issueCode(context, db, flow.id, userId) };
      }
      const userId =
        linking === null
          ? await accountOf(context, db, identity, clientInfo)
          : await linkTo(context, db, linking, identity, clientInfo);
      await db.query(sql`delete from auth.flow_state where id = ${flow.id}`);
      return openSession(context, db, userId, 'oauth', clientInfo, { provider: flow.provider_type });
    }),
  );
  if ('code' in outcome) return withParameters(redirectTo, { code: outcome.code }, 'query');
  return implicitAddress(context, redirectTo, outcome, providerTokens);
}

interface IssuerResponse {
  readonly identity: OutsideIdentity;
  readonly accessToken: string;
  readonly refreshToken: string | null;
}

/** The code for tokens; their signature, issuer, audience, nonce and age are checked by the library. */
async function ask(
  context: IdentityContext,
  request: FastifyRequest,
  flow: Flow & { secrets: FlowSecrets },
): Promise<IssuerResponse> {
  const provider = await providerNamed(context, flow.provider_type);
  const client = await reach(context, provider);
  const oidc = await import('openid-client');
  const here = new URL(context.providers.callbackUrl);
  here.search = request.url.split('?', 2)[1] ?? '';
  try {
    const { nonce, verifier } = flow.secrets;
    const userinfoUrl = provider.custom?.userinfoUrl ?? null;
    const tokens = await oidc.authorizationCodeGrant(client, here, {
      ...(verifier === null ? {} : { pkceCodeVerifier: verifier }),
      expectedState: readQuery(request, providerCallback).state ?? '',
      ...(nonce === null ? {} : { expectedNonce: nonce }),
      idTokenExpected: userinfoUrl === null,
    });
    const claims: Record<string, unknown> = { ...tokens.claims() };
    if (userinfoUrl !== null) {
      const userinfo = await oidc.fetchProtectedResource(client, tokens.access_token, new URL(userinfoUrl), 'GET');
      Object.assign(claims, await readUserinfo(userinfo));
    } else if (
      mapClaims(provider, claims).email === undefined &&
      client.serverMetadata().userinfo_endpoint !== undefined
    )
      Object.assign(claims, await oidc.fetchUserInfo(client, tokens.access_token, String(claims.sub)));
    return {
      identity: readIdentity(provider, mapClaims(provider, claims)),
      accessToken: tokens.access_token,
      refreshToken: tokens.refresh_token ?? null,
    };
  } catch (error) {
    if (error instanceof CatalogError) throw error;
    context.log.warn({ err: error, provider: provider.name }, 'the identity provider did not follow the protocol');
    throw refuse('bad_oauth_callback', 'Unable to exchange external code', { cause: error });
  }
}

async function readUserinfo(response: Response): Promise<Record<string, unknown>> {
  const userinfo: unknown = response.ok ? await response.json() : null;
  if (!isObject(userinfo)) throw new Error(`the provider answered ${response.status} when asked who the person is`);
  return userinfo;
}

function cookieIn(request: FastifyRequest, name: string): string {
  for (const pair of (headerValue(request, 'cookie') ?? '').split(';')) {
    const [key, value] = pair.trim().split('=', 2);
    if (key === name) return value ?? '';
  }
  return '';
}

function sameHash(left: string, right: string): boolean {
  return left.length === right.length && timingSafeEqual(Buffer.from(left), Buffer.from(right));
}
