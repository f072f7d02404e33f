// Backups by schedule. Of several nodes one makes each: whoever writes down the due moment first. A backup is read back before it counts, and only then the
// oldest go.

import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Cron } from 'croner';
import type { Logger } from 'pino';
import { fileEntry, rowsIn } from './manifest.ts';
import { openArchive } from './open-archive.ts';
import { withOwner } from './with-owner.ts';
import type { BackupOptions } from './write-backup.ts';
import { writeBackupFile } from './write-file.ts';

export interface ScheduleOptions {
  readonly schedule: string;
  readonly directory: string;
  readonly keep: number;
  readonly backup: Omit<BackupOptions, 'out'>;
  readonly gauge: (name: string, help: string, read: () => number) => void;
  readonly log: Logger;
}

export interface Backups {
  /** Makes the backup that is due at this moment, unless another node does; resolves to where it lies. */
  make(due: Date): Promise<string | null>;
  stop(): Promise<void>;
}

const named = /^kanbase-\d{4}-\d\d-\d\dT[\d-]+Z\.zip$/;

export function startBackups(options: ScheduleOptions): Backups {
  const { schedule, directory, keep, backup, gauge, log } = options;
  let lastGood = lastIn(directory);
  let failures = 0;
  let underway: Promise<unknown> = Promise.resolve();
  gauge(
    'kanbase_backup_last_good_timestamp_seconds',
    'When the last good backup of this node was made; 0: never.',
    () => lastGood,
  );
  gauge('kanbase_backup_failures', 'Backups of this node that failed since it started.', () => failures);

  function make(due: Date): Promise<string | null> {
    return withOwner(backup.url, async (client) => {
      const claim = 'insert into private.backups (due_at) values ($1) on conflict do nothing';
      if ((await client.query(claim, [due])).rowCount === 0) return null;
      const path = join(directory, `kanbase-${due.toISOString().replaceAll(/[:.]/g, '-')}.zip`);
      try {
        const manifest = await writeBackupFile(path, backup);
        await readBack(path);
        lastGood = Date.now() / 1000;
        await client.query(
          'update private.backups set finished_at = now(), file = $2, row_count = $3, file_count = $4, bytes = $5 where due_at = $1',
          [due, path, rowsIn(manifest), manifest.files.length, statSync(path).size],
        );
        removeOldest(directory, keep);
        log.info({ backup: path, missing: manifest.missingFiles }, 'backed up');
        return path;
      } catch (error) {
        failures++;
        await client.query('update private.backups set finished_at = now(), error = $2 where due_at = $1', [
          due,
          error instanceof Error ? error.message : String(error),
        ]);
        throw error;
      }
    });
  }

  const cron = new Cron(schedule, { timezone: 'UTC', unref: true }, (self: Cron) => {
    // The moment it was due, the same on every node, not the one in which this one woke up.
    const due = new Date(Math.floor((self.currentRun() ?? new Date()).getTime() / 1000) * 1000);
    underway = make(due).catch((error: unknown) =>
      log.error({ err: error }, 'the backup failed; the next one tries again'),
    );
  });
  return {
    make,
    async stop() {
      cron.stop();
      await underway;
    },
  };
}

/** Every entry once, against its checksum. */
async function readBack(path: string): Promise<void> {
  const archive = await openArchive(path);
  try {
    const { tables, files } = archive.manifest;
    for (const { entry, sha256 } of tables) await archive.check(entry, sha256);
    for (const { version, sha256 } of files) await archive.check(fileEntry(version), sha256);
  } finally {
    archive.close();
  }
}

function backupsIn(directory: string): string[] {
  return existsSync(directory)
    ? readdirSync(directory)
        .filter((name) => named.test(name))
        .sort()
    : [];
}

function lastIn(directory: string): number {
  const last = backupsIn(directory).at(-1);
  return last === undefined ? 0 : statSync(join(directory, last)).mtimeMs / 1000;
}

function removeOldest(directory: string, keep: number): void {
  for (const name of backupsIn(directory).slice(0, -keep)) rmSync(join(directory, name), { force: true });
}
