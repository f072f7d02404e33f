// Reads the published tables from Postgres: columns, key, and for each role its readable columns and the policies that bind it. Cached
// until the table changes; read again now and then, because Postgres does not announce changes of role memberships.

import { roomRoles } from '../../database/room-roles.ts';
import { raw, sql, statement } from '../../database/sql.ts';
import type { Database } from '../../database/types.ts';
import { isPolicyError } from './access/policy-error.ts';

export interface Column {
  readonly name: string;
  /** As clients know it: `int4`, `timestamptz`, `_text`. */
  readonly type: string;
  /** Of a domain, what it is made of. */
  readonly baseType: number;
  readonly isEnum: boolean;
  readonly isKey: boolean;
}

export interface Table {
  readonly relation: number;
  readonly schema: string;
  readonly name: string;
  readonly columns: readonly Column[];
  readonly hasKey: boolean;
  readonly hasRowSecurity: boolean;
}

/** What one role may see of a table. */
export interface RoleView {
  readonly columns: ReadonlySet<string>;
  /** The condition its rows must meet; null: none, all are visible. */
  readonly condition: Condition | null;
}

export interface Condition {
  /** SQL over a row that goes by the table's name. */
  readonly text: string;
  /** The columns it reads. */
  readonly columns: readonly string[];
}

export interface PublishedTable {
  readonly relation: number;
  readonly schema: string;
  readonly name: string;
}

interface Known<T> {
  readonly value: Promise<T>;
  readonly at: number;
}

/** Then it is read anew, without keeping anybody waiting who still finds the old; after twice that they wait. */
const knownForMs = 10_000;

export class Tables {
  readonly #database: Database;
  readonly #tables = new Map<number, Known<Table | null>>();
  readonly #views = new Map<number, Map<string, Known<RoleView>>>();
  #published: Known<readonly PublishedTable[]> | null = null;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Forgets what is known of a table, or of all. */
  forget(relation?: number): void {
    this.#published = null;
    if (relation === undefined) {
      this.#tables.clear();
      this.#views.clear();
    } else {
      this.#tables.delete(relation);
      this.#views.delete(relation);
    }
  }

  /** The tables of the publication, read anew when that was a while ago. */
  published(fresh = false): Promise<readonly PublishedTable[]> {
    if (!fresh && this.#published !== null && isFresh(this.#published)) return this.#published.value;
    const value = this.#query<{ relation: number; schema: string; name: string }>(sql`
      select c.oid::int8 as relation, t.schemaname as schema, t.tablename as name
      from pg_catalog.pg_publication_tables t
      join pg_catalog.pg_namespace n on n.nspname = t.schemaname
      join pg_catalog.pg_class c on c.relnamespace = n.oid and c.relname = t.tablename
      where t.pubname = 'supabase_realtime'`);
    this.#published = { value, at: Date.now() };
    value.catch(() => {
      this.#published = null;
    });
    return value;
  }

  /** Null when there is no such table any more. */
  table(relation: number): Promise<Table | null> {
    return keep(this.#tables, relation, () => this.#readTable(relation));
  }

  view(table: Table, role: string, command: 'select' | 'insert' = 'select'): Promise<RoleView> {
    let views = this.#views.get(table.relation);
    if (views === undefined) {
      views = new Map();
      this.#views.set(table.relation, views);
    }
    return keep(views, `${command} ${role}`, () => this.#readView(table, role, command));
  }

  async #readTable(relation: number): Promise<Table | null> {
    const rows = await this.#query<{ schema: string; name: string; row_security: boolean; columns: Column[] }>(sql`
      select n.nspname as schema, c.relname as name, c.relrowsecurity as row_security,
        (select jsonb_agg(jsonb_build_object(
            'name', a.attname, 'type', t.typname, 'baseType', coalesce(nullif(t.typbasetype, 0), t.oid)::int8,
            'isEnum', t.typtype = 'e', 'isKey', coalesce(a.attnum = any (i.indkey), false)
          ) order by a.attnum)
          from pg_catalog.pg_attribute a
          join pg_catalog.pg_type t on t.oid = a.atttypid
          left join pg_catalog.pg_index i on i.indexrelid = data_door.key_index(c.oid)
          where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns
      from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
      where c.oid = ${relation}::int8::oid`);
    const [row] = rows;
    if (row === undefined) return null;
    const columns = row.columns ?? [];
    return {
      relation,
      schema: row.schema,
      name: row.name,
      columns,
      hasKey: columns.some(({ isKey }) => isKey),
      hasRowSecurity: row.row_security,
    };
  }

  /** The rights and policies that Postgres would apply if this role did it. */
  async #readView(table: Table, role: string, command: 'select' | 'insert'): Promise<RoleView> {
    const letter = command === 'select' ? 'r' : 'a';
    // What is read must be seen; what is inserted must pass the check, or where there is none the same condition.
    const expression = command === 'select' ? raw('p.polqual') : raw('coalesce(p.polwithcheck, p.polqual)');
    try {
      const [row] = await this.#query<{ columns: string[] | null; bypass: boolean; policies: Policy[] | null }>(sql`
        select
          (select jsonb_agg(a.attname) from pg_catalog.pg_attribute a
            where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
              and has_column_privilege(r.oid, c.oid, a.attnum, ${command})) as columns,
          not c.relrowsecurity or r.rolbypassrls or r.rolsuper
            or (not c.relforcerowsecurity and pg_has_role(r.oid, c.relowner, 'USAGE')) as bypass,
          (select jsonb_agg(jsonb_build_object(
              'text', pg_get_expr(${expression}, p.polrelid),
              'permissive', p.polpermissive,
              'columns', (
                select jsonb_agg(distinct a.attname) from pg_catalog.pg_depend d
                join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum = d.refobjsubid
                where d.classid = 'pg_catalog.pg_policy'::regclass and d.objid = p.oid
                  and d.refclassid = 'pg_catalog.pg_class'::regclass and d.refobjid = c.oid and d.refobjsubid > 0)))
            from pg_catalog.pg_policy p
            where p.polrelid = c.oid and p.polcmd in (${letter}, '*')
              and (p.polroles = '{0}' or exists (select from unnest(p.polroles) q where q <> 0 and pg_has_role(r.oid, q, 'USAGE')))
          ) as policies
        from pg_catalog.pg_class c, pg_catalog.pg_roles r
        where c.oid = ${table.relation}::int8::oid and r.rolname = ${role}`);
      const columns = new Set(row?.columns ?? []);
      if (row === undefined) return { columns, condition: nothing };
      return { columns, condition: row.bypass ? null : conditionOf(table, row.policies ?? []) };
    } catch (error) {
      // A database that is busy has said nothing: whoever asks tries again.
      if (isPolicyError(error)) return { columns: new Set(), condition: nothing };
      throw error;
    }
  }

  /** With an empty search path, so that expressions name everything in full. */
  async #query<T>(fragment: Parameters<typeof statement>[0]): Promise<T[]> {
    return this.#database.objectsAs<T>(roomRoles.realtime, statement(fragment), {
      readOnly: true,
      settings: [['search_path', '']],
    });
  }
}

interface Policy {
  readonly text: string | null;
  readonly permissive: boolean;
  readonly columns: readonly string[] | null;
}

const nothing: Condition = { text: 'false', columns: [] };

/** At least one of the permissive policies, and all of the restrictive ones. */
function conditionOf(table: Table, policies: readonly Policy[]): Condition {
  const texts = (permissive: boolean): string[] =>
    policies.filter((policy) => policy.permissive === permissive).map(({ text }) => `(${text ?? 'true'})`);
  const allowing = texts(true);
  if (allowing.length === 0) return nothing;
  const text = [`(${allowing.join(' or ')})`, ...texts(false)].join(' and ');
  // A row as a whole, `f(tasks.*)`, reads all of it.
  const whole = text.includes(`${table.name}.*`) || text.includes(`"${table.name.replaceAll('"', '""')}".*`);
  const columns = whole
    ? table.columns.map(({ name }) => name)
    : [...new Set(policies.flatMap((policy) => policy.columns ?? []))].sort();
  return { text, columns };
}

function isFresh({ at }: Known<unknown>, share = 1): boolean {
  return Date.now() - at < knownForMs * share;
}

/** What is the same as before stays the very same, so that all that hangs on it stays too. */
function keep<K, T>(known: Map<K, Known<T>>, key: K, read: () => Promise<T>): Promise<T> {
  const old = known.get(key);
  if (old !== undefined && isFresh(old)) return old.value;
  const value = Promise.all([read(), old?.value.catch(() => null)]).then(([now, before]) =>
    before !== undefined && JSON.stringify(plain(now)) === JSON.stringify(plain(before)) ? (before as T) : now,
  );
  if (old !== undefined && isFresh(old, 2)) {
    known.set(key, { ...old, at: Date.now() });
    value.then(
      (now) => {
        if (known.get(key)?.value === old.value) known.set(key, { value: Promise.resolve(now), at: Date.now() });
      },
      () => {
        if (known.get(key)?.value === old.value) known.delete(key);
      },
    );
    return old.value;
  }
  const entry = { value, at: Date.now() };
  known.set(key, entry);
  value.catch(() => {
    if (known.get(key) === entry) known.delete(key);
  });
  return value;
}

function plain(value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, part instanceof Set ? [...(part as Set<string>)].sort() : part]),
  );
}
