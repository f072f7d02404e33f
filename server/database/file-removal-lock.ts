// Lock against removing files while many are read, as in a backup. Readers share it; removing takes it alone or waits for a later round. It is a
// lock in the database: it holds for all nodes and ends with its holder's connection.

const lockNumber = '7003110577';

/** For a transaction that is open as long as files are read. */
export const lockFileRemoval = `select pg_advisory_xact_lock_shared(${lockNumber})`;
/** For a transaction that removes some: false while somebody reads, or another node removes. */
export const mayRemoveFiles = `select pg_try_advisory_xact_lock(${lockNumber}) as is_free`;
