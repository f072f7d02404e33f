// The few rows the billing doors read and write beside events, as the role that may see nothing else.

import { livemodeOf, type ProviderMode } from '../config/provider-mode.ts';
import { roomRoles } from '../database/room-roles.ts';
import { sql, statement } from '../database/sql.ts';
import type { Database } from '../database/types.ts';

/** The customer at the provider that belongs to this user, if they ever bought something. */
export async function findCustomer(database: Database, userId: string, mode: ProviderMode): Promise<string | null> {
  const live = livemodeOf(mode);
  const [row] = await database.objectsAs<{ id: string | null }>(
    roomRoles.billing,
    statement(sql`select billing.customer_of(${userId}::uuid, ${live === null ? null : String(live)}::boolean) as id`),
    { readOnly: true },
  );
  return row?.id ?? null;
}

/** Keeps in the database which kind of key is in use; `changed` when it was another before. */
export async function rememberMode(database: Database, mode: ProviderMode): Promise<{ changed: boolean }> {
  const live = livemodeOf(mode);
  const bound = live === null ? null : String(live);
  const [row] = await database.objectsAs<{ changed: boolean }>(
    roomRoles.billing,
    statement(sql`
      with before as (
        select livemode from billing.provider
      ), remembered as (
        insert into billing.provider as known (livemode) values (${bound}::boolean)
        on conflict (only_row) do update set livemode = excluded.livemode, changed_at = now()
        where known.livemode is distinct from excluded.livemode
      )
      select exists (select from before where before.livemode is distinct from ${bound}::boolean) as changed
    `),
  );
  return { changed: row?.changed ?? false };
}

/** Events are only kept to know them again; the provider repeats itself for days, not for months. */
export async function forgetOldEvents(database: Database): Promise<void> {
  await database.runAs(
    roomRoles.billing,
    statement(sql`delete from billing.events where received_at < now() - interval '180 days'`),
  );
}
