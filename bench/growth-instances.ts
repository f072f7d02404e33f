// Instances to measure growth in: databases of one embedded Postgres, each filled to its size in sets, batch after batch, so that neither
// memory nor the log has to hold a million rows at once.

import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
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
import { readStageCatalog } from './statements.ts';

export interface InstanceSize {
  readonly name: string;
  readonly people: number;
  /** Tasks of each project. */
  readonly projects: readonly number[];
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

const tasksAtOnce = 50_000;
const log = pino({ level: 'silent' });
const script = (name: string): string => readFileSync(join(process.cwd(), 'bench', name), 'utf8');

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
  const filler = new pg.Client(connectionOptions(withDatabase(cluster.adminUrl, size.name)));
  await filler.connect();
  await fill(filler, size);
  await filler.end();
  const seconds = Math.round((performance.now() - started) / 1000);
  say(`${size.name}: ${tasks} tasks, ${size.people} people, ${size.projects.length} projects, filled in ${seconds} s`);
  const url = withDatabase(cluster.url, size.name);
  const { config } = readConfig({ env: { DATABASE_URL: url } });
  const database = await openDatabase({ url, config: config.database, log });
  return { size, tasks, database, catalog: await readStageCatalog({ databaseUrl: url }) };
}

async function fill(client: pg.Client, { people, projects }: InstanceSize): Promise<void> {
  const set = (name: string, value: number | string): Promise<unknown> =>
    client.query('select set_config($1, $2, false)', [`bench.${name}`, String(value)]);
  await client.query('set session_replication_role = replica; set synchronous_commit = off');
  await set('people', people);
  await set('sizes', projects.join(','));
  await client.query(script('growth-fill.sql'));
  for (const [from, to] of batches(projects)) {
    await set('from', from);
    await set('to', to);
    await client.query(`begin; ${script('growth-tasks.sql')}; commit`);
  }
  await client.query(
    'create index task_search_document_idx on private.task_search using gin (document) with (fastupdate = off)',
  );
  await client.query('vacuum analyze');
  await client.query('checkpoint');
}

/** First and last project of each batch, counted from one. */
function batches(projects: readonly number[]): [from: number, to: number][] {
  const result: [from: number, to: number][] = [];
  let from = 1;
  let tasks = 0;
  projects.forEach((count, at) => {
    tasks += count;
    if (tasks < tasksAtOnce && at + 1 < projects.length) return;
    result.push([from, at + 1]);
    from = at + 2;
    tasks = 0;
  });
  return result;
}
