// Third stage: SQL from a plan. Every query answers one row whose columns `Layout` names; an explained one answers
// the plan. Text depends on the shape of the request only.

import type { Statement } from '../../database/types.ts';
import { type Catalog, findTable } from '../catalog/catalog.ts';
import type { CallPlan, Handler, ReadNode, ReadPlan, WritePlan } from '../plan/plan.ts';
import type { RowRange } from '../request/api-request.ts';
import type { MediaType } from '../request/media-types.ts';
import type { Preferences } from '../request/parse-preferences.ts';
import { Binder, ident, literal, path } from './fragments.ts';
import type { Layout, Query } from './query.ts';
import { writeCall, writeCallSource } from './write-call.ts';
import type { ResponseLimits } from './write-lists.ts';
import { writeMutation } from './write-mutation.ts';
import { type SelectContext, writeCountable, writeSelect } from './write-select.ts';
import { mayBeLong, STREAM_INSERTED, STREAM_LAYOUT, writeStream } from './write-stream.ts';

export interface QueryNeeds {
  readonly catalog: Catalog;
  readonly preferences: Preferences;
  /** The root's range as asked for, before the service's own limit. */
  readonly range: RowRange;
  readonly maxRows: number | null;
  readonly limits: ResponseLimits;
  /** No policy narrows what the caller sees. */
  readonly seesAll: boolean;
}

/** Rows about to become the body. */
const ROWS = '"_kb_t"';
const SOURCE = '"_kb_source"';

const HEADERS = `nullif(current_setting('response.headers', true), '')`;
const STATUS = `nullif(current_setting('response.status', true), '')`;

export function writeQuery(plan: ReadPlan | WritePlan | CallPlan, needs: QueryNeeds): Query {
  const binder = new Binder();
  const context: SelectContext = {
    binder,
    castTypes: needs.catalog.castTypes,
    tables: needs.catalog.tables,
    limits: needs.limits,
    maxRows: needs.maxRows,
    asJsonb: plan.handler.kind === 'csv' || plan.handler.kind === 'custom',
  };
  switch (plan.kind) {
    case 'read':
      return writeRead(plan, context, needs);
    case 'write':
      return writeWrite(plan, context, needs);
    case 'call':
      return writeCallQuery(plan, context, needs);
  }
}

const finished = (text: string, binder: Binder, mediaType: MediaType): Statement => ({
  text: mediaType.kind === 'plan' ? `${explain(mediaType)} ${text}` : text,
  values: binder.values,
});

function explain(type: Extract<MediaType, { kind: 'plan' }>): string {
  return `explain (format ${[type.format, ...type.options].join(', ')})`;
}

interface Columns {
  readonly text: string;
  readonly layout: Layout;
}

/** Columns of the answer row, in a fixed order; the optional ones last. */
function columns(
  rows: string,
  body: string,
  extra: Readonly<Partial<Record<'total' | 'inserted' | 'location', string>>>,
  check = '',
): Columns {
  const names = (['total', 'inserted', 'location'] as const).filter((name) => extra[name] !== undefined);
  const layout = Object.fromEntries(names.map((name, index) => [name, 4 + index]));
  const optional = names.map((name) => `, ${extra[name] ?? 'null'}`).join('');
  return {
    text: `${rows}, ${body}, ${HEADERS}, ${STATUS}${optional}${check}`,
    layout: { rows: 0, body: 1, headers: 2, status: 3, ...layout },
  };
}

const countsExactly = ({ count }: Preferences): boolean => count === 'exact' || count === 'estimated';
const countsByPlan = ({ count }: Preferences): boolean => count === 'planned' || count === 'estimated';

/**
 * The planner's guess starts from all rows there are, so it would tell how many others have wherever policies or a view
 * narrow what the caller sees: there the rows are counted.
 */
function isNarrowed(node: ReadNode, catalog: Catalog): boolean {
  const { schema, name } = node.from;
  const open = findTable(catalog, schema, name)?.isOpen ?? false;
  return !open || node.relationship?.kind === 'computed' || node.children.some((child) => isNarrowed(child, catalog));
}

function countFor(plan: ReadPlan, { preferences, catalog, seesAll }: QueryNeeds): Preferences['count'] {
  return countsByPlan(preferences) && !seesAll && isNarrowed(plan.read, catalog) ? 'exact' : preferences.count;
}

function writeRead(plan: ReadPlan, context: SelectContext, needs: QueryNeeds): Query {
  const { range, maxRows } = needs;
  const preferences = { ...needs.preferences, count: countFor(plan, needs) };
  const ranged = maxRows !== null || range.limit !== null || range.offset !== 0;
  let total: string | undefined;
  if (countsExactly(preferences)) {
    const upTo = preferences.count === 'estimated' && maxRows !== null ? ` limit ${maxRows + 1}` : '';
    total = ranged ? `(select count(*) from (${writeCountable(context, plan.read)}${upTo}) _kb_c)` : 'count(*)';
  }
  const select = writeSelect(context, plan.read);
  const streams = mayBeLong(plan, findTable(needs.catalog, plan.name.schema, plan.name.name)?.primaryKey ?? []);
  /** A list that turns out long is asked for once more, row by row. */
  const maySwitch = !streams && isPlainList(plan) && (needs.limits.bytes === 0 || needs.limits.bytes > HELD_BYTES);
  const weighed = maySwitch ? switchWhenLarge : weigh(plan, null, needs.limits);
  const { text, layout } = columns('count(*)', body(plan.handler, null), { total }, weighed);
  const source =
    plan.handler.kind === 'csv'
      ? `with ${CSV_ROWS} as (${select}) select ${text} from ${CSV_ROWS} as ${ROWS}`
      : `select ${text} from (${select}) as ${ROWS}`;
  const streamed =
    streams || maySwitch
      ? writeStream({ select, line: `row_to_json(${ROWS})`, rows: ROWS, total, headers: HEADERS, status: STATUS })
      : undefined;
  const query: Query = {
    statement: finished(streams ? (streamed ?? source) : source, context.binder, plan.mediaType),
    layout,
    streams,
    readOnly: true,
    ...(maySwitch && streamed !== undefined && { streamedText: streamed }),
    explains: plan.mediaType.kind === 'plan',
  };
  if (!countsByPlan(preferences)) return query;
  const counting = { ...context, binder: new Binder() };
  const countable = writeCountable(counting, plan.read);
  return { ...query, estimate: { text: `explain (format json) ${countable}`, values: counting.binder.values } };
}

function writeWrite(plan: WritePlan, context: SelectContext, needs: QueryNeeds, large = false): Query {
  const { preferences } = needs;
  const { binder } = context;
  const mutation = writeMutation(plan, binder);
  const shaped = plan.handler.kind !== 'none';
  const select = shaped
    ? writeSelect(context, plan.read, `${SOURCE} as ${ident(plan.read.rowAlias)}`)
    : `select * from ${SOURCE}`;
  const merges = plan.mutation === 'upsert-one' || preferences.resolution === 'merge-duplicates';
  const inserted =
    merges && (plan.mutation === 'insert' || plan.mutation === 'upsert-one')
      ? `nullif(current_setting('kanbase.inserted', true), '')`
      : undefined;
  const limit = plan.mutation === 'insert' ? null : maxAffected(preferences);
  const list = plan.handler.kind === 'json' && plan.mediaType.kind === 'json';
  if (large) {
    const before = `${SOURCE} as (${mutation}), `;
    const checked = check(null, limit);
    const parts = {
      before,
      select,
      line: `row_to_json(${ROWS})`,
      rows: ROWS,
      total: undefined,
      inserted,
      check: checked,
    };
    return {
      statement: finished(writeStream({ ...parts, headers: HEADERS, status: STATUS }), binder, plan.mediaType),
      layout: { ...STREAM_LAYOUT, ...(inserted !== undefined && { inserted: STREAM_INSERTED }) },
      readOnly: false,
      explains: false,
    };
  }
  const { text, layout } = columns(
    'count(*)',
    body(plan.handler, null),
    {
      inserted,
      location:
        plan.mutation === 'insert' && preferences.representation === 'headers-only'
          ? location(plan.table.primaryKey)
          : undefined,
    },
    check(plan.mutation === 'upsert-one' ? null : plan.mediaType, limit, list),
  );
  const rows =
    plan.handler.kind === 'csv'
      ? `, ${CSV_ROWS} as (${select}) select ${text} from ${CSV_ROWS} as ${ROWS}`
      : ` select ${text} from (${select}) as ${ROWS}`;
  return {
    statement: finished(`with ${SOURCE} as (${mutation})${rows}`, binder, plan.mediaType),
    layout,
    readOnly: false,
    ...(list && { whenLarge: () => writeWrite(plan, { ...context, binder: new Binder() }, needs, true) }),
    explains: plan.mediaType.kind === 'plan',
  };
}

function writeCallQuery(plan: CallPlan, context: SelectContext, needs: QueryNeeds): Query {
  const { preferences, range, maxRows } = needs;
  const { routine } = plan;
  const { binder } = context;
  const alias = ident(plan.read.rowAlias);
  const ranged = maxRows !== null || range.limit !== null || range.offset !== 0;
  const counts = countsExactly(preferences) && ranged;
  const rows = routine.returnsSet ? 'count(*)' : '1';
  const total = countsExactly(preferences) ? (counts ? `(select count(*) from _kb_count)` : rows) : undefined;
  const { text, layout } = columns(
    rows,
    body(plan.handler, plan),
    { total },
    check(plan.mediaType, maxAffected(preferences)) + weigh(plan, plan, needs.limits),
  );
  const streams = mayBeLong(plan, []);
  // Counted, the result is read twice, so it is kept; otherwise Postgres may fold the function into the query.
  let before = '';
  let select: string;
  if (counts) {
    const source = writeCall(plan, binder);
    const countable = writeCountable(context, plan.read, `${SOURCE} as ${alias}`);
    select = writeSelect(context, plan.read, `${SOURCE} as ${alias}`);
    before = `${SOURCE} as (${source}), _kb_count as (${countable})`;
  } else select = writeSelect(context, plan.read, writeCallSource(plan, binder, alias));
  const line = routine.returnsComposite ? `row_to_json(${ROWS})` : `coalesce(to_json(${ROWS}."pgrst_scalar"), 'null')`;
  const streamed = { before: before === '' ? '' : `${before}, `, select, line, rows: ROWS, total };
  const statement = streams
    ? writeStream({ ...streamed, headers: HEADERS, status: STATUS })
    : `${before === '' ? '' : `with ${before} `}select ${text} from (${select}) as ${ROWS}`;
  return {
    statement: finished(statement, binder, plan.mediaType),
    layout,
    readOnly: plan.readOnly,
    streams,
    explains: plan.mediaType.kind === 'plan',
  };
}

/** Where `csv` finds its header: the same rows once more. */
const CSV_ROWS = '"_kb_csv"';

function body(handler: Handler, call: CallPlan | null): string {
  const composite = call?.routine.returnsComposite ?? true;
  const set = call?.routine.returnsSet ?? true;
  const value = composite ? ROWS : `${ROWS}."pgrst_scalar"`;
  const one = (stripped: boolean): string => {
    const aggregated = stripped ? `json_strip_nulls(json_agg(${value})->0)` : `json_agg(${value})->0`;
    return `coalesce(${aggregated}, 'null')`;
  };
  const many = (stripped: boolean): string => {
    if (!set) return one(stripped);
    const aggregated = `json_agg(${value})`;
    return `coalesce(${stripped ? `json_strip_nulls(${aggregated})` : aggregated}, '[]')`;
  };
  switch (handler.kind) {
    case 'none':
      return 'null';
    case 'json':
      return many(false);
    case 'stripped-json':
      return many(true);
    case 'object':
      return one(handler.stripped);
    case 'geojson':
      return `json_build_object('type', 'FeatureCollection', 'features', coalesce(json_agg(${path(handler.function)}(${ROWS})::json), '[]'))`;
    case 'csv':
      return call === null ? csv() : csvOfCall();
    case 'custom': {
      const target = composite && handler.target !== null ? `${value}::${path(handler.target)}` : value;
      return `${path(handler.function)}(${target})`;
    }
  }
}

/** Ends a read whose answer is too large, before it is sent. A streamed one is weighed when it is there. */
function weigh({ handler }: ReadPlan | CallPlan, call: CallPlan | null, { bytes }: ResponseLimits): string {
  if (bytes === 0 || handler.kind === 'none' || handler.kind === 'custom' || handler.kind === 'geojson') return '';
  const value = (call?.routine.returnsComposite ?? true) ? ROWS : `${ROWS}."pgrst_scalar"`;
  const size = `pg_column_size(${handler.kind === 'csv' ? CSV_LINES : `json_agg(${value})`})`;
  return `, case when ${size} > ${bytes} then data_door.admit_list(${size}, 0, ${bytes}, 0) end`;
}

const CSV_LINES = `coalesce(string_agg(substring(${ROWS}::text, 2, length(${ROWS}::text) - 2), E'\\n'), '')`;

function csv(): string {
  return `(select coalesce(string_agg(k, ','), '') from (select json_object_keys(row_to_json(r)) as k from (select * from ${CSV_ROWS} limit 1) r) h) || E'\\n' || ${CSV_LINES}`;
}

/** Without a second look at the rows, the header comes from the first of them. */
function csvOfCall(): string {
  return `(select coalesce(string_agg(k, ','), '') from json_object_keys(json_agg(${ROWS})->0) k) || E'\\n' || ${CSV_LINES}`;
}

/** `key=eq.value` for each primary key column, when exactly one row was made. */
function location(primaryKey: readonly string[]): string {
  if (primaryKey.length === 0) return 'null';
  const pairs = primaryKey.map((name) => {
    const value = `json_agg(${ROWS})->0->>${literal(name)}`;
    return `${literal(name)}, coalesce('eq.' || (${value}), 'is.null')`;
  });
  return `case when count(*) = 1 then json_build_object(${pairs.join(', ')}) end`;
}

const maxAffected = ({ maxAffected: limit, handling }: Preferences): number | null =>
  handling === 'strict' ? limit : null;

/** An answer longer than this is not held in memory. */
const HELD_BYTES = 4 * 1024 * 1024;

const isPlainList = ({ handler, mediaType, headersOnly }: ReadPlan): boolean =>
  handler.kind === 'json' && mediaType.kind === 'json' && !headersOnly;

/** SQLSTATEs of results that must not stand; `sql/rules/data/answer-limits.sql` raises them, `respond/errors.ts` reads them. */
export const NOT_ONE = 'KBD01';
export const TOO_MANY = 'KBD02';
export const TOO_LARGE = 'KBD03';
/** The same of embedded lists, and of answers as a whole: `sql/rules/data/answer-limits.sql`. */
export const TOO_MANY_BYTES = 'KBD04';
export const TOO_MANY_ROWS = 'KBD05';

/** A result that must not stand undoes itself: the error takes the transaction with it, in the same round trip. */
function check(mediaType: MediaType | null, limit: number | null, list = false): string {
  const singular = mediaType?.kind === 'object' ? `when count(*) <> 1 then ${refusal(NOT_ONE)}` : '';
  const affected = limit === null ? '' : `when count(*) > ${Math.trunc(limit)} then ${refusal(TOO_MANY)}`;
  const large = list ? `when octet_length(json_agg(${ROWS})::text) > ${HELD_BYTES} then ${refusal(TOO_LARGE)}` : '';
  const cases = [singular, affected, large].filter((one) => one !== '');
  return cases.length === 0 ? '' : `, case ${cases.join(' ')} end`;
}

const switchWhenLarge = `, case when pg_column_size(json_agg(${ROWS})) > ${HELD_BYTES} then data_door.refuse_result('${TOO_LARGE}', count(*)) end`;

const refusal = (sqlstate: string): string => `data_door.refuse_result('${sqlstate}', count(*))`;
