// /factors/recovery-codes: ten codes that each lift a session to aal2 once, for who has lost their other factors. They are a factor of their own that
// exists beside others only, is made and replaced at aal2, and goes with the last of the others (removeFactor).

import { createHash, randomInt } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sql } from '../../database/sql.ts';
import { PostgresError } from '../../database/types.ts';
import { noteEvent } from '../audit-log.ts';
import { refuse } from '../errors.ts';
import type { IdentityContext } from '../identity-context.ts';
import { queueMail } from '../mail/send-mail.ts';
import { clientInfoOf } from '../requests/client-info.ts';
import { rememberDevice, takeGuess } from '../requests/guess-limits.ts';
import { countByKey } from '../requests/rate-limits.ts';
import { readBody } from '../requests/read-body.ts';
import { type CurrentUser, requireSecondFactor } from '../requests/require-user.ts';
import { type TokenResponse, tokensOf } from '../tokens/session-tokens.ts';
import type { Db } from '../types.ts';
import { verifyRecoveryCode as describedVerify, generateRecoveryCodes } from './described.ts';
import { factorGuessKey, recoveryCode, removeFactor, requireMember } from './factors.ts';
import { lift } from './verify-factor.ts';

const codes = 10;
const codeLength = 16;
/** Without those that look alike. */
const letters = '23456789abcdefghjkmnpqrstuvwxyz';
const method = 'mfa/recovery_code';
const unprovenGenerate = 'AAL2 required to generate recovery codes';
const unprovenRegenerate = 'AAL2 required to regenerate recovery codes';

interface RecoveryFactor {
  readonly id: string;
  readonly friendly_name: string | null;
}

export async function recoveryCodesStatus(
  context: IdentityContext,
  request: FastifyRequest,
): Promise<Record<string, unknown>> {
  const { user } = await requireMember(context, request);
  const [row] = await context.query<{ id: string; total: number; remaining: number }>(sql`
    select f.id, count(c)::int as total, (count(c) filter (where c.used_at is null))::int as remaining
    from auth.mfa_factors f left join auth.mfa_recovery_codes c on c.factor_id = f.id
    where f.user_id = ${user.id} and f.factor_type = ${recoveryCode} group by f.id`);
  if (!row) throw notFound();
  return { id: row.id, type: recoveryCode, total: row.total, remaining: row.remaining };
}

export async function generateCodes(
  context: IdentityContext,
  request: FastifyRequest,
): Promise<Record<string, unknown>> {
  const caller = await requireMember(context, request);
  const { friendly_name: given = '' } = await readBody(request, generateRecoveryCodes);
  const friendlyName = given.trim().slice(0, 100) || 'Recovery codes';
  requireSecondFactor(caller, unprovenGenerate, 403);
  const { user, sessionId } = caller;
  await countCreation(context, user.id);
  const drawn = drawCodes();
  try {
    const factor = await context.transact(async (db) => {
      await holdOtherFactor(db, user.id);
      await requireProvenSession(db, user.id, sessionId, unprovenGenerate);
      const [made] = await db.query<RecoveryFactor>(sql`
        insert into auth.mfa_factors (user_id, factor_type, friendly_name, status)
        values (${user.id}, ${recoveryCode}, ${friendlyName}, 'verified')
        on conflict (user_id) where factor_type = 'recovery_code' do nothing returning id, friendly_name`);
      if (!made)
        throw refuse('mfa_verified_factor_exists', 'Recovery codes exist already: regenerate them to replace them');
      await keepCodes(db, made.id, drawn);
      await tellCreated(context, db, request, user, made.id);
      return made;
    });
    return describe(factor, drawn);
  } catch (error) {
    if (error instanceof PostgresError && error.sqlstate === '23505')
      throw refuse(
        'mfa_factor_name_conflict',
        `A factor with the friendly name "${friendlyName}" for this user already exists`,
      );
    throw error;
  }
}

export async function regenerateCodes(
  context: IdentityContext,
  request: FastifyRequest,
): Promise<Record<string, unknown>> {
  const caller = await requireMember(context, request);
  requireAal2(caller, unprovenRegenerate);
  const { user, sessionId } = caller;
  await countCreation(context, user.id);
  const drawn = drawCodes();
  const factor = await context.transact(async (db) => {
    await holdAccount(db, user.id);
    await requireProvenSession(db, user.id, sessionId, unprovenRegenerate);
    const [held] = await db.query<RecoveryFactor>(sql`
      update auth.mfa_factors set updated_at = now() where user_id = ${user.id} and factor_type = ${recoveryCode}
      returning id, friendly_name`);
    if (!held) throw notFound();
    await db.query(sql`delete from auth.mfa_recovery_codes where factor_id = ${held.id}`);
    await keepCodes(db, held.id, drawn);
    await tellCreated(context, db, request, user, held.id);
    return held;
  });
  return describe(factor, drawn);
}

export async function removeCodes(context: IdentityContext, request: FastifyRequest): Promise<{ id: string }> {
  const caller = await requireMember(context, request);
  requireAal2(caller, 'AAL2 required to unenroll recovery codes');
  const factor = await findRecoveryFactor(context, caller.user.id);
  await removeFactor(context, request, caller.user.id, factor.id, caller.sessionId);
  return { id: factor.id };
}

export async function verifyRecoveryCode(
  context: IdentityContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<TokenResponse> {
  const { user, sessionId } = await requireMember(context, request);
  const { code } = await readBody(request, describedVerify);
  const [factor] = await context.query<{ id: string; since: string }>(sql`
    select id, extract(epoch from updated_at)::text as since from auth.mfa_factors
    where user_id = ${user.id} and factor_type = ${recoveryCode}`);
  // Guesses at former codes don't count against new ones.
  const key = `recovery codes of ${factor?.since ?? 'nobody'} ${await factorGuessKey(context, request, user.id)}`;
  await countByKey(context, 'factor', key);
  const giveBack = await takeGuess(context, key, {
    code: 'mfa_recovery_codes_locked',
    words: 'Too many wrong recovery codes. Wait, or use another factor',
  });
  // The same answer without codes, with wrong ones and with used ones.
  const wrong = (): Error => refuse('mfa_verification_failed', 'Invalid recovery code entered');
  if (!factor) throw wrong();
  const clientInfo = clientInfoOf(request);
  const opened = await context.transact(async (db) => {
    const used = await db.query(sql`
      update auth.mfa_recovery_codes set used_at = now()
      where factor_id = ${factor.id} and code_hash = ${hashOf(factor.id, code)} and used_at is null returning factor_id`);
    if (used.length === 0) throw wrong();
    const [left] = await db.query<{ remaining: number }>(sql`
      select count(*)::int as remaining from auth.mfa_recovery_codes where factor_id = ${factor.id} and used_at is null`);
    await db.query(sql`update auth.mfa_factors set last_challenged_at = now() where id = ${factor.id}`);
    await db.query(sql`delete from auth.sessions where user_id = ${user.id} and aal = 'aal1' and id <> ${sessionId}`);
    await noteEvent(db, 'recovery_code_used', user.id, clientInfo, {
      factor_id: factor.id,
      remaining: left?.remaining ?? 0,
    });
    if (user.email !== '')
      await queueMail(context, db, 'recovery_code_used', user.email, null, context.siteUrl, {
        remaining: String(left?.remaining ?? 0),
      });
    return lift(db, sessionId, factor.id, method);
  });
  await giveBack();
  rememberDevice(context, request, reply, opened);
  return tokensOf(context, opened, method);
}

function countCreation(context: IdentityContext, userId: string): Promise<void> {
  return countByKey(context, 'factor', `creating recovery codes of ${userId}`);
}

async function tellCreated(
  context: IdentityContext,
  db: Db,
  request: FastifyRequest,
  { id, email }: CurrentUser['user'],
  factorId: string,
): Promise<void> {
  await noteEvent(db, 'recovery_codes_generated', id, clientInfoOf(request), { factor_id: factorId });
  if (email !== '') await queueMail(context, db, 'recovery_codes_created', email, null, context.siteUrl);
}

/** Held until the codes are there: who adds or removes a factor comes before or after. */
async function holdAccount(db: Db, userId: string): Promise<void> {
  await db.query(sql`select id from auth.users where id = ${userId} for update`);
}

/** The first factor may have been verified, or the session's removed, since the caller was looked up. */
async function requireProvenSession(db: Db, userId: string, sessionId: string, message: string): Promise<void> {
  const proven = await db.query(sql`
    select id from auth.sessions where id = ${sessionId} and user_id = ${userId} and aal = 'aal2'`);
  if (proven.length === 0) throw refuse('insufficient_aal', message, { status: 403 });
}

async function holdOtherFactor(db: Db, userId: string): Promise<void> {
  await holdAccount(db, userId);
  const others = await db.query(sql`
    select id from auth.mfa_factors where user_id = ${userId} and status = 'verified' and factor_type <> ${recoveryCode}`);
  if (others.length === 0)
    throw refuse('mfa_recovery_codes_sole_factor', 'Recovery codes need another verified factor beside them');
}

function requireAal2({ usedFactor }: CurrentUser, message: string): void {
  if (!usedFactor) throw refuse('insufficient_aal', message, { status: 403 });
}

async function findRecoveryFactor(context: IdentityContext, userId: string): Promise<RecoveryFactor> {
  const [factor] = await context.query<RecoveryFactor>(sql`
    select id, friendly_name from auth.mfa_factors where user_id = ${userId} and factor_type = ${recoveryCode}`);
  if (!factor) throw notFound();
  return factor;
}

function notFound(): Error {
  return refuse('mfa_factor_not_found', 'Recovery codes not found');
}

async function keepCodes(db: Db, factorId: string, drawn: readonly string[]): Promise<void> {
  const hashes = drawn.map((code) => hashOf(factorId, code));
  await db.query(sql`
    insert into auth.mfa_recovery_codes (factor_id, code_hash)
    select ${factorId}::uuid, h from unnest(${`{${hashes.join()}}`}::text[]) h`);
}

function describe(factor: RecoveryFactor, drawn: readonly string[]): Record<string, unknown> {
  return {
    id: factor.id,
    type: recoveryCode,
    friendly_name: factor.friendly_name ?? '',
    total: drawn.length,
    codes: drawn,
  };
}

function drawCodes(): readonly string[] {
  const draw = (): string => Array.from({ length: codeLength }, () => letters[randomInt(letters.length)]).join('');
  return Array.from({ length: codes }, draw);
}

/** As people type it: with capitals, spaces and hyphens. */
function hashOf(factorId: string, code: string): string {
  const plain = code.toLowerCase().replaceAll(/[\s\-\u2010-\u2015]/g, '');
  return createHash('sha256').update(`${factorId} ${plain}`).digest('hex');
}
