// An identity that a page elsewhere wants to link in the implicit flow: nothing ties the browser that comes back to the
// one that asked, so its owner is shown which account it would open, and presses a button first. GoTrue does not ask; a
// link sent to somebody else adds their identity to the account of the sender there.

import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sql } from '../database/sql.ts';
import { seal, unseal } from '../session/seal.ts';
import { hashOf } from './authorize.ts';
import { asRefusal } from './dialect.ts';
import { refuse } from './errors.ts';
import { visitorOf } from './guards.ts';
import { checkLink, linkTo, type OutsideIdentity } from './outside-identities.ts';
import { asHtml, ownAddress, type Page } from './plain-page.ts';
import { isObject } from './read-body.ts';
import { acceptRedirect } from './redirects.ts';
import type { Room } from './room.ts';
import { type Opened, openSession, tokensOf } from './session-tokens.ts';
import { rulesOf } from './sign-up.ts';
import { errorAddress, sessionAddress } from './verify.ts';

/** What the issuer gave us for the app. */
export interface ProviderTokens {
  readonly accessToken: string;
  readonly refreshToken: string | null;
}

interface Brought extends ProviderTokens {
  readonly identity: OutsideIdentity;
}

export async function askForConsent(room: Room, flowId: string, userId: string, brought: Brought): Promise<Page> {
  const { identity } = brought;
  await checkLink(room, userId, identity);
  const ticket = randomBytes(24).toString('base64url');
  const sealed = seal(brought, room.keys.seal);
  const [account] = await room.query<{ name: string }>(sql`
    update auth.flow_state f set state_hash = ${ticketHash(ticket)}, provider_state = ${{ sealed }}
    from auth.users u where f.id = ${flowId} and u.id = ${userId}
    returning coalesce(u.email, u.raw_user_meta_data ->> 'name', 'without an address') as name`);
  const theirs = identity.email ?? identity.subject;
  return {
    title: 'Add a way to sign in',
    body:
      `<p><strong>${asHtml(theirs)}</strong> at ${asHtml(identity.provider)} will open the account ` +
      `<strong>${asHtml(account?.name ?? '')}</strong> here.</p>` +
      `<form method="post" action="${ownAddress(room.siteUrl, '/auth/v1/callback')}"><input type="hidden" name="ticket" value="${ticket}">` +
      '<button>Add it to this account</button></form>' +
      '<p>If that account is not yours, close this page: nothing has been changed.</p>',
  };
}

/** The button was pressed. A ticket is good once, and only in the page it was written into. */
export async function consentPosted(room: Room, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const form = new URLSearchParams(typeof request.body === 'string' ? request.body : '');
  let redirectTo = room.siteUrl;
  try {
    const [flow] = await room.query<{ linking_user_id: string; redirect_to: string | null; sealed: string }>(sql`
      delete from auth.flow_state
      where state_hash = ${ticketHash(form.get('ticket') ?? '')} and expires_at > now() and linking_user_id is not null
      returning linking_user_id, redirect_to, provider_state ->> 'sealed' as sealed`);
    const brought = flow === undefined ? undefined : unseal(flow.sealed, room.keys.seal);
    if (flow === undefined || !isObject(brought))
      throw refuse('bad_oauth_state', 'The question was answered before, or too late');
    const { identity, ...tokens } = brought as unknown as Brought;
    redirectTo = acceptRedirect(rulesOf(room), flow.redirect_to ?? '') ?? room.siteUrl;
    const visitor = visitorOf(request);
    const opened = await room.transact(async (desk) => {
      await linkTo(room, desk, flow.linking_user_id, identity, visitor);
      return openSession(room, desk, flow.linking_user_id, 'oauth', visitor, { provider: identity.provider });
    });
    return reply.redirect(await implicitAddress(room, redirectTo, opened, tokens), 303);
  } catch (error) {
    return reply.redirect(errorAddress(redirectTo, asRefusal(error, request), 'both', request.id), 303);
  }
}

/** Back to the app with everything in the fragment, as the implicit flow ends. */
export async function implicitAddress(
  room: Room,
  redirectTo: string,
  opened: Opened,
  { accessToken, refreshToken }: ProviderTokens,
): Promise<string> {
  return sessionAddress(redirectTo, {
    ...(await tokensOf(room, opened, 'oauth')),
    provider_token: accessToken,
    ...(refreshToken === null ? {} : { provider_refresh_token: refreshToken }),
  });
}

/** No state that comes by the address of the callback has a space in it. */
function ticketHash(ticket: string): string {
  return hashOf(`consent ${ticket}`);
}
