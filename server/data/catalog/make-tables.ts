// Tables, views and their columns, from the rows of pg_class and pg_attribute.

import type { Column, Name, Table } from './catalog.ts';
import type { ColumnRow, RelationRow } from './catalog-rows.ts';
import type { Types } from './types.ts';

export function inSchema<T>(maps: Map<string, Map<string, T>>, schema: string): Map<string, T> {
  const found = maps.get(schema) ?? new Map<string, T>();
  maps.set(schema, found);
  return found;
}

export function makeTables(
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
      isOpen: stored && !relation.secured,
      insertable: stored || (relation.events & 8) === 8,
      updatable: stored || (relation.events & 4) === 4,
      deletable: stored || (relation.events & 16) === 16,
      marksDeleted: relation.marks,
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
