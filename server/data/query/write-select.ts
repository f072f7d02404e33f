// A tree of reads as one select. A to-many resource becomes a subquery in the select list, so that Postgres makes it
// only for the rows that remain after sorting and limiting; where its presence decides anything it becomes a lateral
// join. A to-one resource is a lateral left join, which the planner can flatten into an ordinary one.

import { type Catalog, isToOne } from '../catalog/catalog.ts';
import type { PlannedLogic, PlannedOrder, PlannedSelect, ReadNode, SpreadSelect } from '../plan/plan.ts';
import { outputName } from '../plan/plan-read.ts';
import { type Binder, column, ident, path, writeField, writeLogic, writeOrder, writeRange } from './fragments.ts';
import { findLists, isEmpty, type ResponseLimits, writeHolder, writeList } from './write-lists.ts';

export interface SelectContext {
  readonly binder: Binder;
  readonly castTypes: ReadonlyMap<string, string>;
  readonly tables: Catalog['tables'];
  readonly maxRows: number | null;
  readonly limits: ResponseLimits;
  /** What is not answered as JSON shows embedded resources as jsonb prints them. */
  readonly asJsonb: boolean;
  /** These rows decide which others there are. */
  readonly leads?: boolean;
}

/** Names inside lateral joins that no column of the database will have. */
const MANY = '"_kb_many"';

/** `from` replaces the root's table: a CTE, or a function call. Lists of an object are counted where the object is used. */
export function writeSelect(
  context: SelectContext,
  node: ReadNode,
  from: string | null = null,
  countedAbove = false,
): string {
  const { binder } = context;
  const rows = ident(node.rowAlias);
  const grouped = isGrouped(node);
  const selected: string[] = [];
  const joins: string[] = [];
  const groups: number[] = [];
  // json can be neither compared nor grouped.
  const asJsonb = grouped || context.asJsonb ? '::jsonb' : '';
  const limits = countedAbove ? null : context.limits;
  const related = (term: PlannedOrder): string => writeRelated(context, node, term);
  const add = (text: string, group: boolean): void => {
    selected.push(text);
    if (group) groups.push(selected.length);
  };

  if (node.select.length === 0 && node.children.length === 0) selected.push(`${rows}.*`);
  for (const one of node.select) add(writeSelected(context, rows, one), one.aggregate === null);
  if (node.spread === 'to-many')
    for (const [index, term] of node.order.entries())
      selected.push(
        `${term.child === null ? writeField(rows, term.field, binder) : related(term)} as ${ident(orderName(index))}`,
      );
  for (const child of node.children) {
    const empty = child.spread === null && isEmpty(child);
    if (empty && !child.inner && !child.needsJoin) continue;
    if (isWhether(child)) continue;
    const toOne = child.relationship !== null && isToOne(child.relationship);
    const join = ident(child.joinAlias);
    if (child.spread === null && !toOne && !child.inner && !child.needsJoin && !grouped) {
      add(
        `coalesce((select ${writeList(limits, join)}${asJsonb} from (${writeSelect(context, child)}) as ${join}), '[]') as ${ident(child.resultName)}`,
        false,
      );
      continue;
    }
    // What a spread gives is grouped by here, so nothing in it may be json.
    // What is grouped by is compared, and would be counted more often than it is there.
    const held = toOne && !grouped ? findLists(child) : null;
    const inner = grouped && child.spread !== null ? { ...context, asJsonb: true } : context;
    joins.push(toOne ? writeObjectJoin(inner, child, held !== null) : writeListJoin(inner, child, limits));
    if (child.spread !== null)
      for (const one of child.spreadSelects) {
        const ways = held?.filter(([name]) => name === one.name).map(([, ...below]) => below) ?? [];
        const value =
          ways.length === 0
            ? writeSpread(context, join, one, child.spread, asJsonb)
            : `${writeHolder(limits, column(join, one.name), ways)} as ${ident(one.name)}`;
        add(value, one.aggregate === null);
      }
    else if (!empty) {
      const object = `row_to_json(${join}.*)${asJsonb}`;
      const value = toOne
        ? held === null
          ? object
          : writeHolder(limits, object, held)
        : `coalesce(${join}.${MANY}${asJsonb}, '[]')`;
      add(`${value} as ${ident(child.resultName)}`, true);
    }
  }

  const conditions = [
    ...node.filters.map((filter) =>
      writeLogic(rows, filter, binder, ({ child, present }) => {
        const other = childOf(node, child);
        if (isWhether(other)) return `${present ? '' : 'not '}exists (${writeCountable(context, other)})`;
        const toOne = other.relationship !== null && isToOne(other.relationship) && other.spread !== 'to-many';
        const join = ident(other.joinAlias);
        return `${toOne ? join : `${join}.${MANY}`} is ${present ? '' : 'not '}distinct from null`;
      }),
    ),
    ...joinConditions(node),
    ...node.children.flatMap((child) =>
      leadsToRows(child) ? [`exists (${writeCountable({ ...context, leads: true }, child)})`] : [],
    ),
  ];
  return [
    `select ${selected.join(', ')}`,
    ` from ${from ?? writeFrom(node)}`,
    joins.join(''),
    conditions.length === 0 ? '' : ` where ${conditions.join(' and ')}`,
    grouped && groups.length > 0 ? ` group by ${groups.join(', ')}` : '',
    node.spread === 'to-many' ? '' : writeOrder(rows, node.order, binder, related),
    needsRange(node) ? writeRange(node.range, context.maxRows, binder) : '',
  ].join('');
}

/** What a joined resource shows under that name; a column that it does not show is looked up for itself. */
function writeRelated(context: SelectContext, node: ReadNode, { child, field }: PlannedOrder): string {
  if (child === null) return 'null';
  const relation = childOf(node, child);
  const table = context.tables.get(relation.from.schema)?.get(relation.from.name);
  const shown = relation.select.some((one) =>
    one.field.name === '*' && one.aggregate === null
      ? table?.columns.has(field.name) === true
      : outputName(one) === field.name,
  );
  if (shown) return writeField(ident(relation.joinAlias), field, context.binder);
  const only = { field, alias: '_kb_order', cast: null, aggregate: null, aggregateCast: null };
  const rows = writeSelect(context, { ...relation, select: [only], order: [], spread: null });
  return `(select "_kb_order" from (${rows}) as "_kb_ordering")`;
}

/** A list of which nothing is shown: only whether it has rows matters. */
function isWhether(child: ReadNode): boolean {
  const { relationship, range, spread } = child;
  const isList = relationship !== null && !isToOne(relationship) && spread === null;
  return isList && isEmpty(child) && range.offset <= 0 && range.limit !== 0;
}

/** Rows that are kept for what is related to them: said as a condition, Postgres may begin with the related ones. */
function leadsToRows(child: ReadNode): boolean {
  if (!child.inner || child.relationship === null || isToOne(child.relationship)) return false;
  return isWhether(child) || (child.filters.length > 0 && child.relationship.kind !== 'computed');
}

const childOf = (node: ReadNode, index: number): ReadNode => node.children[index] as ReadNode;

const orderName = (index: number): string => `_kb_order_${index}`;

export function isGrouped(node: ReadNode): boolean {
  return (
    node.select.some((one) => one.aggregate !== null) ||
    node.children.some((child) => child.spreadSelects.some((one) => one.aggregate !== null))
  );
}

/** A key leads to at most one row of a table: a limit would only keep the planner from joining freely. */
function needsRange(node: ReadNode): boolean {
  const { relationship, range } = node;
  if (relationship === null || relationship.kind === 'computed' || !isToOne(relationship)) return true;
  const single = 'foreignIsView' in relationship && !relationship.foreignIsView;
  return !(single && range.offset <= 0 && (range.limit === null || range.limit > 0));
}

export function writeCast(context: SelectContext, cast: string | null, text: string): string {
  if (cast === null) return text;
  // A type nobody has: quoted, so that Postgres answers that it does not exist.
  return `cast(${text} as ${context.castTypes.get(cast.toLowerCase()) ?? context.castTypes.get(cast) ?? ident(cast)})`;
}

function writeSelected(context: SelectContext, rows: string, one: PlannedSelect): string {
  const { binder } = context;
  const { field } = one;
  let text = writeField(rows, field, binder);
  if (field.name === '*' && field.path.length === 0 && !field.wholeRow && one.aggregate !== null) text = '*';
  if (field.transform !== null) text = `${field.transform}(${text})`;
  text = writeCast(context, one.cast, text);
  if (one.aggregate !== null) text = writeCast(context, one.aggregateCast, `${one.aggregate}(${text})`);
  return one.alias === null ? text : `${text} as ${ident(one.alias)}`;
}

function writeSpread(
  context: SelectContext,
  join: string,
  one: SpreadSelect,
  spread: 'to-one' | 'to-many',
  asJsonb: string,
): string {
  const from = one.name === '*' ? `${join}.*` : column(join, one.name);
  if (one.aggregate !== null) {
    const text = writeCast(context, one.aggregateCast, `${one.aggregate}(${from})`);
    return one.alias === null ? text : `${text} as ${ident(one.alias)}`;
  }
  return spread === 'to-many' ? `${from}${asJsonb} as ${ident(one.name)}` : from;
}

const joinKind = ({ inner }: ReadNode): string => (inner ? ' inner join lateral' : ' left join lateral');

function writeObjectJoin(context: SelectContext, child: ReadNode, countedAbove: boolean): string {
  return `${joinKind(child)} (${writeSelect(context, child, null, countedAbove)}) as ${ident(child.joinAlias)} on true`;
}

function writeListJoin(context: SelectContext, child: ReadNode, limits: ResponseLimits | null): string {
  const join = ident(child.joinAlias);
  const condition = child.inner ? `${join}.${MANY} is not null` : 'true';
  const order = child.order.map(
    ({ direction, nulls }, index) =>
      `${join}.${ident(orderName(index))}${direction === null ? '' : ` ${direction}`}${nulls === null ? '' : ` nulls ${nulls}`}`,
  );
  const ordered = order.length === 0 || child.spread === null ? '' : ` order by ${order.join(', ')}`;
  const spread = child.spread === null ? [] : child.spreadSelects;
  const arrays = spread.map(
    ({ name }) => `, coalesce(${writeList(limits, column(join, name), ordered)}, '[]') as ${ident(name)}`,
  );
  return `${joinKind(child)} (select ${writeList(limits, join)} as ${MANY}${arrays.join('')} from (${writeSelect(context, child)}) as ${join}) as ${join} on ${condition}`;
}

const junctionAlias = (node: ReadNode): string => ident(`${node.joinAlias}_via`);

const parentRows = (node: ReadNode): string => ident(node.parentAlias);

export function writeFrom(node: ReadNode): string {
  const { relationship } = node;
  const rows = ident(node.rowAlias);
  if (relationship === null) return path(node.from);
  if (relationship.kind === 'computed')
    return `${path(relationship.function)}(${parentRows(node)}::${path(relationship.table)}) as ${rows}`;
  if (relationship.kind === 'many-to-many')
    return `${path(node.from)} as ${rows}, ${path(relationship.junction)} as ${junctionAlias(node)}`;
  return `${path(node.from)} as ${rows}`;
}

export function joinConditions(node: ReadNode): string[] {
  const { relationship } = node;
  if (relationship === null || relationship.kind === 'computed') return [];
  const rows = ident(node.rowAlias);
  const parent = parentRows(node);
  if (relationship.kind === 'many-to-many') {
    const via = junctionAlias(node);
    return [
      ...relationship.targetColumns.map(([own, junction]) => `${column(via, junction)} = ${column(rows, own)}`),
      ...relationship.sourceColumns.map(([own, junction]) => `${column(via, junction)} = ${column(parent, own)}`),
    ];
  }
  return relationship.columns.map(([own, foreign]) => `${column(rows, foreign)} = ${column(parent, own)}`);
}

/** One row for each root row that the filters let through: what is counted. */
export function writeCountable(context: SelectContext, node: ReadNode, from: string | null = null): string {
  const rows = ident(node.rowAlias);
  const conditions = [
    ...node.filters.map(
      (filter) =>
        writeKey(context, node, filter) ??
        writeLogic(
          rows,
          filter,
          context.binder,
          ({ child, present }) => `${present ? '' : 'not '}exists (${writeCountable(context, childOf(node, child))})`,
        ),
    ),
    ...joinConditions(node),
    ...node.children.flatMap((child) => (child.inner ? [`exists (${writeCountable(context, child)})`] : [])),
  ];
  return `select 1 from ${from ?? writeFrom(node)}${conditions.length === 0 ? '' : ` where ${conditions.join(' and ')}`}`;
}

const KEY_TYPES: ReadonlySet<string> = new Set(['uuid', 'bigint', 'integer', 'text']);

/**
 * A key that leads to rows, written so that Postgres does not see which: it plans for as many rows as any key has. Seeing a frequent one beside
 * policies, of which it knows nothing, it would rather find and sort all of its rows than walk an index that has them in order.
 */
function writeKey(context: SelectContext, { from, rowAlias }: ReadNode, filter: PlannedLogic): string | null {
  if (!context.leads || filter.kind !== 'filter' || filter.negated || filter.operation.kind !== 'quantified')
    return null;
  const { field, operation } = filter;
  const type = context.tables.get(from.schema)?.get(from.name)?.columns.get(field.name)?.type;
  const isPlain = operation.operator === 'eq' && operation.quantifier === null && field.path.length === 0;
  if (!isPlain || field.transform !== null || type === undefined || !KEY_TYPES.has(type)) return null;
  return `${column(ident(rowAlias), field.name)} = (select ${context.binder.bind(operation.value)}::${type})`;
}
