// Columns and parameters as schemas: Postgres types in OpenAPI's words, keys and references in the description.

import type { Catalog, Column, Parameter as RoutineParameter, Table } from '../catalog/catalog.ts';
import type { Parameter, Schema } from './swagger.ts';

const TYPES: Readonly<Record<string, string>> = {
  boolean: 'boolean',
  smallint: 'integer',
  integer: 'integer',
  bigint: 'integer',
  numeric: 'number',
  real: 'number',
  'double precision': 'number',
};
const FORMATS: Readonly<Record<string, string>> = { smallint: 'int32', integer: 'int32', bigint: 'int64' };

/** Absent for json, which may be anything. */
function typeOf(type: string): string | undefined {
  if (type === 'json' || type === 'jsonb') return undefined;
  return TYPES[type] ?? (type.endsWith('[]') ? 'array' : 'string');
}

const formatOf = (type: string): string => FORMATS[type] ?? type;

function describeType(type: string): Schema {
  const kind = typeOf(type);
  if (kind === undefined) return { format: formatOf(type) };
  if (kind !== 'array') return { format: formatOf(type), type: kind };
  const item = typeOf(type.slice(0, -2));
  return { format: formatOf(type), type: kind, items: item === undefined ? {} : { type: item } };
}

export function describeColumn(table: Table, column: Column, catalog: Catalog): Schema {
  const description = describeKeys(table, column, catalog);
  return {
    ...(description === null ? {} : { description }),
    ...describeDefault(column),
    ...(column.enumValues.length === 0 ? {} : { enum: column.enumValues }),
    ...(column.maxLength === null ? {} : { maxLength: column.maxLength }),
    ...describeType(column.type),
  };
}

/** `<pk/>` and `<fk …/>` are marks that generators look for. */
function describeKeys(table: Table, column: Column, catalog: Catalog): string | null {
  const notes: string[] = [];
  if (table.primaryKey.includes(column.name)) notes.push('This is a Primary Key.<pk/>');
  const related = catalog.relationships.get(table.schema)?.get(table.name) ?? [];
  const references = related.flatMap((one) =>
    (one.kind === 'many-to-one' || (one.kind === 'one-to-one' && !one.isParent)) &&
    one.columns.length === 1 &&
    one.columns[0]?.[0] === column.name
      ? [{ table: one.foreign.name, column: one.columns[0][1], isView: one.foreignIsView }]
      : [],
  );
  const reference = references.find((one) => !one.isView) ?? references[0];
  if (reference !== undefined)
    notes.push(
      `This is a Foreign Key to \`${reference.table}.${reference.column}\`.<fk table='${reference.table}' column='${reference.column}'/>`,
    );
  if (notes.length === 0) return column.description;
  return `${column.description === null ? '' : `${column.description}\n\n`}Note:\n${notes.join('\n')}`;
}

/** A default is shown when it is a plain value; an expression is shown only where it is a string's. */
function describeDefault(column: Column): { default?: unknown } {
  if (column.default === null) return {};
  if (typeOf(column.type) === 'string') {
    const cast = `::${column.type}`;
    if (!column.default.endsWith(cast)) return { default: column.default };
    return { default: column.default.slice(0, -cast.length).replace(/^'+|'+$/g, '') };
  }
  try {
    return { default: JSON.parse(column.default) as unknown };
  } catch {
    return {};
  }
}

export const describeParameter = (parameter: RoutineParameter): Schema => describeType(parameter.type);

export function describeQueryParameter(parameter: RoutineParameter): Parameter {
  const { name, required, type, variadic } = parameter;
  const where = { name, required, in: 'query' } as const;
  if (!variadic) {
    const kind = typeOf(type);
    // An array is one value in curly braces here.
    return { ...where, format: formatOf(type), type: kind === undefined || kind === 'array' ? 'string' : kind };
  }
  const item = type.slice(0, -2);
  return {
    ...where,
    type: 'array',
    collectionFormat: 'multi',
    items: { type: typeOf(item) ?? 'string', format: formatOf(item) },
  };
}
