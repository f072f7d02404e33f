// PUT /user: people change what is theirs - metadata, password, address. Their role and app_metadata are not.

import type { FastifyRequest } from 'fastify';
import { sql } from '../database/sql.ts';
import { CatalogError } from '../errors.ts';
import { askForEmailChange } from './email-change.ts';
import { refuse } from './errors.ts';
import { challengeIn } from './flows.ts';
import {
  type Caller,
  countKnown,
  countVisit,
  requireSecondFactor,
  requireUser,
  spaceOutMail,
  visitorOf,
} from './guards.ts';
import { sendLetter } from './mails.ts';
import { takeCode } from './one-time-tokens.ts';
import { checkPassword } from './password-rules.ts';
import { finishEmailChange, note } from './proofs.ts';
import { asEmail, type Body, largestMetadata, metadataIn, readBody, textIn, tooMuchMetadata } from './read-body.ts';
import { redirectOf } from './redirects.ts';
import type { Desk, Room } from './room.ts';
import type { User } from './session-tokens.ts';
import { readUser, rulesOf } from './sign-up.ts';

const aDay = 86_400_000;

export async function updateUser(room: Room, request: FastifyRequest): Promise<User> {
  const body = readBody(request);
  const caller = await requireUser(room, request);
  const { user } = caller;
  const newEmail = textIn(body, 'email').trim() === '' ? null : asEmail(textIn(body, 'email').trim());
  const email = newEmail === user.email ? null : newEmail;
  const password = textIn(body, 'password');
  if (body.password !== undefined && body.password !== null) checkPassword(room.settings, password);
  const challenge = challengeIn(body);
  const metadata = metadataIn(body);
  if (body.app_metadata !== undefined && body.app_metadata !== null)
    throw refuse('not_admin', 'Updating app_metadata requires admin privileges');
  if (textIn(body, 'phone') !== '') throw refuse('phone_provider_disabled', 'Phone logins are disabled');
  await mayChange(room, caller, body, email, password);

  const hash = password === '' ? null : await room.passwords.hash(password);
  const redirectTo = redirectOf(rulesOf(room), request);
  if (email !== null) {
    await countVisit(room, request, 'mail');
    if (!(user.is_anonymous && room.autoconfirm)) await spaceOutMail(room, 'email_change', email);
  }
  return room.transact(async (desk) => {
    if (hash !== null) await changePassword(room, desk, caller, hash);
    if (Object.keys(metadata).length > 0) await changeMetadata(desk, user.id, metadata);
    if (email !== null) await changeEmail(room, desk, caller, email, { challenge, redirectTo });
    await note(desk, 'user_modified', user.id, visitorOf(request));
    return readUser(desk, sql`select auth.describe_user(users) as user from auth.users where id = ${user.id}`);
  });
}

/** Null takes a field away. What is too large already may shrink, but not grow. */
async function changeMetadata(desk: Desk, userId: string, metadata: Record<string, unknown>): Promise<void> {
  const [size] = await desk.query<{ before: number; after: number }>(sql`
    with before as (select length(raw_user_meta_data::text) as size from auth.users where id = ${userId})
    update auth.users set updated_at = now(), raw_user_meta_data = (
      select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(raw_user_meta_data || ${metadata}::jsonb)
      where value <> 'null'
    )
    where id = ${userId} returning (select size from before) as before, length(raw_user_meta_data::text) as after`);
  if (size && size.after > largestMetadata && size.after > size.before) throw tooMuchMetadata();
}

async function mayChange(
  room: Room,
  caller: Caller,
  body: Body,
  email: string | null,
  password: string,
): Promise<void> {
  const { user } = caller;
  requireSecondFactor(
    caller,
    password !== '' || email !== null
      ? 'AAL2 session is required to update email or password when MFA is enabled.'
      : 'AAL2 session is required to update the account when MFA is enabled.',
  );
  if (user.is_anonymous && password !== '' && email === null && user.email === '')
    throw refuse(
      'validation_failed',
      'Updating password of an anonymous user without an email or phone is not allowed',
      { status: 422 },
    );
  if (email !== null) {
    const rows = await room.query(sql`
      select id from auth.users where lower(email) = ${email} and not is_sso_user and id <> ${user.id}`);
    if (rows.length > 0) throw refuse('email_exists', 'A user with this email address has already been registered');
  }
  if (password === '') return;
  const [row] = await room.query<{ hash: string | null; session_age: string | null }>(sql`
    select encrypted_password as hash,
      (select created_at from auth.sessions s where s.id = ${caller.sessionId} and s.user_id = users.id) as session_age
    from auth.users where id = ${user.id}`);
  const since = row?.session_age;
  if (room.settings.reauthenticate && (!since || Date.now() - new Date(since).getTime() > aDay))
    await checkNonce(room, user, textIn(body, 'nonce'));
  if (!row?.hash) return;
  // The answer tells whether a guess is right, so it is counted like one, before anything is compared.
  await countKnown(room, 'failure', `${user.id} ${caller.sessionId}`);
  if ((await room.passwords.matches(password, row.hash)).matches)
    throw refuse('same_password', 'New password should be different from the old password.');
}

async function checkNonce(room: Room, user: User, nonce: string): Promise<void> {
  if (nonce === '') throw refuse('reauthentication_needed', 'Password update requires reauthentication');
  try {
    await takeCode(room, user.email, nonce, ['reauthentication']);
  } catch (error) {
    if (error instanceof CatalogError && error.code === 'otp_expired')
      throw refuse('reauthentication_not_valid', 'Nonce has expired or is invalid');
    throw error;
  }
}

/** Whoever knew the old password is signed out, on every device but this one. */
async function changePassword(room: Room, desk: Desk, caller: Caller, hash: string): Promise<void> {
  const { user, sessionId } = caller;
  await desk.query(sql`update auth.users set encrypted_password = ${hash}, updated_at = now() where id = ${user.id}`);
  await desk.query(
    sql`delete from auth.sessions where user_id = ${user.id} and id is distinct from ${sessionId}::uuid`,
  );
  await desk.query(sql`delete from auth.one_time_tokens where user_id = ${user.id} and token_type = 'recovery'`);
  if (user.email_confirmed_at !== undefined)
    await sendLetter(room, desk, 'password_changed', user.email, null, room.siteUrl);
}

async function changeEmail(
  room: Room,
  desk: Desk,
  { user }: Caller,
  email: string,
  by: { challenge: ReturnType<typeof challengeIn>; redirectTo: string },
): Promise<void> {
  // Giving an anonymous account an address is like signing up with it.
  if (user.is_anonymous && room.autoconfirm) return finishEmailChange(room, desk, user.id, email, false);
  const old = user.email === '' ? null : user.email;
  await askForEmailChange(room, desk, { id: user.id, email: old, newEmail: email }, by.challenge, by.redirectTo);
}
