// A read whose result may be of any length. Postgres keeps the rows as JSON text, on disk if there are many, tells first
// how many there are and how long they are together, and then hands them over one by one: memory here stays small
// and the answer still has its Content-Range and Content-Length.

import type { CallPlan, PlannedLogic, ReadPlan } from '../plan/plan.ts';

const ROWS = '"_kb_rows"';

/** Places in the first row; every further row has a line of the body in its first column and nothing else. */
export const STREAM_LAYOUT = { rows: 0, body: 6, headers: 2, status: 3, bytes: 1, total: 4 } as const;
/** Where a write that merges says how many rows were new. */
export const STREAM_INSERTED = 5;

export interface StreamParts {
  /** CTEs the select stands on, if any, with a comma after them. */
  readonly before?: string;
  readonly select: string;
  /** JSON of one row, which is called `rows`. */
  readonly line: string;
  readonly rows: string;
  /** Counts the rows there would be without a range. */
  readonly total: string | undefined;
  readonly headers: string;
  readonly status: string;
  /** Of a write: how many rows were new, and what must not be. */
  readonly inserted?: string;
  readonly check?: string;
}

export function writeStream(parts: StreamParts): string {
  const { before = '', select, line, rows, total, headers, status, inserted, check } = parts;
  const counted = total === undefined ? 'null' : `${total}::text`;
  return [
    `with ${before}${ROWS} as materialized (select ${line}::text as line from (${select}) as ${rows})`,
    ` select count(*)::text, coalesce(sum(octet_length(line)), 0)::text, ${headers}, ${status}, ${counted}${inserted === undefined ? '' : `, ${inserted}`}${check ?? ''} from ${ROWS}`,
    ` union all select line, null, null, null, null${inserted === undefined ? '' : ', null'}${check === undefined || check === '' ? '' : ', null'} from ${ROWS}`,
  ].join('');
}

/** More rows than this are not held in memory. */
const HELD_ROWS = 5_000;

/** Whether the result may be long: a set without a small limit, and no filter on the whole primary key. */
export function mayBeLong(plan: ReadPlan | CallPlan, primaryKey: readonly string[]): boolean {
  const { limit } = plan.read.range;
  if (plan.handler.kind !== 'json' || plan.headersOnly || plan.mediaType.kind !== 'json') return false;
  if (limit !== null && limit <= HELD_ROWS) return false;
  // What writes answers when it is done.
  if (plan.kind === 'call') return plan.readOnly && plan.routine.returnsSet;
  const fixed = new Set(plan.read.filters.flatMap(fixedColumn));
  return primaryKey.length === 0 || !primaryKey.every((name) => fixed.has(name));
}

function fixedColumn(filter: PlannedLogic): string[] {
  if (filter.kind !== 'filter' || filter.negated || filter.operation.kind !== 'quantified') return [];
  const { operator, quantifier } = filter.operation;
  return operator === 'eq' && quantifier === null ? [filter.field.name] : [];
}
