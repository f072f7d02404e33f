// The tree of what is read: every embedded resource resolved to a relationship, every filter, order and range put at
// its place, stars spelled out where that is needed.

import { PostgresError } from '../../database/types.ts';
import { type Catalog, findTable, isToOne, type Relationship, representation, type Table } from '../catalog/catalog.ts';
import { DataError } from '../errors.ts';
import {
  ALL_ROWS,
  type ApiRequest,
  type EmbedPath,
  type Field,
  type FieldItem,
  type Filter,
  type Logic,
  type OrderTerm,
  type RelationItem,
  type RowRange,
  type SelectItem,
} from '../request/api-request.ts';
import { findRelationship } from './find-relationship.ts';
import type { PlannedField, PlannedLogic, PlannedOrder, PlannedSelect, ReadNode } from './plan.ts';
import { hoistSpreads } from './plan-spreads.ts';

export interface ReadScope {
  readonly catalog: Catalog;
  readonly schema: string;
  /** Null: no limit of the service's own. */
  readonly maxRows: number | null;
  readonly aggregates: boolean;
  /** Columns of a function's result, whose rows may be of no relation that is served. */
  readonly resultColumns?: ReadonlySet<string>;
}

/** A place in `select`, before any relationship is known, with what was sent for it. */
interface Branch {
  readonly item: RelationItem | null;
  readonly items: readonly SelectItem[];
  readonly children: readonly Branch[];
  filters: Filter[];
  logic: Logic[];
  order: readonly OrderTerm[] | null;
  range: RowRange;
  /** Named by its target although it has an alias. */
  renamed: boolean;
}

export function planRead(scope: ReadScope, request: ApiRequest, root: { schema: string; name: string }): ReadNode {
  const mutates = request.target.kind === 'relation' && request.method !== 'GET' && request.method !== 'HEAD';
  const { query } = request;
  const branch = makeBranch(null, query.select);
  const filters = mutates ? query.filters.filter(({ path }) => path.length > 0) : query.filters;
  for (const { path, value } of filters) find(branch, path).filters.push(value);
  for (const { path, value } of query.orders) find(branch, path).order ??= value;
  if (!mutates) {
    branch.range = request.range;
    for (const { path, value } of query.ranges) if (path.length > 0) find(branch, path).range = value;
  }
  const logic = mutates ? query.logic.filter(({ path }) => path.length > 0) : query.logic;
  for (const { path, value } of logic) find(branch, path).logic.push(value);

  const counter = { joins: 0 };
  const node = makeNode(scope, branch, null, root, counter, false);
  node.renamed = renamedIn(branch);
  if (!scope.aggregates) forbidAggregates(node);
  if (node.children.length > 0) hoistSpreads(node);
  if (!mutates && scope.maxRows !== null) limitRows(node, scope.maxRows);
  return node;
}

function makeBranch(item: RelationItem | null, items: readonly SelectItem[]): Branch {
  const children = items.flatMap((one) => (one.kind === 'relation' ? [makeBranch(one, one.items)] : []));
  return { item, items, children, filters: [], logic: [], order: null, range: ALL_ROWS, renamed: false };
}

function find(branch: Branch, path: EmbedPath): Branch {
  let found = branch;
  for (const name of path) {
    const next = found.children.find(({ item }) => item !== null && (item.name === name || item.alias === name));
    if (next === undefined)
      throw new DataError('PGRST108', {
        message: `'${name}' is not an embedded resource in this request`,
        hint: `Verify that '${name}' is included in the 'select' query parameter.`,
      });
    if (next.item?.alias != null && next.item.alias !== name) next.renamed = true;
    found = next;
  }
  return found;
}

function renamedIn(branch: Branch): (readonly [string, string])[] {
  const { item } = branch;
  const own = branch.renamed && item?.alias != null ? [[item.name, item.alias] as const] : [];
  return branch.children.length === 0 ? own : [...own, ...branch.children.flatMap(renamedIn)];
}

function makeNode(
  scope: ReadScope,
  branch: Branch,
  parent: ReadNode | null,
  from: { schema: string; name: string },
  counter: { joins: number },
  aggregated: boolean,
): ReadNode {
  const { item } = branch;
  const depth = parent === null ? 0 : parent.depth + 1;
  let relationship: Relationship | null = null;
  let source = from;
  if (item !== null && parent !== null) {
    relationship = findRelationship(scope.catalog, scope.schema, parent.from.name, item.name, item.hint);
    source = relationship.foreign;
  }
  const table = findTable(scope.catalog, source.schema, source.name);
  const node: ReadNode = {
    name: item?.name ?? from.name,
    resultName: item?.alias ?? item?.name ?? from.name,
    depth,
    parent,
    relationship,
    from: source,
    rowAlias: parent === null ? source.name : `${source.name.slice(0, 55)}_${depth}`,
    joinAlias: parent === null ? '' : `_kb_${++counter.joins}`,
    inner: item?.join === 'inner',
    spread: item?.spread ? (relationship !== null && isToOne(relationship) ? 'to-one' : 'to-many') : null,
    select: [],
    filters: [],
    order: [],
    range: branch.range,
    children: [],
    spreadSelects: [],
    renamed: [],
    needsJoin: false,
  };
  const hasAggregate = branch.items.some((one) => one.kind === 'field' && one.aggregate !== null);
  const spellStars = aggregated || hasAggregate || node.spread === 'to-many';
  for (const child of branch.children) node.children.push(makeNode(scope, child, node, from, counter, spellStars));
  if (node.children.length > 1) refuseTwins(node);
  node.select = branch.items.flatMap((one) =>
    one.kind === 'field' ? planSelect(scope, table, one, node, spellStars) : [],
  );
  node.filters = [
    ...branch.logic.map((logic) => planLogic(scope.catalog, table, logic, node)),
    ...branch.filters.map((filter) => planLogic(scope.catalog, table, filter, node)),
  ];
  node.order = (branch.order ?? []).map((term) => planOrder(scope, table, term, node));
  return node;
}

/** Two resources under one name would hide each other in the answer; PostgREST's Postgres trips over them as well. */
function refuseTwins({ children, from }: ReadNode): void {
  const names = new Set<string>();
  for (const { resultName, spread, depth } of children) {
    if (spread !== null) continue;
    if (names.has(resultName)) {
      const alias = `${from.name}_${resultName}_${depth}`.slice(0, 63);
      throw new PostgresError('42712', `table name "${alias}" specified more than once`, null, null);
    }
    names.add(resultName);
  }
}

/** A column as the catalog knows it; unknown names are left for Postgres, they may be computed columns. */
export function planField(table: Table | undefined, field: Field): PlannedField & { declaredType: string } {
  const column = table?.columns.get(field.name);
  const declaredType = column?.declaredType ?? '';
  return {
    name: field.name,
    path: field.path,
    toJson: declaredType !== 'json' && declaredType !== 'jsonb',
    transform: null,
    toVector: null,
    wholeRow: false,
    declaredType,
  };
}

/** Counting without parentheses is older than aggregates, and PostgREST keeps it. */
const OLD_COUNT = 'count';

/**
 * Left to Postgres, `rows.json_agg` would call the aggregate with the row. A computed column is a function made for the
 * relation; in conditions Postgres itself takes no aggregates.
 */
function refuseOpenFunction(scope: ReadScope, table: Table | undefined, { name }: Field, node: ReadNode): void {
  const { catalog, resultColumns } = scope;
  if (table?.columns.has(name) || !catalog.openFunctions.has(name) || name === OLD_COUNT) return;
  if (node.parent === null && resultColumns?.has(name)) return;
  if (catalog.computed.get(node.from.schema)?.get(node.from.name)?.has(name)) return;
  throw new PostgresError('42703', `column ${node.rowAlias}.${name} does not exist`, null, null);
}

const ALIASED_BY_KEY = (field: Field): string => {
  for (let at = field.path.length - 1; at >= 0; at--) {
    const step = field.path[at];
    if (step !== undefined && !step.isIndex) return step.key;
  }
  return field.name;
};

function planSelect(
  scope: ReadScope,
  table: Table | undefined,
  item: FieldItem,
  node: ReadNode,
  spellStars: boolean,
): PlannedSelect[] {
  const { field, alias, aggregate, cast, aggregateCast } = item;
  const output = (declaredType: string): string | null => representation(scope.catalog, declaredType, 'json') ?? null;
  const plain = { cast: null, aggregate: null, aggregateCast: null };
  if (field.name === '*' && field.path.length === 0) {
    if (aggregate === null && table !== undefined && (spellStars || table.hasRepresentations))
      return [...table.columns.values()].map((column) => {
        const transform = output(column.declaredType);
        const spelled = { ...planField(table, { name: column.name, path: [] }), transform };
        return { ...plain, field: spelled, alias: transform === null ? null : column.name };
      });
    const wholeRow = aggregate === 'count' && node.spread !== null;
    return [
      {
        field: { ...planField(undefined, field), wholeRow },
        cast,
        aggregate,
        aggregateCast,
        alias: alias ?? (aggregate !== null && node.spread !== null ? aggregate : null),
      },
    ];
  }
  refuseOpenFunction(scope, table, field, node);
  const planned = planField(table, field);
  const transform = output(planned.declaredType);
  const automatic =
    aggregate !== null
      ? node.spread === null
        ? null
        : aggregate
      : field.path.length > 0
        ? ALIASED_BY_KEY(field)
        : transform === null
          ? null
          : field.name;
  return [{ field: { ...planned, transform }, alias: alias ?? automatic, cast, aggregate, aggregateCast }];
}

/** Filters read text, through the domain's own reading of text if it has one. */
export function planFilter(catalog: Catalog, table: Table | undefined, filter: Filter): PlannedLogic {
  const { operation, negated, slot } = filter;
  const { declaredType, ...field } = planField(table, filter.field);
  const column = table?.columns.get(field.name);
  // A computed column has a type of its own, which is most likely a tsvector.
  const searches = operation.kind === 'search' && column !== undefined && column.type !== 'tsvector';
  return {
    kind: 'filter',
    negated,
    operation,
    slot,
    field: {
      ...field,
      transform: representation(catalog, 'text', declaredType) ?? null,
      toVector: searches && operation.kind === 'search' ? { language: operation.language } : null,
    },
  };
}

export function planLogic(
  catalog: Catalog,
  table: Table | undefined,
  logic: Logic,
  node: ReadNode | null,
): PlannedLogic {
  if (logic.kind === 'group')
    return { ...logic, members: logic.members.map((member) => planLogic(catalog, table, member, node)) };
  const child =
    logic.field.path.length === 0 && node !== null && node.children.length > 0
      ? node.children.find((one) => one.resultName === logic.field.name)
      : undefined;
  if (child === undefined) return planFilter(catalog, table, logic);
  const { operation } = logic;
  if (operation.kind === 'is' && (operation.value === 'null' || operation.value === 'not_null')) {
    child.needsJoin = true;
    return { kind: 'presence', node: child, present: (operation.value === 'not_null') !== logic.negated };
  }
  if (table?.columns.has(logic.field.name)) return planFilter(catalog, table, logic);
  throw new DataError('PGRST120', {
    message: `Bad operator on the '${logic.field.name}' embedded resource`,
    details: 'Only is null or not is null filters are allowed on embedded resources',
  });
}

function planOrder(scope: ReadScope, table: Table | undefined, term: OrderTerm, node: ReadNode): PlannedOrder {
  const { direction, nulls } = term;
  if (term.relation === null) {
    refuseOpenFunction(scope, table, term.field, node);
    return { relation: null, field: planField(table, term.field), direction, nulls };
  }
  const child = node.children.find((one) => one.resultName === term.relation);
  if (child === undefined)
    throw new DataError('PGRST108', {
      message: `'${term.relation}' is not an embedded resource in this request`,
      hint: `Verify that '${term.relation}' is included in the 'select' query parameter.`,
    });
  if (child.relationship === null || !isToOne(child.relationship))
    throw new DataError('PGRST118', {
      message: `A related order on '${child.resultName}' is not possible`,
      details: `'${node.from.name}' and '${child.resultName}' do not form a many-to-one or one-to-one relationship`,
    });
  refuseOpenFunction(scope, findTable(scope.catalog, child.from.schema, child.from.name), term.field, child);
  child.needsJoin = true;
  return { relation: child, field: { ...planField(undefined, term.field), toJson: true }, direction, nulls };
}

function forbidAggregates(node: ReadNode): void {
  if (node.select.some((one) => one.aggregate !== null))
    throw new DataError('PGRST123', { message: 'Use of aggregate functions is not allowed' });
  node.children.forEach(forbidAggregates);
}

function limitRows(node: ReadNode, maxRows: number): void {
  const { range } = node;
  if (range.limit === null || range.limit > maxRows) node.range = { offset: range.offset, limit: maxRows };
  for (const child of node.children) limitRows(child, maxRows);
}
