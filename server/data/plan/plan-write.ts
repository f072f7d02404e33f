// A mutation and what it returns.

import { type Catalog, representation, type Table } from '../catalog/catalog.ts';
import { DataError } from '../errors.ts';
import type { ApiRequest, Filter } from '../request/api-request.ts';
import type { Negotiated } from './negotiate.ts';
import type { BodyColumn, PlannedLogic, ReadNode, WritePlan } from './plan.ts';
import { planLogic } from './plan-read.ts';
import { shown } from './suggest.ts';

type Writes = Pick<
  WritePlan,
  'mutation' | 'columns' | 'payload' | 'filters' | 'conflict' | 'returning' | 'applyDefaults'
>;

const MUTATIONS: Readonly<Record<string, WritePlan['mutation']>> = {
  POST: 'insert',
  PATCH: 'update',
  PUT: 'upsert-one',
  DELETE: 'delete',
};

export function planWrite(
  catalog: Catalog,
  request: ApiRequest,
  table: Table,
  read: ReadNode,
  { handler, mediaType }: Negotiated,
): WritePlan {
  const mutation = MUTATIONS[request.method] ?? 'delete';
  const { preferences } = request;
  const returns = preferences.representation === 'representation' || preferences.representation === 'headers-only';
  return {
    kind: 'write',
    table,
    name: table,
    read,
    handler: preferences.representation === 'representation' ? handler : { kind: 'none' },
    mediaType,
    ...planMutation(catalog, request, table, mutation),
    returning: returns ? neededColumns(read, table.primaryKey) : [],
  };
}

function planMutation(
  catalog: Catalog,
  request: ApiRequest,
  table: Table,
  mutation: WritePlan['mutation'],
): Omit<Writes, 'returning'> {
  const { query, preferences } = request;
  const rootFilters = query.filters.filter(({ path }) => path.length === 0).map(({ value }) => value);
  const filters = (): PlannedLogic[] => [
    ...rootFilters.map((filter) => planLogic(catalog, table, filter, [])),
    ...query.logic.filter(({ path }) => path.length === 0).map(({ value }) => planLogic(catalog, table, value, [])),
  ];
  const payload = request.payload?.kind === 'json' ? request.payload : null;
  const common = { mutation, payload, applyDefaults: preferences.missing === 'default' };
  const columns = (): BodyColumn[] => request.columns.map((name) => bodyColumn(catalog, table, name));
  switch (mutation) {
    case 'delete':
      return { ...common, columns: [], filters: filters(), conflict: null };
    case 'update':
      return { ...common, columns: columns(), filters: filters(), conflict: null };
    case 'upsert-one': {
      refuseOddPut(query.filterNames, query.logic.length > 0, rootFilters, table.primaryKey);
      return {
        ...common,
        columns: columns(),
        filters: filters(),
        conflict: { resolution: 'merge-duplicates', columns: table.primaryKey },
        applyDefaults: false,
      };
    }
    case 'insert': {
      const target = query.onConflict ?? table.primaryKey;
      const conflict = preferences.resolution === null ? null : { resolution: preferences.resolution, columns: target };
      return { ...common, columns: columns(), filters: [], conflict };
    }
  }
}

function refuseOddPut(
  names: readonly string[],
  hasLogic: boolean,
  filters: readonly Filter[],
  primaryKey: readonly string[],
): void {
  const given = new Set(names);
  const plain = filters.every(
    ({ negated, operation }) =>
      !negated && operation.kind === 'quantified' && operation.operator === 'eq' && operation.quantifier === null,
  );
  const exact =
    primaryKey.length > 0 && given.size === primaryKey.length && primaryKey.every((name) => given.has(name));
  if (!hasLogic && exact && plain) return;
  throw new DataError('PGRST105', {
    message: "Filters must include all and only primary key columns with 'eq' operators",
  });
}

function bodyColumn(catalog: Catalog, table: Table, name: string): BodyColumn {
  const column = table.columns.get(name);
  if (column === undefined)
    throw new DataError('PGRST204', {
      message: `Could not find the '${shown(name)}' column of '${table.name}' in the schema cache`,
    });
  const transform = representation(catalog, 'json', column.declaredType) ?? null;
  return { name, type: transform === null ? column.declaredType : 'json', transform, default: column.default };
}

/** What must be returned so that the selection and its embedded resources can be made from it. */
export function neededColumns(read: ReadNode, primaryKey: readonly string[]): readonly string[] {
  const selected = read.select.map((one) => one.field.name);
  const computed = read.children.some((child) => child.relationship?.kind === 'computed');
  if (selected.includes('*') || computed) return ['*'];
  const keys = read.children.flatMap(({ relationship }) => {
    if (relationship === null || relationship.kind === 'computed') return [];
    const pairs = relationship.kind === 'many-to-many' ? relationship.sourceColumns : relationship.columns;
    return pairs.map(([own]) => own);
  });
  const ordering = read.order.flatMap((one) => (one.child === null ? [one.field.name] : []));
  return [...new Set([...selected, ...keys, ...ordering, ...primaryKey])].sort();
}
