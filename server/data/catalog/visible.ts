// What a role may see of the exposed schemas: hints in errors name nothing else. Asked for only when an error is about
// to name something, and remembered as long as the catalog is the same.

import type { Database } from '../../database/types.ts';
import type { Visible } from '../plan/suggest.ts';
import type { Catalog } from './catalog.ts';

const VISIBLE = `
  select json_build_object(
    'tables', (select coalesce(json_agg(json_build_array(n.nspname, c.relname)), '[]')
               from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
               where n.nspname = any ($1::text[]) and c.relkind in ('r', 'v', 'm', 'f', 'p')
                 and pg_catalog.has_schema_privilege(n.oid, 'usage')
                 and (pg_catalog.has_table_privilege(c.oid, 'select, insert, update, delete')
                      or pg_catalog.has_any_column_privilege(c.oid, 'select, insert, update'))),
    'routines', (select coalesce(json_agg(json_build_array(n.nspname, p.proname)), '[]')
                 from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace
                 where n.nspname = any ($1::text[]) and pg_catalog.has_schema_privilege(n.oid, 'usage')
                   and pg_catalog.has_function_privilege(p.oid, 'execute')))`;

const MAY_READ = `
  select pg_catalog.has_column_privilege(c.oid, $3, 'select')
  from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  where n.nspname = $1 and c.relname = $2`;

const NOTHING: ReadonlySet<string> = new Set();

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
    return found.catch(() => ({ tables: () => NOTHING, routines: () => NOTHING }));
  }

  /** Whether the role may read a column; `rows` is how Postgres called its table in an error: `tasks`, or `tasks_1`. */
  async mayRead(role: string, catalog: Catalog, schema: string, rows: string, column: string): Promise<boolean> {
    const tables = catalog.tables.get(schema);
    const table = tables?.get(rows) ?? tables?.get(rows.replace(/_\d+$/, ''));
    if (table === undefined || !table.columns.has(column)) return false;
    try {
      const { rows: answer } = await this.#database.runAs(
        { role, claims: '{}' },
        { text: MAY_READ, values: [schema, table.name, column] },
        { readOnly: true },
      );
      return answer[0]?.[0]?.toString() === 't';
    } catch {
      return false;
    }
  }

  async #ask(role: string, catalog: Catalog): Promise<Visible> {
    const schemas = new Set([...catalog.tables.keys(), ...catalog.routines.keys()]);
    const names = `{${[...schemas].map((name) => `"${name.replace(/[\\"]/g, '\\$&')}"`).join(',')}}`;
    const { rows } = await this.#database.runAs(
      { role, claims: '{}' },
      { text: VISIBLE, values: [names] },
      { readOnly: true },
    );
    const found = JSON.parse(rows[0]?.[0]?.toString() ?? '{}') as Record<'tables' | 'routines', [string, string][]>;
    // Partitions, and functions that cannot be called by name, are no help to anyone: the door does not serve them.
    const group = (
      pairs: readonly [string, string][],
      served: ReadonlyMap<string, ReadonlyMap<string, unknown>>,
    ): Map<string, Set<string>> => {
      const groups = new Map<string, Set<string>>();
      for (const [schema, name] of pairs)
        if (served.get(schema)?.has(name)) groups.set(schema, (groups.get(schema) ?? new Set()).add(name));
      return groups;
    };
    const tables = group(found.tables, catalog.tables);
    const routines = group(found.routines, catalog.routines);
    return {
      tables: (schema) => tables.get(schema) ?? NOTHING,
      routines: (schema) => routines.get(schema) ?? NOTHING,
    };
  }
}
