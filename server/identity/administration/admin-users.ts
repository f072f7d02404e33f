// /admin/users: administration of accounts with the service key.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Fragment, sql } from '../../database/sql.ts';
import { PostgresError } from '../../database/types.ts';
import type { BodyOf } from '../../http/check-body.ts';
import { readPath } from '../../http/read-parameters.ts';
import { addAccount, confirmEmail, setEmailIdentity } from '../accounts/add-account.ts';
import { dropOpenProofs } from '../accounts/drop-open-proofs.ts';
import { checkPassword } from '../accounts/password-rules.ts';
import { readUser } from '../accounts/read-user.ts';
import { noteAdminEvent } from '../audit-log.ts';
import { user as ofUser } from '../description-terms.ts';
import { refuse } from '../errors.ts';
import type { IdentityContext } from '../identity-context.ts';
import { clientInfoOf } from '../requests/client-info.ts';
import { asEmail, asPhone, isUuid, readBody, readQuery } from '../requests/read-body.ts';
import { requireAdmin } from '../requests/require-user.ts';
import type { Db, User } from '../types.ts';
import {
  createUser as describedCreation,
  deleteUser as describedDeletion,
  listUsers as describedList,
  updateUserById,
} from './described.ts';
import { readPage, writePage } from './pages.ts';

type Changes = BodyOf<typeof updateUserById>;

const emailTaken = 'A user with this email address has already been registered';

export async function listUsers(
  context: IdentityContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Record<string, unknown>> {
  await requireAdmin(context, request);
  const page = readPage(request);
  const { filter: sought = '', sort = '' } = readQuery(request, describedList);
  const filter = sought.replaceAll(/[\\%_]/g, '\\$&');
  const wanted =
    filter === ''
      ? sql`true`
      : sql`(email ilike ${`%${filter}%`} or raw_user_meta_data ->> 'name' ilike ${`%${filter}%`}
          or raw_user_meta_data ->> 'full_name' ilike ${`%${filter}%`})`;
  const direction = directionIn(sort) === 'asc' ? sql`asc` : sql`desc`;
  const rows = await context.query<{ user: User }>(sql`
    select auth.describe_user(users) as user from auth.users where ${wanted}
    order by created_at ${direction}, id limit ${page.size}::int offset ${page.skip}::bigint`);
  const [count] = await context.query<{ total: string }>(
    sql`select count(*)::text as total from auth.users where ${wanted}`,
  );
  writePage(reply, request, page, Number(count?.total ?? 0));
  return { users: rows.map((row) => row.user), aud: 'authenticated' };
}

/** `created_at asc`; newest first when nothing is asked. */
function directionIn(sort: string): 'asc' | 'desc' {
  if (sort === '') return 'desc';
  const [field = '', direction = 'desc'] = sort.split(' ', 2);
  if (field !== 'created_at') throw refuse('validation_failed', `Bad Sort Parameters: bad field for sort '${field}'`);
  const asked = direction.toLowerCase();
  if (asked !== 'asc' && asked !== 'desc')
    throw refuse(
      'validation_failed',
      `Bad Sort Parameters: bad direction for sort '${direction}', only 'asc' and 'desc' allowed`,
    );
  return asked;
}

export async function createUser(context: IdentityContext, request: FastifyRequest): Promise<User> {
  await requireAdmin(context, request);
  const body = await readBody(request, describedCreation);
  const { email: given = '', id = '', user_metadata: metadata = {}, app_metadata: appMetadata = {} } = body;
  if (body.phone && given === '')
    throw refuse('phone_provider_disabled', 'Accounts have no phone number: use an email address');
  if (given === '') throw refuse('validation_failed', 'Cannot create a user without either an email or phone');
  const email = asEmail(given.trim());
  const phone = phoneIn(body);
  if (id !== '' && !isUuid(id)) throw refuse('validation_failed', 'ID must conform to the uuid v4 format');
  if (/^[0-]+$/.test(id)) throw refuse('validation_failed', 'ID cannot be a nil uuid');
  const hash = await hashIn(context, body);
  const bannedUntil = banIn(body);
  return byAdmin(context, async (db) => {
    const known = await db.query(sql`select id from auth.users where lower(email) = ${email} and not is_sso_user`);
    if (known.length > 0) throw refuse('email_exists', emailTaken);
    const userId = await addAccount(context, db, {
      ...(id === '' ? {} : { id }),
      email,
      hash,
      metadata,
      appMetadata,
      confirmed: body.email_confirm ?? false,
      ...(body.role ? { role: checkRole(body.role) } : {}),
    });
    if (bannedUntil !== undefined)
      await db.query(sql`update auth.users set banned_until = ${bannedUntil}::timestamptz where id = ${userId}`);
    for (const change of phone) await db.query(sql`update auth.users set ${change} where id = ${userId}`);
    await noteAdminEvent(db, 'user_signedup', userId, clientInfoOf(request), { provider: 'email' });
    return describe(db, userId);
  });
}

export async function readUserById(context: IdentityContext, request: FastifyRequest): Promise<User> {
  await requireAdmin(context, request);
  return describe(context, userIdIn(request));
}

export async function changeUser(context: IdentityContext, request: FastifyRequest): Promise<User> {
  await requireAdmin(context, request);
  const id = userIdIn(request);
  const body = await readBody(request, updateUserById);
  const email = body.email ? asEmail(body.email.trim()) : null;
  // For a new account an empty password is none; for one that has a password it would be a weak one.
  if (body.password === '') checkPassword(context.settings, '');
  const hash = await hashIn(context, body);
  const bannedUntil = banIn(body);
  const changes: Fragment[] = phoneIn(body);
  if (hash !== null) changes.push(sql`encrypted_password = ${hash}`);
  if (body.role) changes.push(sql`role = ${checkRole(body.role)}`);
  if (bannedUntil !== undefined) changes.push(sql`banned_until = ${bannedUntil}::timestamptz`);
  if (body.user_metadata)
    changes.push(sql`raw_user_meta_data = ${withChanges(sql`raw_user_meta_data`, body.user_metadata)}`);
  if (body.app_metadata)
    changes.push(sql`raw_app_meta_data = ${withChanges(sql`raw_app_meta_data`, body.app_metadata)}`);
  return byAdmin(context, async (db) => {
    const before = await describe(db, id);
    for (const change of changes)
      await db.query(sql`update auth.users set ${change}, updated_at = now() where id = ${id}`);
    if (email !== null) {
      const confirm = body.email_confirm ?? null;
      const [row] = await db.query<{ confirmed: boolean }>(sql`
        update auth.users set email = ${email}, email_change = null, email_change_confirm_status = 0, is_anonymous = false, updated_at = now(),
          email_confirmed_at = case ${confirm}::boolean
            when true then coalesce(email_confirmed_at, now()) when false then null else email_confirmed_at end
        where id = ${id} returning email_confirmed_at is not null as confirmed`);
      await setEmailIdentity(context, db, id, email, row?.confirmed ?? false);
    } else if (body.email_confirm === true) await confirmEmail(db, id);
    // Whose password was taken away is signed out; who is banned, by a trigger.
    if (hash !== null) await db.query(sql`delete from auth.sessions where user_id = ${id}`);
    if (hash !== null || (email !== null && email !== before.email)) await dropOpenProofs(db, id);
    await noteAdminEvent(db, 'user_modified', id, clientInfoOf(request));
    return describe(db, id);
  });
}

/** Softly: the row stays for what refers to it, everything that tells whose it was goes. */
export async function deleteUser(context: IdentityContext, request: FastifyRequest): Promise<Record<string, never>> {
  await requireAdmin(context, request);
  const id = userIdIn(request);
  const { should_soft_delete: softly = false } = await readBody(request, describedDeletion);
  await context.transact(async (db) => {
    await describe(db, id);
    await noteAdminEvent(db, 'user_deleted', id, clientInfoOf(request), { softly });
    if (!softly) {
      await db.query(sql`delete from auth.users where id = ${id}`);
      return;
    }
    await db.query(sql`
      update auth.users set deleted_at = now(), updated_at = now(), encrypted_password = null, email_change = null,
        raw_user_meta_data = '{}', raw_app_meta_data = '{}',
        email = case when email is null then null else encode(sha256(convert_to(id::text || email, 'utf8')), 'hex') end
      where id = ${id}`);
    await db.query(sql`delete from auth.identities where user_id = ${id}`);
    await db.query(sql`delete from auth.mfa_factors where user_id = ${id}`);
    await db.query(sql`delete from auth.webauthn_credentials where user_id = ${id}`);
    await db.query(sql`delete from auth.one_time_tokens where user_id = ${id}`);
    await db.query(sql`delete from auth.flow_state where user_id = ${id} or linking_user_id = ${id}`);
  });
  return {};
}

export function userIdIn(request: FastifyRequest): string {
  const refused = (): Error => refuse('validation_failed', 'user_id must be an UUID', { status: 404 });
  return readPath(request, { parameters: [ofUser] }, refused).user_id;
}

export function describe(db: Db, id: string): Promise<User> {
  return readUser(db, sql`select auth.describe_user(users) as user from auth.users where id = ${id}`);
}

async function byAdmin<T>(context: IdentityContext, work: (db: Db) => Promise<T>): Promise<T> {
  try {
    return await context.transact(work);
  } catch (error) {
    if (error instanceof PostgresError && error.fields.constraint === 'users_service_account_has_no_sign_in')
      throw refuse('validation_failed', 'Nobody signs in to a service account: it has no address, number or password');
    if (error instanceof PostgresError && error.sqlstate === '23505')
      throw error.fields.constraint === 'users_phone_key'
        ? refuse('phone_exists', 'A user with this phone number has already been registered')
        : refuse('email_exists', emailTaken);
    throw error;
  }
}

/** A password to hash, or a hash brought from elsewhere; null when there is neither. */
async function hashIn(
  context: IdentityContext,
  { password = '', password_hash: brought = '' }: Changes,
): Promise<string | null> {
  if (password !== '' && brought !== '')
    throw refuse('validation_failed', 'Only a password or a password hash should be provided');
  if (brought !== '') {
    if (
      !/^(\$2[aby]\$\d\d\$[./A-Za-z0-9]{53}|\$argon2(id|i|d)\$v=\d+\$m=\d+,t=\d+,p=\d+\$[A-Za-z0-9+/]+\$[A-Za-z0-9+/]+)$/.test(
        brought,
      )
    )
      throw refuse('validation_failed', 'password_hash must be a bcrypt or argon2 hash');
    return brought;
  }
  if (password === '') return null;
  checkPassword(context.settings, password);
  return context.passwords.hash(password);
}

/** A number is kept and shown; nobody signs in by it. An empty one takes the number away. */
function phoneIn(body: Changes): Fragment[] {
  const changes: Fragment[] = [];
  const text = body.phone?.trim() ?? null;
  if (text !== null) changes.push(sql`phone = ${text === '' ? null : asPhone(text)}, phone_confirmed_at = null`);
  const confirm = body.phone_confirm;
  if (confirm !== undefined && text !== '')
    changes.push(sql`phone_confirmed_at = case when ${confirm}::boolean and phone is not null then now() end`);
  return changes;
}

function checkRole(role: string): string {
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(role) || /^(kanbase_|pg_)/.test(role))
    throw refuse('validation_failed', 'role must name a role that tokens may carry');
  return role;
}

/** `none` lifts a ban, a duration such as 24h or 1h30m sets one; undefined when it is not given. */
function banIn({ ban_duration: text = '' }: Changes): Date | null | undefined {
  if (text === '') return undefined;
  if (text === 'none') return null;
  const units: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1000, ms: 1 };
  if (!/^(\d+(\.\d+)?(ms|h|m|s))+$/.test(text))
    throw refuse('validation_failed', `invalid format for ban duration: ${text.slice(0, 40)}`);
  let duration = 0;
  for (const [, count, unit] of text.matchAll(/(\d{1,20}(?:\.\d{1,20})?)(ms|h|m|s)/g))
    duration += Number(count) * (units[unit ?? ''] ?? 0);
  return new Date(Math.min(Date.now() + duration, Date.UTC(9999, 0, 1)));
}

/** Null takes a field away. */
function withChanges(column: Fragment, changes: Readonly<Record<string, unknown>>): Fragment {
  return sql`(select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(${column} || ${changes}::jsonb) where value <> 'null')`;
}
