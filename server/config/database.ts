// Settings of the database: its address, connections and limits.

import { choice, flag, optionalText, whole } from './setting.ts';

export const databaseSettings = {
  url: optionalText('DATABASE_URL', {
    meaning: 'Your own Postgres (15 to 18).',
    fallbackText: 'an embedded Postgres in the data directory',
    secret: true,
  }),
  directUrl: optionalText('DATABASE_DIRECT_URL', {
    meaning: 'Address that bypasses the pooler, for listening, replication and migrations.',
    fallbackText: 'DATABASE_URL',
    secret: true,
  }),
  replicaUrl: optionalText('DATABASE_REPLICA_URL', {
    meaning:
      'Address of a replica, or of a balancer for several: reads may go there, and still show everything confirmed before.',
    fallbackText: 'none: the primary answers all',
    secret: true,
  }),
  replicaReads: choice('DATABASE_REPLICA_READS', ['asked', 'all'], {
    meaning: 'Reads of /rest/v1 that go to the replica: those that ask (Prefer: read=replica), or all.',
    fallback: 'asked',
  }),
  replicaWaitMs: whole(
    'DATABASE_REPLICA_WAIT_MS',
    { min: 0, max: 10_000 },
    {
      meaning: 'How long a read waits for a replica that is behind.',
      fallback: 100,
    },
  ),
  poolSize: whole(
    'DB_POOL_SIZE',
    { min: 1, max: 500 },
    { meaning: 'Connections to Postgres; several WORKERS share them, three each at least.', fallback: 10 },
  ),
  queueLimit: whole(
    'DB_QUEUE_LIMIT',
    { min: 0, max: 100_000 },
    {
      meaning: 'Requests that may wait for a connection; then 503.',
      fallback: 1000,
    },
  ),
  preparedStatements: flag('DB_PREPARED_STATEMENTS', {
    meaning: 'Named prepared statements; off for transaction poolers that don’t track them.',
    fallback: true,
  }),
  preparedBytes: whole(
    'DB_PREPARED_BYTES',
    { min: 16_384, max: 67_108_864 },
    {
      meaning:
        'Text of prepared statements a connection keeps; Postgres needs some fifty times as much memory for them.',
      fallback: 262_144,
    },
  ),
  connectionLifeMs: whole(
    'DB_CONNECTION_LIFE_MS',
    { min: 0, max: 86_400_000 },
    {
      meaning: 'Age at which a connection is replaced, to free Postgres’ memory; 0: never.',
      fallback: 1_800_000,
    },
  ),
  callerConnections: whole(
    'DB_CALLER_CONNECTIONS',
    { min: 0, max: 500 },
    {
      meaning: 'Connections that one caller’s slow statements may hold at once.',
      fallback: 0,
      fallbackText: 'half of DB_POOL_SIZE',
    },
  ),
  anonTimeoutMs: whole(
    'DB_ANON_TIMEOUT_MS',
    { min: 0, max: 3_600_000 },
    {
      meaning: 'Statement timeout of the role anon; at /rest/v1, alter role wins.',
      fallback: 3000,
    },
  ),
  authenticatedTimeoutMs: whole(
    'DB_AUTHENTICATED_TIMEOUT_MS',
    { min: 0, max: 3_600_000 },
    {
      meaning: 'Statement timeout of the role authenticated; at /rest/v1, alter role wins.',
      fallback: 8000,
    },
  ),
  migrationsDir: optionalText('MIGRATIONS_DIR', {
    meaning: 'A directory of your own SQL migrations, applied after ours.',
  }),
} as const;
