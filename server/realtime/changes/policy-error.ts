// Tells errors of a policy from those of a database that had no time for the question.

import { PostgresError } from '../../database/types.ts';

/** Errors that say nothing of the policy: the database was busy, or gave up for other reasons. */
const passing = /^(08|40|53|55|57|58|XX)/;

/** A SELECT would fail in the same way: nothing is seen. */
export function isPolicyError(error: unknown): error is PostgresError {
  return error instanceof PostgresError && !passing.test(error.sqlstate);
}
