// A change of address is asked for at the new address, and at the old one too unless that is switched off.

import { sql } from '../database/sql.ts';
import { type Challenge, startMailFlow } from './flows.ts';
import { sendLetter } from './mails.ts';
import { makeToken } from './one-time-tokens.ts';
import type { Desk, Room } from './room.ts';

export async function askForEmailChange(
  room: Room,
  desk: Desk,
  change: { readonly id: string; readonly email: string | null; readonly newEmail: string },
  challenge: Challenge | null,
  redirectTo: string,
): Promise<void> {
  const { id, email, newEmail } = change;
  await desk.query(sql`
    update auth.users set email_change = ${newEmail}, email_change_sent_at = now(), email_change_confirm_status = 0,
      updated_at = now()
    where id = ${id}`);
  const addresses = { old_email: email ?? '', new_email: newEmail };
  const flowId = await startMailFlow(room, desk, id, 'email_change', challenge);
  const proof = await makeToken(room, desk, id, 'email_change_new', newEmail, flowId);
  await sendLetter(room, desk, 'email_change', newEmail, proof, redirectTo, addresses);
  if (email !== null && room.settings.secureEmailChange && !room.autoconfirm) {
    const consent = await makeToken(room, desk, id, 'email_change_current', email, flowId);
    await sendLetter(room, desk, 'email_change', email, consent, redirectTo, addresses);
  } else {
    await desk.query(sql`
      delete from auth.one_time_tokens where user_id = ${id} and token_type = 'email_change_current'`);
  }
}
