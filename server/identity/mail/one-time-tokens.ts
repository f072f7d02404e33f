// One-time tokens of emails: a long one in the link and a short code to type, both random, both hashed at rest, void once used or replaced
// by a newer email.

import { createHash, createHmac, randomBytes, randomInt } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { type Fragment, sql } from '../../database/sql.ts';
import { refuse } from '../errors.ts';
import type { IdentityContext } from '../identity-context.ts';
import { guessKeyFor, takeGuess } from '../requests/guess-limits.ts';
import type { Db } from '../types.ts';

export type TokenType = 'confirmation' | 'recovery' | 'email_change_new' | 'email_change_current' | 'reauthentication';

export interface FreshToken {
  readonly userId: string;
  /** For the link; begins with `pkce_` when the answer goes to a client that holds a code verifier. */
  readonly token: string;
  /** To be typed. */
  readonly code: string;
}

export interface FoundToken {
  readonly userId: string;
  readonly type: TokenType;
  readonly flowId: string | null;
  /** The mailbox it went to and nobody else, or `handedOver`. */
  readonly sentTo: string;
}

/** A code that fits and has not been taken yet. */
export interface TypedCode {
  readonly id: string;
  readonly code_hash: string;
}

/** In place of an address: the link is handed to somebody, and proves no mailbox. */
export const handedOver = '';
export const pkcePrefix = 'pkce_';
/** After so many wrong guesses the code is no longer accepted; the link in the same mail still is. */
const mostGuesses = 5;
const used = 'Email link is invalid or has expired';
export const usedCode = 'Token has expired or is invalid';

export async function makeToken(
  context: IdentityContext,
  db: Db,
  userId: string,
  type: TokenType,
  email: string,
  flowId: string | null = null,
): Promise<FreshToken> {
  const token = `${flowId === null ? '' : pkcePrefix}${randomBytes(32).toString('hex')}`;
  const length = context.settings.codeLength;
  const code = String(randomInt(10 ** length)).padStart(length, '0');
  const expiresAt = new Date(Date.now() + context.settings.mailTokenLifetime * 1000);
  await db.query(sql`
    insert into auth.one_time_tokens (user_id, token_type, token_hash, code_hash, relates_to, flow_id, expires_at)
    values (${userId}, ${type}, ${hashOf(token)}, ${codeHashOf(context, email, code)}, ${email}, ${flowId}, ${expiresAt})
    on conflict (user_id, token_type) do update set token_hash = excluded.token_hash, code_hash = excluded.code_hash,
      relates_to = excluded.relates_to, flow_id = excluded.flow_id, expires_at = excluded.expires_at,
      created_at = now(), attempts = 0`);
  return { userId, token, code };
}

/** Takes the token of a link; a second reader finds nothing. */
export function takeToken(db: Db, token: string, types: readonly TokenType[]): Promise<FoundToken> {
  const which = sql`t.token_hash = ${hashOf(token)} and t.expires_at > now()
    and t.token_type in (select jsonb_array_elements_text(${types}::jsonb))`;
  return take(db, which, used);
}

/** Takes a code that was found to fit, in the transaction of what it opens: if that fails, the code is still good. */
export function takeCode(db: Db, { id, code_hash }: TypedCode): Promise<FoundToken> {
  return take(db, sql`t.id = ${id} and t.code_hash = ${code_hash}`, usedCode);
}

/** The account first, then what was mailed to it: whoever changes an account goes in this order too, and none waits for the other. */
async function take(db: Db, which: Fragment, refusal: string): Promise<FoundToken> {
  const [row] = await db.query<Row>(sql`
    with owner as (
      select u.id from auth.users u join auth.one_time_tokens t on t.user_id = u.id where ${which} for update of u
    )
    delete from auth.one_time_tokens t using owner where t.user_id = owner.id and ${which}
    returning t.user_id, t.token_type, t.flow_id, t.relates_to`);
  if (!row) throw refuse('otp_expired', refusal);
  return { userId: row.user_id, type: row.token_type, flowId: row.flow_id, sentTo: row.relates_to };
}

/**
 * Whether a code that was typed is the one sent to the address. Outside of any transaction: a wrong guess counts even
 * though the request fails, for the mail and for the account: a mail more is no five guesses more.
 */
export async function checkCode(
  context: IdentityContext,
  request: FastifyRequest,
  email: string,
  code: string,
  types: readonly TokenType[],
): Promise<TypedCode> {
  const giveBack = await takeGuess(context, await guessKeyFor(context, request, email));
  const [fitting] = await context.query<TypedCode>(sql`
    with guess as (
      update auth.one_time_tokens set attempts = attempts + 1
      where lower(relates_to) = ${email} and expires_at > now() and attempts < ${mostGuesses}
        and token_type in (select jsonb_array_elements_text(${types}::jsonb))
      returning id, code_hash
    )
    select id, code_hash from guess where code_hash = ${codeHashOf(context, email, code)}`);
  if (!fitting) throw refuse('otp_expired', usedCode);
  await giveBack();
  return fitting;
}

interface Row {
  readonly user_id: string;
  readonly token_type: TokenType;
  readonly flow_id: string | null;
  readonly relates_to: string;
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** A code is short: without the key a copy of the database would give it away. */
function codeHashOf(context: IdentityContext, email: string, code: string): string {
  return createHmac('sha256', context.keys.seal).update(`${email}:${code}`).digest('hex');
}
