// Shapes of reads whose answer was long the last time: they are asked for row by row at once, so that Postgres does not put
// a long text together only to find that it is one.

import type { Query } from './query/query.ts';

const mostShapes = 1000;
const longBytes = 4 * 1024 * 1024;

export class LargeAnswers {
  readonly #texts = new Set<string>();

  has({ readOnly, statement }: Query): boolean {
    return readOnly && this.#texts.has(statement.text);
  }

  note({ readOnly, streams, statement }: Query, bytes: number): void {
    if (!readOnly || streams === true) return;
    if (bytes < longBytes / 2) this.#texts.delete(statement.text);
    else if (this.#texts.size < mostShapes) this.#texts.add(statement.text);
  }
}
