// PUT /user: people change what is theirs - metadata, password, address. Their role and app_metadata are not.

import type { FastifyRequest } from 'fastify';
import { sql } from '../../database/sql.ts';
import { CatalogError } from '../../errors.ts';
import { answerAtFixedTimes } from '../../http/fixed-answer-times.ts';
import { noteEvent } from '../audit-log.ts';
import { refuse } from '../errors.ts';
import type { IdentityContext } from '../identity-context.ts';
import { askForEmailChange } from '../mail/email-change.ts';
import { checkCode, type TypedCode, takeCode } from '../mail/one-time-tokens.ts';
import { finishEmailChange } from '../mail/proofs.ts';
import { queueMail } from '../mail/send-mail.ts';
import { clientInfoOf } from '../requests/client-info.ts';
import { countByKey, countRequest, spaceOutMail } from '../requests/rate-limits.ts';
import { asEmail, largestMetadata, metadataIn, readBody, tooMuchMetadata } from '../requests/read-body.ts';
import { redirectRulesOf } from '../requests/redirect-rules.ts';
import { redirectOf } from '../requests/redirects.ts';
import { type CurrentUser, requireSecondFactor, requireUser } from '../requests/require-user.ts';
import { challengeIn } from '../tokens/flows.ts';
import type { Db, User } from '../types.ts';
import { updateUser as described } from './described.ts';
import { dropOpenProofs } from './drop-open-proofs.ts';
import { checkPassword } from './password-rules.ts';
import { readUser } from './read-user.ts';
import { requireSignUp } from './sign-up-policy.ts';

const aDay = 86_400_000;

export async function updateUser(context: IdentityContext, request: FastifyRequest): Promise<User> {
  const caller = await requireUser(context, request);
  const body = await readBody(request, described);
  const { email: given = '', password = '', phone = '', nonce: code = '' } = body;
  const { user } = caller;
  const newEmail = given.trim() === '' ? null : asEmail(given.trim());
  const email = newEmail === user.email ? null : newEmail;
  if (body.password !== undefined) checkPassword(context.settings, password);
  const challenge = challengeIn(body);
  const metadata = metadataIn(body);
  if (body.app_metadata !== undefined) throw refuse('not_admin', 'Updating app_metadata requires admin privileges');
  if (phone !== '') throw refuse('phone_provider_disabled', 'Phone logins are disabled');
  const nonce = await mayChange(context, request, caller, code, email, password);
  // Giving an anonymous account an address is signing up with it.
  if (user.is_anonymous && email !== null) await requireSignUp(context, context, email);

  const hash = password === '' ? null : await context.passwords.hash(password);
  const redirectTo = redirectOf(redirectRulesOf(context), request);
  if (email !== null) {
    await countRequest(context, request, 'mail');
    if (!(user.is_anonymous && context.autoconfirm)) await spaceOutMail(context, 'email_change', email);
  }
  const change = () =>
    context.transact(async (db) => {
      if (nonce !== null) await orNotValid(takeCode(db, nonce));
      if (hash !== null) await changePassword(context, db, caller, hash);
      if (Object.keys(metadata).length > 0) await changeMetadata(db, user.id, metadata);
      if (email !== null) await changeEmail(context, db, caller, email, { challenge, redirectTo });
      await noteEvent(db, 'user_modified', user.id, clientInfoOf(request));
      return readUser(db, sql`select auth.describe_user(users) as user from auth.users where id = ${user.id}`);
    });
  // Whether the new address has an account is not to be timed.
  return email === null ? change() : answerAtFixedTimes(change);
}

/** Null takes a field away. What is too large already may shrink, but not grow. */
async function changeMetadata(db: Db, userId: string, metadata: Record<string, unknown>): Promise<void> {
  const [size] = await db.query<{ before: number; after: number }>(sql`
    with before as (select length(raw_user_meta_data::text) as size from auth.users where id = ${userId})
    update auth.users set updated_at = now(), raw_user_meta_data = (
      select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(raw_user_meta_data || ${metadata}::jsonb)
      where value <> 'null'
    )
    where id = ${userId} returning (select size from before) as before, length(raw_user_meta_data::text) as after`);
  if (size && size.after > largestMetadata && size.after > size.before) throw tooMuchMetadata();
}

/** Resolves with the code that has to be taken with the change. */
async function mayChange(
  context: IdentityContext,
  request: FastifyRequest,
  caller: CurrentUser,
  code: string,
  email: string | null,
  password: string,
): Promise<TypedCode | null> {
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
  if (password === '') return null;
  const [row] = await context.query<{ hash: string | null; session_age: string | null }>(sql`
    select encrypted_password as hash,
      (select created_at from auth.sessions s where s.id = ${caller.sessionId} and s.user_id = users.id) as session_age
    from auth.users where id = ${user.id}`);
  const since = row?.session_age;
  let nonce: TypedCode | null = null;
  if (context.settings.reauthenticate && (!since || Date.now() - new Date(since).getTime() > aDay))
    nonce = await checkNonce(context, request, user, code);
  if (!row?.hash) return nonce;
  // The answer tells whether a guess is right, so it is counted like one, before anything is compared.
  await countByKey(context, 'failure', `${user.id} ${caller.sessionId}`);
  if ((await context.passwords.matches(password, row.hash)).matches)
    throw refuse('same_password', 'New password should be different from the old password.');
  return nonce;
}

function checkNonce(context: IdentityContext, request: FastifyRequest, user: User, nonce: string): Promise<TypedCode> {
  if (nonce === '') throw refuse('reauthentication_needed', 'Password update requires reauthentication');
  return orNotValid(checkCode(context, request, user.email, nonce, ['reauthentication']));
}

async function orNotValid<T>(code: Promise<T>): Promise<T> {
  try {
    return await code;
  } catch (error) {
    if (error instanceof CatalogError && error.code === 'otp_expired')
      throw refuse('reauthentication_not_valid', 'Nonce has expired or is invalid');
    throw error;
  }
}

/** Whoever knew the old password is signed out, on every device but this one, and keeps nothing that would let them in again. */
async function changePassword(context: IdentityContext, db: Db, caller: CurrentUser, hash: string): Promise<void> {
  const { user, sessionId } = caller;
  await db.query(sql`update auth.users set encrypted_password = ${hash}, updated_at = now() where id = ${user.id}`);
  await db.query(sql`delete from auth.sessions where user_id = ${user.id} and id is distinct from ${sessionId}::uuid`);
  await dropOpenProofs(db, user.id);
  if (user.email_confirmed_at !== undefined)
    await queueMail(context, db, 'password_changed', user.email, null, context.siteUrl);
}

async function changeEmail(
  context: IdentityContext,
  db: Db,
  { user }: CurrentUser,
  email: string,
  by: { challenge: ReturnType<typeof challengeIn>; redirectTo: string },
): Promise<void> {
  // Giving an anonymous account an address is like signing up with it.
  if (user.is_anonymous && context.autoconfirm) return finishEmailChange(context, db, user.id, email, false);
  const old = user.email === '' ? null : user.email;
  await askForEmailChange(context, db, { id: user.id, email: old, newEmail: email }, by.challenge, by.redirectTo);
}
