// Every table that belongs to projects, as the database itself knows them: whatever has a `project_id` and may be read. A table that a later
// version adds is exported by itself; what is left out is named here, with the reason.

import type { Caller, Database } from '../database/types.ts';

export interface ProjectTable {
  readonly name: string;
  readonly columns: readonly string[];
  /** What its rows are sorted by. */
  readonly order: readonly string[];
}

const leftOut: Readonly<Record<string, string>> = {
  notifications: 'what one was told, which belongs to a person',
  notification_settings: 'what one wants to be told, which belongs to a person',
  calendar_feeds: 'an address that belongs to a person',
  access_log: 'network addresses of people',
  access_grants: 'what opens with the rights of a person',
  project_invitations: 'addresses of people who are no members',
  service_accounts: 'accounts whose keys no file holds',
  webhooks: 'addresses of receivers, which open a way into other services',
  webhook_deliveries: 'what was sent to them',
};

export async function listTables(database: Database, caller: Caller): Promise<readonly ProjectTable[]> {
  return database.objectsAs<ProjectTable>(
    caller,
    {
      text: `select c.relname as name, json_agg(a.attname order by a.attnum) as columns,
          coalesce(json_agg(a.attname order by array_position(i.indkey::smallint[], a.attnum)) filter (where a.attnum = any (i.indkey)), '[]') as "order"
        from pg_catalog.pg_class c
        join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
          and has_column_privilege('authenticated', c.oid, a.attnum, 'select')
        left join pg_catalog.pg_index i on i.indexrelid = data_door.key_index(c.oid)
        where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
          and exists (
            select from pg_catalog.pg_attribute p where p.attrelid = c.oid and p.attname = 'project_id' and not p.attisdropped)
          and c.relname not in (select jsonb_array_elements_text($1::jsonb))
        group by c.oid, c.relname
        order by c.relname`,
      values: [JSON.stringify(Object.keys(leftOut))],
    },
    { readOnly: true },
  );
}
