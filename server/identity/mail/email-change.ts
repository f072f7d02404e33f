// A change of address is asked for at the new address, and at the old one too unless that is switched off.

import { sql } from '../../database/sql.ts';
import type { IdentityContext } from '../identity-context.ts';
import { type Challenge, startMailFlow } from '../tokens/flows.ts';
import type { Db } from '../types.ts';
import { makeToken } from './one-time-tokens.ts';
import { queueMail } from './send-mail.ts';

export async function askForEmailChange(
  context: IdentityContext,
  db: Db,
  change: { readonly id: string; readonly email: string | null; readonly newEmail: string },
  challenge: Challenge | null,
  redirectTo: string,
): Promise<void> {
  const { id, email, newEmail } = change;
  await db.query(sql`
    update auth.users set email_change = ${newEmail}, email_change_sent_at = now(), email_change_confirm_status = 0,
      updated_at = now()
    where id = ${id}`);
  const addresses = { old_email: email ?? '', new_email: newEmail };
  const flowId = await startMailFlow(context, db, id, 'email_change', challenge);
  if (await belongsToSomeoneElse(db, newEmail, id)) {
    // Whoever asks sees what they see for a free address; its owner gets a mail, and the change cannot be finished.
    await db.query(sql`delete from auth.one_time_tokens where user_id = ${id} and token_type = 'email_change_new'`);
    await queueMail(context, db, 'already_registered', newEmail, null, redirectTo);
  } else {
    const proof = await makeToken(context, db, id, 'email_change_new', newEmail, flowId);
    await queueMail(context, db, 'email_change', newEmail, proof, redirectTo, addresses);
  }
  if (email !== null && context.settings.secureEmailChange && !context.autoconfirm) {
    const consent = await makeToken(context, db, id, 'email_change_current', email, flowId);
    await queueMail(context, db, 'email_change', email, consent, redirectTo, addresses);
  } else {
    await db.query(sql`
      delete from auth.one_time_tokens where user_id = ${id} and token_type = 'email_change_current'`);
  }
}

async function belongsToSomeoneElse(db: Db, email: string, id: string): Promise<boolean> {
  const rows = await db.query(sql`
    select id from auth.users where lower(email) = ${email} and not is_sso_user and id <> ${id}`);
  return rows.length > 0;
}
