// Measures the domain with a large database: `node scripts/run-ts.mjs bench/domain.ts [scale]`. Fills an embedded Postgres (or the empty
// database named by BENCH_DATABASE_URL) with 1,000 projects, 2,000 people and 1,000,000 tasks, then times statements with policies and
// without. `0.2` takes a fifth of that; the measured projects keep their sizes.

import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { pino } from 'pino';
import { connectionOptions } from '../server/database/connection-options.ts';
import { migrate } from '../server/database/migrate.ts';
import { startCluster } from '../server/database/start-cluster.ts';

const scale = process.argv[2] ?? '1';
const log = pino({ level: 'silent' });
const say = (line: string): void => console.error(line);
const statements = (name: string): string => readFileSync(join(process.cwd(), 'bench', name), 'utf8');

interface Figure {
  readonly name: string;
  readonly without_policies: string | null;
  readonly with_policies: string;
}

async function measure(directUrl: string, poolUrl: string): Promise<void> {
  await migrate({ url: directUrl, poolUrl, directory: join(process.cwd(), 'sql'), log });
  const client = new pg.Client(connectionOptions(directUrl));
  await client.connect();
  try {
    const started = Date.now();
    await client.query("select set_config('bench.scale', $1, false)", [scale]);
    await client.query(statements('domain-fill.sql'));
    const counts = await client.query(
      'select (select count(*) from public.projects) as projects, (select count(*) from public.profiles) as people, (select count(*) from public.tasks) as tasks',
    );
    say(`filled in ${Math.round((Date.now() - started) / 1000)} s: ${JSON.stringify(counts.rows[0])}`);
    await client.query('vacuum analyze');
    const results = await client.query(statements('domain-measure.sql'));
    const last = (Array.isArray(results) ? results.at(-1) : results) as pg.QueryResult<Figure>;
    const version = await client.query<{ server_version: string }>('show server_version');
    console.log(`Postgres ${version.rows[0]?.server_version}\n`);
    console.log('| | without policies | with policies | |\n|---|---:|---:|---:|');
    for (const row of last.rows) {
      const [without, under] = [Number(row.without_policies), Number(row.with_policies)];
      const more = row.without_policies === null ? '' : `+${Math.round((100 * (under - without)) / without)} %`;
      console.log(
        `| ${row.name} | ${row.without_policies === null ? '' : inWords(without)} | ${inWords(under)} | ${more} |`,
      );
    }
  } finally {
    await client.end();
  }
}

const inWords = (microseconds: number): string =>
  microseconds < 1000 ? `${microseconds.toFixed(0)} µs` : `${(microseconds / 1000).toFixed(1)} ms`;

const given = process.env.BENCH_DATABASE_URL;
if (given !== undefined) await measure(given, given);
else {
  const directory = mkdtempSync(join(tmpdir(), 'kanbase-domain-'));
  chmodSync(directory, 0o755);
  const cluster = await startCluster({ dataDir: directory, log });
  const close = async (): Promise<void> => {
    await cluster.stop();
    rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void close().finally(() => process.exit(1)));
  try {
    await measure(cluster.directUrl, cluster.url);
  } finally {
    await close();
  }
}
