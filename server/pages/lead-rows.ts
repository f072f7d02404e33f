// Leads in the database, as the one role that may add and list them.

import { roomRoles } from '../database/room-roles.ts';
import { sql, statement } from '../database/sql.ts';
import type { Database } from '../database/types.ts';
import type { Lead } from './read-lead.ts';

export interface StoredLead {
  readonly email: string;
  readonly source: string | null;
  readonly created_at: string;
}

/** The first time an address is left; later times change nothing. The operator's mail leaves with the same commit. */
export async function storeLead(database: Database, lead: Lead, notify: string | null): Promise<void> {
  const letter = {
    subject: `New lead: ${lead.email}`,
    heading: 'Someone left their address',
    lines: [lead.email, ...(lead.source === null ? [] : [`Source: ${lead.source}`])],
  };
  await database.runAs(
    roomRoles.pages,
    statement(sql`
      with added as (
        insert into private.leads (email, source) values (${lead.email}, ${lead.source})
        on conflict (email) do nothing
        returning id
      )
      select private.queue_mail('notice', ${notify}, ${letter}::jsonb)
      from added
      where ${notify}::text is not null
    `),
  );
}

/** Oldest first, handed over as they arrive. */
export async function eachLead(database: Database, onLead: (lead: StoredLead) => void | Promise<void>): Promise<void> {
  await database.streamAs(
    roomRoles.pages,
    statement(sql`
      select email, source, to_char(created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
      from private.leads
      order by id
    `),
    ([email, source, createdAt]) =>
      onLead({
        email: email?.toString('utf8') ?? '',
        source: source?.toString('utf8') ?? null,
        created_at: createdAt?.toString('utf8') ?? '',
      }),
    { readOnly: true },
  );
}
