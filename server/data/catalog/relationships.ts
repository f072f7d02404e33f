// From foreign keys to everything that can be embedded: the keys as views show them, both directions,
// many-to-many through junctions, and functions that stand in for relationships. Pure; no SQL here.

import type { ColumnPair, ComputedRelationship, KeyRelationship, Name, Relationship } from './catalog.ts';

/** A key of a table as a view shows it: for each key column, the view columns that carry it. */
export interface ViewKey {
  readonly table: Name;
  readonly view: Name;
  readonly constraint: string;
  readonly role: 'primary' | 'referencing' | 'referenced';
  readonly columns: readonly (readonly [column: string, viewColumns: readonly string[]])[];
}

const id = (name: Name): string => `${name.schema}\0${name.name}`;
const same = (a: Name, b: Name): boolean => a.schema === b.schema && a.name === b.name;

/** Every way to choose one view column for each key column. */
function choices(key: ViewKey): string[][] {
  return key.columns.reduce<string[][]>(
    (chosen, [, viewColumns]) => chosen.flatMap((sofar) => viewColumns.map((column) => [...sofar, column])),
    [[]],
  );
}

function group<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const found = groups.get(key);
    if (found === undefined) groups.set(key, [item]);
    else found.push(item);
  }
  return groups;
}

/** View to table, table to view, view to view, wherever a view shows all columns of a foreign key's side. */
export function throughViews(keys: readonly KeyRelationship[], viewKeys: readonly ViewKey[]): KeyRelationship[] {
  const byKey = group(viewKeys, (key) => `${id(key.table)}\0${key.constraint}\0${key.role}`);
  const found: KeyRelationship[] = [];
  for (const key of keys) {
    const referencing = byKey.get(`${id(key.table)}\0${key.constraint}\0referencing`) ?? [];
    const referenced = byKey.get(`${id(key.foreign)}\0${key.constraint}\0referenced`) ?? [];
    for (const own of referencing)
      for (const columns of choices(own))
        found.push({
          ...key,
          table: own.view,
          isSelf: false,
          tableIsView: true,
          columns: key.columns.map(([, foreign], index): ColumnPair => [columns[index] ?? '', foreign]),
        });
    for (const other of referenced)
      for (const columns of choices(other))
        found.push({
          ...key,
          foreign: other.view,
          isSelf: false,
          foreignIsView: true,
          columns: key.columns.map(([own], index): ColumnPair => [own, columns[index] ?? '']),
        });
    for (const own of referencing)
      for (const ownColumns of choices(own))
        for (const other of referenced)
          for (const otherColumns of choices(other))
            found.push({
              ...key,
              table: own.view,
              foreign: other.view,
              isSelf: same(own.view, other.view),
              tableIsView: true,
              foreignIsView: true,
              columns: ownColumns.map((column, index): ColumnPair => [column, otherColumns[index] ?? '']),
            });
  }
  return found;
}

const swap = (columns: readonly ColumnPair[]): ColumnPair[] => columns.map(([own, foreign]) => [foreign, own]);

function inverse(key: KeyRelationship): KeyRelationship {
  return {
    kind: key.kind === 'many-to-one' ? 'one-to-many' : 'one-to-one',
    table: key.foreign,
    foreign: key.table,
    isSelf: key.isSelf,
    constraint: key.constraint,
    columns: swap(key.columns),
    isParent: true,
    isOptional: key.isOptional,
    tableIsView: key.foreignIsView,
    foreignIsView: key.tableIsView,
  };
}

/** A relation is a junction where the columns of two foreign keys are part of its primary key. Of two that may both be empty, a row has one. */
function junctions(keys: readonly KeyRelationship[], primaryKeyOf: (name: Name) => readonly string[]): Relationship[] {
  const manyToOne = keys.filter((key) => key.kind === 'many-to-one');
  const found: Relationship[] = [];
  for (const group_ of group(manyToOne, (key) => id(key.table)).values()) {
    if (group_.length < 2) continue;
    const first = group_[0];
    if (first === undefined) continue;
    const primaryKey = new Set(primaryKeyOf(first.table));
    const inKey = group_.filter((key) => key.columns.every(([own]) => primaryKey.has(own)));
    for (const source of inKey)
      for (const target of inKey)
        if (source.constraint !== target.constraint && !(source.isOptional && target.isOptional))
          found.push({
            kind: 'many-to-many',
            table: source.foreign,
            foreign: target.foreign,
            isSelf: same(source.foreign, target.foreign),
            junction: source.table,
            constraint: source.constraint,
            constraint2: target.constraint,
            sourceColumns: swap(source.columns),
            targetColumns: swap(target.columns),
            tableIsView: source.foreignIsView,
            foreignIsView: target.foreignIsView,
          });
  }
  return found;
}

const KINDS = ['one-to-many', 'many-to-one', 'one-to-one', 'many-to-many', 'computed'];

function order(a: Relationship, b: Relationship): number {
  const keys = (r: Relationship): string[] => [
    r.kind === 'computed' ? '1' : '0',
    r.foreign.schema,
    r.foreign.name,
    r.isSelf ? '1' : '0',
    String(KINDS.indexOf(r.kind)),
    r.kind === 'many-to-many' ? `${r.junction.schema}\0${r.junction.name}` : '',
    r.kind === 'computed' ? r.function.name : r.constraint,
    r.kind === 'many-to-many' ? r.constraint2 : r.kind === 'computed' ? '' : r.columns.join('\0'),
  ];
  const left = keys(a);
  const right = keys(b);
  for (const [index, key] of left.entries()) {
    const other = right[index] ?? '';
    if (key !== other) return key < other ? -1 : 1;
  }
  return 0;
}

/** All relationships within each exposed schema, by schema and by the relation they start from. */
export function relate(
  keys: readonly KeyRelationship[],
  viewKeys: readonly ViewKey[],
  computed: readonly ComputedRelationship[],
  schemas: ReadonlySet<string>,
  primaryKeyOf: (name: Name) => readonly string[],
): Map<string, Map<string, Relationship[]>> {
  const forward = [...keys, ...throughViews(keys, viewKeys)];
  const detected: Relationship[] = [...forward, ...junctions(forward, primaryKeyOf), ...forward.map(inverse)];
  const overridden = new Set(computed.map((one) => `${id(one.table)}\0${id(one.function)}`));
  const relationships = new Map<string, Map<string, Relationship[]>>();
  const of = ({ schema, name }: Name): Relationship[] => {
    const bySchema = relationships.get(schema) ?? new Map<string, Relationship[]>();
    relationships.set(schema, bySchema);
    const found = bySchema.get(name) ?? [];
    bySchema.set(name, found);
    return found;
  };
  const add = (relationship: Relationship): void => void of(relationship.table).push(relationship);
  for (const one of detected) {
    if (!schemas.has(one.table.schema) || one.foreign.schema !== one.table.schema) continue;
    // Through a junction that is not served nothing can be embedded; that there is a way is remembered for hints.
    if (one.kind === 'many-to-many' && !schemas.has(one.junction.schema)) {
      of(one.table);
      continue;
    }
    if (!overridden.has(`${id(one.table)}\0${id(one.foreign)}`)) add(one);
  }
  const seen = new Set<string>();
  for (const one of computed) {
    const key = `${id(one.table)}\0${id(one.function)}`;
    if (seen.has(key) || !schemas.has(one.table.schema) || !schemas.has(one.foreign.schema)) continue;
    if (one.function.schema !== one.table.schema) continue;
    seen.add(key);
    add(one);
  }
  for (const bySchema of relationships.values()) for (const found of bySchema.values()) found.sort(order);
  return relationships;
}
