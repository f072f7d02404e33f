// Generates files from a freshly migrated database: the row types that the web app and other clients share with it.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { migrate } from '../../server/database/migrate.ts';
import { startCluster } from '../../server/database/start-cluster.ts';
import { writeRowTypes } from './write-row-types.ts';

export async function fromDatabase(): Promise<Record<string, string>> {
  const dataDir = mkdtempSync(join(tmpdir(), 'kanbase-generate-'));
  try {
    const cluster = await startCluster({ dataDir, log: pino({ level: 'silent' }), fast: true });
    try {
      await migrate({ url: cluster.directUrl, directory: join(process.cwd(), 'sql') });
      return {
        'contract/database.ts': await writeRowTypes(cluster.directUrl, ['public']),
      };
    } finally {
      await cluster.stop();
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}
