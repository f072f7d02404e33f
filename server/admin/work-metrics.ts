// Tells at /metrics of the work beside requests: what waits and what failed, jobs, and room on its disks. One look
// into the database serves all figures of a scrape; a database that does not answer leaves them out and holds up no other.

import { statfs } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Config } from '../config/config.ts';
import { roomRoles } from '../database/room-roles.ts';
import { sql, statement } from '../database/sql.ts';
import type { Services } from '../services.ts';

interface Row {
  readonly name: string;
  readonly label: string | null;
  readonly value: number;
}

const timeoutMs = 1500;
/** One scrape asks for all of them at once. */
const cacheMs = 1000;

export function workMetrics({ config, database, metrics }: Pick<Services, 'config' | 'database' | 'metrics'>): void {
  let looked: { readonly at: number; readonly rows: Promise<readonly Row[]> } | null = null;
  const look = (): Promise<readonly Row[]> => {
    if (looked === null || performance.now() - looked.at > cacheMs) {
      const rows = database.objectsAs<Row>(
        roomRoles.admin,
        statement(sql`select name, label, value from private.work_figures()`),
      );
      looked = { at: performance.now(), rows: inTime(rows) };
      looked.rows.catch(() => undefined);
    }
    return looked.rows;
  };
  /** Of values that are known beforehand also those of which there are none. */
  const byLabel =
    (name: string, known: readonly string[] = []) =>
    async (): Promise<ReadonlyMap<string, number>> => {
      const found = new Map(known.map((value) => [value, 0]));
      for (const row of await look()) if (row.name === name && row.label !== null) found.set(row.label, row.value);
      return found;
    };
  const single = (name: string) => async (): Promise<number> =>
    (await look()).find((row) => row.name === name)?.value ?? 0;

  metrics.gauges(
    { name: 'kanbase_mail', help: 'Mails that wait, and that were given up, by state.', label: 'state' },
    byLabel('mail', ['queued', 'failed']),
  );
  metrics.gauge('kanbase_mail_oldest_seconds', 'Age of the oldest mail that waits.', single('mail_oldest'));
  metrics.gauges(
    { name: 'kanbase_notifications_due', help: 'Notifications that should have left, by way.', label: 'way' },
    byLabel('notifications', ['mail', 'daily', 'push']),
  );
  metrics.gauges(
    { name: 'kanbase_exports', help: 'Exports of the last day that are not done, by state.', label: 'state' },
    byLabel('exports', ['waiting', 'running', 'failed']),
  );
  metrics.gauges(
    { name: 'kanbase_imports', help: 'Imports of the last day that are not done, by state.', label: 'state' },
    byLabel('imports', ['waiting', 'running', 'undoing', 'failed']),
  );
  metrics.gauges(
    {
      name: 'kanbase_webhook_deliveries',
      help: 'Deliveries that wait, or failed of the last day, by state.',
      label: 'state',
    },
    byLabel('webhook_deliveries', ['queued', 'failed']),
  );
  metrics.gauges(
    { name: 'kanbase_job_last_run_timestamp_seconds', help: 'When a background job last ended.', label: 'job' },
    byLabel('job_finished'),
  );
  metrics.gauges(
    { name: 'kanbase_job_failing', help: 'Nodes whose last run of a background job failed.', label: 'job' },
    byLabel('job_failed'),
  );
  metrics.gauge('kanbase_database_size_bytes', 'Bytes of the database.', single('database_bytes'));
  gaugeDisks(config, metrics);
}

function gaugeDisks(config: Config, metrics: Services['metrics']): void {
  const places = placesOf(config);
  const read = (figure: (found: { bavail: number; blocks: number; bsize: number }) => number) => async () => {
    const found = new Map<string, number>();
    for (const [place, path] of places) {
      // A directory that is not there yet will be made on the disk of the data.
      const about = await statfs(path).catch(() => statfs(config.server.dataDir).catch(() => null));
      if (about !== null) found.set(place, figure(about));
    }
    return found;
  };
  metrics.gauges(
    { name: 'kanbase_disk_free_bytes', help: 'Bytes that are free on the disk of a place.', label: 'place' },
    read(({ bavail, bsize }) => bavail * bsize),
  );
  metrics.gauges(
    { name: 'kanbase_disk_size_bytes', help: 'Bytes that the disk of a place has.', label: 'place' },
    read(({ blocks, bsize }) => blocks * bsize),
  );
}

function placesOf({ server, files, backup }: Config): [string, string][] {
  const { dataDir } = server;
  const backups = backup.directory ?? join(dataDir, 'backups');
  return [
    ['data', resolve(dataDir)],
    ['files', resolve(files.directory ?? join(dataDir, 'files'))],
    ...(backups.startsWith('s3:') ? [] : [['backups', resolve(backups)] as [string, string]]),
  ];
}

async function inTime<T>(work: Promise<T>): Promise<T> {
  const over = new AbortController();
  const late = pause(timeoutMs, undefined, { ref: false, signal: over.signal }).then(() => {
    throw new Error(`The database has not answered within ${timeoutMs} ms`);
  });
  late.catch(() => undefined);
  return Promise.race([work, late]).finally(() => over.abort());
}
