// Keys as relationships are made of: foreign keys, the keys that views show, and functions from row to row.

import type { ComputedRelationship, KeyRelationship } from './catalog.ts';
import type { KeyRow, RelationRow, RoutineRow, ViewRow } from './catalog-rows.ts';
import type { ViewKey } from './relationships.ts';
import type { Types } from './types.ts';
import { type Origin, readOrigins } from './view-columns.ts';

export function foreignKeys(keys: readonly KeyRow[], relations: ReadonlyMap<number, RelationRow>): KeyRelationship[] {
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
        isOptional: key.optional !== null,
        tableIsView: isView(table),
        foreignIsView: isView(foreign),
      },
    ];
  });
}

export function keysOfViews(
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

export function computedRelationships(
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
