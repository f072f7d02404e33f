// Tells errors of a policy from those of a database that had no time for the question.

import { PostgresError } from '../../../database/types.ts';

/**
 * Errors that say nothing of the policy: the database was busy, or gave up for other reasons. An internal error (XX000) is the policy's: a plan that
 * was stale has been made anew by then, and one table's fault shall not hold up the changes of all others.
 */
const passing = /^(08|40|53|55|57|58|XX00[12])/;

/** A SELECT would fail in the same way: nothing is seen. */
export function isPolicyError(error: unknown): error is PostgresError {
  return error instanceof PostgresError && !passing.test(error.sqlstate);
}
