// A read whose result may be of any length. Postgres keeps the rows as JSON text, on disk if there are many, tells first
// how many there are and how long they are together, and then hands them over one by one: memory here stays small
// and the answer still has its Content-Range and Content-Length.

import type { ReadPlan } from '../plan/plan.ts';

const ROWS = '"_kb_rows"';

/** Places in the first row; every further row has a line of the body in its first column and nothing else. */
export const STREAM_LAYOUT = { rows: 0, body: 5, headers: 2, status: 3, bytes: 1, total: 4 } as const;

/** `select` gives the rows, `total` counts those there would be without a range. */
export function writeStream(
  select: string,
  total: string | undefined,
  settings: { headers: string; status: string },
): string {
  return [
    `with ${ROWS} as materialized (select row_to_json("_kb_t")::text as line from (${select}) as "_kb_t")`,
    ` select count(*)::text, coalesce(sum(octet_length(line)), 0)::text, ${settings.headers}, ${settings.status}, `,
    `${total === undefined ? 'null' : total === 'count(*)' ? 'count(*)::text' : `${total}::text`} from ${ROWS}`,
    ` union all select line, null, null, null, null from ${ROWS}`,
  ].join('');
}

/** More rows than this are not held in memory. */
const HELD_ROWS = 5_000;

/** Whether the result may be long: no limit that is small, and no filter on the whole primary key. */
export function mayBeLong(plan: ReadPlan, primaryKey: readonly string[]): boolean {
  const { limit } = plan.read.range;
  if (plan.handler.kind !== 'json' || plan.headersOnly || plan.mediaType.kind !== 'json') return false;
  if (limit !== null && limit <= HELD_ROWS) return false;
  const fixed = new Set(
    plan.read.filters.flatMap((filter) =>
      filter.kind === 'filter' &&
      !filter.negated &&
      filter.operation.kind === 'quantified' &&
      filter.operation.operator === 'eq' &&
      filter.operation.quantifier === null
        ? [filter.field.name]
        : [],
    ),
  );
  return primaryKey.length === 0 || !primaryKey.every((name) => fixed.has(name));
}
