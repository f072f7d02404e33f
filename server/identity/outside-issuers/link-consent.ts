// An identity that a page elsewhere wants to link in the implicit flow: nothing ties the browser that comes back to the
// one that asked, so its owner is shown which account it would open, and presses a button first. GoTrue does not ask; a
// link sent to somebody else adds their identity to the account of the sender there.

import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sql } from '../../database/sql.ts';
import { pageLanguage } from '../../http/page-language.ts';
import { seal, unseal } from '../../session/seal.ts';
import { isLanguage, textsIn } from '../../texts/texts.ts';
import { toCatalogError } from '../dialect.ts';
import { refuse } from '../errors.ts';
import type { IdentityContext } from '../identity-context.ts';
import { errorAddress, sessionAddress } from '../mail/verify.ts';
import { clientInfoOf } from '../requests/client-info.ts';
import { asHtml, ownAddress, type Page } from '../requests/plain-page.ts';
import { isObject, readForm } from '../requests/read-body.ts';
import { redirectRulesOf } from '../requests/redirect-rules.ts';
import { acceptRedirect } from '../requests/redirects.ts';
import { openSession, tokensOf } from '../tokens/session-tokens.ts';
import type { OpenedSession } from '../types.ts';
import { hashOf } from './authorize.ts';
import { checkLink, linkTo, type OutsideIdentity } from './outside-identities.ts';

/** What the issuer gave us for the app. */
export interface ProviderTokens {
  readonly accessToken: string;
  readonly refreshToken: string | null;
}

interface Brought extends ProviderTokens {
  readonly identity: OutsideIdentity;
}

export async function askForConsent(
  context: IdentityContext,
  request: FastifyRequest,
  flowId: string,
  userId: string,
  brought: Brought,
): Promise<Page> {
  const { identity } = brought;
  await checkLink(context, userId, identity);
  const ticket = randomBytes(24).toString('base64url');
  const sealed = seal(brought, context.keys.seal);
  const [account] = await context.query<{ name: string | null; language: string | null }>(sql`
    update auth.flow_state f set state_hash = ${ticketHash(ticket)}, provider_state = ${{ sealed }}
    from auth.users u where f.id = ${flowId} and u.id = ${userId}
    returning coalesce(u.email, u.raw_user_meta_data ->> 'name') as name, u.raw_user_meta_data ->> 'language' as language`);
  const { language, t } = textsIn(isLanguage(account?.language) ? account.language : pageLanguage(request));
  const strong = (text: string): string => `<strong>${asHtml(text)}</strong>`;
  return {
    language,
    title: t('link.consent.title'),
    body:
      `<p>${t('link.consent.opens', { theirs: strong(identity.email ?? identity.subject), provider: asHtml(identity.provider), account: strong(account?.name ?? t('link.consent.nameless')) })}</p>` +
      `<form method="post" action="${ownAddress(context.apiUrl, '/auth/v1/callback')}"><input type="hidden" name="ticket" value="${ticket}">` +
      `<button>${t('link.consent.add')}</button></form><p>${t('link.consent.notYours')}</p>`,
  };
}

/** The button was pressed. A ticket is good once, and only in the page it was written into. */
export async function consentPosted(
  context: IdentityContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const form = await readForm(request);
  let redirectTo = context.siteUrl;
  try {
    const [flow] = await context.query<{ linking_user_id: string; redirect_to: string | null; sealed: string }>(sql`
      delete from auth.flow_state
      where state_hash = ${ticketHash(form.get('ticket') ?? '')} and expires_at > now() and linking_user_id is not null
      returning linking_user_id, redirect_to, provider_state ->> 'sealed' as sealed`);
    const brought = flow === undefined ? undefined : unseal(flow.sealed, context.keys.seal);
    if (flow === undefined || !isObject(brought))
      throw refuse('bad_oauth_state', 'The question was answered before, or too late');
    const { identity, ...tokens } = brought as unknown as Brought;
    redirectTo = acceptRedirect(redirectRulesOf(context), flow.redirect_to ?? '') ?? context.siteUrl;
    const clientInfo = clientInfoOf(request);
    const opened = await context.transact(async (db) => {
      await linkTo(context, db, flow.linking_user_id, identity, clientInfo);
      return openSession(context, db, flow.linking_user_id, 'oauth', clientInfo, { provider: identity.provider });
    });
    return reply.redirect(await implicitAddress(context, redirectTo, opened, tokens), 303);
  } catch (error) {
    return reply.redirect(errorAddress(redirectTo, toCatalogError(error, request), 'both', request.id), 303);
  }
}

/** Back to the app with everything in the fragment, as the implicit flow ends. */
export async function implicitAddress(
  context: IdentityContext,
  redirectTo: string,
  opened: OpenedSession,
  { accessToken, refreshToken }: ProviderTokens,
): Promise<string> {
  return sessionAddress(redirectTo, {
    ...(await tokensOf(context, opened, 'oauth')),
    provider_token: accessToken,
    ...(refreshToken === null ? {} : { provider_refresh_token: refreshToken }),
  });
}

/** No state that comes by the address of the callback has a space in it. */
function ticketHash(ticket: string): string {
  return hashOf(`consent ${ticket}`);
}
