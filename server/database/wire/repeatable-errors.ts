// Errors after which the same statement may well succeed: its plan is older than the schema, or it lost to another
// transaction. Nothing of it was kept. Pure.

import type { PostgresError } from '../types.ts';

/**
 * A plan went stale through a schema change, also one that came while a function ran that answers rows of the changed table; or a pooler moved us
 * to a server that knows the statement not, or already.
 */
export function isStalePlan(error: PostgresError): boolean {
  const { sqlstate, fields } = error;
  if (sqlstate === '26000' || sqlstate === '42P05') return true;
  return (
    (sqlstate === '0A000' && fields.routine === 'RevalidateCachedQuery') ||
    (sqlstate === '42804' && staleRows.has(fields.routine ?? '')) ||
    namesDropped(error)
  );
}

/** Where Postgres notices that rows are not of the type that was planned with. */
const staleRows = new Set(['tupledesc_match', 'CheckVarSlotCompatibility']);

/**
 * A plan, or a function that was compiled before, names by its number what was dropped and perhaps made anew under the same name. Postgres follows
 * types by number no further than that; these words of it are in no other language.
 */
export function namesDropped({ sqlstate, message, fields: { routine } }: PostgresError): boolean {
  if (routine === 'exec_stmt_raise') return false;
  if (sqlstate === 'XX000')
    return /^(cache lookup failed for|could not open relation with OID|function in FROM has unsupported) /.test(
      message,
    );
  if (sqlstate === '42704') return routine === 'lookup_type_cache';
  return sqlstate === '22P02' && routine === 'enum_in' && message.includes('???');
}

/**
 * What Postgres may say of a statement that it plans anew with the types its values had before: that they do not go with what is there now. What the
 * caller may not do it says again and again.
 */
export function doubtsTypes({ sqlstate }: PostgresError): boolean {
  return sqlstate.startsWith('42') && sqlstate !== '42501';
}

/** A deadlock or a conflict of serializable transactions: nothing was kept, and the same may well succeed soon. */
export function lostToOthers({ sqlstate }: PostgresError): boolean {
  return sqlstate === '40P01' || sqlstate === '40001';
}
