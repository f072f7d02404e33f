// Applies a proven mailbox: confirms an address, completes a change of address, drops a stranger's password.

import { sql } from '../../database/sql.ts';
import { PostgresError } from '../../database/types.ts';
import { confirmEmail, dropUnprovenAccess, setEmailIdentity, unproven } from '../accounts/add-account.ts';
import { dropOpenProofs } from '../accounts/drop-open-proofs.ts';
import { noteEvent } from '../audit-log.ts';
import { refuse } from '../errors.ts';
import type { IdentityContext } from '../identity-context.ts';
import type { ClientInfo, Db } from '../types.ts';
import { type FoundToken, handedOver } from './one-time-tokens.ts';
import { queueMail } from './send-mail.ts';

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
  context: IdentityContext,
  db: Db,
  proof: FoundToken,
  clientInfo: ClientInfo,
): Promise<'done' | 'half'> {
  const [account] = await db.query<Account>(sql`
    select id, email, email_change, email_change_confirm_status as status, email_confirmed_at is not null as confirmed,
      ${unproven} as unproven,
      coalesce(banned_until > now(), false) as banned, deleted_at is not null as gone
    from auth.users where id = ${proof.userId} for update`);
  // Who had a mailbox that was the account's then proves nothing of the account that has another one now.
  const asked = proof.type === 'email_change_new' ? account?.email_change : account?.email;
  const sentElsewhere = proof.sentTo !== handedOver && proof.sentTo.toLowerCase() !== asked?.toLowerCase();
  if (!account || account.gone || sentElsewhere) throw refuse('otp_expired', 'Email link is invalid or has expired');
  if (account.banned) throw refuse('user_banned', 'User is banned', { status: 403 });
  if (proof.type === 'email_change_current' || proof.type === 'email_change_new')
    return changeEmail(context, db, account);
  if (account.unproven) {
    // Proven by a mail that no sign-up with a password caused: whoever set that password need not own the mailbox. A
    // second factor stays: somebody else's mailbox must not be a way round it.
    if (proof.type === 'recovery') await dropUnprovenAccess(context, db, account.id);
    await confirmEmail(db, account.id, proof.sentTo !== handedOver);
  }
  if (!account.confirmed) await noteEvent(db, 'user_signedup', account.id, clientInfo);
  return 'done';
}

async function changeEmail(context: IdentityContext, db: Db, account: Account): Promise<'done' | 'half'> {
  const email = account.email_change;
  if (email === null) throw refuse('otp_expired', 'Email link is invalid or has expired');
  const bothAsked = context.settings.secureEmailChange && !context.autoconfirm && account.email !== null;
  if (bothAsked && account.status === 0) {
    await db.query(sql`update auth.users set email_change_confirm_status = 1 where id = ${account.id}`);
    return 'half';
  }
  await finishEmailChange(context, db, account.id, email);
  if (account.email !== null)
    await queueMail(context, db, 'email_changed', account.email, null, context.siteUrl, { new_email: email });
  return 'done';
}

/** The new address is the account's own from here on; proven, unless a setting spares people the proof. */
export async function finishEmailChange(
  context: IdentityContext,
  db: Db,
  userId: string,
  email: string,
  proven = true,
): Promise<void> {
  try {
    await db.query(sql`update auth.users set email = ${email}, updated_at = now() where id = ${userId}`);
  } catch (error) {
    if (error instanceof PostgresError && error.sqlstate === '23505')
      throw refuse('email_exists', 'A user with this email address has already been registered');
    throw error;
  }
  await dropOpenProofs(db, userId);
  await confirmEmail(db, userId);
  await setEmailIdentity(context, db, userId, email, proven);
}
