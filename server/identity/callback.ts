// GET /callback: back from an issuer. Whatever happens, the person ends up on a page of the app.

import { timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sql } from '../database/sql.ts';
import { CatalogError } from '../errors.ts';
import { seal, unseal } from '../session/seal.ts';
import { cookieName, hashOf, providerNamed, reach, type Talk } from './authorize.ts';
import { asRefusal } from './dialect.ts';
import { refuse } from './errors.ts';
import { issueCode } from './flows.ts';
import { visitorOf } from './guards.ts';
import { askForConsent, implicitAddress } from './link-consent.ts';
import { accountOf, checkLink, linkTo, type OutsideIdentity, readIdentity } from './outside-identities.ts';
import { type Page, sendPage } from './plain-page.ts';
import { headerValue, isObject, queryValue } from './read-body.ts';
import { acceptRedirect, withParameters } from './redirects.ts';
import type { Room } from './room.ts';
import { openSession } from './session-tokens.ts';
import { rulesOf } from './sign-up.ts';
import { errorAddress } from './verify.ts';

interface Flow {
  readonly id: string;
  readonly provider_type: string;
  readonly redirect_to: string | null;
  readonly linking_user_id: string | null;
  readonly code_challenge: string | null;
  readonly provider_state: { readonly sealed: string };
}

export async function callback(room: Room, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const state = queryValue(request, 'state');
  reply.header('set-cookie', `${cookieName(state)}=; Path=/auth/v1/callback; Max-Age=0; HttpOnly; SameSite=Lax`);
  let redirectTo = room.siteUrl;
  try {
    const flow = await takeFlow(room, request, state);
    redirectTo = acceptRedirect(rulesOf(room), flow.redirect_to ?? '') ?? room.siteUrl;
    const end = await finish(room, request, flow, redirectTo);
    return typeof end === 'string' ? reply.redirect(end, 302) : sendPage(reply, end);
  } catch (error) {
    const refusal = asRefusal(error, request);
    return reply.redirect(errorAddress(redirectTo, refusal, 'both', request.id), 302);
  }
}

/** A state is good once, for a while, in the browser it was given to. */
async function takeFlow(room: Room, request: FastifyRequest, state: string): Promise<Flow & { talk: Talk }> {
  if (state === '') throw refuse('bad_oauth_callback', 'OAuth state parameter missing');
  if (!/^[\w-]+$/.test(state)) throw refuse('bad_oauth_state', 'OAuth callback with invalid state');
  const [flow] = await room.query<Flow>(sql`
    update auth.flow_state set state_hash = null where state_hash = ${hashOf(state)} and expires_at > now()
    returning id, provider_type, redirect_to, linking_user_id, code_challenge, provider_state`);
  const talk = flow === undefined ? undefined : unseal(flow.provider_state.sealed, room.keys.seal);
  if (flow === undefined || !isObject(talk)) throw refuse('bad_oauth_state', 'OAuth callback with invalid state');
  const { nonce, verifier, browser } = talk as unknown as Talk;
  if (browser !== null && !sameHash(hashOf(cookieIn(request, cookieName(state))), browser))
    throw refuse('bad_oauth_state', 'The sign-in was started in another browser');
  return { ...flow, talk: { nonce, verifier, browser } };
}

async function finish(
  room: Room,
  request: FastifyRequest,
  flow: Flow & { talk: Talk },
  redirectTo: string,
): Promise<string | Page> {
  const refused = queryValue(request, 'error');
  if (refused !== '') {
    await room.query(sql`delete from auth.flow_state where id = ${flow.id}`);
    return withParameters(
      redirectTo,
      { error: refused.slice(0, 100), error_description: queryValue(request, 'error_description').slice(0, 500) },
      'both',
    );
  }
  const { identity, accessToken, refreshToken } = await ask(room, request, flow);
  const visitor = visitorOf(request);
  const kept = { accessToken, refreshToken };
  if (flow.linking_user_id !== null && flow.code_challenge === null && flow.talk.browser === null)
    return askForConsent(room, flow.id, flow.linking_user_id, { ...kept, identity });
  const outcome = await room.transact(async (desk) => {
    const linking = flow.linking_user_id;
    if (flow.code_challenge !== null) {
      // With a code verifier the link is made at the exchange, by the browser that asked for it.
      if (linking !== null) await checkLink(desk, linking, identity);
      const userId = linking ?? (await accountOf(room, desk, identity, visitor));
      const sealed = seal({ ...kept, ...(linking === null ? {} : { identity }) }, room.keys.seal);
      await desk.query(sql`update auth.flow_state set provider_state = ${{ sealed }} where id = ${flow.id}`);
      return { code: await issueCode(room, desk, flow.id, userId) };
    }
    const userId =
      linking === null
        ? await accountOf(room, desk, identity, visitor)
        : await linkTo(room, desk, linking, identity, visitor);
    await desk.query(sql`delete from auth.flow_state where id = ${flow.id}`);
    return openSession(room, desk, userId, 'oauth', visitor, { provider: flow.provider_type });
  });
  if ('code' in outcome) return withParameters(redirectTo, { code: outcome.code }, 'query');
  return implicitAddress(room, redirectTo, outcome, kept);
}

interface Answer {
  readonly identity: OutsideIdentity;
  readonly accessToken: string;
  readonly refreshToken: string | null;
}

/** The code for tokens; their signature, issuer, audience, nonce and age are checked by the library. */
async function ask(room: Room, request: FastifyRequest, flow: Flow & { talk: Talk }): Promise<Answer> {
  const provider = providerNamed(room, flow.provider_type);
  const client = await reach(room, provider);
  const oidc = await import('openid-client');
  const here = new URL(room.providers.callbackUrl);
  here.search = request.url.split('?', 2)[1] ?? '';
  try {
    const tokens = await oidc.authorizationCodeGrant(client, here, {
      pkceCodeVerifier: flow.talk.verifier,
      expectedState: queryValue(request, 'state'),
      expectedNonce: flow.talk.nonce,
      idTokenExpected: true,
    });
    const claims: Record<string, unknown> = { ...tokens.claims() };
    if (claims.email === undefined && client.serverMetadata().userinfo_endpoint !== undefined)
      Object.assign(claims, await oidc.fetchUserInfo(client, tokens.access_token, String(claims.sub)));
    return {
      identity: readIdentity(provider, claims),
      accessToken: tokens.access_token,
      refreshToken: tokens.refresh_token ?? null,
    };
  } catch (error) {
    if (error instanceof CatalogError) throw error;
    room.log.warn({ err: error, provider: provider.name }, 'the identity provider did not keep its word');
    throw refuse('bad_oauth_callback', 'Unable to exchange external code', { cause: error });
  }
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
