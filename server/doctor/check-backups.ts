// Checks that scheduled backups are on, and when the last one succeeded.

import type pg from 'pg';
import type { Config } from '../config/config.ts';
import { broken, type Finding, good, thought } from './finding.ts';

export async function checkBackups(client: pg.Client, { backup }: Config): Promise<Finding[]> {
  if (backup.schedule === null) return [thought('health.backups.off', 'health.backups.schedule')];
  const { rows: tables } = await client.query(`select where to_regclass('private.backups') is not null`);
  if (tables.length === 0) return [];
  const { rows } = await client.query<{ due: string; error: string | null; good: string | null }>(
    `select to_char(b.due_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI') as due, b.error,
       (select to_char(max(finished_at) at time zone 'UTC', 'YYYY-MM-DD HH24:MI') from private.backups where file is not null) as good
     from private.backups b where b.finished_at is not null order by b.due_at desc limit 1`,
  );
  const [last] = rows;
  if (last === undefined) return [good('health.backups.later', { schedule: backup.schedule })];
  if (last.error !== null)
    return [
      broken('health.backups.failed', 'health.backups.again', {
        due: last.due,
        error: last.error,
        good: last.good ?? 'none',
      }),
    ];
  return [good('health.backups.good', { due: last.due })];
}
