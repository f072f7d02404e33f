// Writes events of an account to the audit log: by its owner, or by the service key.

import { sql } from '../database/sql.ts';
import type { ClientInfo, Db } from './types.ts';

export async function noteEvent(
  db: Db,
  action: string,
  userId: string,
  clientInfo: ClientInfo,
  traits: Record<string, unknown> = {},
): Promise<void> {
  await db.query(sql`
    select auth.note_event(${action}, users, ${traits}, ${clientInfo.address}) from auth.users where id = ${userId}`);
}

/** What was done to an account with the service key: the key is the actor, whose account it was stands in the traits. */
export async function noteAdminEvent(
  db: Db,
  action: string,
  userId: string,
  clientInfo: ClientInfo,
  traits: Record<string, unknown> = {},
): Promise<void> {
  const serviceKey = { id: '00000000-0000-0000-0000-000000000000', email: 'service_role' };
  await db.query(sql`
    select auth.note_event(${action}, jsonb_populate_record(null::auth.users, ${serviceKey}::jsonb),
      jsonb_build_object('user_id', id, 'user_email', coalesce(email, ''), 'user_phone', coalesce(phone, '')) || ${traits}::jsonb,
      ${clientInfo.address})
    from auth.users where id = ${userId}`);
}
