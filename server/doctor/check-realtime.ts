// Live changes: whether Postgres' log can be followed, how to turn that on where it cannot, and what its slots keep.

import type pg from 'pg';
import type { Config } from '../config/config.ts';
import { type Finding, good, thought } from './finding.ts';

interface Slot {
  readonly slot_name: string;
  readonly active: boolean;
  readonly wal_status: string | null;
  readonly behind: string;
}

export async function checkRealtime(client: pg.Client, { realtime }: Config): Promise<Finding[]> {
  if (realtime.source === 'off') return [good('health.realtime.off')];
  const { rows } = await client.query<{ level: string; may: boolean; free: number }>(
    `select current_setting('wal_level') as level,
       (select rolreplication or rolsuper from pg_roles where rolname = session_user) as may,
       current_setting('max_replication_slots')::int - (select count(*) from pg_replication_slots)::int as free`,
  );
  const [state] = rows;
  return [
    ...followable(state, realtime.source === 'triggers'),
    ...(await checkPublication(client)),
    ...(await checkSlots(client)),
  ];
}

/** Migrations that make the publication anew, as examples for Supabase do, leave the tables out of it that were in it before. */
async function checkPublication(client: pg.Client): Promise<Finding[]> {
  const { rows } = await client.query<{ unpublished: string | null; exists: boolean }>(
    `select exists (select from pg_publication where pubname = 'supabase_realtime') as exists,
       (select string_agg(c.relname, ', ' order by c.relname) from pg_class c
        where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relreplident = 'f'
          and not exists (
            select from pg_publication_tables t
            where t.pubname = 'supabase_realtime' and t.schemaname = 'public' and t.tablename = c.relname
          )) as unpublished`,
  );
  const [state] = rows;
  if (state === undefined || state.unpublished === null) return [];
  const create = state.exists ? '' : 'create publication supabase_realtime with (publish_via_partition_root = true); ';
  return [
    thought('health.realtime.unpublished', 'health.realtime.publish', {
      tables: state.unpublished,
      sql: `${create}${publishAll}`,
    }),
  ];
}

const publishAll =
  "select private.publish_table(c.oid::regclass) from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relreplident = 'f';";

function followable(state: { level: string; may: boolean; free: number } | undefined, byTriggers: boolean): Finding[] {
  if (state === undefined) return [];
  if (byTriggers) return [good('health.realtime.triggers')];
  if (state.level !== 'logical')
    return [thought('health.realtime.level', 'health.realtime.setLevel', { level: state.level })];
  if (!state.may) return [thought('health.realtime.closed', 'health.realtime.grant')];
  if (state.free <= 0) return [thought('health.realtime.noSlot', 'health.realtime.moreSlots')];
  return [good('health.realtime.good', { n: state.free })];
}

async function checkSlots(client: pg.Client): Promise<Finding[]> {
  const { rows } = await client.query<Slot>(
    `select slot_name, active, wal_status, pg_size_pretty(coalesce(pg_current_wal_lsn() - restart_lsn, 0)) as behind
     from pg_replication_slots order by slot_name`,
  );
  return rows.map(({ slot_name: name, active, wal_status: status, behind }) => {
    const values = { name, behind, read: active ? 'yes' : 'no' };
    if (active && status !== 'unreserved' && status !== 'lost') return good('health.realtime.slot', values);
    return thought('health.realtime.slot', 'health.realtime.drop', values);
  });
}
