// The replica: does it answer, is it one, does this user get in as it does on the primary, and how far is it behind.

import pg from 'pg';
import type { Config } from '../config/config.ts';
import { connectionOptions } from '../database/connection-options.ts';
import { attempt, type Finding, good, thought } from './finding.ts';

/** Reads go to the primary while something is wrong with it: nothing here is worse than worth a thought. */
export async function checkReplica({ database: { replicaUrl } }: Config, primary: pg.Client): Promise<Finding[]> {
  if (replicaUrl === null) return [];
  const found = await attempt(
    'the replica cannot be reached',
    'Check DATABASE_REPLICA_URL; the primary answers all reads meanwhile.',
    () => look(replicaUrl, primary),
  );
  return found.map((one) => (one.state === 'broken' ? { ...one, state: 'thought' } : one));
}

async function look(url: string, primary: pg.Client): Promise<Finding[]> {
  const written = await primary.query<{ at: string }>('select pg_current_wal_flush_lsn()::text as at');
  const client = new pg.Client({ ...connectionOptions(url), connectionTimeoutMillis: 5000 });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<{ recovering: boolean; lag: string | null; slow: string | null }>(
      `select pg_is_in_recovery() as recovering,
              greatest($1::pg_lsn - pg_last_wal_replay_lsn(), 0)::text as lag,
              extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp())::int::text as slow`,
      [written.rows[0]?.at ?? '0/0'],
    );
    const { recovering = false, lag = null, slow = null } = rows[0] ?? {};
    if (!recovering)
      return [
        thought(
          'the server at DATABASE_REPLICA_URL is no replica, so the primary answers all reads',
          'Let it lead to a server that follows the primary.',
        ),
      ];
    if (Number(lag) > 16 * 2 ** 20)
      return [
        thought(
          `the replica is ${Math.round(Number(lag) / 2 ** 20)} MB behind (its last transaction is of ${slow ?? '?'} s ago), so the primary answers reads`,
          'Look at pg_stat_replication on the primary, and at the log of the replica.',
        ),
      ];
    return [good(`the replica follows, ${lag ?? 0} bytes behind`)];
  } finally {
    await client.end();
  }
}
