// Reads an issuer's claims about a person and finds their account: by the issuer's own id for the person; by email address only when the
// issuer vouches for it.

import { sql } from '../../database/sql.ts';
import { PostgresError } from '../../database/types.ts';
import { confirmEmail, dropUnprovenAccess, noteProviders, unproven } from '../accounts/add-account.ts';
import { requireSignUp } from '../accounts/sign-up-policy.ts';
import { noteEvent } from '../audit-log.ts';
import { refuse } from '../errors.ts';
import type { IdentityContext } from '../identity-context.ts';
import { queueMail } from '../mail/send-mail.ts';
import { asEmail, largestMetadata } from '../requests/read-body.ts';
import type { ClientInfo, Db } from '../types.ts';
import { keepGroups, readGroups, type SaidGroups } from './outside-groups.ts';
import type { Provider } from './providers.ts';

export interface OutsideIdentity {
  readonly provider: string;
  readonly subject: string;
  readonly email: string | null;
  readonly emailVerified: boolean;
  /** What is kept with the identity, and fills gaps in the account's own metadata. */
  readonly data: Readonly<Record<string, unknown>>;
  readonly isEmailOptional: boolean;
  /** Its provider was entered by the API for administrators. */
  readonly isCustom: boolean;
  /** Null where the issuer says nothing about them. */
  readonly groups: SaidGroups | null;
}

export function readIdentity(provider: Provider, claims: Readonly<Record<string, unknown>>): OutsideIdentity {
  const { sub } = claims;
  if (typeof sub !== 'string' || sub === '') throw refuse('bad_oauth_callback', 'missing sub claim in id_token');
  const email = typeof claims.email === 'string' && claims.email !== '' ? asEmail(claims.email) : null;
  const emailVerified = claims.email_verified === true || claims.email_verified === 'true' || provider.trustEmail;
  const name = textOf(claims.name) ?? textOf(claims.preferred_username);
  const picture = textOf(claims.picture);
  return {
    provider: provider.name,
    subject: sub,
    email,
    emailVerified,
    isEmailOptional: provider.custom?.isEmailOptional ?? false,
    isCustom: provider.custom !== undefined,
    groups: readGroups(provider.groups, claims),
    data: {
      iss: provider.issuer,
      sub,
      provider_id: sub,
      ...(email === null ? {} : { email }),
      email_verified: emailVerified,
      phone_verified: false,
      ...(name === null ? {} : { name, full_name: name }),
      ...(picture === null ? {} : { picture, avatar_url: picture }),
      ...keptClaims(provider, claims),
    },
  };
}

/** Claims of a provider that an administrator wants to have kept. */
function keptClaims(provider: Provider, claims: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const kept = (provider.custom?.keptClaims ?? []).filter((name) => Object.hasOwn(claims, name));
  if (kept.length === 0) return {};
  const custom = Object.fromEntries(kept.map((name) => [name, claims[name]]));
  if (JSON.stringify(custom).length > largestMetadata / 2)
    throw refuse('bad_oauth_callback', 'The provider says more about the person than can be kept');
  return { custom_claims: custom };
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value.slice(0, 1000) : null;
}

/** Two first sign-ins of one person at once: the second finds the account that the first has made. */
export async function onceMoreIfTaken<T>(signIn: () => Promise<T>): Promise<T> {
  try {
    return await signIn();
  } catch (error) {
    if (!(error instanceof PostgresError && error.sqlstate === '23505')) throw error;
    return signIn();
  }
}

/** The account of this person: known, found by a verified address, or new. */
export async function accountOf(
  context: IdentityContext,
  db: Db,
  identity: OutsideIdentity,
  clientInfo: ClientInfo,
): Promise<string> {
  const known = await findIdentity(db, identity);
  const id = known ?? (await accountByEmail(context, db, identity, clientInfo));
  const [user] = await db.query<{ banned: boolean; gone: boolean }>(sql`
    select coalesce(banned_until > now(), false) as banned, deleted_at is not null as gone from auth.users where id = ${id}`);
  if (!user || user.gone) throw refuse('user_not_found', 'User not found');
  if (user.banned) throw refuse('user_banned', 'User is banned', { status: 403 });
  await keepIdentity(context, db, id, identity);
  return id;
}

/** Whether the identity can be added to the account of someone who is signed in. */
export async function checkLink(db: Db, userId: string, identity: OutsideIdentity): Promise<void> {
  const owner = await findIdentity(db, identity);
  if (owner !== null)
    throw refuse(
      'identity_already_exists',
      owner === userId ? 'Identity is already linked' : 'Identity is already linked to another user',
    );
  // Unlinking may leave the account with the address of an identity, so it has to be theirs.
  if (identity.email !== null && !identity.emailVerified) throw needsVerification(identity.provider);
}

function needsVerification(provider: string): Error {
  return refuse(
    'provider_email_needs_verification',
    `Unverified email with ${provider}. Verify the email with ${provider} in order to sign in`,
  );
}

export async function linkTo(
  context: IdentityContext,
  db: Db,
  userId: string,
  identity: OutsideIdentity,
  clientInfo: ClientInfo,
): Promise<string> {
  const [user] = await db.query<{ email: string | null; banned: boolean; confirmed: boolean }>(sql`
    select email, coalesce(banned_until > now(), false) as banned, email_confirmed_at is not null as confirmed
    from auth.users where id = ${userId} and deleted_at is null for update`);
  if (!user) throw refuse('user_not_found', 'User not found');
  if (user.banned) throw refuse('user_banned', 'User is banned', { status: 403 });
  await checkLink(db, userId, identity);
  await keepIdentity(context, db, userId, identity);
  if (user.email !== null && user.confirmed)
    await queueMail(context, db, 'identity_linked', user.email, null, context.siteUrl, { provider: identity.provider });
  if (user.email !== null && user.email === identity.email) await confirmEmail(db, userId);
  // An anonymous account becomes a real one by its first identity.
  if (user.email === null && identity.email !== null) {
    await requireSignUp(context, db, identity.email);
    const others = await db.query(
      sql`select id from auth.users where lower(email) = ${identity.email} and not is_sso_user`,
    );
    if (others.length > 0) throw refuse('email_exists', 'A user with this email address has already been registered');
    await db.query(sql`update auth.users set email = ${identity.email} where id = ${userId}`);
    await confirmEmail(db, userId);
  }
  await noteEvent(db, 'identity_linked', userId, clientInfo, { provider: identity.provider });
  return userId;
}

/** Held from here on, the account before its identity, as everybody holds them: two that came at once would wait for each other. */
async function findIdentity(db: Db, identity: OutsideIdentity): Promise<string | null> {
  const [row] = await db.query<{ user_id: string; issuer: string | null }>(sql`
    select i.user_id, i.identity_data ->> 'iss' as issuer from auth.users u join auth.identities i on i.user_id = u.id
    where i.provider = ${identity.provider} and i.provider_id = ${identity.subject} for update of u, i`);
  // A custom provider was entered anew for another issuer, which gives its own people the ids of others.
  if (row !== undefined && identity.isCustom && row.issuer !== identity.data.iss)
    throw refuse(
      'identity_already_exists',
      `${identity.provider} was another provider before: it has to be entered under a name of its own`,
    );
  return row?.user_id ?? null;
}

async function accountByEmail(
  context: IdentityContext,
  db: Db,
  identity: OutsideIdentity,
  clientInfo: ClientInfo,
): Promise<string> {
  const { email, provider } = identity;
  if (email === null) {
    if (!identity.isEmailOptional)
      throw refuse('bad_oauth_callback', 'Error getting user email from external provider');
    await requireSignUp(context, db, null);
    return registered(db, identity, clientInfo);
  }
  if (!identity.emailVerified) throw needsVerification(provider);
  const [user] = await db.query<{ id: string; unproven: boolean }>(sql`
    select id, ${unproven} as unproven from auth.users
    where lower(email) = ${email} and not is_sso_user and deleted_at is null for update`);
  if (user === undefined) {
    await requireSignUp(context, db, email);
    return registered(db, identity, clientInfo);
  }
  if (user.unproven) {
    // Whoever signed up with this address never proved it: what they set up does not survive its owner. Their second
    // factor neither, or the owner would be shut out by it.
    await dropUnprovenAccess(context, db, user.id);
    await db.query(sql`delete from auth.mfa_factors where user_id = ${user.id}`);
    await db.query(sql`delete from auth.identities where user_id = ${user.id} and provider = 'email'`);
    await confirmEmail(db, user.id);
  }
  return user.id;
}

async function registered(db: Db, identity: OutsideIdentity, clientInfo: ClientInfo): Promise<string> {
  const id = await newAccount(db, identity);
  await noteEvent(db, 'user_signedup', id, clientInfo, { provider: identity.provider });
  return id;
}

/** No email identity: the address is what the issuer says, not a way to sign in by itself. */
async function newAccount(db: Db, identity: OutsideIdentity): Promise<string> {
  const [row] = await db.query<{ id: string }>(sql`
    insert into auth.users (email, email_confirmed_at, raw_user_meta_data)
    values (${identity.email}, case when ${identity.email}::text is not null then now() end, ${identity.data}) returning id`);
  return row?.id ?? '';
}

async function keepIdentity(
  context: IdentityContext,
  db: Db,
  userId: string,
  identity: OutsideIdentity,
): Promise<void> {
  await db.query(sql`
    insert into auth.identities (user_id, provider, provider_id, identity_data, last_sign_in_at)
    values (${userId}, ${identity.provider}, ${identity.subject}, ${identity.data}, now())
    on conflict (provider, provider_id) do update
      set identity_data = excluded.identity_data, last_sign_in_at = now(), updated_at = now()`);
  // A name that somebody chose here is not overwritten by the one they have there.
  await db.query(sql`
    update auth.users set raw_user_meta_data = ${identity.data}::jsonb || raw_user_meta_data where id = ${userId}`);
  await noteProviders(context, db, userId);
  if (identity.groups) await keepGroups(db, userId, identity, identity.groups);
}
