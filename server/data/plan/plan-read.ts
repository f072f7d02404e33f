// The tree of what is read, made from the leaves up: every embedded resource resolved to a relationship, filters and
// orders against the catalog, stars spelled out where that is needed. `branches.ts` has put everything at its place.

import { PostgresError } from '../../database/types.ts';
import { type Catalog, findTable, isToOne, type Name, representation, type Table } from '../catalog/catalog.ts';
import { DataError } from '../errors.ts';
import type { ApiRequest, Field, FieldItem, Filter, Logic, OrderTerm, RowRange } from '../request/api-request.ts';
import { type Branch, type BranchLimits, growBranches } from './branches.ts';
import { findRelationship } from './find-relationship.ts';
import type { PlannedField, PlannedLogic, PlannedOrder, PlannedSelect, ReadNode } from './plan.ts';
import { type Hoisted, hoistSpreads, refuseToManyAggregates, spreadSelects } from './plan-spreads.ts';

export interface ReadScope extends BranchLimits {
  readonly catalog: Catalog;
  readonly schema: string;
  /** Null: no limit of the service's own. */
  readonly maxRows: number | null;
  readonly aggregates: boolean;
  /** Columns of a function's result, whose rows may be of no relation that is served. */
  readonly resultColumns?: ReadonlySet<string>;
}

export function planRead(scope: ReadScope, request: ApiRequest, root: { schema: string; name: string }): ReadNode {
  const mutates = request.target.kind === 'relation' && request.method !== 'GET' && request.method !== 'HEAD';
  const { root: branch, renamed } = growBranches(scope, request, mutates);
  const making = { scope, maxRows: mutates ? null : scope.maxRows, joins: 0, renamed };
  const { node } = makeNode(making, branch, null, root);
  if (!scope.aggregates) forbidAggregates(branch);
  refuseToManyAggregates(node);
  return node;
}

/** What the nodes of one tree share while they are made. */
interface Making {
  readonly scope: ReadScope;
  readonly maxRows: number | null;
  readonly renamed: ReadNode['renamed'];
  /** How many joins have a name. */
  joins: number;
}

/** Where a node stands, which its own parts are planned by. */
interface Place extends Pick<ReadNode, 'from' | 'depth' | 'rowAlias' | 'spread'> {
  /** Stars in it and below are written as columns. */
  readonly spellsStars: boolean;
}

interface Made {
  readonly node: ReadNode;
  /** Aggregates that are taken further up. */
  readonly hoisted: readonly Hoisted[];
}

function makeNode(making: Making, branch: Branch, parent: Place | null, from: Name): Made {
  const { scope } = making;
  const { item } = branch;
  const relationship =
    item === null || parent === null
      ? null
      : findRelationship(scope.catalog, scope.schema, parent.from.name, item.name, item.hint);
  const source = relationship === null ? from : relationship.foreign;
  const depth = parent === null ? 0 : parent.depth + 1;
  const joinAlias = parent === null ? '' : `_kb_${++making.joins}`;
  const spread = item?.spread ? (relationship !== null && isToOne(relationship) ? 'to-one' : 'to-many') : null;
  const hasAggregate = branch.items.some((one) => one.kind === 'field' && one.aggregate !== null);
  const place: Place = {
    from: source,
    depth,
    rowAlias: parent === null ? source.name : `${source.name.slice(0, 55)}_${depth}`,
    spread,
    spellsStars: hasAggregate || spread === 'to-many' || (parent?.spellsStars ?? false),
  };
  const below = branch.children.map((child) => makeNode(making, child, place, from));
  const drafts = below.map(({ node }) => node);
  if (drafts.length > 1) refuseTwins(drafts, source);
  const table = findTable(scope.catalog, source.schema, source.name);
  const selected = branch.items.flatMap((one) => (one.kind === 'field' ? planSelect(scope, table, one, place) : []));
  const filters = [...branch.logic, ...branch.filters].map((one) => planLogic(scope.catalog, table, one, drafts));
  const order = branch.order.map((term) => planOrder(scope, table, term, place, drafts));
  const joined = new Set(
    drafts.length === 0 ? [] : [...order.map(({ child }) => child), ...filters.flatMap(presences)],
  );
  const { select, children, hoisted } = hoistSpreads(place, joinAlias, selected, below);
  const node: ReadNode = {
    name: item?.name ?? from.name,
    resultName: item?.alias ?? item?.name ?? from.name,
    depth,
    relationship,
    from: source,
    rowAlias: place.rowAlias,
    joinAlias,
    parentAlias: parent?.rowAlias ?? '',
    inner: item?.join === 'inner',
    spread,
    select,
    filters,
    order,
    range: limitRange(branch.range, making.maxRows),
    children: children.map((child, index) => (joined.has(index) ? { ...child, needsJoin: true } : child)),
    spreadSelects: spread === null ? NONE : spreadSelects(select, children),
    renamed: parent === null ? making.renamed : NONE,
    needsJoin: false,
  };
  return { node, hoisted };
}

const NONE: readonly never[] = [];

const presences = (logic: PlannedLogic): readonly number[] =>
  logic.kind === 'presence' ? [logic.child] : logic.kind === 'group' ? logic.members.flatMap(presences) : NONE;

function limitRange(range: RowRange, maxRows: number | null): RowRange {
  if (maxRows === null || (range.limit !== null && range.limit <= maxRows)) return range;
  return { offset: range.offset, limit: maxRows };
}

/** Two resources under one name would hide each other in the answer; PostgREST's Postgres trips over them as well. */
function refuseTwins(children: readonly ReadNode[], from: Name): void {
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
function refuseOpenFunction(
  scope: ReadScope,
  table: Table | undefined,
  { name }: Field,
  node: Pick<ReadNode, 'from' | 'depth' | 'rowAlias'>,
): void {
  const { catalog, resultColumns } = scope;
  if (table?.columns.has(name) || !catalog.openFunctions.has(name) || name === OLD_COUNT) return;
  if (node.depth === 0 && resultColumns?.has(name)) return;
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

function planSelect(scope: ReadScope, table: Table | undefined, item: FieldItem, place: Place): PlannedSelect[] {
  const { field, alias, aggregate, cast, aggregateCast } = item;
  const output = (declaredType: string): string | null => representation(scope.catalog, declaredType, 'json') ?? null;
  const plain = { cast: null, aggregate: null, aggregateCast: null };
  if (field.name === '*' && field.path.length === 0) {
    if (aggregate === null && table !== undefined && (place.spellsStars || table.hasRepresentations))
      return [...table.columns.values()].map((column) => {
        const transform = output(column.declaredType);
        const spelled = { ...planField(table, { name: column.name, path: [] }), transform };
        return { ...plain, field: spelled, alias: transform === null ? null : column.name };
      });
    const wholeRow = aggregate === 'count' && place.spread !== null;
    return [
      {
        field: { ...planField(undefined, field), wholeRow },
        cast,
        aggregate,
        aggregateCast,
        alias: alias ?? (aggregate !== null && place.spread !== null ? aggregate : null),
      },
    ];
  }
  refuseOpenFunction(scope, table, field, place);
  const planned = planField(table, field);
  const transform = output(planned.declaredType);
  const automatic =
    aggregate !== null
      ? place.spread === null
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
  const { operation, negated } = filter;
  const { declaredType, ...field } = planField(table, filter.field);
  const column = table?.columns.get(field.name);
  // A computed column has a type of its own, which is most likely a tsvector.
  const searches = operation.kind === 'search' && column !== undefined && column.type !== 'tsvector';
  return {
    kind: 'filter',
    negated,
    operation,
    field: {
      ...field,
      transform: representation(catalog, 'text', declaredType) ?? null,
      toVector: searches && operation.kind === 'search' ? { language: operation.language } : null,
    },
  };
}

/** `children`: those whose presence it may ask for. */
export function planLogic(
  catalog: Catalog,
  table: Table | undefined,
  logic: Logic,
  children: readonly ReadNode[],
): PlannedLogic {
  if (logic.kind === 'group')
    return { ...logic, members: logic.members.map((member) => planLogic(catalog, table, member, children)) };
  const child =
    logic.field.path.length === 0 && children.length > 0
      ? children.findIndex((one) => one.resultName === logic.field.name)
      : -1;
  if (child < 0) return planFilter(catalog, table, logic);
  const { operation } = logic;
  if (operation.kind === 'is' && (operation.value === 'null' || operation.value === 'not_null'))
    return { kind: 'presence', child, present: (operation.value === 'not_null') !== logic.negated };
  if (table?.columns.has(logic.field.name)) return planFilter(catalog, table, logic);
  throw new DataError('PGRST120', {
    message: `Bad operator on the '${logic.field.name}' embedded resource`,
    details: 'Only is null or not is null filters are allowed on embedded resources',
  });
}

/** How Postgres names a column of a select list. */
export const outputName = ({ alias, aggregate, field }: PlannedSelect): string => alias ?? aggregate ?? field.name;

function planOrder(
  scope: ReadScope,
  table: Table | undefined,
  term: OrderTerm,
  place: Place,
  children: readonly ReadNode[],
): PlannedOrder {
  const { direction, nulls, field } = term;
  if (term.relation === null) {
    refuseOpenFunction(scope, table, field, place);
    return { child: null, field: planField(table, field), direction, nulls };
  }
  const at = children.findIndex((one) => one.resultName === term.relation);
  const child = children[at];
  if (child === undefined)
    throw new DataError('PGRST108', {
      message: `'${term.relation}' is not an embedded resource in this request`,
      hint: `Verify that '${term.relation}' is included in the 'select' query parameter.`,
    });
  if (child.relationship === null || !isToOne(child.relationship))
    throw new DataError('PGRST118', {
      message: `A related order on '${child.resultName}' is not possible`,
      details: `'${place.from.name}' and '${child.resultName}' do not form a many-to-one or one-to-one relationship`,
    });
  const isShown = child.select.some((one) => outputName(one) === field.name);
  if (!isShown) refuseOpenFunction(scope, findTable(scope.catalog, child.from.schema, child.from.name), field, child);
  return { child: at, field: { ...planField(undefined, field), toJson: true }, direction, nulls };
}

function forbidAggregates(branch: Branch): void {
  if (branch.items.some((one) => one.kind === 'field' && one.aggregate !== null))
    throw new DataError('PGRST123', { message: 'Use of aggregate functions is not allowed' });
  branch.children.forEach(forbidAggregates);
}
