// The replica: does it answer, is it one, does this user get in as it does on the primary, and how far is it behind.

import pg from 'pg';
import type { Config } from '../config/config.ts';
import { connectionOptions } from '../database/connection-options.ts';
import { attempt, type Finding, good, thought } from './finding.ts';

/** Reads go to the primary while something is wrong with it: nothing here is worse than worth a thought. */
export async function checkReplica({ database: { replicaUrl } }: Config, primary: pg.Client): Promise<Finding[]> {
  if (replicaUrl === null) return [];
  return attempt(
    () => look(replicaUrl, primary),
    (reason) => thought('health.replica.unreachable', 'health.replica.check', { reason }),
  );
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
    if (!recovering) return [thought('health.replica.none', 'health.replica.lead')];
    if (Number(lag) > 16 * 2 ** 20)
      return [
        thought('health.replica.behind', 'health.replica.look', {
          megabytes: Math.round(Number(lag) / 2 ** 20),
          seconds: slow ?? '?',
        }),
      ];
    return [good('health.replica.good', { bytes: Number(lag) })];
  } finally {
    await client.end();
  }
}
