// The proof of a backup: restored into an embedded cluster that lives for that long, every table compared with what was written, every file read,
// later migrations applied, and the doctor asked.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Logger } from 'pino';
import { migrate } from '../database/migrate.ts';
import { startCluster } from '../database/start-cluster.ts';
import { packageRoot } from '../package-root.ts';
import { checkEntries } from './check-archive.ts';
import { BackupProblem, rowsIn } from './manifest.ts';
import { openArchive } from './open-archive.ts';
import { compareRows, restoreRows } from './restore-rows.ts';

/** `examine` looks at the restored instance in a data directory; what it finds wrong, in words, or null. */
export async function verifyBackup(
  path: string,
  log: Logger,
  examine: (dataDir: string) => Promise<string | null>,
): Promise<{ rows: number; files: number }> {
  const archive = await openArchive(path);
  const dataDir = mkdtempSync(join(tmpdir(), 'kanbase-verify-'));
  try {
    const { manifest } = archive;
    await checkEntries(archive);
    const cluster = await startCluster({ dataDir, log, fast: true });
    try {
      await restoreRows(archive, cluster);
      const different = await compareRows(manifest, cluster.directUrl);
      if (different.length > 0)
        throw new BackupProblem(`Restored, these tables are not what was written: ${different.join(', ')}.`);
      // Those of this version; yours came with the archive.
      await migrate({ url: cluster.directUrl, poolUrl: cluster.url, directory: resolve(packageRoot(), 'sql'), log });
    } finally {
      await cluster.stop();
    }
    if (manifest.missingFiles.length > 0)
      throw new BackupProblem(
        `The backup lacks the bytes of ${manifest.missingFiles.length} files, whose rows it has: ${manifest.missingFiles.join(', ')}.`,
      );
    const wrong = await examine(dataDir);
    if (wrong !== null) throw new BackupProblem(`Restored, doctor finds: ${wrong}`);
    return { rows: rowsIn(manifest), files: manifest.files.length };
  } finally {
    archive.close();
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
  }
}
