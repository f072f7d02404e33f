// GET and POST /verify: what was sent by mail comes back, as a link or as a code, and proves the mailbox.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { CatalogError } from '../../errors.ts';
import { answerAtFixedTimes } from '../../http/fixed-answer-times.ts';
import { errorBody, toCatalogError } from '../dialect.ts';
import { refuse } from '../errors.ts';
import type { IdentityContext } from '../identity-context.ts';
import { clientInfoOf } from '../requests/client-info.ts';
import { readLimitedBody } from '../requests/limited-body.ts';
import { countRequest } from '../requests/rate-limits.ts';
import { asEmail, asPhone, headerValue, readQuery } from '../requests/read-body.ts';
import { redirectRulesOf } from '../requests/redirect-rules.ts';
import { redirectOf, withParameters } from '../requests/redirects.ts';
import { issueCode } from '../tokens/flows.ts';
import { openSession, type TokenResponse, tokensOf } from '../tokens/session-tokens.ts';
import type { Db, OpenedSession } from '../types.ts';
import { verifyLink as describedLink, verifyCode } from './described.ts';
import {
  checkCode,
  type FoundToken,
  pkcePrefix,
  type TokenType,
  takeCode,
  takeToken,
  usedCode,
} from './one-time-tokens.ts';
import { acceptProof, halfWay } from './proofs.ts';

/** The kinds of proof that each `type` of the wire accepts. */
const accepted: Readonly<Record<string, readonly TokenType[]>> = {
  signup: ['confirmation'],
  invite: ['confirmation'],
  recovery: ['recovery'],
  magiclink: ['recovery'],
  email: ['confirmation', 'recovery'],
  email_change: ['email_change_current', 'email_change_new'],
  sms: [],
  phone_change: [],
};

function typesOf(type: string): readonly TokenType[] {
  if (type === '') throw refuse('validation_failed', 'Verify requires a verification type');
  const types = Object.hasOwn(accepted, type) ? accepted[type] : undefined;
  if (types === undefined) throw refuse('validation_failed', 'Unsupported verification type');
  return types;
}

/** A link was opened. Programs that look ahead (prefetch, previews) get nothing and use nothing up. */
export async function verifyLink(
  context: IdentityContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  if (looksAhead(request)) return reply.code(204).send();
  const { token, token_hash: hash = '', type = '' } = readQuery(request, describedLink);
  return followLink(context, request, reply, {
    token: token ?? hash,
    type,
    redirectTo: redirectOf(redirectRulesOf(context), request),
  });
}

export interface Link {
  readonly token: string;
  readonly type: string;
  readonly redirectTo: string;
}

/** Back to where the link says, with a session in the fragment, a code in the query, or what went wrong. */
export async function followLink(
  context: IdentityContext,
  request: FastifyRequest,
  reply: FastifyReply,
  link: Link,
): Promise<FastifyReply> {
  const forPkce = link.token.startsWith(pkcePrefix);
  const isCutOff = link.token === '' || link.type === '';
  try {
    if (link.token === '') throw refuse('validation_failed', 'Verify requires a token or a token hash');
    const types = typesOf(link.type);
    await countRequest(context, request, 'verify');
    const outcome = await context.transact(async (db) => {
      const proof = await takeToken(db, link.token, types);
      if ((await acceptProof(context, db, proof, clientInfoOf(request))) === 'half') return halfWay;
      if (proof.flowId !== null) return { code: await issueCode(context, db, proof.flowId, proof.userId) };
      return openSession(context, db, proof.userId, 'otp', clientInfoOf(request), { provider: 'email' });
    });
    return reply.redirect(await addressOf(context, link, outcome, forPkce), 303);
  } catch (thrown) {
    // A program hears of its own mistakes, and of ours, as it asked. A person goes back to the app, which has words for it.
    const isFault = isCutOff || !(thrown instanceof CatalogError) || thrown.status >= 500;
    if (isFault && !headerValue(request, 'accept')?.includes('text/html')) throw thrown;
    const error = toCatalogError(thrown, request);
    return reply.redirect(errorAddress(link.redirectTo, error, forPkce ? 'both' : 'fragment', request.id), 303);
  }
}

async function addressOf(
  context: IdentityContext,
  link: Link,
  outcome: string | { code: string } | OpenedSession,
  forPkce: boolean,
): Promise<string> {
  if (typeof outcome === 'string')
    return withParameters(link.redirectTo, { message: outcome }, forPkce ? 'both' : 'fragment');
  if ('code' in outcome) return withParameters(link.redirectTo, { code: outcome.code }, 'query');
  return sessionAddress(link.redirectTo, await tokensOf(context, outcome, 'otp'), { type: link.type });
}

/** The implicit flow: everything a client needs, in the part of the address that no server sees. */
export function sessionAddress(
  redirectTo: string,
  tokens: TokenResponse,
  more: Readonly<Record<string, string>> = {},
): string {
  return withParameters(
    redirectTo,
    {
      access_token: tokens.access_token,
      expires_at: String(tokens.expires_at),
      expires_in: String(tokens.expires_in),
      refresh_token: tokens.refresh_token,
      token_type: tokens.token_type,
      ...(tokens.provider_token === undefined ? {} : { provider_token: tokens.provider_token }),
      ...(tokens.provider_refresh_token === undefined ? {} : { provider_refresh_token: tokens.provider_refresh_token }),
      ...more,
    },
    'fragment',
  );
}

const oauthWords: Readonly<Record<number, string>> = {
  400: 'invalid_request',
  401: 'unauthorized_client',
  403: 'access_denied',
  500: 'server_error',
  503: 'temporarily_unavailable',
};
/** Reported as `access_denied`, whatever their status. */
const denied = new Set(['signup_disabled', 'user_banned', 'provider_email_needs_verification']);

export function errorAddress(
  redirectTo: string,
  error: CatalogError,
  place: 'fragment' | 'both',
  requestId: string,
): string {
  const { code, message } = errorBody(error, requestId);
  return withParameters(
    redirectTo,
    {
      error: denied.has(code) ? 'access_denied' : (oauthWords[error.status] ?? 'server_error'),
      error_code: code,
      error_description: message,
    },
    place,
  );
}

/** A code was typed, or a page sends the token of a link. */
export async function verifyPosted(
  context: IdentityContext,
  request: FastifyRequest,
): Promise<TokenResponse | { msg: string; code: string }> {
  const body = await readLimitedBody(context, request, 'verify', verifyCode);
  const token = body.token?.trim() ?? '';
  const tokenHash = body.token_hash?.trim() ?? '';
  const types = typesOf(body.type);
  const email = body.email?.trim() ?? '';
  const phone = body.phone?.trim() ?? '';
  if ((token === '') === (tokenHash === ''))
    throw refuse('validation_failed', 'Verify requires either a token or a token hash');
  if (tokenHash !== '' && (email !== '' || phone !== '' || (body.redirect_to ?? '') !== ''))
    throw refuse('validation_failed', 'Only the token_hash and type should be provided');
  if (token !== '' && (email === '') === (phone === ''))
    throw refuse('validation_failed', 'Only an email address or phone number should be provided on verify');
  if (phone !== '') asPhone(phone);
  await countRequest(context, request, 'verify');
  // No code was ever sent to a phone.
  if (phone !== '') throw refuse('otp_expired', usedCode);
  // A guess is written down only where a code was sent: that must not be heard.
  const typed =
    token === '' ? null : await answerAtFixedTimes(() => checkCode(context, request, asEmail(email), token, types));
  const opened = await context.transact(async (db) => {
    const proof = await (typed === null ? takeToken(db, tokenHash, types) : takeCode(db, typed));
    return enter(context, db, request, proof);
  });
  if (opened === null) return { msg: halfWay, code: '200' };
  return tokensOf(context, opened, 'otp');
}

async function enter(
  context: IdentityContext,
  db: Db,
  request: FastifyRequest,
  proof: FoundToken,
): Promise<OpenedSession | null> {
  const clientInfo = clientInfoOf(request);
  if ((await acceptProof(context, db, proof, clientInfo)) === 'half') return null;
  return openSession(context, db, proof.userId, 'otp', clientInfo, { provider: 'email' });
}

function looksAhead(request: FastifyRequest): boolean {
  const hints = ['purpose', 'sec-purpose', 'x-purpose', 'x-moz'].map((name) => headerValue(request, name) ?? '');
  return hints.some((hint) => /prefetch|prerender|preview/i.test(hint));
}
