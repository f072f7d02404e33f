// A database of the operator's own before a restore: whether anybody's data is in it, and emptied.

import type pg from 'pg';
import { readMigrations } from '../database/read-migrations.ts';
import { listTables } from './list-tables.ts';
import { BackupProblem } from './manifest.ts';
import { withOwner } from './with-owner.ts';

/** Accounts, projects or leads, or rows in tables that no migration of ours (in `directory`) makes: a service that was only started has none. */
export function isUsed(url: string, directory: string): Promise<boolean> {
  return withOwner(url, async (client) => {
    const ours =
      (await client.query("select to_regclass('private.migrations') is not null as found")).rows[0]?.found === true;
    const text = ours
      ? 'select exists (select from auth.users) or exists (select from public.projects) or exists (select from private.leads) as used'
      : `select exists (
          select from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
          where c.relkind in ('r', 'p', 'v', 'm') and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
            and not exists (select from pg_catalog.pg_depend d where d.objid = c.oid and d.deptype = 'e')
        ) as used`;
    const used = (await client.query<{ used: boolean }>(text)).rows[0]?.used ?? false;
    return used || (ours && (await hasRowsOfOthers(client, directory)));
  });
}

async function hasRowsOfOthers(client: pg.Client, directory: string): Promise<boolean> {
  const made = readMigrations({ directory }).flatMap(({ text }) =>
    [...text.matchAll(/\bcreate table (?:if not exists )?([\w.]+)/g)].map(([, name]) => name),
  );
  const ours = new Set([...made, 'private.migrations', 'private.rules']);
  for (const { name } of await listTables(client)) {
    if (ours.has(name)) continue;
    // One that may not be read is somebody else's.
    const found = await client.query(`select from ${name} limit 1`).catch(() => null);
    if (found?.rowCount !== 0) return true;
  }
  return false;
}

/** Drops every schema and publication of the owner's, and leaves an empty `public`. */
export function clearDatabase(url: string): Promise<void> {
  return withOwner(url, async (client) => {
    const { rows } = await client.query<{ kind: string; name: string; own: boolean }>(`
      select 'schema' as kind, format('%I', nspname) as name, pg_has_role(current_user, nspowner, 'usage') as own
      from pg_catalog.pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema'
      union all
      select 'publication', format('%I', pubname), pg_has_role(current_user, pubowner, 'usage') from pg_catalog.pg_publication`);
    const foreign = rows.filter(({ own }) => !own).map(({ name }) => name);
    if (foreign.length > 0)
      throw new BackupProblem(
        `The database cannot be emptied: ${foreign.join(', ')} belong to somebody else. Make an empty one and name it in DATABASE_URL.`,
      );
    await client.query('begin');
    for (const { kind, name } of rows) await client.query(`drop ${kind} ${name} cascade`);
    await client.query('create schema public; commit');
  });
}
