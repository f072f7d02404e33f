// Error for a connection that reached a replica instead of the primary: shortly after a failover the route may still lead to the old
// primary, which refuses writes as if the caller were at fault. Nothing was written; the client may retry.

import { unreachable } from './errors.ts';
import { PostgresError, type RunOptions } from './types.ts';

const readOnlyTransaction = '25006';
/** In the error that a read of the primary gets from a replica (settings-writer.ts). */
export const replicaAnswers = 'a replica answers in the place of the primary';
const moved = 'The database is a replica at the moment; its primary is looked for';
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
  async explain(error: unknown, options?: RunOptions): Promise<unknown> {
    if (!(error instanceof PostgresError)) return error;
    if (error.message.includes(replicaAnswers)) return unreachable(error, moved);
    // What only reads and yet writes has itself to blame.
    if (error.sqlstate !== readOnlyTransaction || options?.readOnly === true) return error;
    const asked = performance.now();
    // One that cannot be asked is on its way, too.
    if ((await this.#isReplica().catch(() => 't')) === 't') this.#seenAt = asked;
    if (asked - this.#seenAt > rememberMs) return error;
    return unreachable(error, moved);
  }
}
