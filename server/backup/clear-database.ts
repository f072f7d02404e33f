// A database of the operator's own before a restore: whether anybody's data is in it, and emptied.

import { BackupProblem } from './manifest.ts';
import { withOwner } from './with-owner.ts';

/** Accounts, projects or leads: a service that was only started has none. Other people's tables count as well. */
export function isUsed(url: string): Promise<boolean> {
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
    return (await client.query<{ used: boolean }>(text)).rows[0]?.used ?? false;
  });
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
