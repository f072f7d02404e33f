// What a write is told that met a replica: for a moment after another server became the primary, the way there may still lead to
// the old one, which refuses all writes as if whoever asked were at fault. Nothing of it was kept: it may be tried again.

import { unreachable } from './errors.ts';
import { PostgresError } from './types.ts';

const readOnlyTransaction = '25006';
/** Connections may lead to several servers, so that another one than the one that refused is asked. */
const rememberMs = 10_000;

export class MovedPrimary {
  readonly #isReplica: () => Promise<string>;
  #seenAt = Number.NEGATIVE_INFINITY;

  /** `isReplica` answers `t` or `f`. */
  constructor(isReplica: () => Promise<string>) {
    this.#isReplica = isReplica;
  }

  /** The error to tell, which is the same for all that has another reason. */
  async explain(error: unknown): Promise<unknown> {
    if (!(error instanceof PostgresError) || error.sqlstate !== readOnlyTransaction) return error;
    const asked = performance.now();
    // One that cannot be asked is on its way, too.
    if ((await this.#isReplica().catch(() => 't')) === 't') this.#seenAt = asked;
    if (asked - this.#seenAt > rememberMs) return error;
    return unreachable(error, 'The database is a replica at the moment; its primary is looked for');
  }
}
