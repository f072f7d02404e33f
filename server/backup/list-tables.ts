// Lists the content of a backup: every ordinary table with its writable columns, and the state of sequences. Rows of partitions come with
// their table. Left out: whatever an extension brings, and unlogged tables.

import type { Client } from 'pg';

export interface Table {
  readonly name: string;
  readonly columns: readonly string[];
}

export async function listTables(client: Client): Promise<Table[]> {
  const { rows } = await client.query<Table>(`
    select format('%I.%I', n.nspname, c.relname) as name,
      array(
        select format('%I', a.attname) from pg_catalog.pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
        order by a.attname
      ) as columns
    from pg_catalog.pg_class c
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p') and not c.relispartition and c.relpersistence = 'p'
      and n.nspname !~ '^pg_' and n.nspname <> 'information_schema' and ${noExtension('c')}
    order by 1`);
  return rows;
}

export async function listSequences(client: Client): Promise<{ name: string; value: string }[]> {
  const { rows } = await client.query<{ name: string; value: string }>(`
    select format('%I.%I', s.schemaname, s.sequencename) as name, s.last_value::text as value
    from pg_catalog.pg_sequences s
    join pg_catalog.pg_class c on c.oid = format('%I.%I', s.schemaname, s.sequencename)::regclass
    where s.last_value is not null and s.schemaname !~ '^pg_' and ${noExtension('c')}
    order by 1`);
  return rows;
}

/** Rows as text read the same on every server and by whoever reads them. */
export const plainText = `set local timezone = 'UTC'; set local datestyle = 'ISO'; set local intervalstyle = 'postgres';
  set local extra_float_digits = 1; set local bytea_output = 'hex'; set local synchronize_seqscans = off; set local statement_timeout = 0;
  set local idle_in_transaction_session_timeout = 0; set local lock_timeout = 0`;

export function copyOut({ name, columns }: Table): string {
  return `copy (select ${columns.join(', ')} from ${name}) to stdout`;
}

function noExtension(table: string): string {
  return `not exists (select from pg_catalog.pg_depend d where d.objid = ${table}.oid and d.classid = 'pg_class'::regclass and d.deptype = 'e')`;
}
