// Instances to measure growth in: databases of one embedded Postgres, each filled to its size in sets, batch after batch, so that neither
// memory nor the log has to hold a million rows at once.

import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { pino } from 'pino';
import { readConfig } from '../server/config/read-config.ts';
import type { Catalog } from '../server/data/catalog/catalog.ts';
import { connectionOptions } from '../server/database/connection-options.ts';
import { withDatabase } from '../server/database/connection-url.ts';
import { migrate } from '../server/database/migrate.ts';
import { openDatabase } from '../server/database/open-database.ts';
import { type Cluster, startCluster } from '../server/database/start-cluster.ts';
import type { Database } from '../server/database/types.ts';
import { fill, type Size } from './fill.ts';
import { readStageCatalog } from './statements.ts';

export interface InstanceSize extends Size {
  readonly name: string;
}

export interface Instance {
  readonly size: InstanceSize;
  readonly tasks: number;
  readonly catalog: Catalog;
  readonly database: Database;
}

export interface Instances {
  readonly all: readonly Instance[];
  close(): Promise<void>;
}

const log = pino({ level: 'silent' });

export async function openInstances(sizes: readonly InstanceSize[], say: (line: string) => void): Promise<Instances> {
  const directory = mkdtempSync(join(tmpdir(), 'kanbase-growth-'));
  chmodSync(directory, 0o755);
  const cluster = await startCluster({ dataDir: directory, log });
  const all: Instance[] = [];
  const close = async (): Promise<void> => {
    for (const { database } of all) await database.close();
    await cluster.stop();
    rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    await migrate({
      url: cluster.directUrl,
      poolUrl: cluster.url,
      directory: join(process.cwd(), 'sql'),
      log,
    });
    for (const size of sizes) all.push(await openInstance(cluster, size, say));
    return { all, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openInstance(cluster: Cluster, size: InstanceSize, say: (line: string) => void): Promise<Instance> {
  const started = performance.now();
  const tasks = size.projects.reduce((sum, count) => sum + count, 0);
  const admin = new pg.Client(connectionOptions(cluster.adminUrl));
  await admin.connect();
  await admin.query(`create database ${pg.escapeIdentifier(size.name)} template kanbase owner kanbase`);
  await admin.end();
  await fill(withDatabase(cluster.adminUrl, size.name), size);
  const seconds = Math.round((performance.now() - started) / 1000);
  say(`${size.name}: ${tasks} tasks, ${size.people} people, ${size.projects.length} projects, filled in ${seconds} s`);
  const url = withDatabase(cluster.url, size.name);
  const { config } = readConfig({ env: { DATABASE_URL: url } });
  const database = await openDatabase({ url, config: config.database, log });
  return { size, tasks, database, catalog: await readStageCatalog({ databaseUrl: url }) };
}
