// Sign-ins on their way through a browser: who asked with which code challenge, and the code they come back with.

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { sql } from '../../database/sql.ts';
import { refuse } from '../errors.ts';
import type { IdentityContext } from '../identity-context.ts';
import type { Db } from '../types.ts';

export interface Challenge {
  readonly challenge: string;
  readonly method: 's256' | 'plain';
}

const challengeAlphabet = /^[A-Za-z0-9\-._~]+$/;

/** The code challenge of a PKCE client; null for the implicit flow. */
export function challengeIn(body: { code_challenge?: string; code_challenge_method?: string }): Challenge | null {
  return asChallenge(body.code_challenge ?? '', body.code_challenge_method ?? '');
}

export function asChallenge(challenge: string, method: string): Challenge | null {
  if (challenge === '' && method === '') return null;
  if (challenge === '' || method === '')
    throw refuse('validation_failed', 'PKCE flow requires code_challenge_method and code_challenge');
  if (challenge.length < 43 || challenge.length > 128)
    throw refuse('validation_failed', 'code challenge has to be between 43 and 128 characters');
  if (!challengeAlphabet.test(challenge))
    throw refuse(
      'validation_failed',
      'code challenge can only contain alphanumeric characters, hyphens, periods, underscores and tildes',
    );
  const asked = method.toLowerCase();
  if (asked !== 's256' && asked !== 'plain')
    throw refuse('validation_failed', `Unsupported code_challenge method "${method}"`);
  return { challenge, method: asked };
}

/** Remembers the challenge for a mail that is about to be sent. */
export async function startMailFlow(
  context: IdentityContext,
  db: Db,
  userId: string,
  method: string,
  challenge: Challenge | null,
): Promise<string | null> {
  if (challenge === null) return null;
  const expiresAt = new Date(Date.now() + context.settings.mailTokenLifetime * 1000);
  const [row] = await db.query<{ id: string }>(sql`
    insert into auth.flow_state
      (user_id, code_challenge, code_challenge_method, provider_type, authentication_method, expires_at)
    values (${userId}, ${challenge.challenge}, ${challenge.method}, 'email', ${method}, ${expiresAt}) returning id`);
  return row?.id ?? null;
}

/** The code that the browser carries back to the client. */
export async function issueCode(context: IdentityContext, db: Db, flowId: string, userId: string): Promise<string> {
  const code = randomBytes(24).toString('base64url');
  const expiresAt = new Date(Date.now() + context.settings.flowLifetime * 1000);
  const rows = await db.query(sql`
    update auth.flow_state
    set user_id = ${userId}, auth_code_hash = ${hashOf(code)}, auth_code_issued_at = now(), expires_at = ${expiresAt}
    where id = ${flowId} returning id`);
  if (rows.length === 0) throw refuse('flow_state_not_found', 'No associated flow state found.');
  return code;
}

export interface FinishedFlow {
  readonly id: string;
  readonly user_id: string;
  readonly provider_type: string;
  readonly authentication_method: string;
  /** Set when the flow adds an identity to this account. */
  readonly linking_user_id: string | null;
  readonly provider_state: { readonly sealed?: string } | null;
}

/** The flow that a code ends. If the verifier does not fit, the code is gone: nobody gets a second guess. */
export async function findFlow(context: IdentityContext, code: string, verifier: string): Promise<FinishedFlow> {
  const [flow] = await context.query<
    FinishedFlow & { code_challenge: string; code_challenge_method: string; late: boolean }
  >(sql`
    select id, user_id, linking_user_id, provider_type, authentication_method, provider_state, code_challenge,
      code_challenge_method, expires_at < now() as late
    from auth.flow_state where auth_code_hash = ${hashOf(code)} and user_id is not null`);
  if (!flow) throw noFlow();
  if (flow.late) throw refuse('flow_state_expired', 'invalid flow state, flow state has expired');
  const proof =
    flow.code_challenge_method === 's256' ? createHash('sha256').update(verifier).digest('base64url') : verifier;
  if (!equal(proof, flow.code_challenge)) {
    await context.query(sql`delete from auth.flow_state where id = ${flow.id}`);
    throw refuse('bad_code_verifier', 'code challenge does not match previously saved code verifier');
  }
  return flow;
}

/** In the transaction of what it opens: if that fails, the code is still good. The account first, as with mailed tokens. */
export async function takeFlow(db: Db, flow: FinishedFlow): Promise<void> {
  const taken = await db.query(sql`
    with owner as (select id from auth.users where id = ${flow.user_id} for update)
    delete from auth.flow_state f using owner where f.id = ${flow.id} and f.user_id = owner.id returning f.id`);
  if (taken.length === 0) throw noFlow();
}

function noFlow(): Error {
  return refuse('flow_state_not_found', 'invalid flow state, no valid flow state found');
}

function equal(left: string, right: string): boolean {
  const [a, b] = [createHash('sha256').update(left).digest(), createHash('sha256').update(right).digest()];
  return timingSafeEqual(a, b);
}

function hashOf(code: string): string {
  return createHash('sha256').update(code).digest('hex');
}
