// One embedded Postgres for a whole test run, in a directory of its own, with a migrated template database that
// `fresh-database.ts` clones. Made when the run begins, gone when it ends, and with it all temporary files of the run.

import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { pino } from 'pino';
import type { TestProject } from 'vitest/node';
import { connectionOptions } from '../../server/database/connection-options.ts';
import { withDatabase } from '../../server/database/connection-url.ts';
import { migrate } from '../../server/database/migrate.ts';
import { startCluster } from '../../server/database/start-cluster.ts';
import { temporaryDirectory } from './temporary.ts';

declare module 'vitest' {
  interface ProvidedContext {
    cluster: { url: string; directUrl: string; adminUrl: string };
  }
}

export const template = 'kanbase_template';

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const directory = mkdtempSync(join(temporaryDirectory() ?? tmpdir(), 'kanbase-test-'));
  chmodSync(directory, 0o755);
  const files = join(directory, 'files');
  mkdirSync(files);
  chmodSync(files, 0o1777);
  process.env.TMPDIR = files;
  const log = pino({ level: 'silent' });
  // `fast`: a test database that a power cut loses is no loss; how a server keeps its data is tested with a server's own settings.
  const cluster = await startCluster({ dataDir: directory, log, fast: true });
  const stop = async (): Promise<void> => {
    await cluster.stop();
    rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    const admin = new pg.Client(connectionOptions(cluster.adminUrl));
    await admin.connect();
    await admin.query(`create database ${template} owner kanbase`);
    await migrate({ url: withDatabase(cluster.directUrl, template), directory: join(process.cwd(), 'sql'), log });
    await admin.query(`alter database ${template} with is_template true allow_connections false`);
    await admin.end();
  } catch (error) {
    await stop();
    throw error;
  }
  project.provide('cluster', { url: cluster.url, directUrl: cluster.directUrl, adminUrl: cluster.adminUrl });
  return stop;
}
