// Reads the catalog whole, in one transaction, and shapes it into plain maps. Runs as the login role itself:
// what a caller may touch is for Postgres to say when the caller comes.

import type { Database, Transaction } from '../../database/types.ts';
import type {
  Catalog,
  Column,
  ComputedRelationship,
  KeyRelationship,
  MediaHandler,
  Name,
  Parameter,
  Routine,
  Table,
} from './catalog.ts';
import * as queries from './catalog-queries.ts';
import { relate, type ViewKey } from './relationships.ts';
import { castNames, type TypeRow, Types } from './types.ts';
import { type Origin, readOrigins } from './view-columns.ts';

/** Nobody in particular: `set role none` is the login role. */
export const LOGIN = { role: 'none', claims: '{}' } as const;

export interface CatalogScope {
  readonly schemas: readonly string[];
  readonly extraSearchPath: readonly string[];
}

type ColumnRow = readonly [
  number: number,
  name: string,
  description: string | null,
  nullable: boolean,
  type: number,
  builtIn: boolean,
  bare: string,
  declared: string,
  modifier: number,
  fallback: string | null,
];

interface RelationRow {
  readonly oid: number;
  readonly schema: string;
  readonly name: string;
  readonly kind: 'r' | 'v' | 'm' | 'f' | 'p';
  readonly description: string | null;
  readonly events: number;
  readonly columns: readonly ColumnRow[] | null;
}

interface KeyRow {
  readonly kind: 'p' | 'u' | 'f';
  readonly name: string;
  readonly table: number;
  readonly foreign: number;
  readonly numbers: readonly number[];
  readonly foreignNumbers: readonly number[] | null;
  readonly columns: readonly string[];
  readonly foreignColumns: readonly string[] | null;
}

interface ViewRow {
  readonly oid: number;
  readonly rule: string;
  readonly columns: Readonly<Record<string, string>>;
}

interface RoutineRow {
  readonly schema: string;
  readonly name: string;
  readonly exposed: boolean;
  readonly description: string | null;
  readonly names: readonly string[] | null;
  readonly modes: readonly string[] | null;
  readonly types: readonly (readonly [oid: number, name: string])[];
  readonly defaults: number;
  readonly variadic: boolean;
  readonly returns: number;
  readonly set: boolean;
  readonly rows: number;
  readonly volatility: 'v' | 's' | 'i';
  readonly settings: readonly string[] | null;
}

let versions = 0;

export async function loadCatalog(database: Database, scope: CatalogScope): Promise<Catalog> {
  return database.transactAs(
    LOGIN,
    async (tx) => {
      const fingerprint = await readFingerprint(tx);
      const schemas = arrayLiteral(scope.schemas);
      const types = new Types(await jsonRows<TypeRow>(tx, queries.TYPES));
      const enums = new Map(await jsonRows<[number, string[]]>(tx, queries.ENUMS));
      const relations = await jsonRows<RelationRow>(tx, queries.RELATIONS, schemas);
      const keys = await jsonRows<KeyRow>(tx, queries.KEYS);
      const views = await jsonRows<ViewRow>(
        tx,
        queries.VIEWS,
        arrayLiteral([...scope.schemas, ...scope.extraSearchPath]),
      );
      const routines = await jsonRows<RoutineRow>(tx, queries.ROUTINES, schemas);
      const representations = await jsonRows<[string, string, string, string]>(tx, queries.REPRESENTATIONS);
      const mediaHandlers = await jsonRows<MediaHandler>(tx, queries.MEDIA_HANDLERS, schemas);

      const represented = new Map(
        representations.map(([source, target, schema, name]) => [`${source}\0${target}`, quotePath(schema, name)]),
      );
      const exposed = new Set(scope.schemas);
      const relationByOid = new Map(relations.map((relation) => [relation.oid, relation]));
      const viewKeys = keysOfViews(keys, views, relationByOid);
      const primaryKeys = new Map<string, string[]>();
      for (const key of keys) {
        const table = relationByOid.get(key.table);
        if (key.kind === 'p' && table !== undefined) primaryKeys.set(nameKey(table), [...key.columns].sort());
      }
      for (const key of viewKeys)
        if (key.role === 'primary') {
          const columns = key.columns.flatMap(([, viewColumns]) => viewColumns.slice(0, 1));
          primaryKeys.set(nameKey(key.view), [...(primaryKeys.get(nameKey(key.view)) ?? []), ...columns]);
        }
      const primaryKeyOf = (name: Name): readonly string[] => primaryKeys.get(nameKey(name)) ?? [];

      return {
        version: ++versions,
        fingerprint,
        tables: makeTables(relations, exposed, types, enums, represented, primaryKeyOf),
        relationships: relate(
          foreignKeys(keys, relationByOid),
          viewKeys,
          computedRelationships(routines, types, relationByOid),
          exposed,
          primaryKeyOf,
        ),
        routines: makeRoutines(routines, types, relationByOid),
        representations: represented,
        mediaHandlers,
        hasGeoJson: (await jsonRows<boolean>(tx, queries.HAS_GEOJSON))[0] ?? false,
        castTypes: castNames(types, [...scope.schemas, ...scope.extraSearchPath]),
      };
    },
    { readOnly: true, settings: [['search_path', '']] },
  );
}

export async function readFingerprint(tx: Transaction): Promise<string> {
  const { rows } = await tx.run({ text: queries.FINGERPRINT, values: [] });
  return rows[0]?.[0]?.toString() ?? '';
}

async function jsonRows<T>(tx: Transaction, text: string, ...values: string[]): Promise<T[]> {
  const { rows } = await tx.run({ text, values });
  return rows.map(([value]) => JSON.parse(value?.toString() ?? 'null') as T);
}

function arrayLiteral(values: readonly string[]): string {
  return `{${values.map((value) => `"${value.replace(/[\\"]/g, '\\$&')}"`).join(',')}}`;
}

const nameKey = (name: Name): string => `${name.schema}\0${name.name}`;
const quotePath = (...path: string[]): string => path.map((name) => `"${name.replaceAll('"', '""')}"`).join('.');

function inSchema<T>(maps: Map<string, Map<string, T>>, schema: string): Map<string, T> {
  const found = maps.get(schema) ?? new Map<string, T>();
  maps.set(schema, found);
  return found;
}

function makeTables(
  relations: readonly RelationRow[],
  exposed: ReadonlySet<string>,
  types: Types,
  enums: ReadonlyMap<number, readonly string[]>,
  represented: ReadonlyMap<string, string>,
  primaryKeyOf: (name: Name) => readonly string[],
): Map<string, Map<string, Table>> {
  const tables = new Map<string, Map<string, Table>>();
  for (const relation of [...relations].sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (!exposed.has(relation.schema)) continue;
    const columns = new Map(
      (relation.columns ?? []).map((row) => [row[1], makeColumn(row, types, enums)] satisfies [string, Column]),
    );
    const stored = relation.kind === 'r' || relation.kind === 'p';
    inSchema(tables, relation.schema).set(relation.name, {
      schema: relation.schema,
      name: relation.name,
      description: relation.description,
      isView: relation.kind === 'v' || relation.kind === 'm',
      insertable: stored || (relation.events & 8) === 8,
      updatable: stored || (relation.events & 4) === 4,
      deletable: stored || (relation.events & 16) === 16,
      primaryKey: primaryKeyOf(relation),
      columns,
      hasRepresentations:
        represented.size > 0 && [...columns.values()].some((column) => represented.has(`${column.declaredType}\0json`)),
    });
  }
  return tables;
}

function makeColumn(row: ColumnRow, types: Types, enums: ReadonlyMap<number, readonly string[]>): Column {
  const [, name, description, nullable, oid, builtIn, bare, declared, modifier, fallback] = row;
  const base = types.base(oid);
  const isDomain = base.oid !== oid;
  const limited = /^(character varying|character|bpchar|varchar|bit|bit varying)$/.test(base.sqlName);
  return {
    name,
    description,
    nullable,
    type: isDomain ? (base.schema === 'pg_catalog' ? base.sqlName : declared) : builtIn ? bare : declared,
    declaredType: declared,
    maxLength: limited && modifier > 0 ? (base.sqlName.startsWith('bit') ? modifier : modifier - 4) : null,
    default: fallback,
    enumValues: enums.get(base.oid) ?? [],
  };
}

function foreignKeys(keys: readonly KeyRow[], relations: ReadonlyMap<number, RelationRow>): KeyRelationship[] {
  const sorted = (numbers: readonly number[]): string => [...numbers].sort((a, b) => a - b).join(',');
  const unique = new Set(keys.filter((key) => key.kind !== 'f').map((key) => `${key.table}:${sorted(key.numbers)}`));
  const isView = (relation: RelationRow): boolean => relation.kind === 'v' || relation.kind === 'm';
  return keys.flatMap((key): KeyRelationship[] => {
    const table = relations.get(key.table);
    const foreign = relations.get(key.foreign);
    if (key.kind !== 'f' || table === undefined || foreign === undefined) return [];
    return [
      {
        kind: unique.has(`${key.table}:${sorted(key.numbers)}`) ? 'one-to-one' : 'many-to-one',
        table: { schema: table.schema, name: table.name },
        foreign: { schema: foreign.schema, name: foreign.name },
        isSelf: key.table === key.foreign,
        constraint: key.name,
        columns: key.columns.map((own, index) => [own, key.foreignColumns?.[index] ?? '']),
        isParent: false,
        tableIsView: isView(table),
        foreignIsView: isView(foreign),
      },
    ];
  });
}

function keysOfViews(
  keys: readonly KeyRow[],
  views: readonly ViewRow[],
  relations: ReadonlyMap<number, RelationRow>,
): ViewKey[] {
  const origins = new Map(views.map((view) => [view.oid, readOrigins(view.rule)]));
  /** Table and column number to the view's columns, through views over views. */
  const trace = (view: number, seen: readonly number[]): Origin[] =>
    (origins.get(view) ?? []).flatMap((origin) => [
      origin,
      ...(origins.has(origin.originTable) && !seen.includes(origin.originTable)
        ? trace(origin.originTable, [...seen, origin.originTable])
            .filter((deeper) => deeper.column === origin.originColumn)
            .map((deeper) => ({ ...deeper, column: origin.column }))
        : []),
    ]);
  const keysByTable = new Map<
    number,
    { key: KeyRow; role: ViewKey['role']; numbers: readonly number[]; columns: readonly string[] }[]
  >();
  const note = (
    table: number,
    role: ViewKey['role'],
    key: KeyRow,
    numbers: readonly number[],
    columns: readonly string[],
  ): void => {
    const entry = { key, role, numbers, columns };
    const found = keysByTable.get(table);
    if (found === undefined) keysByTable.set(table, [entry]);
    else found.push(entry);
  };
  for (const key of keys) {
    if (key.kind === 'p') note(key.table, 'primary', key, key.numbers, key.columns);
    if (key.kind !== 'f' || key.foreignNumbers === null || key.foreignColumns === null) continue;
    note(key.table, 'referencing', key, key.numbers, key.columns);
    note(key.foreign, 'referenced', key, key.foreignNumbers, key.foreignColumns);
  }
  const found: ViewKey[] = [];
  for (const view of views) {
    const relation = relations.get(view.oid);
    if (relation === undefined) continue;
    const shown = new Map<string, string[]>();
    const tables = new Set<number>();
    for (const origin of trace(view.oid, [view.oid])) {
      const name = view.columns[String(origin.column)];
      if (name === undefined) continue;
      tables.add(origin.originTable);
      const place = `${origin.originTable}:${origin.originColumn}`;
      shown.set(place, [...(shown.get(place) ?? []), name]);
    }
    for (const table of tables)
      for (const { key, role, numbers, columns } of keysByTable.get(table) ?? []) {
        const carried = numbers.map((number) => shown.get(`${table}:${number}`) ?? []);
        const origin = relations.get(table);
        if (origin === undefined || carried.some((names) => names.length === 0)) continue;
        found.push({
          table: { schema: origin.schema, name: origin.name },
          view: { schema: relation.schema, name: relation.name },
          constraint: key.name,
          role,
          columns: columns.map((column, index) => [column, carried[index] ?? []]),
        });
      }
  }
  return found;
}

function computedRelationships(
  routines: readonly RoutineRow[],
  types: Types,
  relations: ReadonlyMap<number, RelationRow>,
): ComputedRelationship[] {
  return routines.flatMap((routine): ComputedRelationship[] => {
    const argument = routine.types.length === 1 ? routine.types[0] : undefined;
    if (argument === undefined) return [];
    const table = relations.get(types.relationOf(argument[0]));
    const foreign = relations.get(types.relationOf(routine.returns));
    if (table === undefined || foreign === undefined) return [];
    return [
      {
        kind: 'computed',
        function: { schema: routine.schema, name: routine.name },
        table: { schema: table.schema, name: table.name },
        foreign: { schema: foreign.schema, name: foreign.name },
        toOne: !routine.set || routine.rows === 1,
        isSelf: table.oid === foreign.oid,
      },
    ];
  });
}

const HOISTED = ['statement_timeout', 'plan_filter.statement_cost_limit'];
const SINGLE_UNNAMED = new Set(['bytea', 'json', 'jsonb', 'text', 'xml']);
const OPEN_TYPES: Readonly<Record<string, string>> = {
  bit: 'bit varying',
  'bit[]': 'bit varying[]',
  character: 'character varying',
  'character[]': 'character varying[]',
};

function makeRoutines(
  rows: readonly RoutineRow[],
  types: Types,
  relations: ReadonlyMap<number, RelationRow>,
): Map<string, Map<string, Routine[]>> {
  const routines = new Map<string, Map<string, Routine[]>>();
  for (const row of rows) {
    if (!row.exposed) continue;
    const parameters = readParameters(row);
    const unnamed = parameters.filter((parameter) => parameter.name === '');
    if (unnamed.length > 1 || (unnamed.length === 1 && !SINGLE_UNNAMED.has(unnamed[0]?.type ?? ''))) continue;
    const returned = types.base(row.returns);
    const relation = relations.get(returned.relation);
    const byName = inSchema(routines, row.schema);
    const routine: Routine = {
      schema: row.schema,
      name: row.name,
      description: row.description,
      parameters,
      returns: relation ?? { schema: returned.schema, name: returned.name },
      returnsSet: row.set,
      returnsComposite: returned.kind === 'c' || (row.modes ?? []).some((mode) => 'tbo'.includes(mode)),
      volatility: row.volatility === 'v' ? 'volatile' : row.volatility === 's' ? 'stable' : 'immutable',
      hasVariadic: row.variadic,
      settings: (row.settings ?? []).flatMap((setting): [string, string][] => {
        const at = setting.indexOf('=');
        const name = setting.slice(0, at);
        return HOISTED.includes(name) ? [[name, setting.slice(at + 1)]] : [];
      }),
    };
    byName.set(row.name, [...(byName.get(row.name) ?? []), routine]);
  }
  for (const byName of routines.values()) for (const overloads of byName.values()) overloads.sort(byParameters);
  return routines;
}

/** Fewest parameters first; candidates are listed in this order. */
function byParameters(a: Routine, b: Routine): number {
  const text = (routine: Routine): string =>
    `${routine.description ?? ''}\0${routine.parameters.map(({ name, type }) => `${name}\0${type}`).join('\0')}`;
  return a.parameters.length - b.parameters.length || (text(a) < text(b) ? -1 : 1);
}

function readParameters(row: RoutineRow): Parameter[] {
  const names = row.names ?? [];
  const inputs =
    row.modes === null
      ? row.types.map((_, index) => names[index] ?? '')
      : row.modes.flatMap((mode, index) => ('ibv'.includes(mode) ? [names[index] ?? ''] : []));
  return row.types.map(([, type], index) => ({
    name: inputs[index] ?? '',
    type,
    openType: OPEN_TYPES[type] ?? type,
    required: index < row.types.length - row.defaults,
    variadic: row.variadic && index === row.types.length - 1,
  }));
}
