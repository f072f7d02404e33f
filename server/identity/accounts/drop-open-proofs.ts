// Ends the open proofs of an account (links, codes, factors begun) when its password or address changes: the person who began them may be
// the reason for the change.

import { sql } from '../../database/sql.ts';
import type { Db } from '../types.ts';

/** Links and codes of mails, a change of address, identities on their way to be linked, codes to be exchanged for a session. */
export async function dropOpenProofs(db: Db, userId: string): Promise<void> {
  await db.query(sql`
    update auth.users set email_change = null, email_change_confirm_status = 0 where id = ${userId}`);
  await db.query(sql`delete from auth.one_time_tokens where user_id = ${userId}`);
  await db.query(sql`
    delete from auth.flow_state
    where linking_user_id = ${userId} or (user_id = ${userId} and auth_code_hash is not null)`);
}
