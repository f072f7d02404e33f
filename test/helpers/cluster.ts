// One embedded Postgres for a whole test run, in a directory of its own, with a migrated template database that
// `fresh-database.ts` clones. Made when the run begins, gone when it ends, and with it all temporary files of the run.

import { chmodSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { pino } from 'pino';
import type { TestProject } from 'vitest/node';
import { connectionOptions } from '../../server/database/connection-options.ts';
import { startCluster } from '../../server/database/start-cluster.ts';
import { putReadyCluster } from './ready-cluster.ts';
import { findSecrets } from './records.ts';
import { clearAfterKilledRuns, temporaryDirectory } from './temporary.ts';

declare module 'vitest' {
  interface ProvidedContext {
    cluster: { url: string; directUrl: string; adminUrl: string };
  }
}

export const template = 'kanbase_template';

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  clearAfterKilledRuns();
  const directory = temporaryDirectory('test');
  await putReadyCluster(directory, { isForRun: true });
  // `fast`: a test database that a power cut loses is no loss; how a server keeps its data is tested with a server's own settings.
  const cluster = await startCluster({ dataDir: directory, log: pino({ level: 'silent' }), fast: true });
  const records = join(directory, 'records');
  const stop = async (): Promise<void> => {
    await cluster.stop();
    lookForSecrets(records);
    rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
  };
  // Servants of root, too, have files there.
  chmodSync(directory, 0o755);
  const files = join(directory, 'files');
  mkdirSync(files);
  chmodSync(files, 0o1777);
  process.env.TMPDIR = files;
  mkdirSync(records);
  process.env.KANBASE_TEST_RECORDS = records;
  try {
    const admin = new pg.Client(connectionOptions(cluster.adminUrl));
    await admin.connect();
    await admin.query(`create database ${template} template kanbase owner kanbase strategy file_copy`);
    await admin.query(`alter database ${template} with is_template true allow_connections false`);
    await admin.end();
  } catch (error) {
    await stop();
    throw error;
  }
  project.provide('cluster', { url: cluster.url, directUrl: cluster.directUrl, adminUrl: cluster.adminUrl });
  return stop;
}

/** All that servers logged in this run, searched for all that was secret in it: a find fails the run. */
function lookForSecrets(records: string): void {
  if (!existsSync(records)) return;
  const { leaks, lines, secrets } = findSecrets(records);
  console.log(`${secrets} secrets looked for in ${lines} lines of log: ${leaks.length === 0 ? 'in none' : 'found'}`);
  if (leaks.length === 0) return;
  for (const leak of leaks.slice(0, 20)) console.error(`× a secret in the log: ${leak}`);
  process.exitCode = 1;
}
