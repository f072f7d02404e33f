// What a mail carries to prove that its reader has the mailbox: a long token in the link and a short code to type,
// both random, both hashed at rest, gone once used or replaced by a newer mail.

import { createHash, createHmac, randomBytes, randomInt } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { sql } from '../../database/sql.ts';
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
  readonly id: string;
  readonly userId: string;
  readonly type: TokenType;
  readonly flowId: string | null;
  /** Whether it went to the mailbox and to nobody else. */
  readonly mailed: boolean;
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
export async function takeToken(db: Db, token: string, types: readonly TokenType[]): Promise<FoundToken> {
  const [row] = await db.query<Row>(sql`
    delete from auth.one_time_tokens
    where token_hash = ${hashOf(token)} and expires_at > now()
      and token_type in (select jsonb_array_elements_text(${types}::jsonb))
    returning id, user_id, token_type, flow_id, relates_to`);
  if (!row) throw refuse('otp_expired', used);
  return found(row);
}

/**
 * Takes a code that was typed, for the address it was sent to. Outside of any transaction: a wrong guess counts even
 * though the request fails, for the mail and for the account: a mail more is no five guesses more.
 */
export async function takeCode(
  context: IdentityContext,
  request: FastifyRequest,
  email: string,
  code: string,
  types: readonly TokenType[],
): Promise<FoundToken> {
  const giveBack = await takeGuess(context, await guessKeyFor(context, request, email));
  const [row] = await context.query<Row>(sql`
    with guess as (
      update auth.one_time_tokens set attempts = attempts + 1
      where lower(relates_to) = ${email} and expires_at > now() and attempts < ${mostGuesses}
        and token_type in (select jsonb_array_elements_text(${types}::jsonb))
      returning id, user_id, token_type, flow_id, relates_to, code_hash = ${codeHashOf(context, email, code)} as fits
    )
    select id, user_id, token_type, flow_id, relates_to from guess where fits`);
  if (!row) throw refuse('otp_expired', usedCode);
  const spent = await context.query(sql`delete from auth.one_time_tokens where id = ${row.id} returning id`);
  // Two requests with the right code raced: one of them takes it.
  if (spent.length === 0) throw refuse('otp_expired', usedCode);
  await giveBack();
  return found(row);
}

interface Row {
  readonly id: string;
  readonly user_id: string;
  readonly token_type: TokenType;
  readonly flow_id: string | null;
  readonly relates_to: string;
}

function found(row: Row): FoundToken {
  return {
    id: row.id,
    userId: row.user_id,
    type: row.token_type,
    flowId: row.flow_id,
    mailed: row.relates_to !== handedOver,
  };
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** A code is short: without the key a copy of the database would give it away. */
function codeHashOf(context: IdentityContext, email: string, code: string): string {
  return createHmac('sha256', context.keys.seal).update(`${email}:${code}`).digest('hex');
}
