// Checks that an archive is complete and fits this version: before it counts as a backup, and before a restore clears anything.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { problemsWith } from '../database/migrate.ts';
import { type MigrationDirectories, readMigrations } from '../database/read-migrations.ts';
import { startCluster } from '../database/start-cluster.ts';
import { withMigrationsOf } from './archived-migrations.ts';
import { BackupProblem, fileEntry, migrationEntry } from './manifest.ts';
import type { Archive } from './open-archive.ts';
import { tryTables } from './restore-rows.ts';

/** Every entry once, against its checksum. */
export async function checkEntries(archive: Archive): Promise<void> {
  const { migrations, tables, files } = archive.manifest;
  for (const one of migrations)
    if (one.sha256 === undefined) await archive.text(migrationEntry(one));
    else await archive.check(migrationEntry(one), one.sha256);
  for (const { entry, sha256 } of tables) await archive.check(entry, sha256);
  for (const { version, sha256 } of files) await archive.check(fileEntry(version), sha256);
}

/** Whether this version can bring it up to date. */
export async function checkVersion(archive: Archive, here: MigrationDirectories): Promise<void> {
  const archived = await withMigrationsOf(archive, async (directories) => readMigrations(directories));
  const ledger = archived.map(({ origin, name, checksum }) => ({ origin, name, checksum, appliedAt: '' }));
  const [problem] = problemsWith(readMigrations(here), ledger, here);
  if (problem !== undefined)
    throw new BackupProblem(
      `This backup, which Kanbase ${archive.manifest.kanbase} wrote, cannot be brought up to date by this version: ${problem}`,
    );
}

/** Makes its tables in a Postgres of their own for a moment. */
export async function checkTablesAside(archive: Archive, log: Logger): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'kanbase-try-'));
  try {
    const cluster = await startCluster({ dataDir, log, fast: true });
    try {
      await tryTables(archive, cluster);
    } finally {
      await cluster.stop();
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
  }
}
