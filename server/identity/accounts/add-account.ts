// Making accounts, and keeping them in step with their identities.

import { randomUUID } from 'node:crypto';
import { sql } from '../../database/sql.ts';
import type { IdentityContext } from '../identity-context.ts';
import type { Db } from '../types.ts';
import { dropOpenProofs } from './drop-open-proofs.ts';

export interface NewAccount {
  readonly id?: string;
  readonly email: string | null;
  /** Of the password; null: none yet. */
  readonly hash: string | null;
  readonly metadata: Record<string, unknown>;
  readonly appMetadata?: Record<string, unknown>;
  readonly confirmed: boolean;
  /** Whether somebody vouches that the mailbox is theirs; `confirmed` alone may be the setting's doing (AUTH_AUTOCONFIRM). */
  readonly proven?: boolean;
  readonly role?: string;
}

/** An account and, if it has an address, its email identity. Nothing in it came unchecked from a stranger but metadata. */
export async function addAccount(context: IdentityContext, db: Db, account: NewAccount): Promise<string> {
  const id = account.id ?? randomUUID();
  await db.query(sql`
    insert into auth.users (id, email, encrypted_password, raw_user_meta_data, raw_app_meta_data, role, email_confirmed_at)
    values (${id}, ${account.email}, ${account.hash}, ${account.metadata}, ${account.appMetadata ?? {}},
      ${account.role ?? 'authenticated'}, case when ${account.confirmed}::boolean then now() end)`);
  const proven = account.proven ?? account.confirmed;
  if (account.email !== null) await setEmailIdentity(context, db, id, account.email, proven);
  if (proven) await markVerified(db, id);
  return id;
}

/** The identity that stands for the account's own address. */
export async function setEmailIdentity(
  context: IdentityContext,
  db: Db,
  userId: string,
  email: string,
  verified: boolean,
): Promise<void> {
  const data = { sub: userId, email, email_verified: verified, phone_verified: false };
  await db.query(sql`
    insert into auth.identities (user_id, provider, provider_id, identity_data, last_sign_in_at)
    values (${userId}, 'email', ${userId}, ${data}, now())
    on conflict (provider, provider_id) do update
      set identity_data = auth.identities.identity_data || excluded.identity_data, updated_at = now()`);
  await noteProviders(context, db, userId);
}

/** `provider` and `providers` in app_metadata, for accounts that sign in by their address alone only where that is set. */
export async function noteProviders(context: IdentityContext, db: Db, userId: string): Promise<void> {
  await db.query(sql`
    update auth.users set raw_app_meta_data = (raw_app_meta_data - 'provider' - 'providers') || case
        when known.names is null or (known.names = '["email"]' and not ${context.settings.providerMetadata}::boolean) then '{}'
        else jsonb_build_object('provider', known.names -> 0, 'providers', known.names)
      end
    from (
      select jsonb_agg(provider order by first_seen) as names from (
        select provider, min(created_at) as first_seen from auth.identities where user_id = ${userId} group by provider
      ) each_provider
    ) known
    where id = ${userId}`);
}

/** Nobody has ever shown that the account's mailbox is theirs: not confirmed, or confirmed by a setting alone. */
export const unproven = sql`(email_confirmed_at is null or exists (
  select from auth.identities i
  where i.user_id = users.id and i.provider = 'email' and i.identity_data -> 'email_verified' = 'false'
))`;

/**
 * The owner of the mailbox has come. Whoever made the account before, with an address they never proved, keeps no way
 * in: no password, session, passkey, linked identity, mailed token, change of address or secret address of a calendar.
 */
export async function dropUnprovenAccess(context: IdentityContext, db: Db, userId: string): Promise<void> {
  await db.query(sql`update auth.users set encrypted_password = null where id = ${userId}`);
  await dropOpenProofs(db, userId);
  await db.query(sql`delete from auth.sessions where user_id = ${userId}`);
  await db.query(sql`delete from auth.webauthn_credentials where user_id = ${userId}`);
  await db.query(sql`delete from auth.identities where user_id = ${userId} and provider <> 'email'`);
  await db.query(sql`select auth.end_lasting_access(${userId})`);
  await noteProviders(context, db, userId);
}

/** Where clients of Supabase look for it. People may write their own metadata: nothing here relies on it. */
async function markVerified(db: Db, userId: string): Promise<void> {
  await db.query(sql`
    update auth.users set raw_user_meta_data = raw_user_meta_data || '{"email_verified": true}' where id = ${userId}`);
}

/** Both the account and its own identity count as confirmed; the identity not by a link that was handed over. */
export async function confirmEmail(db: Db, userId: string, proven = true): Promise<void> {
  await db.query(sql`
    update auth.users set email_confirmed_at = coalesce(email_confirmed_at, now()), is_anonymous = false, updated_at = now()
    where id = ${userId}`);
  if (!proven) return;
  await db.query(sql`
    update auth.identities set identity_data = identity_data || '{"email_verified": true}', updated_at = now()
    where user_id = ${userId} and provider = 'email'`);
  await markVerified(db, userId);
}
