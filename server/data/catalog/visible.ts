// Lists the objects of the exposed schemas that a role may see: hints in errors name nothing else. Loaded only when an error needs it, and
// cached with the catalog.

import type { Database } from '../../database/types.ts';
import type { Visible } from '../plan/suggest.ts';
import type { Catalog, Routine } from './catalog.ts';
import { inSchema } from './make-tables.ts';

const VISIBLE = `
  select json_build_object(
    'tables', (select coalesce(json_agg(json_build_array(n.nspname, c.relname,
                        case when not pg_catalog.has_table_privilege(c.oid, 'select') then (
                          select coalesce(json_agg(a.attname), '[]') from pg_catalog.pg_attribute a
                          where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
                            and pg_catalog.has_column_privilege(c.oid, a.attnum, 'select')) end)), '[]')
               from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
               where n.nspname = any ($1::text[]) and c.relkind in ('r', 'v', 'm', 'f', 'p')
                 and pg_catalog.has_schema_privilege(n.oid, 'usage')
                 and (pg_catalog.has_table_privilege(c.oid, 'select, insert, update, delete')
                      or pg_catalog.has_any_column_privilege(c.oid, 'select, insert, update'))),
    'routines', (select coalesce(json_agg(json_build_array(n.nspname, p.proname, (
                          select coalesce(json_agg(pg_catalog.format_type(u.oid, null) order by u.ord), '[]')
                          from pg_catalog.unnest(p.proargtypes) with ordinality u (oid, ord)))), '[]')
                 from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace
                 where n.nspname = any ($1::text[]) and pg_catalog.has_schema_privilege(n.oid, 'usage')
                   and pg_catalog.has_function_privilege(p.oid, 'execute')))`;

const NOTHING: ReadonlySet<string> = new Set();
const BLIND: Visible = { tables: () => NOTHING, routines: () => NOTHING, mayRead: () => false, mayCall: () => false };

/** One overload of a function: its name with the types it takes. */
export const signature = (name: string, types: readonly string[]): string => `${name}(${types.join(', ')})`;
export const signatureOf = ({ name, parameters }: Routine): string =>
  signature(
    name,
    parameters.map(({ type }) => type),
  );

export class VisibleToRoles {
  readonly #database: Database;
  readonly #byRole = new Map<string, Promise<Visible>>();
  #version = -1;

  constructor(database: Database) {
    this.#database = database;
  }

  of(role: string, catalog: Catalog): Promise<Visible> {
    if (this.#version !== catalog.version) {
      this.#byRole.clear();
      this.#version = catalog.version;
    }
    let found = this.#byRole.get(role);
    if (found === undefined) {
      found = this.#ask(role, catalog);
      // Roles come out of signed tokens, so there are few; still, no map grows without end.
      if (this.#byRole.size > 200) this.#byRole.clear();
      this.#byRole.set(role, found);
    }
    return found.catch(() => BLIND);
  }

  async #ask(role: string, catalog: Catalog): Promise<Visible> {
    const schemas = new Set([...catalog.tables.keys(), ...catalog.routines.keys()]);
    const names = `{${[...schemas].map((name) => `"${name.replace(/[\\"]/g, '\\$&')}"`).join(',')}}`;
    const { rows } = await this.#database.runAs(
      { role, claims: '{}' },
      { text: VISIBLE, values: [names] },
      // Types are written out, as the catalog has them.
      { readOnly: true, settings: [['search_path', '']] },
    );
    const found = JSON.parse(rows[0]?.[0]?.toString() ?? '{}') as {
      tables: [schema: string, name: string, columns: string[] | null][];
      routines: [schema: string, name: string, types: string[]][];
    };
    // Partitions, and functions that cannot be called by name, are no help to anyone: the door does not serve them.
    const tables = new Map<string, Map<string, ReadonlySet<string> | null>>();
    for (const [schema, name, columns] of found.tables)
      if (catalog.tables.get(schema)?.has(name))
        inSchema(tables, schema).set(name, columns === null ? null : new Set(columns));
    const routines = new Map<string, Set<string>>();
    const signatures = new Set<string>();
    for (const [schema, name, types] of found.routines) {
      if (!catalog.routines.get(schema)?.has(name)) continue;
      routines.set(schema, (routines.get(schema) ?? new Set()).add(name));
      signatures.add(`${schema}\0${signature(name, types)}`);
    }
    const tableNames = new Map([...tables].map(([schema, byName]) => [schema, new Set(byName.keys())]));
    return {
      tables: (schema) => tableNames.get(schema) ?? NOTHING,
      routines: (schema) => routines.get(schema) ?? NOTHING,
      mayRead: ({ schema, name }, column) => {
        const columns = tables.get(schema)?.get(name);
        return columns !== undefined && (columns === null || columns.has(column));
      },
      mayCall: (routine) => signatures.has(`${routine.schema}\0${signatureOf(routine)}`),
    };
  }
}
