// Settings of the embedded Postgres: those the service relies on go on the command line of every start, tunable ones into postgresql.conf
// once, when the cluster is created.

import { totalmem } from 'node:os';

/** What must hold whatever the files say. */
export function fixedSettings(sockets: string, fast: boolean): Record<string, string> {
  return {
    listen_addresses: '',
    unix_socket_directories: sockets,
    unix_socket_permissions: '0700',
    wal_level: 'logical',
    max_replication_slots: '80',
    max_wal_senders: '80',
    // A slot that nobody reads any more must not fill the disk.
    max_slot_wal_keep_size: '1GB',
    logging_collector: 'off',
    log_destination: 'stderr',
    log_line_prefix: '',
    // Errors of statements go to whoever sent them; in the log they would carry people's data.
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_checkpoints: 'off',
    lc_messages: 'C',
    ...(fast
      ? {
          fsync: 'off',
          synchronous_commit: 'off',
          full_page_writes: 'off',
          autovacuum: 'off',
          file_copy_method: 'clone',
        }
      : { fsync: 'on', full_page_writes: 'on' }),
  };
}

/** Lines for the end of a new postgresql.conf. */
export function tunableSettings(memory = availableMemory()): string {
  const mb = Math.floor(memory / 2 ** 20);
  const within = (value: number, least: number, most: number): number =>
    Math.round(Math.min(most, Math.max(least, value)));
  return `
# Written by Kanbase when it made this cluster, for a machine with ${mb} MB of memory that also runs the server.
# Change what you like; a restart of Kanbase applies it.
shared_buffers = ${within(mb / 8, 32, 1024)}MB
effective_cache_size = ${within(mb / 2, 128, 65_536)}MB
work_mem = ${within(mb / 256, 4, 32)}MB
maintenance_work_mem = ${within(mb / 32, 32, 512)}MB
max_connections = 100
max_wal_size = 1GB
min_wal_size = 80MB
random_page_cost = 1.1
# Statements are short: compiling them, or sharing them among processes, costs more than it saves.
jit = off
max_parallel_workers_per_gather = 0
idle_in_transaction_session_timeout = 60s
timezone = 'UTC'
log_timezone = 'UTC'
`;
}

function availableMemory(): number {
  const limit = process.constrainedMemory?.() ?? 0;
  // Without a limit the call answers 0 or an absurdly large number.
  return limit > 0 && limit < totalmem() ? limit : totalmem();
}
