// Third stage's product: the statement, and where in its one row the parts of the answer are.

import type { Statement } from '../../database/types.ts';

/** Places of columns in the result row; absent where the query does not ask. */
export interface Layout {
  readonly rows: number;
  readonly body: number;
  readonly headers: number;
  readonly status: number;
  readonly total?: number;
  readonly inserted?: number;
  readonly location?: number;
}

/** The same, row by row, of a query that turned out long; undefined where it cannot be. */
export function streamedFrom(query: Query): Query | undefined {
  const { streamedText, statement, whenLarge } = query;
  if (streamedText === undefined) return whenLarge?.();
  return { ...query, streams: true, statement: { ...statement, text: streamedText } };
}

export interface Query {
  readonly statement: Statement;
  readonly layout: Layout;
  readonly readOnly: boolean;
  /** Asks the planner how many rows there are, beside the statement. */
  readonly estimate?: Statement;
  /** The result may be long: the statement answers its rows one by one, as `write-stream.ts` tells. */
  readonly streams?: boolean;
  /** A read that fails with `TOO_LARGE` is asked for once more with this text, and streams then. */
  readonly streamedText?: string;
  /** A write that fails with `TOO_LARGE` when its answer is too long to be held: this is how it is done then. */
  readonly whenLarge?: () => Query;
  /** The statement explains instead of running: its rows are the plan. */
  readonly explains: boolean;
}
