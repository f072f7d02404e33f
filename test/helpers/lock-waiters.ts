// Statements that wait for an advisory lock: of this database alone, since others of the same Postgres lock the same numbers.

/** A query with one row for each. */
export const waitersFor = (lock: number): string =>
  `select from pg_locks l join pg_database d on d.oid = l.database
    where l.locktype = 'advisory' and l.objid = ${lock} and not l.granted and d.datname = current_database()`;
