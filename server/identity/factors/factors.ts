// POST /factors and DELETE /factors/:id: second factors come and go. While one is verified, only a session that has
// used it may add or remove any.

import type { FastifyRequest } from 'fastify';
import { Secret, TOTP } from 'otpauth';
import { renderSVG } from 'uqr';
import { sql } from '../../database/sql.ts';
import { PostgresError } from '../../database/types.ts';
import { readPath } from '../../http/read-parameters.ts';
import { seal, unseal } from '../../session/seal.ts';
import { noteEvent } from '../audit-log.ts';
import { factor as factorId } from '../description-terms.ts';
import { refuse } from '../errors.ts';
import type { IdentityContext } from '../identity-context.ts';
import { clientInfoOf } from '../requests/client-info.ts';
import { comesFromKnownNetwork, guessKeyOf } from '../requests/guess-limits.ts';
import { readBody } from '../requests/read-body.ts';
import { type CurrentUser, requireSecondFactor, requireSession } from '../requests/require-user.ts';
import { enrollFactor as described } from './described.ts';
import type { Credential } from './webauthn.ts';

/** Type of the factor that recovery-codes.ts manages. */
export const recoveryCode = 'recovery_code';

export interface Factor {
  readonly id: string;
  readonly factor_type: 'totp' | 'webauthn';
  readonly friendly_name: string | null;
  readonly status: 'verified' | 'unverified';
  readonly secret: string | null;
  readonly last_used_step: string | null;
  readonly web_authn_credential: Credential | null;
}

export async function enrollFactor(
  context: IdentityContext,
  request: FastifyRequest,
): Promise<Record<string, unknown>> {
  const caller = await requireMember(context, request);
  const { factor_type: type, friendly_name: given = '', issuer = '' } = await readBody(request, described);
  const friendlyName = given.trim().slice(0, 100);
  if (type === 'phone') throw refuse('mfa_phone_enroll_not_enabled', 'MFA enroll is disabled for Phone');
  if (type !== 'totp' && type !== 'webauthn')
    throw refuse('validation_failed', 'factor_type needs to be totp, phone, or webauthn');
  const factors = (caller.user.factors ?? []).filter((factor) => factor.factor_type !== recoveryCode);
  if (factors.length >= context.settings.mfaMaxFactors)
    throw refuse('too_many_enrolled_mfa_factors', 'Maximum number of verified factors reached, unenroll to continue');
  requireSecondFactor(caller, 'AAL2 required to enroll a new factor', 403);
  const secret = type === 'totp' ? new Secret({ size: 20 }) : null;
  const id = await addFactor(context, request, caller, { type, friendlyName, secret: secret?.base32 ?? null });
  return {
    id,
    type,
    friendly_name: friendlyName,
    ...(secret === null ? {} : { totp: totpSetUp(context, caller.user.email, issuer, secret) }),
  };
}

function totpSetUp(context: IdentityContext, email: string, issuer: string, secret: Secret): Record<string, string> {
  const totp = new TOTP({
    // By characters: half of one would not go into an address.
    issuer: [...(issuer || context.settings.relyingPartyName)].slice(0, 100).join(''),
    label: email || 'account',
    secret,
  });
  return { qr_code: renderSVG(totp.toString(), { ecc: 'M', border: 2 }), secret: secret.base32, uri: totp.toString() };
}

async function addFactor(
  context: IdentityContext,
  request: FastifyRequest,
  { user }: CurrentUser,
  factor: { type: string; friendlyName: string; secret: string | null },
): Promise<string> {
  try {
    return await context.transact(async (db) => {
      const sealed = factor.secret === null ? null : seal(factor.secret, context.keys.seal);
      const [row] = await db.query<{ id: string }>(sql`
        insert into auth.mfa_factors (user_id, factor_type, friendly_name, secret)
        values (${user.id}, ${factor.type}, ${factor.friendlyName}, ${sealed}) returning id`);
      const id = row?.id ?? '';
      await noteEvent(db, 'factor_in_progress', user.id, clientInfoOf(request), {
        factor_id: id,
        factor_type: factor.type,
      });
      return id;
    });
  } catch (error) {
    if (error instanceof PostgresError && error.sqlstate === '23505')
      throw refuse(
        'mfa_factor_name_conflict',
        `A factor with the friendly name "${factor.friendlyName}" for this user already exists`,
      );
    throw error;
  }
}

/** The secret of an authenticator app, opened. */
export function totpOf(context: IdentityContext, factor: Factor): TOTP {
  const { secret: stored } = factor;
  // A factor brought from GoTrue has its secret in base32, as that keeps it.
  const secret = stored === null || /^[A-Z2-7]{16,}=*$/.test(stored) ? stored : unseal(stored, context.keys.seal);
  if (typeof secret !== 'string')
    throw refuse('unexpected_failure', 'The secret of the factor cannot be read: enroll it again');
  return new TOTP({ secret: Secret.fromBase32(secret) });
}

export async function requireMember(
  context: IdentityContext,
  request: FastifyRequest,
): Promise<CurrentUser & { sessionId: string }> {
  const caller = await requireSession(context, request);
  if (caller.user.is_anonymous)
    throw refuse('no_authorization', 'Anonymous user not allowed to perform these actions', { status: 403 });
  return caller;
}

/** Recovery codes have calls of their own; an administrator removes them like every factor. */
export async function findFactor(
  context: IdentityContext,
  request: FastifyRequest,
  userId: string,
  withRecoveryCodes = false,
): Promise<Factor> {
  const refused = (): Error => refuse('validation_failed', 'factor_id must be an UUID', { status: 404 });
  const { factor_id: id } = readPath(request, { parameters: [factorId] }, refused);
  const [factor] = await context.query<Factor>(sql`
    select id, factor_type, friendly_name, status, secret, last_used_step::text, web_authn_credential
    from auth.mfa_factors where id = ${id} and user_id = ${userId} and (${withRecoveryCodes} or factor_type <> ${recoveryCode})`);
  if (!factor) throw refuse('mfa_factor_not_found', 'Factor not found');
  return factor;
}

/** Answering the questions of a new factor makes it count: as sensitive as enrolling it. */
export function requireFactorFor(caller: CurrentUser, factor: Factor): void {
  if (factor.status === 'unverified') requireSecondFactor(caller, unprovenFactor, 403);
}

export const unprovenFactor = 'AAL2 required to verify a new factor';

/** Where an answer comes from: who has only the password neither guesses on for days nor uses up what its owner may try. */
export async function factorGuessKey(
  context: IdentityContext,
  request: FastifyRequest,
  userId: string,
): Promise<string> {
  const [account] = await context.query<{ id: string; familiar: boolean }>(sql`
    select id, ${comesFromKnownNetwork(request)} as familiar from auth.users where id = ${userId}`);
  return guessKeyOf(context, request, account, `factors of ${userId}`);
}

export async function unenrollFactor(context: IdentityContext, request: FastifyRequest): Promise<{ id: string }> {
  const caller = await requireMember(context, request);
  const { user, sessionId } = caller;
  const factor = await findFactor(context, request, user.id);
  if (factor.status === 'verified' && !caller.usedFactor)
    throw refuse('insufficient_aal', 'AAL2 required to unenroll verified factor', { status: 422 });
  requireSecondFactor(caller, 'AAL2 required to unenroll a factor', 403);
  await removeFactor(context, request, user.id, factor.id, sessionId);
  return { id: factor.id };
}

/**
 * The session that removes a factor it used is an ordinary one from here on. Others that used it end: their access tokens
 * say that they did for as long as they live. Recovery codes go with the last other factor.
 */
export async function removeFactor(
  context: IdentityContext,
  request: FastifyRequest,
  userId: string,
  id: string,
  sessionId: string | null,
): Promise<void> {
  await context.transact(async (db) => {
    await db.query(sql`select id from auth.users where id = ${userId} for update`);
    // Whoever is answering with one of them comes before or after.
    const going = await db.query<{ id: string }>(sql`
      select f.id from auth.mfa_factors f
      where f.user_id = ${userId} and (f.id = ${id} or (f.factor_type = ${recoveryCode} and not exists (
        select from auth.mfa_factors other
        where other.user_id = ${userId} and other.status = 'verified' and other.factor_type <> ${recoveryCode} and other.id <> ${id}
      ))) order by f.id for update`);
    const ids = sql`any (${`{${going.map((factor) => factor.id).join()}}`}::uuid[])`;
    await db.query(sql`delete from auth.sessions where factor_id = ${ids} and id is distinct from ${sessionId}::uuid`);
    await db.query(sql`
      update auth.sessions set aal = 'aal1', updated_at = now(), amr = coalesce((
        select jsonb_agg(entry) from jsonb_array_elements(amr) entry where entry ->> 'method' not in ('totp', 'mfa/webauthn', 'mfa/recovery_code')
      ), '[]')
      where factor_id = ${ids}`);
    await db.query(sql`delete from auth.mfa_factors where id = ${ids} and user_id = ${userId}`);
    await noteEvent(db, 'factor_unenrolled', userId, clientInfoOf(request), { factor_id: id });
  });
}
