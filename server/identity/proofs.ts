// What a proven mailbox changes: an address becomes confirmed, a change of address happens, a stranger's password goes.

import { sql } from '../database/sql.ts';
import { PostgresError } from '../database/types.ts';
import { confirmEmail, dropStranger, setEmailIdentity, unproven } from './accounts.ts';
import { refuse } from './errors.ts';
import { sendLetter } from './mails.ts';
import type { FoundToken } from './one-time-tokens.ts';
import type { Desk, Room } from './room.ts';
import type { Visitor } from './session-tokens.ts';

export const halfWay = 'Confirmation link accepted. Please proceed to confirm link sent to the other email';

interface Account {
  readonly id: string;
  readonly email: string | null;
  readonly email_change: string | null;
  readonly status: number;
  readonly confirmed: boolean;
  readonly unproven: boolean;
  readonly banned: boolean;
  readonly gone: boolean;
}

/** `half`: one of two addresses has agreed to a change, the other has not yet. */
export async function acceptProof(
  room: Room,
  desk: Desk,
  proof: FoundToken,
  visitor: Visitor,
): Promise<'done' | 'half'> {
  const [account] = await desk.query<Account>(sql`
    select id, email, email_change, email_change_confirm_status as status, email_confirmed_at is not null as confirmed,
      ${unproven} as unproven,
      coalesce(banned_until > now(), false) as banned, deleted_at is not null as gone
    from auth.users where id = ${proof.userId} for update`);
  if (!account || account.gone) throw refuse('otp_expired', 'Email link is invalid or has expired');
  if (account.banned) throw refuse('user_banned', 'User is banned', { status: 403 });
  if (proof.type === 'email_change_current' || proof.type === 'email_change_new')
    return changeEmail(room, desk, account, proof);
  if (account.unproven) {
    // Proven by a mail that no sign-up with a password caused: whoever set that password need not own the mailbox. A
    // second factor stays: somebody else's mailbox must not be a way round it.
    if (proof.type === 'recovery') await dropStranger(room, desk, account.id);
    await confirmEmail(desk, account.id);
  }
  if (!account.confirmed) await note(desk, 'user_signedup', account.id, visitor);
  return 'done';
}

async function changeEmail(room: Room, desk: Desk, account: Account, proof: FoundToken): Promise<'done' | 'half'> {
  const email = account.email_change;
  if (email === null) throw refuse('otp_expired', 'Email link is invalid or has expired');
  const bothAsked = room.settings.secureEmailChange && !room.autoconfirm && account.email !== null;
  if (bothAsked && account.status === 0) {
    await desk.query(sql`update auth.users set email_change_confirm_status = 1 where id = ${account.id}`);
    return 'half';
  }
  await finishEmailChange(room, desk, account.id, email);
  if (account.email !== null)
    await sendLetter(room, desk, 'email_changed', account.email, null, room.siteUrl, { new_email: email });
  // The code verifier of the mail that came second is as good as that of the first: the session goes to its client.
  await desk.query(sql`
    delete from auth.one_time_tokens
    where user_id = ${account.id} and token_type in ('email_change_new', 'email_change_current') and id <> ${proof.id}`);
  return 'done';
}

/** The new address is the account's own from here on; proven, unless a setting spares people the proof. */
export async function finishEmailChange(
  room: Room,
  desk: Desk,
  userId: string,
  email: string,
  proven = true,
): Promise<void> {
  try {
    await desk.query(sql`
      update auth.users set email = ${email}, email_change = null, email_change_confirm_status = 0, updated_at = now()
      where id = ${userId}`);
  } catch (error) {
    if (error instanceof PostgresError && error.sqlstate === '23505')
      throw refuse('email_exists', 'A user with this email address has already been registered');
    throw error;
  }
  await confirmEmail(desk, userId);
  await setEmailIdentity(room, desk, userId, email, proven);
}

export async function note(
  desk: Desk,
  action: string,
  userId: string,
  visitor: Visitor,
  traits: Record<string, unknown> = {},
): Promise<void> {
  await desk.query(sql`
    select auth.note_event(${action}, users, ${traits}, ${visitor.address}) from auth.users where id = ${userId}`);
}

/** What was done to an account with the service key: the key is the actor, whose account it was stands in the traits. */
export async function noteByAdmin(
  desk: Desk,
  action: string,
  userId: string,
  visitor: Visitor,
  traits: Record<string, unknown> = {},
): Promise<void> {
  const serviceKey = { id: '00000000-0000-0000-0000-000000000000', email: 'service_role' };
  await desk.query(sql`
    select auth.note_event(${action}, jsonb_populate_record(null::auth.users, ${serviceKey}::jsonb),
      jsonb_build_object('user_id', id, 'user_email', coalesce(email, ''), 'user_phone', coalesce(phone, '')) || ${traits}::jsonb,
      ${visitor.address})
    from auth.users where id = ${userId}`);
}
