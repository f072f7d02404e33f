// Takes back what an earlier text has granted and commented, before the next one is applied: rights are what the files say. What somebody else has
// granted on the same object, as a migration of the user's own to a role of theirs, stays.

import pg from 'pg';
import { splitStatements } from '../split-statements.ts';

/** Undoes the grants and comments of texts that were applied. What they were about may be gone by now. */
export function revokeRights(texts: readonly string[]): string {
  const undone = texts.flatMap((text) => splitStatements(text).flatMap(({ bare }) => undo(bare)));
  return `do $take$
    begin
      ${undone.join('\n')}
    end
    $take$`;
}

function undo(statement: string): string[] {
  const [, comment = ''] = /^(comment on (?:table|view|column|function) [^']*?) is /i.exec(statement) ?? [];
  if (comment !== '') return [attempt(`${comment} is null`, 'null')];
  if (!/^grant /i.test(statement)) return [];
  const [on, to] = [statement.indexOf(' on '), statement.lastIndexOf(' to ')];
  const [rights, object, roles] = [statement.slice(6, on), statement.slice(on + 4, to), statement.slice(to + 4)];
  return [
    attempt(
      `revoke ${rights} on ${object} from ${roles}`,
      `execute ${pg.escapeLiteral(`revoke all on ${object} from ${roles}`)}`,
    ),
  ];
}

/** `otherwise`: where a column that it names is gone. */
const attempt = (statement: string, otherwise: string): string => `begin execute ${pg.escapeLiteral(statement)};
      exception
        when undefined_column then ${otherwise};
        when undefined_table or undefined_function or undefined_object or invalid_schema_name then null;
      end;`;

/** For objects that were not noted before: what default rights gave them, and what a database of before had granted to roles of ours. */
export function revokeAllRights(objects: readonly { readonly kind: string; readonly name: string }[]): string {
  const names = (kinds: readonly string[]): string =>
    `array[${objects
      .filter(({ kind }) => kinds.includes(kind))
      .map(({ name }) => pg.escapeLiteral(name))
      .join(', ')}]::text[]`;
  return `do $take$
    declare
      one record;
    begin
      for one in
        select 'function ' || p.oid::regprocedure as object, a.grantee
        from unnest(${names(['function'])}) as f (name) join pg_catalog.pg_proc p on p.oid = to_regprocedure(f.name),
          aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a where a.grantee <> p.proowner
        union
        select 'table ' || c.oid::regclass, a.grantee
        from unnest(${names(['rights', 'view'])}) as r (name) join pg_catalog.pg_class c on c.oid = to_regclass(r.name),
          lateral (
            select l.grantee from aclexplode(c.relacl) l
            union select l.grantee from pg_catalog.pg_attribute t, aclexplode(t.attacl) l where t.attrelid = c.oid and not t.attisdropped
          ) a
        where a.grantee <> c.relowner
      loop
        continue when one.grantee <> 0 and one.grantee::regrole::text !~ '^(anon|authenticated|service_role|kanbase_\\w+)$';
        execute format('revoke all on %s from %s', one.object,
          case when one.grantee = 0 then 'public' else one.grantee::regrole::text end);
      end loop;
      for one in
        select case when d.objsubid > 0 then format('column %s.%I', d.objoid::regclass, (
            select a.attname from pg_catalog.pg_attribute a where a.attrelid = d.objoid and a.attnum = d.objsubid))
          when c.relkind = 'v' then 'view ' || c.oid::regclass else 'table ' || c.oid::regclass end as object
        from unnest(${names(['rights', 'view'])}) as r (name) join pg_catalog.pg_class c on c.oid = to_regclass(r.name)
        join pg_catalog.pg_description d on d.classoid = 'pg_class'::regclass and d.objoid = c.oid
        union all
        select 'function ' || p.oid::regprocedure
        from unnest(${names(['function'])}) as f (name) join pg_catalog.pg_proc p on p.oid = to_regprocedure(f.name)
        join pg_catalog.pg_description d on d.classoid = 'pg_proc'::regclass and d.objoid = p.oid
      loop
        execute format('comment on %s is null', one.object);
      end loop;
    end
    $take$`;
}
