// POST /factors/:id/verify: the answer of a second factor. A right one lifts this session to aal2; the first one also
// makes the factor count, and ends the sessions that never used it.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { sql } from '../../database/sql.ts';
import { noteEvent } from '../audit-log.ts';
import { refuse } from '../errors.ts';
import type { IdentityContext } from '../identity-context.ts';
import { clientInfoOf } from '../requests/client-info.ts';
import { rememberDevice, takeGuess } from '../requests/guess-limits.ts';
import { countByKey } from '../requests/rate-limits.ts';
import { isUuid, readBody } from '../requests/read-body.ts';
import { type TokenResponse, tokensOf } from '../tokens/session-tokens.ts';
import type { Db, OpenedSession } from '../types.ts';
import type { WebauthnQuestion } from './challenge-factor.ts';
import { verifyFactor as described } from './described.ts';
import {
  type Factor,
  factorGuessKey,
  findFactor,
  requireFactorFor,
  requireMember,
  totpOf,
  unprovenFactor,
} from './factors.ts';
import { type Credential, verifyCreation, verifyRequest } from './webauthn.ts';

/** What a right answer leaves behind on the factor. */
interface Answered {
  readonly step: number | null;
  readonly credential: Credential | null;
  readonly aaguid: string | null;
}

export async function verifyFactor(
  context: IdentityContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<TokenResponse> {
  const caller = await requireMember(context, request);
  const { user, sessionId } = caller;
  const factor = await findFactor(context, request, user.id);
  requireFactorFor(caller, factor);
  const body = await readBody(request, described);
  const { challenge_id: challengeId = '' } = body;
  const guessKey = await factorGuessKey(context, request, user.id);
  await countByKey(context, 'factor', guessKey);
  const question = await readChallenge(context, factor, challengeId);
  const giveBack = await takeGuess(context, guessKey);
  const answered =
    factor.factor_type === 'totp'
      ? answerTotp(context, factor, body.code ?? '')
      : await answerWebauthn(context, factor, question, body.webauthn?.credential_response);
  await giveBack();
  const method = factor.factor_type === 'totp' ? 'totp' : 'mfa/webauthn';
  const opened = await context.transact(async (db) => {
    if (factor.status === 'unverified') await checkNothingOwed(db, user.id, factor.id, sessionId);
    await keepAnswer(db, factor, challengeId, answered);
    await noteEvent(db, 'verification_attempted', user.id, clientInfoOf(request), {
      factor_id: factor.id,
      valid: true,
    });
    if (factor.status === 'unverified') {
      await db.query(sql`
        delete from auth.mfa_factors where user_id = ${user.id} and status = 'unverified' and id <> ${factor.id}`);
      await db.query(sql`delete from auth.sessions where user_id = ${user.id} and aal = 'aal1' and id <> ${sessionId}`);
    }
    return lift(db, sessionId, factor.id, method);
  });
  rememberDevice(context, request, reply, opened);
  return tokensOf(context, opened, method);
}

/** The challenge, if it is open and of this factor. */
async function readChallenge(context: IdentityContext, factor: Factor, id: string): Promise<WebauthnQuestion | null> {
  const [challenge] = isUuid(id)
    ? await context.query<{ late: boolean; used: boolean; question: WebauthnQuestion | null }>(sql`
        select expires_at < now() as late, verified_at is not null as used, web_authn_session_data as question
        from auth.mfa_challenges where id = ${id} and factor_id = ${factor.id}`)
    : [];
  if (!challenge) throw refuse('mfa_factor_not_found', 'MFA factor with the provided challenge ID not found');
  if (challenge.late || challenge.used)
    throw refuse(
      'mfa_challenge_expired',
      `MFA challenge ${id} has expired, verify against another challenge or create a new challenge.`,
    );
  return challenge.question;
}

/** One step of clock difference either way; a code is good once. */
function answerTotp(context: IdentityContext, factor: Factor, code: string): Answered {
  const totp = totpOf(context, factor);
  const now = Date.now();
  const delta = totp.validate({ token: code.replaceAll(/\s/g, ''), timestamp: now, window: 1 });
  const step = delta === null ? null : totp.counter({ timestamp: now }) + delta;
  if (step === null || step <= Number(factor.last_used_step ?? -1))
    throw refuse('mfa_verification_failed', 'Invalid TOTP code entered');
  return { step, credential: null, aaguid: null };
}

async function answerWebauthn(
  context: IdentityContext,
  factor: Factor,
  question: WebauthnQuestion | null,
  response: unknown,
): Promise<Answered> {
  if (question === null) throw refuse('validation_failed', 'The challenge was not made for a passkey');
  if (factor.web_authn_credential === null) {
    const { aaguid, backedUp: _backedUp, ...credential } = await verifyCreation(context, response, question, false);
    return { step: null, credential, aaguid };
  }
  const counter = await verifyRequest(context, response, question, factor.web_authn_credential, false);
  return { step: null, credential: { ...factor.web_authn_credential, counter }, aaguid: null };
}

/** Another factor may have been verified since the caller was looked up: asked again when nobody else can come between. */
async function checkNothingOwed(db: Db, userId: string, factorId: string, sessionId: string): Promise<void> {
  await db.query(sql`select id from auth.users where id = ${userId} for update`);
  const owed = await db.query(sql`
    select id from auth.mfa_factors where user_id = ${userId} and status = 'verified' and id <> ${factorId}
      and not exists (select from auth.sessions where id = ${sessionId} and aal = 'aal2')`);
  if (owed.length > 0) throw refuse('insufficient_aal', unprovenFactor, { status: 403 });
}

/** Two requests with the same right answer: only the first finds the challenge open and the code unused. */
async function keepAnswer(db: Db, factor: Factor, challengeId: string, answered: Answered): Promise<void> {
  const open = await db.query(sql`
    update auth.mfa_challenges set verified_at = now()
    where id = ${challengeId} and factor_id = ${factor.id} and verified_at is null returning id`);
  const updated = await db.query(sql`
    update auth.mfa_factors set status = 'verified', updated_at = now(),
      last_used_step = coalesce(${answered.step}::bigint, last_used_step),
      web_authn_credential = coalesce(${answered.credential}::jsonb, web_authn_credential),
      web_authn_aaguid = coalesce(${answered.aaguid}::uuid, web_authn_aaguid)
    where id = ${factor.id} and (${answered.step}::bigint is null or last_used_step is null or last_used_step < ${answered.step}::bigint)
    returning id`);
  if (open.length === 0 || updated.length === 0) throw refuse('mfa_verification_failed', 'Invalid TOTP code entered');
}

export async function lift(db: Db, sessionId: string, factorId: string, method: string): Promise<OpenedSession> {
  const [row] = await db.query<OpenedSession>(sql`
    with lifted as (
      update auth.sessions set aal = 'aal2', factor_id = ${factorId}, updated_at = now(), refreshed_at = clock_timestamp(),
        refresh_counter = refresh_counter + 1,
        amr = jsonb_build_array(jsonb_build_object('method', ${method}::text, 'timestamp', floor(extract(epoch from now()))))
          || coalesce((select jsonb_agg(entry) from jsonb_array_elements(amr) entry where entry ->> 'method' <> ${method}), '[]')
      where id = ${sessionId} returning *
    )
    select jsonb_build_object('id', s.id, 'counter', s.refresh_counter, 'aal', s.aal, 'amr', s.amr) as session,
      auth.describe_user(u) as user
    from lifted s join auth.users u on u.id = s.user_id`);
  if (!row) throw refuse('session_not_found', 'Session from session_id claim in JWT does not exist');
  return row;
}
