// Reads the objects of a schema that a role may use, as that role: the root document shows nothing else.

import type { Caller, Database } from '../../database/types.ts';
import { signature } from '../catalog/visible.ts';

export interface VisibleObjects {
  /** The comment on the schema. */
  readonly description: string | null;
  readonly tables: ReadonlySet<string>;
  /** Names with the types of their parameters, as `signatureOf` writes them. */
  readonly routines: ReadonlySet<string>;
}

const VISIBLE = `
  select json_build_object(
    'description', pg_catalog.obj_description(n.oid, 'pg_namespace'),
    'tables', (
      select coalesce(json_agg(c.relname), '[]') from pg_catalog.pg_class c
      where c.relnamespace = n.oid and c.relkind in ('r', 'v', 'm', 'f', 'p')
        and ($2::bool or pg_catalog.pg_has_role(c.relowner, 'usage')
             or pg_catalog.has_table_privilege(c.oid, 'select, insert, update, delete, truncate, references, trigger')
             or pg_catalog.has_any_column_privilege(c.oid, 'select, insert, update, references'))),
    'routines', (
      select coalesce(json_agg(json_build_array(
        p.proname,
        (select coalesce(json_agg(pg_catalog.format_type(u.oid, null) order by u.ord), '[]')
         from pg_catalog.unnest(p.proargtypes) with ordinality u (oid, ord)))), '[]')
      from pg_catalog.pg_proc p
      where p.pronamespace = n.oid and ($2::bool or pg_catalog.has_function_privilege(p.oid, 'execute'))))
  from pg_catalog.pg_namespace n where n.nspname = $1`;

/** `everything` leaves privileges out of it (DATA_OPENAPI_MODE=ignore-privileges). */
export async function readVisibleObjects(
  database: Database,
  caller: Caller,
  schema: string,
  everything: boolean,
): Promise<VisibleObjects> {
  const { rows } = await database.runAs(
    caller,
    { text: VISIBLE, values: [schema, String(everything)] },
    // Type names are written out, as the catalog has them.
    { readOnly: true, settings: [['search_path', '']] },
  );
  const found = JSON.parse(rows[0]?.[0]?.toString() ?? '{}') as {
    description?: string | null;
    tables?: string[];
    routines?: [name: string, types: string[]][];
  };
  return {
    description: found.description ?? null,
    tables: new Set(found.tables ?? []),
    routines: new Set((found.routines ?? []).map(([name, types]) => signature(name, types))),
  };
}
