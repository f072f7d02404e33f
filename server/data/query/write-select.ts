// A tree of reads as one select. A to-many resource becomes a subquery in the select list, so that Postgres makes it
// only for the rows that remain after sorting and limiting; where its presence decides anything it becomes a lateral
// join. A to-one resource is a lateral left join, which the planner can flatten into an ordinary one.

import { type Catalog, isToOne } from '../catalog/catalog.ts';
import type { PlannedOrder, PlannedSelect, ReadNode, SpreadSelect } from '../plan/plan.ts';
import { outputName } from '../plan/plan-read.ts';
import { type Binder, column, ident, path, writeField, writeLogic, writeOrder, writeRange } from './fragments.ts';

/** What an answer may weigh while it is made; 0: as much as it likes. */
export interface ResponseLimits {
  readonly bytes: number;
  /** Rows of all embedded lists together. */
  readonly embeddedRows: number;
}

export interface SelectContext {
  readonly binder: Binder;
  readonly castTypes: ReadonlyMap<string, string>;
  readonly tables: Catalog['tables'];
  readonly maxRows: number | null;
  readonly limits: ResponseLimits;
  /** What is not answered as JSON shows embedded resources as jsonb prints them. */
  readonly asJsonb: boolean;
}

/** Names inside lateral joins that no column of the database will have. */
const MANY = '"_kb_many"';

/** `from` replaces the root's table: a CTE, or a function call. */
export function writeSelect(context: SelectContext, node: ReadNode, from: string | null = null): string {
  const { binder } = context;
  const rows = ident(node.rowAlias);
  const grouped = isGrouped(node);
  const selected: string[] = [];
  const joins: string[] = [];
  const groups: number[] = [];
  // json can be neither compared nor grouped.
  const asJsonb = grouped || context.asJsonb ? '::jsonb' : '';
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
    const toOne = child.relationship !== null && isToOne(child.relationship);
    const join = ident(child.joinAlias);
    if (child.spread === null && !toOne && !child.inner && !child.needsJoin && !grouped) {
      add(
        `coalesce((select ${writeList(context, join)}${asJsonb} from (${writeSelect(context, child)}) as ${join}), '[]') as ${ident(child.resultName)}`,
        false,
      );
      continue;
    }
    // What a spread gives is grouped by here, so nothing in it may be json.
    joins.push(writeJoin(grouped && child.spread !== null ? { ...context, asJsonb: true } : context, child, toOne));
    if (child.spread !== null)
      for (const one of child.spreadSelects)
        add(writeSpread(context, join, one, child.spread, asJsonb), one.aggregate === null);
    else if (!empty) {
      const value = toOne ? `row_to_json(${join}.*)${asJsonb}` : `coalesce(${join}.${MANY}${asJsonb}, '[]')`;
      add(`${value} as ${ident(child.resultName)}`, true);
    }
  }

  const conditions = [
    ...node.filters.map((filter) =>
      writeLogic(rows, filter, binder, ({ child, present }) => {
        const other = childOf(node, child);
        const toOne = other.relationship !== null && isToOne(other.relationship) && other.spread !== 'to-many';
        const join = ident(other.joinAlias);
        return `${toOne ? join : `${join}.${MANY}`} is ${present ? '' : 'not '}distinct from null`;
      }),
    ),
    ...joinConditions(node),
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

const childOf = (node: ReadNode, index: number): ReadNode => node.children[index] as ReadNode;

const orderName = (index: number): string => `_kb_order_${index}`;

export function isGrouped(node: ReadNode): boolean {
  return (
    node.select.some((one) => one.aggregate !== null) ||
    node.children.some((child) => child.spreadSelects.some((one) => one.aggregate !== null))
  );
}

/** Nothing of it is shown, at any depth. */
function isEmpty(node: ReadNode): boolean {
  return node.select.length === 0 && node.children.every(isEmpty);
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

function writeJoin(context: SelectContext, child: ReadNode, toOne: boolean): string {
  const join = ident(child.joinAlias);
  const kind = child.inner ? ' inner join lateral' : ' left join lateral';
  const inner = writeSelect(context, child);
  if (toOne) return `${kind} (${inner}) as ${join} on true`;
  const condition = child.inner ? `${join}.${MANY} is not null` : 'true';
  if (child.spread === null)
    return `${kind} (select ${writeList(context, join)} as ${MANY} from (${inner}) as ${join}) as ${join} on ${condition}`;
  const order = child.order.map(
    ({ direction, nulls }, index) =>
      `${join}.${ident(orderName(index))}${direction === null ? '' : ` ${direction}`}${nulls === null ? '' : ` nulls ${nulls}`}`,
  );
  const ordered = order.length === 0 ? '' : ` order by ${order.join(', ')}`;
  const arrays = child.spreadSelects.map(
    ({ name }) => `, coalesce(${writeList(context, column(join, name), ordered)}, '[]') as ${ident(name)}`,
  );
  return `${kind} (select ${writeList(context, join)} as ${MANY}${arrays.join('')} from (${inner}) as ${join}) as ${join} on ${condition}`;
}

/** Lists shorter than this are not counted: they are many, and a thousand of them are still little. */
const UNCOUNTED_BYTES = 1000;

/** The rows as a JSON list. One of some length is added to what the answer holds so far, which has an end. */
function writeList({ limits }: SelectContext, rows: string, order = ''): string {
  const list = `json_agg(${rows}${order})`;
  if (limits.bytes === 0 && limits.embeddedRows === 0) return list;
  const size = `pg_column_size(${list})`;
  const admitted = `data_door.admit_list(${size}, count(*), ${limits.bytes}, ${limits.embeddedRows})`;
  return `(case when (${size} > ${UNCOUNTED_BYTES}) is not true then ${list} when ${admitted} then ${list} end)`;
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
    ...node.filters.map((filter) =>
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
