// Scheduled backups. Of several nodes, the first to claim the due moment makes the backup. Each is read back before it counts; only then are the
// oldest deleted. A backup broken off by a stop of the service is made again at the next start.

import { statSync } from 'node:fs';
import { Cron } from 'croner';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { BackupPlace } from './backup-place.ts';
import { checkEntries } from './check-archive.ts';
import { claim, claimInItsPlace, clearBrokenOff, isScheduled, nameOf } from './claim-backup.ts';
import { rowsIn } from './manifest.ts';
import { openArchive } from './open-archive.ts';
import { withOwner } from './with-owner.ts';
import type { BackupOptions } from './write-backup.ts';

export interface ScheduleOptions {
  readonly schedule: string;
  readonly place: BackupPlace;
  readonly keep: number;
  readonly backup: Omit<BackupOptions, 'out'>;
  readonly gauge: (name: string, help: string, read: () => Promise<number>) => void;
  /** Writes down for the admin page how it went. */
  readonly run: (job: string, work: () => Promise<string>) => Promise<string>;
  readonly log: Logger;
}

export interface Backups {
  /** Makes the backup that is due at this moment, unless another node does; resolves to its address. */
  make(due: Date): Promise<string | null>;
  stop(): Promise<void>;
}

const timeoutMs = 1000;

export function startBackups(options: ScheduleOptions): Backups {
  const { schedule, place, keep, backup, gauge, run, log } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  const underway = new Set<Promise<unknown>>();
  const lastGood = "coalesce((select max(finished_at) from private.backups where file is not null), '-infinity')";
  gauge(
    'kanbase_backup_last_good_timestamp_seconds',
    'When the last good scheduled backup was made, by whichever node; 0: never.',
    () => figure(backup.url, `greatest(extract(epoch from ${lastGood}), 0)`),
  );
  gauge('kanbase_backup_failures', 'Scheduled backups that failed since the last good one.', () =>
    figure(backup.url, `(select count(*) from private.backups where error is not null and finished_at > ${lastGood})`),
  );

  function make(due: Date, isMine = claim): Promise<string | null> {
    const making = withOwner(
      backup.url,
      async (client) => {
        if (!(await isMine(client, due))) return null;
        return await run('scheduled_backup', () => makeClaimed(client, due));
      },
      signal,
    );
    underway.add(making);
    return making.finally(() => underway.delete(making));
  }

  async function makeClaimed(client: pg.Client, due: Date): Promise<string> {
    const name = nameOf(due);
    const address = place.addressOf(name);
    try {
      await clearBrokenOff(client, place, due);
      const manifest = await place.write(name, { ...backup, signal });
      const bytes = await readBack(place, name, signal);
      const missing = manifest.missingFiles.length;
      if (missing > 0)
        throw new Error(
          `The backup lacks the bytes of ${missing} ${missing === 1 ? 'file, whose row' : 'files, whose rows'} it has. It is kept as ${address}, and so are the good ones before it; npx kanbase backup --verify names what is missing.`,
        );
      await client.query(
        'update private.backups set finished_at = now(), file = $2, row_count = $3, file_count = $4, bytes = $5 where due_at = $1',
        [due, address, rowsIn(manifest), manifest.files.length, bytes],
      );
      for (const { name: old } of (await backupsIn(place)).slice(0, -keep)) await place.remove(old);
      log.info({ backup: address }, 'backed up');
      return address;
    } catch (error) {
      // The claim ends with the connection, and its row has no end: whoever starts next sees that.
      signal.throwIfAborted();
      const reason = error instanceof Error ? error.message : String(error);
      await client.query('update private.backups set finished_at = now(), error = $2 where due_at = $1', [due, reason]);
      await client
        .query('select private.notify_of_failed_backup($1, $2)', [due, reason])
        .catch((why: unknown) => log.error({ err: why }, 'operators could not be told of a failed backup'));
      throw error;
    }
  }

  function tell(error: unknown): void {
    if (signal.aborted) log.info('a backup was broken off; another is made when the service starts');
    else log.error({ err: error }, 'the backup failed; the next one tries again');
  }

  // While one is under way here no other begins: where they take longer than they lie apart, they would pile up.
  const cron = new Cron(schedule, { timezone: 'UTC', unref: true, protect: true }, (self: Cron) => {
    // The moment it was due, the same on every node, not the one in which this one woke up.
    const due = new Date(Math.floor((self.currentRun() ?? new Date()).getTime() / 1000) * 1000);
    return make(due).then(() => undefined, tell);
  });
  // Of this moment, not of that one: a restored database has the row of the backup it came from, which is under way in it and must not be written over.
  make(new Date(), claimInItsPlace).catch(tell);
  return {
    make: (due) => make(due),
    async stop() {
      cron.stop();
      stopping.abort(new Error('The service stops'));
      await Promise.allSettled(underway);
    },
  };
}

/** What every node answers the same. A database that does not answer holds up nobody who asks for the other figures. */
function figure(url: string, expression: string): Promise<number> {
  return withOwner(
    url,
    async (client) => {
      // Postgres does not see that nobody waits for it any more.
      await client.query(`set statement_timeout = ${timeoutMs}`);
      const { rows } = await client.query<{ figure: number }>(`select (${expression})::float8 as figure`);
      return rows[0]?.figure ?? 0;
    },
    AbortSignal.timeout(timeoutMs),
  );
}

/** Every entry once, against its checksum; resolves to how many bytes the backup has. */
async function readBack(place: BackupPlace, name: string, signal: AbortSignal): Promise<number> {
  const { path, done } = await place.open(name, signal);
  try {
    const archive = await openArchive(path, signal);
    try {
      await checkEntries(archive);
    } finally {
      archive.close();
    }
    return statSync(path).size;
  } finally {
    done();
  }
}

async function backupsIn(place: BackupPlace): ReturnType<BackupPlace['list']> {
  return (await place.list()).filter(({ name }) => isScheduled(name));
}
