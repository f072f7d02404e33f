// /passkeys: passkeys that sign in by themselves - register, sign in, list, rename, remove.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { sql } from '../../database/sql.ts';
import { PostgresError } from '../../database/types.ts';
import { readPath } from '../../http/read-parameters.ts';
import { noteEvent } from '../audit-log.ts';
import { passkey } from '../description-terms.ts';
import { refuse } from '../errors.ts';
import type { IdentityContext } from '../identity-context.ts';
import { clientInfoOf } from '../requests/client-info.ts';
import { countRequest } from '../requests/rate-limits.ts';
import { isUuid, readBody } from '../requests/read-body.ts';
import { type CurrentUser, requireSecondFactor } from '../requests/require-user.ts';
import { openSession, type TokenResponse, tokensOf } from '../tokens/session-tokens.ts';
import type { Db } from '../types.ts';
import { renamePasskey as describedRename, finishPasskey, finishPasskeySignIn } from './described.ts';
import { requireMember } from './factors.ts';
import {
  type Credential,
  ceremonySeconds,
  creationOptions,
  credentialIdIn,
  relyingPartyId,
  requestOptions,
  verifyCreation,
  verifyRequest,
} from './webauthn.ts';

const mostPasskeys = 20;

function checkSwitch(context: IdentityContext): void {
  if (!context.settings.passkeys) throw refuse('passkey_disabled', 'Passkeys are disabled');
}

/** A new way in is as sensitive as a new factor. */
async function requireOwner(context: IdentityContext, request: FastifyRequest): Promise<CurrentUser> {
  checkSwitch(context);
  const caller = await requireMember(context, request);
  requireSecondFactor(caller, 'AAL2 required to manage passkeys', 403);
  return caller;
}

async function ask(
  db: Db,
  userId: string | null,
  ceremony: string,
  challenge: string,
): Promise<{ id: string; expires_at: number }> {
  const expiresAt = Math.floor(Date.now() / 1000) + ceremonySeconds;
  const [row] = await db.query<{ id: string }>(sql`
    insert into auth.webauthn_challenges (user_id, ceremony, challenge, expires_at)
    values (${userId}, ${ceremony}, ${challenge}, to_timestamp(${expiresAt})) returning id`);
  return { id: row?.id ?? '', expires_at: expiresAt };
}

/** A challenge is good once, whether or not the answer is. */
async function takeChallenge(
  context: IdentityContext,
  id: string,
  ceremony: string,
  userId: string | null,
): Promise<string> {
  const [row] = isUuid(id)
    ? await context.query<{ challenge: string; late: boolean }>(sql`
        delete from auth.webauthn_challenges
        where id = ${id} and ceremony = ${ceremony} and user_id is not distinct from ${userId}::uuid
        returning challenge, expires_at < now() as late`)
    : [];
  if (!row) throw refuse('webauthn_challenge_not_found', 'Challenge not found or already used');
  if (row.late) throw refuse('webauthn_challenge_expired', 'Challenge has expired');
  return row.challenge;
}

export async function startRegistration(
  context: IdentityContext,
  request: FastifyRequest,
): Promise<Record<string, unknown>> {
  const { user } = await requireOwner(context, request);
  const known = await context.query<Credential>(sql`
    select credential_id as id, transports from auth.webauthn_credentials where user_id = ${user.id}`);
  if (known.length >= mostPasskeys) throw refuse('too_many_passkeys', 'Maximum number of passkeys reached');
  const name = String(user.user_metadata.name ?? user.email);
  const owner = { id: user.id, name: user.email, displayName: name };
  const options = await creationOptions(context, relyingPartyId(context), owner, known, true);
  const { id, expires_at } = await ask(context, user.id, 'registration', options.challenge);
  return { challenge_id: id, options, expires_at };
}

export async function finishRegistration(
  context: IdentityContext,
  request: FastifyRequest,
): Promise<Record<string, unknown>> {
  const { user } = await requireOwner(context, request);
  const body = await readBody(request, finishPasskey);
  const challenge = await takeChallenge(context, body.challenge_id ?? '', 'registration', user.id);
  const credential = await verifyCreation(context, body.credential, { challenge, rpId: relyingPartyId(context) }, true);
  try {
    return await context.transact(async (db) => {
      const [row] = await db.query<Record<string, unknown>>(sql`
        insert into auth.webauthn_credentials
          (user_id, credential_id, public_key, counter, transports, aaguid, backed_up, friendly_name)
        values (${user.id}, ${credential.id}, ${Buffer.from(credential.publicKey, 'base64url')}, ${credential.counter},
          ${credential.transports}, ${credential.aaguid}, ${credential.backedUp}, ${body.friendly_name?.slice(0, 100) ?? ''})
        returning id, friendly_name, auth.wire_time(created_at) as created_at`);
      await noteEvent(db, 'passkey_created', user.id, clientInfoOf(request), { passkey_id: row?.id });
      return row ?? {};
    });
  } catch (error) {
    if (error instanceof PostgresError && error.sqlstate === '23505')
      throw refuse('webauthn_credential_exists', 'This credential is already registered');
    throw error;
  }
}

/** Says nothing of anybody: the passkey itself brings the account. */
export async function startSignIn(context: IdentityContext, request: FastifyRequest): Promise<Record<string, unknown>> {
  checkSwitch(context);
  await countRequest(context, request, 'signIn');
  const options = await requestOptions(relyingPartyId(context), [], 'required');
  const { id, expires_at } = await ask(context, null, 'authentication', options.challenge);
  return { challenge_id: id, options, expires_at };
}

interface Known {
  readonly id: string;
  readonly user_id: string;
  readonly credential_id: string;
  readonly public_key: string;
  readonly counter: string;
  readonly banned: boolean;
}

export async function finishSignIn(context: IdentityContext, request: FastifyRequest): Promise<TokenResponse> {
  checkSwitch(context);
  await countRequest(context, request, 'verify');
  const body = await readBody(request, finishPasskeySignIn);
  const challenge = await takeChallenge(context, body.challenge_id ?? '', 'authentication', null);
  const [known] = await context.query<Known>(sql`
    select c.id, c.user_id, c.credential_id, encode(c.public_key, 'base64') as public_key, c.counter::text,
      coalesce(u.banned_until > now(), false) as banned
    from auth.webauthn_credentials c join auth.users u on u.id = c.user_id and u.deleted_at is null
    where c.credential_id = ${credentialIdIn(body.credential)}`);
  if (!known) throw refuse('webauthn_verification_failed', 'The passkey could not be verified');
  const credential: Credential = {
    id: known.credential_id,
    publicKey: Buffer.from(known.public_key, 'base64').toString('base64url'),
    counter: Number(known.counter),
    transports: [],
  };
  const counter = await verifyRequest(
    context,
    body.credential,
    { challenge, rpId: relyingPartyId(context) },
    credential,
    true,
  );
  if (known.banned) throw refuse('user_banned', 'User is banned');
  const opened = await context.transact(async (db) => {
    await db.query(sql`
      update auth.webauthn_credentials set counter = ${counter}, last_used_at = now() where id = ${known.id}`);
    return openSession(context, db, known.user_id, 'passkey', clientInfoOf(request), { provider: 'passkey' });
  });
  return tokensOf(context, opened, 'passkey');
}

export async function listPasskeys(
  context: IdentityContext,
  request: FastifyRequest,
): Promise<Record<string, unknown>[]> {
  checkSwitch(context);
  const { user } = await requireMember(context, request);
  return passkeysOf(context, user.id);
}

export function passkeysOf(context: IdentityContext, userId: string): Promise<Record<string, unknown>[]> {
  return context.query(sql`
    select id, coalesce(friendly_name, '') as friendly_name, auth.wire_time(created_at) as created_at,
      auth.wire_time(last_used_at) as last_used_at
    from auth.webauthn_credentials where user_id = ${userId} order by created_at`);
}

export async function renamePasskey(
  context: IdentityContext,
  request: FastifyRequest,
): Promise<Record<string, unknown>> {
  const { user } = await requireOwner(context, request);
  const { friendly_name: given } = await readBody(request, describedRename);
  const name = given.trim().slice(0, 100);
  const [row] = await context.query(sql`
    update auth.webauthn_credentials set friendly_name = ${name}, updated_at = now()
    where id = ${passkeyIn(request)} and user_id = ${user.id}
    returning id, friendly_name, auth.wire_time(created_at) as created_at, auth.wire_time(last_used_at) as last_used_at`);
  if (!row) throw notFound();
  return row;
}

export async function removePasskey(
  context: IdentityContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { user } = await requireOwner(context, request);
  await deletePasskey(context, request, user.id);
  return reply.code(204).send();
}

export async function deletePasskey(context: IdentityContext, request: FastifyRequest, userId: string): Promise<void> {
  const rows = await context.query(sql`
    with gone as (delete from auth.webauthn_credentials where id = ${passkeyIn(request)} and user_id = ${userId} returning id)
    select gone.id, auth.note_event('passkey_deleted', u, jsonb_build_object('passkey_id', gone.id), ${clientInfoOf(request).address})
    from gone, auth.users u where u.id = ${userId}`);
  if (rows.length === 0) throw notFound();
}

function passkeyIn(request: FastifyRequest): string {
  return readPath(request, { parameters: [passkey] }, notFound).passkey_id;
}

function notFound(): Error {
  return refuse('webauthn_credential_not_found', 'Passkey not found');
}
