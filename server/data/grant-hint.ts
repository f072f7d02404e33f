// Hint for a denied permission: the grant that is missing. Postgres' own message names only the object.

import type { Caller, Database } from '../database/types.ts';
import type { Name } from './catalog/catalog.ts';
import type { Plan, ReadNode } from './plan/plan.ts';

interface Needed extends Name {
  readonly verbs: readonly string[];
}

const MISSING = `
  select coalesce(string_agg(v.verb, ', ' order by v.place), '')
  from pg_catalog.pg_class c
  join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  cross join pg_catalog.unnest($3::text[]) with ordinality v (verb, place)
  where n.nspname = $1 and c.relname = $2 and not pg_catalog.has_table_privilege(c.oid, v.verb)`;

/** A function from a row of one of these relations, embedded or read as a column, that the role may not call. */
const MISSING_FROM_ROW = `
  select p.proname, asked ->> 'schema', asked ->> 'name'
  from pg_catalog.json_array_elements($2::json) asked
  join pg_catalog.pg_namespace n on n.nspname = asked ->> 'schema'
  join pg_catalog.pg_class c on c.relnamespace = n.oid and c.relname = asked ->> 'name'
  join pg_catalog.pg_proc p on p.pronamespace = n.oid and p.pronargs = 1 and p.proargtypes[0] = c.reltype
  where pg_catalog.right($1, pg_catalog.length(p.proname::text) + 1) = ' ' || p.proname::text
    and not pg_catalog.has_function_privilege(p.oid, 'EXECUTE')
  limit 1`;

/** Null: it was something else that the caller may not do. */
export async function grantHint(
  plan: Plan,
  message: string,
  database: Database,
  caller: Caller,
): Promise<string | null> {
  if (plan.kind === 'info' || plan.kind === 'inspect') return null;
  // Postgres names the object in its message alone, and at the end of it in most languages, English among them; in the others the
  // answer is the same without this hint.
  const isNamed = ({ name }: Name): boolean => message.endsWith(` ${name}`);
  const advise = (what: string): string =>
    `Grant the missing privileges to the role of the request: GRANT ${what} TO ${plain(caller.role)};`;
  if (plan.kind === 'call' && isNamed(plan.routine)) {
    const types = plan.routine.parameters.map(({ type }) => type).join(', ');
    return advise(`EXECUTE ON FUNCTION ${plainPath(plan.routine)}(${types})`);
  }
  const table = tablesOf(plan).find(isNamed);
  if (table !== undefined) {
    const { rows } = await database.runAs(
      caller,
      { text: MISSING, values: [table.schema, table.name, `{${table.verbs.join(',')}}`] },
      { readOnly: true },
    );
    const verbs = rows[0]?.[0]?.toString() ?? '';
    return verbs === '' ? null : advise(`${verbs} ON ${plainPath(table)}`);
  }
  const asked = JSON.stringify(tablesOf(plan).map(({ schema, name }) => ({ schema, name })));
  const { rows } = await database.runAs(
    caller,
    { text: MISSING_FROM_ROW, values: [message, asked] },
    { readOnly: true },
  );
  const [routine, schema, relation] = rows[0]?.map((cell) => cell?.toString() ?? '') ?? [];
  if (routine && schema && relation)
    return advise(
      `EXECUTE ON FUNCTION ${plainPath({ schema, name: routine })}(${plainPath({ schema, name: relation })})`,
    );
  const schemas = [plan.name, ...tablesOf(plan)].map(({ schema }) => schema);
  const closed = schemas.find((name) => message.endsWith(` ${name}`));
  return closed === undefined ? null : advise(`USAGE ON SCHEMA ${plain(closed)}`);
}

function tablesOf(plan: Exclude<Plan, { kind: 'info' | 'inspect' }>): Needed[] {
  const read = relationsOf(plan.read).map(({ schema, name }) => ({ schema, name, verbs: ['SELECT'] }));
  if (plan.kind !== 'write') return read;
  const { table, mutation, conflict, returning, filters } = plan;
  const merges = conflict?.resolution === 'merge-duplicates';
  const reads = returning.length > 0 || filters.length > 0 || merges ? ['SELECT'] : [];
  const writes = { insert: 'INSERT', 'upsert-one': 'INSERT', update: 'UPDATE', delete: 'DELETE' } as const;
  const verbs = [...reads, writes[mutation], ...(merges ? ['UPDATE'] : [])];
  return [{ schema: table.schema, name: table.name, verbs }, ...read];
}

function relationsOf({ from, relationship, children }: ReadNode): Name[] {
  const junction = relationship?.kind === 'many-to-many' ? [relationship.junction] : [];
  return [from, ...junction, ...children.flatMap(relationsOf)];
}

const plain = (name: string): string => (/^[a-z_][a-z0-9_]*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`);
const plainPath = ({ schema, name }: Name): string => `${plain(schema)}.${plain(name)}`;
