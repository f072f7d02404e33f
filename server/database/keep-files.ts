// While somebody reads many files, as a backup does, nobody removes any: readers hold a lock together, and whoever removes wants it alone or leaves it to
// a later round. It is a lock of the database, so it holds for all nodes, and ends with the connection of whoever held it.

const lockNumber = '7003110577';

/** For a transaction that is open as long as files are read. */
export const keepFiles = `select pg_advisory_xact_lock_shared(${lockNumber})`;
/** For a transaction that removes some: false while somebody reads, or another node removes. */
export const mayRemoveFiles = `select pg_try_advisory_xact_lock(${lockNumber}) as is_free`;
