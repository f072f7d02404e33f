// Reads from a replica, with a real one that follows Debian's PostgreSQL 15: whoever asks for it is answered by it, sees what the
// policies let them see and all that was acknowledged before, on whichever node; and by the primary whenever it is behind or gone.

import { spawnSync } from 'node:child_process';
import { on } from 'node:events';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { readConfig } from '../../server/config/read-config.ts';
import { connectionOptions } from '../../server/database/connection-options.ts';
import { migrate } from '../../server/database/migrate.ts';
import { openDatabase } from '../../server/database/open-database.ts';
import { startApp, type TestApp, type TestUser } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { project } from '../realtime/subscribe.ts';
import { bin, havePostgres, type OwnPostgres, startOwnPostgres } from './debian.ts';

const nobody = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
const address = (directory: string, port: number, user = 'app') =>
  `postgres://${user}@/app?host=${encodeURIComponent(directory)}&port=${port}`;

interface Replica {
  readonly url: string;
  readonly directory: string;
  start(): Promise<void>;
  stop(): Promise<void>;
  sql(text: string): Promise<unknown[][]>;
  remove(): Promise<void>;
}

async function ask(url: string, text: string): Promise<unknown[][]> {
  const client = new pg.Client(connectionOptions(url));
  await client.connect();
  const { rows } = await client.query({ text, rowMode: 'array' }).finally(() => client.end());
  return rows as unknown[][];
}

/** A copy of the primary that goes on following it. */
async function follow(primary: OwnPostgres): Promise<Replica> {
  const directory = mkdtempSync('/tmp/kanbase-replica-');
  if (nobody.uid !== undefined) chownSync(directory, nobody.uid, nobody.gid);
  const data = join(directory, 'data');
  const from = ['-h', primary.directory, '-p', String(primary.port), '-U', 'postgres'];
  const copied = spawnSync(
    join(bin, 'pg_basebackup'),
    [...from, '-D', data, '-R', '-X', 'stream', '-c', 'fast', '--no-sync'],
    { cwd: directory, encoding: 'utf8', ...nobody },
  );
  if (copied.status !== 0) throw new Error(copied.stderr);
  const { port } = primary;
  const control = (...args: string[]): void => {
    const options = { cwd: directory, stdio: 'ignore', ...nobody } as const;
    const done = spawnSync(join(bin, 'pg_ctl'), ['-D', data, '-w', ...args], options);
    if (done.status !== 0) throw new Error(`pg_ctl ${args.join(' ')} ended with ${done.status}`);
  };
  const start = async (): Promise<void> =>
    control(
      'start',
      '-l',
      join(directory, 'log'),
      '-o',
      `-k ${directory} -p ${port} -c listen_addresses= -c ssl=off -c fsync=off`,
    );
  await start();
  return {
    url: address(directory, port, 'postgres'),
    directory,
    start,
    stop: async () => control('stop', '-m', 'immediate'),
    sql: (text) => ask(address(directory, port, 'postgres'), text),
    async remove() {
      spawnSync(join(bin, 'pg_ctl'), ['-D', data, 'stop', '-m', 'immediate'], { stdio: 'ignore', ...nobody });
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** As poolers do: who is connected stays so, and is led to another server from one statement to the next. */
async function openPooler(
  socket: string,
): Promise<{ url: string; lead(socket: string): Promise<void>; close(): void }> {
  const swaps: ((socket: string) => Promise<void>)[] = [];
  const clients = new Set<Socket>();
  const pooler = createServer((client) => {
    let greeting: Buffer | null = null;
    let server = connect(socket);
    clients.add(client);
    client.on('error', () => undefined).on('close', () => server.destroy());
    client.on('data', (bytes: Buffer) => {
      greeting ??= Buffer.from(bytes);
      server.write(bytes);
    });
    server.on('data', (bytes: Buffer) => client.write(bytes));
    swaps.push(async (to) => {
      const next = connect(to);
      if (greeting === null) throw new Error('nobody has said who they are');
      next.write(greeting);
      // Up to ReadyForQuery.
      let heard = Buffer.alloc(0);
      for await (const [bytes] of on(next, 'data')) {
        heard = Buffer.concat([heard, bytes as Buffer]);
        if (heard.at(-6) === 0x5a) break;
      }
      server.destroy();
      server = next;
      next.on('data', (bytes: Buffer) => client.write(bytes));
    });
  });
  await new Promise<void>((resolve) => pooler.listen(0, '127.0.0.1', resolve));
  return {
    url: `postgres://postgres@127.0.0.1:${(pooler.address() as AddressInfo).port}/app?sslmode=disable`,
    lead: async (to) => void (await Promise.all(swaps.map((swap) => swap(to)))),
    close: () => {
      for (const client of clients) client.destroy();
      pooler.close();
    },
  };
}

describe.skipIf(!havePostgres)('a replica', () => {
  let replica: Replica;
  const apps: TestApp[] = [];
  let one: TestApp;
  let other: TestApp;
  let ada: TestUser;
  let board: { id: string; column: string };

  const openApp = async (more: Record<string, string> = {}): Promise<TestApp> => {
    const url = address(primary.directory, primary.port, 'postgres');
    return openAt(url, { DATABASE_REPLICA_URL: replica.url, ...more });
  };
  const openAt = async (url: string, more: Record<string, string>): Promise<TestApp> => {
    const settings = {
      JWT_SECRET: 'the-same-on-both-nodes-0123456789abcdef',
      METRICS_ADDRESSES: 'loopback',
      ...more,
    };
    const app = await startApp({ database: { url, directUrl: url, drop: async () => undefined }, settings });
    apps.push(app);
    await vi.waitUntil(() => app.database.replica()?.answers === true, { timeout: 20_000 });
    return app;
  };
  const primarySql = (text: string) => ask(address(primary.directory, primary.port, 'postgres'), text);

  const primary = forSuite(
    () => startOwnPostgres(['local replication postgres trust']),
    (primary) => primary.remove(),
  );
  beforeAll(async () => {
    const admin = new pg.Client(connectionOptions(primary.adminUrl));
    await admin.connect();
    await admin.query('create database app');
    await admin.end();
    await migrate({
      url: address(primary.directory, primary.port, 'postgres'),
      directory: join(process.cwd(), 'sql'),
    });
    replica = await follow(primary);
    one = await openApp({ DATABASE_REPLICA_WAIT_MS: '10000' });
    other = await openApp({ DATABASE_REPLICA_WAIT_MS: '10000' });
    ada = await one.createUser({ name: 'Ada' });
    board = await project(ada);
  });
  afterAll(async () => {
    for (const app of apps) await app.close();
    await replica?.remove();
  });

  /** The titles on the board, and who gave them. */
  async function titles(app: TestApp, token = ada.token, prefer: Record<string, string> = { prefer: 'read=replica' }) {
    const response = await app.request(
      `/rest/v1/tasks?select=title&project_id=eq.${board.id}&order=number.desc&limit=3`,
      {
        token,
        headers: prefer,
      },
    );
    const rows = (await response.json()) as { title: string }[];
    return {
      by: response.headers.get('preference-applied'),
      titles: rows.map(({ title }) => title),
      status: response.status,
    };
  }
  const add = async (title: string): Promise<void> => {
    const { error } = await ada.client.from('tasks').insert({ project_id: board.id, column_id: board.column, title });
    if (error !== null) throw error;
  };

  /** On a busy machine a replica may be too slow now and then: the primary answers, and the next time it is there again. */
  const untilByReplica = (ask: () => Promise<unknown>, expected: unknown): Promise<void> =>
    expect.poll(ask, { timeout: 20_000 }).toEqual(expected);

  test('answers whoever asks for it, by the same policies', async () => {
    await add('Paint the crane');
    await untilByReplica(() => titles(one), { by: 'read=replica', titles: ['Paint the crane'], status: 200 });
    const bob = await one.createUser({ name: 'Bob' });
    await untilByReplica(() => titles(one, bob.token), { by: 'read=replica', titles: [], status: 200 });
    expect((await titles(one, ada.token, {})).by).toBeNull();
    expect((await titles(one, ada.token, { prefer: 'read=primary' })).by).toBeNull();
    const refused = await one.request('/rest/v1/tasks?select=nothing', {
      token: ada.token,
      headers: { prefer: 'read=replica' },
    });
    expect(refused.status).toBe(400);
    const role = async () => {
      const answer = await one.request(`/rest/v1/rpc/current_project_role?project_id=${board.id}`, {
        token: ada.token,
        headers: { prefer: 'read=replica, handling=strict' },
      });
      return [await answer.text(), answer.headers.get('preference-applied')];
    };
    await untilByReplica(role, ['"owner"', 'handling=strict, read=replica']);
  });

  test('shows everything that was acknowledged before, to the writer and on another node', async () => {
    let byReplica = 0;
    for (let number = 0; number < 40; number++) {
      await add(`Task ${number}`);
      const found = await titles(number % 2 === 0 ? one : other);
      expect(found.titles[0]).toBe(`Task ${number}`);
      if (found.by === 'read=replica') byReplica++;
    }
    expect(byReplica).toBeGreaterThan(0);
  });

  test('that is behind is passed over, and serves again when it has caught up', async () => {
    const hasty = await openApp({ DATABASE_REPLICA_WAIT_MS: '0' });
    await replica.sql('select pg_wal_replay_pause()');
    const paused = () => replica.sql('select pg_get_wal_replay_pause_state()');
    await expect.poll(paused, { timeout: 20_000 }).toEqual([['paused']]);
    await add('Written meanwhile');
    const found = await titles(hasty);
    expect([found.by, found.titles[0]]).toEqual([null, 'Written meanwhile']);
    await replica.sql('select pg_wal_replay_resume()');
    await untilByReplica(async () => (await titles(hasty)).by, 'read=replica');
    expect((await titles(hasty)).titles[0]).toBe('Written meanwhile');
    const text = await (await hasty.request('/metrics')).text();
    expect(text).toMatch(/^kanbase_replica_up 1$/m);
    expect(text).toMatch(/^kanbase_replica_passed_to_primary [1-9]\d*$/m);
    expect(text).toMatch(/^kanbase_replica_reads [1-9]\d*$/m);
    expect(await hasty.services.examine()).toContainEqual(
      expect.objectContaining({ state: 'good', about: 'health.replica.good' }),
    );
  });

  test('with DATABASE_REPLICA_READS=all answers all reads but those that want the primary, and writes never come by', async () => {
    const app = await openApp({ DATABASE_REPLICA_READS: 'all', DATABASE_REPLICA_WAIT_MS: '10000' });
    const reads = () => app.database.replica()?.replica ?? 0;
    const read = async () => {
      expect((await titles(app, ada.token, {})).by).toBeNull();
      return reads() > 0;
    };
    await untilByReplica(read, true);
    const before = reads();
    await titles(app, ada.token, { prefer: 'read=primary' });
    const written = await app.request('/rest/v1/rpc/create_project_with_defaults', {
      method: 'POST',
      token: ada.token,
      headers: { 'content-type': 'application/json', prefer: 'read=replica' },
      body: JSON.stringify({ name: 'By the primary' }),
    });
    expect(written.status).toBe(200);
    expect(reads()).toBe(before);
  });

  test('is no server to write to: whoever is led there in the place of the primary looks for that', async () => {
    const { config } = readConfig({ env: { DATABASE_URL: replica.url, DATA_DIR: '/nowhere' } });
    await expect(
      openDatabase({ url: replica.url, config: config.database, log: pino({ level: 'silent' }) }),
    ).rejects.toThrow('The database is a replica at the moment; its primary is looked for');
  });

  test('nor to read from: whoever a pooler leads there in the place of the primary is told to come again', async () => {
    const file = (directory: string) => join(directory, `.s.PGSQL.${primary.port}`);
    const pooler = await openPooler(file(primary.directory));
    const { config } = readConfig({ env: { DATABASE_URL: pooler.url, DB_POOL_SIZE: '1', DATA_DIR: '/nowhere' } });
    const directUrl = address(primary.directory, primary.port, 'postgres');
    const log = pino({ level: 'silent' });
    const database = await openDatabase({ url: pooler.url, directUrl, config: config.database, log });
    const caller = { role: 'authenticated', claims: '{"role":"authenticated"}' };
    const read = () => database.objectsAs(caller, { text: 'select 1 as n', values: [] }, { readOnly: true });
    expect(await read()).toEqual([{ n: 1 }]);
    await pooler.lead(file(replica.directory));
    await expect(read()).rejects.toMatchObject({ code: 'KB503', status: 503 });
    await pooler.lead(file(primary.directory));
    expect(await read()).toEqual([{ n: 1 }]);
    await database.close();
    pooler.close();
  });

  test('that is gone, or has become a primary of its own, is not used, and nobody notices', async () => {
    await replica.stop();
    for (let times = 0; times < 5; times++) expect(await titles(one)).toMatchObject({ by: null, status: 200 });
    await expect.poll(() => one.database.replica()?.answers, { timeout: 20_000 }).toBe(false);
    await replica.start();
    await expect.poll(async () => (await titles(one)).by, { timeout: 20_000 }).toBe('read=replica');
    await replica.sql('select pg_promote()');
    await add('After the parting');
    await expect.poll(() => one.database.replica()?.answers, { timeout: 20_000 }).toBe(false);
    expect(await titles(one)).toMatchObject({ by: null, status: 200 });
    expect((await titles(one)).titles[0]).toBe('After the parting');
    expect(await one.services.examine()).toContainEqual(
      expect.objectContaining({ state: 'thought', about: 'health.replica.none' }),
    );
  });

  test('that is ahead of a new primary, on the timeline of the old one, is behind', async () => {
    const ahead = await follow(primary);
    const heir = await follow(primary);
    try {
      await heir.stop();
      // The heir never hears of this; the other one has it, and is a file of the log further.
      await add('Known to the old primary alone');
      await primarySql('select pg_switch_wal()');
      await add('And this');
      const [[end]] = (await primarySql('select pg_current_wal_flush_lsn()')) as [[string]];
      const replayed = () => ahead.sql(`select pg_last_wal_replay_lsn() >= '${end}'`);
      await expect.poll(replayed, { timeout: 20_000 }).toEqual([[true]]);
      await primary.stop('SIGKILL');
      await heir.start();
      await heir.sql('select pg_promote()');
      const app = await openAt(heir.url, { DATABASE_REPLICA_URL: ahead.url });
      const written = await app.request('/rest/v1/tasks', {
        method: 'POST',
        token: ada.token,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ project_id: board.id, column_id: board.column, title: 'Known to the new one' }),
      });
      expect(written.status).toBe(201);
      const found = await titles(app);
      expect([found.by, found.titles[0]]).toEqual([null, 'Known to the new one']);
    } finally {
      await ahead.remove();
      await heir.remove();
    }
  });
});
