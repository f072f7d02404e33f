// Your own Postgres: an older version, a user who is no superuser, TLS, a pooler in between, and a server that goes away.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withDatabase, withUser } from '../../server/database/connection-url.ts';
import { migrate } from '../../server/database/migrate.ts';
import { openDatabase } from '../../server/database/open-database.ts';
import { startCluster } from '../../server/database/start-cluster.ts';
import type { Database } from '../../server/database/types.ts';
import { dial } from '../../server/database/wire/dial.ts';
import { runScript } from '../../server/database/wire/run-script.ts';
import { parseTarget } from '../../server/database/wire/target.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { temporaryDirectory } from '../helpers/temporary.ts';
import { haveBouncer, havePostgres, type OwnPostgres, startBouncer, startOwnPostgres } from './debian.ts';

const log = pino({ level: 'silent' });
const password = 'pä ss/w%rd';
const owner = { role: 'none', claims: '{}' };
const ada = { role: 'authenticated', claims: '{"sub":"0190b0c8-0000-7000-8000-00000000000a","role":"authenticated"}' };
const settings = {
  url: null,
  directUrl: null,
  poolSize: 4,
  queueLimit: 100,
  preparedStatements: true,
  preparedBytes: 262_144,
  connectionLifeMs: 0,
  callerConnections: 0,
  replicaUrl: null,
  replicaReads: 'asked' as const,
  replicaWaitMs: 100,
  anonTimeoutMs: 3000,
  authenticatedTimeoutMs: 8000,
  migrationsDir: null,
};
const directory = join(process.cwd(), 'sql');

let server: OwnPostgres;

beforeAll(async () => {
  if (!havePostgres) return;
  server = await startOwnPostgres([
    'hostssl tls_only all all scram-sha-256',
    'hostnossl tls_only all all reject',
    'host md5_only all all md5',
    'host clear_only all all password',
  ]);
  await runScript(parseTarget(server.adminUrl), [
    `create role app login createrole password '${password}'`,
    "create role stranger login password 'x'",
    'create database app owner app',
    'create database bare',
    ...['tls_only', 'md5_only', 'clear_only', 'races'].map((name) => `create database ${name} owner app`),
    `set password_encryption = 'md5'`,
    "set password_encryption = 'md5'; create role old_style login password 'legacy'",
  ]);
});

afterAll(() => server?.remove());

describe.skipIf(!havePostgres)("Debian's PostgreSQL 15", () => {
  let database: Database;

  beforeAll(async () => {
    const url = server.url('app', password, 'app');
    const { applied } = await migrate({ url, directory });
    expect(applied.length).toBeGreaterThan(5);
    database = await openDatabase({ url, config: settings, log });
  });

  afterAll(() => database?.close());

  test('is migrated by a user who may create roles and is no superuser', async () => {
    expect(database.serverVersion).toBeGreaterThanOrEqual(150_000);
    expect(database.serverVersion).toBeLessThan(160_000);
    expect(await migrate({ url: server.url('app', password, 'app'), directory })).toEqual({ applied: [] });
    const [who] = await database.objectsAs<{ super: boolean }>(owner, {
      text: 'select rolsuper as super from pg_roles where rolname = session_user',
      values: [],
    });
    expect(who).toEqual({ super: false });
  });

  test('serves callers by their roles', async () => {
    const me = { text: 'select current_user::text as me, auth.uid() as uid', values: [] };
    expect(await database.objectsAs(ada, me)).toEqual([
      { me: 'authenticated', uid: '0190b0c8-0000-7000-8000-00000000000a' },
    ]);
    for (const role of ['anon', 'service_role', 'kanbase_identity'])
      expect(await database.objectsAs({ role, claims: '{}' }, me)).toEqual([{ me: role, uid: null }]);
    await expect(database.runAs(ada, { text: 'select * from auth.users', values: [] })).rejects.toMatchObject({
      sqlstate: '42501',
    });
  });

  test('makes version 7 ids that sort by time', async () => {
    const rows = await database.objectsAs<{ id: string }>(owner, {
      text: 'select private.uuid_v7() as id, pg_sleep(0.002)::text from generate_series(1, 20)',
      values: [],
    });
    const ids = rows.map((row) => row.id);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect([...ids].sort()).toEqual(ids);
    const [row] = await database.objectsAs<{ age: number }>(owner, {
      text: "select abs(extract(epoch from clock_timestamp()) * 1000 - ('x' || lpad(replace(left($1, 13), '-', ''), 16, '0'))::bit(64)::bigint)::float8 as age",
      values: [ids[19] ?? ''],
    });
    expect(row?.age).toBeLessThan(60_000);
  });

  test('of one who may not create roles or schemas, says which grants are missing', async () => {
    await expect(migrate({ url: server.url('stranger', 'x', 'bare'), directory })).rejects.toThrow(
      /stranger may not create schemas.*alter role "stranger" createrole.*grant create on database.*alter schema public owner to "stranger"/s,
    );
  });

  test('racing nodes: one applies each migration, all of them serve', async () => {
    const url = server.url('app', password, 'races');
    const nodes = await Promise.all(Array.from({ length: 4 }, () => migrate({ url, directory })));
    const names = nodes.flatMap((node) => node.applied);
    expect(new Set(names).size).toBe(names.length);
    expect(names.length).toBeGreaterThan(5);
    expect(await migrate({ url, directory })).toEqual({ applied: [] });
  });
});

describe('Postgres 18 with an owner who has nothing but createrole', () => {
  test('is migrated and served; without bypassrls the service role lives by its policies', async () => {
    const dataDir = temporaryDirectory('own');
    const cluster = await startCluster({ dataDir, log, fast: true });
    try {
      const admin = parseTarget(cluster.adminUrl);
      await runScript(admin, [
        'create role plain login createrole',
        'create database plain owner plain',
        'create role second login createrole',
        'create database second owner second',
      ]);
      const url = withDatabase(withUser(cluster.adminUrl, 'plain'), 'plain');
      await migrate({ url, directory });
      const database = await openDatabase({ url, config: settings, log });
      const service = { role: 'service_role', claims: '{}' };
      expect(
        await database.objectsAs(service, {
          text: 'select current_user::text as me, rolbypassrls as bypass from pg_roles where rolname = current_user',
          values: [],
        }),
      ).toEqual([{ me: 'service_role', bypass: false }]);
      await expect(
        database.runAs(service, { text: 'select count(*) from public.tasks', values: [] }),
      ).resolves.toBeDefined();
      await database.close();
      // The roles are the cluster's, and belong to who made them: another owner has to be granted them, and the error says so.
      const other = withDatabase(withUser(cluster.adminUrl, 'second'), 'second');
      await expect(migrate({ url: other, directory })).rejects.toThrow(
        /0001_ground\.sql failed.*grant .*anon.* to second with admin option/s,
      );
      await runScript(admin, ['grant anon, authenticated, service_role to second with admin option']);
      await expect(migrate({ url: other, directory })).rejects.toThrow(
        /grant kanbase_\w+ to second with admin option/s,
      );
    } finally {
      await cluster.stop();
      rmSync(dataDir, { recursive: true, force: true });
    }
  });
});

describe.skipIf(!havePostgres)('connecting', () => {
  const reach = async (url: string): Promise<string> => {
    const { socket, parameters } = await dial(parseTarget(url));
    socket.destroy();
    return `${'encrypted' in socket && socket.encrypted === true ? 'tls' : 'plain'} ${parameters.get('server_version')?.slice(0, 2)}`;
  };

  test('sslmode means what it means to libpq', async () => {
    const url = (query: string, host = 'localhost') =>
      server.url('app', password, 'app', query).replace('@localhost', `@${host}`);
    const root = encodeURIComponent(`${server.directory}/server.crt`);
    expect(await reach(url('sslmode=disable'))).toBe('plain 15');
    expect(await reach(url('sslmode=allow'))).toBe('plain 15');
    expect(await reach(url('sslmode=prefer'))).toBe('tls 15');
    expect(await reach(url(''))).toBe('tls 15');
    expect(await reach(url('sslmode=require'))).toBe('tls 15');
    expect(await reach(url(`sslmode=verify-ca&sslrootcert=${root}`))).toBe('tls 15');
    expect(await reach(url(`sslmode=verify-full&sslrootcert=${root}`))).toBe('tls 15');
    // The certificate is for `localhost`, and nobody known has signed it.
    expect(await reach(url(`sslmode=verify-ca&sslrootcert=${root}`, '127.0.0.1'))).toBe('tls 15');
    await expect(reach(url(`sslmode=verify-full&sslrootcert=${root}`, '127.0.0.1'))).rejects.toThrow(
      /IP|altnames|does not match/i,
    );
    await expect(reach(url('sslmode=verify-full'))).rejects.toThrow(/self-signed/i);
    await expect(reach(url('sslmode=verify-full&sslrootcert=system'))).rejects.toThrow(/self-signed/i);
  });

  test('a server that wants TLS gets it unless it is disabled', async () => {
    const url = (query: string) => server.url('app', password, 'tls_only', query);
    await expect(reach(url('sslmode=disable'))).rejects.toMatchObject({ sqlstate: '28000' });
    expect(await reach(url('sslmode=allow'))).toBe('tls 15');
    expect(await reach(url('sslmode=prefer'))).toBe('tls 15');
  });

  test('passwords go as scram, md5 or clear text, as the server asks', async () => {
    expect(await reach(server.url('old_style', 'legacy', 'md5_only'))).toBe('plain 15');
    expect(await reach(server.url('app', password, 'clear_only', 'sslmode=require'))).toBe('tls 15');
    await expect(reach(server.url('app', 'wrong', 'app'))).rejects.toMatchObject({ sqlstate: '28P01' });
    await expect(reach(`postgres://app@localhost:${server.port}/app`)).rejects.toThrow(
      /asks app for a password and the address has none/,
    );
  });

  test('an unreachable Postgres is named in the error, without its password', async () => {
    const call = openDatabase({ url: 'postgres://app:secret@localhost:1/app', config: settings, log });
    await expect(call).rejects.toThrow(/app@localhost:1\/app is not reachable.*ECONNREFUSED/s);
    await expect(call).rejects.not.toThrow(/secret/);
  });
});

describe.skipIf(!havePostgres)('a database that goes away and comes back', () => {
  test('is missed with 503 and found again, without a restart', async () => {
    const url = server.url('app', password, 'app');
    const database = await openDatabase({ url, config: settings, log });
    const ask = () => database.runAs(ada, { text: 'select 1', values: [] }, { readOnly: true });
    let reconnected: () => void = () => undefined;
    const gap = new Promise<void>((resolve) => {
      reconnected = resolve;
    });
    let deliver: (payload: string) => void = () => undefined;
    const delivered = new Promise<string>((resolve) => {
      deliver = resolve;
    });
    await database.listen(
      'news',
      (payload) => deliver(payload),
      () => reconnected(),
    );
    await ask();
    const inFlight = database.runAs(ada, { text: 'select pg_sleep(40)', values: [] });
    const busy = database.runAs(owner, {
      text: "select count(*) from pg_stat_activity where query like '%pg_sleep(40)%'",
      values: [],
    });
    await busy;
    const interrupted = expect(inFlight).rejects.toMatchObject({ code: 'KB503', status: 503 });
    await server.stop('SIGQUIT');
    await interrupted;
    for (let attempt = 0; attempt < 5; attempt++)
      await expect(ask()).rejects.toMatchObject({ code: 'KB503', status: 503, headers: { 'Retry-After': '1' } });
    await expect(database.ping()).rejects.toMatchObject({ code: 'KB503' });
    await server.start();
    for (;;) {
      try {
        await ask();
        break;
      } catch (error) {
        expect(error).toMatchObject({ code: 'KB503' });
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
    await gap;
    await database.runAs(owner, { text: "select pg_notify('news', 'again')", values: [] });
    expect(await delivered).toBe('again');
    await database.close();
  });
});

describe.skipIf(!havePostgres || !haveBouncer)('through PgBouncer in transaction mode', () => {
  let database: Database;

  const bouncer = forSuite(() => startBouncer(server, { app: password }));
  beforeAll(async () => {
    database = await openDatabase({
      url: `postgres://app:${encodeURIComponent(password)}@127.0.0.1:${bouncer.port}/app?sslmode=disable`,
      directUrl: server.url('app', password, 'app'),
      config: { ...settings, poolSize: 8, queueLimit: 1000, preparedStatements: false },
      log,
    });
  });

  afterAll(async () => {
    await database?.close();
  });

  test('callers keep their own role and claims, however connections are shared', async () => {
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, n) => {
        const sub = `0190b0c8-0000-7000-8000-${String(n).padStart(12, '0')}`;
        const caller = { role: n % 2 === 0 ? 'authenticated' : 'anon', claims: JSON.stringify({ sub }) };
        return database
          .objectsAs<{ me: string; uid: string }>(
            caller,
            { text: 'select current_user::text as me, auth.uid() as uid', values: [] },
            { readOnly: n % 3 === 0 },
          )
          .then(([row]) => row?.me === caller.role && row?.uid === sub);
      }),
    );
    expect(answers.every((right) => right)).toBe(true);
  });

  test('transactions, streams, errors and rollback work', async () => {
    const n = await database.transactAs(owner, async (tx) => {
      await tx.run({ text: 'create temporary table t (n int) on commit drop', values: [] });
      await tx.run({ text: 'insert into t select generate_series(1, 10)', values: [] });
      return tx.objects<{ n: number }>({ text: 'select count(*)::int as n from t', values: [] });
    });
    expect(n).toEqual([{ n: 10 }]);
    let rows = 0;
    await database.streamAs(ada, { text: 'select generate_series(1, 500)', values: [] }, () => {
      rows++;
    });
    expect(rows).toBe(500);
    await expect(database.runAs(ada, { text: 'select 1/0', values: [] })).rejects.toMatchObject({ sqlstate: '22012' });
    await expect(database.runAs(ada, { text: 'select 1/0', values: [] }, { rollback: true })).rejects.toMatchObject({
      sqlstate: '22012',
    });
    await expect(
      database.runAs(ada, { text: 'create table x ()', values: [] }, { readOnly: true }),
    ).rejects.toMatchObject({ sqlstate: '25006' });
  });

  test('a forgotten setting costs speed, never a wrong answer', async () => {
    const forgetful = await openDatabase({
      url: `postgres://app:${encodeURIComponent(password)}@127.0.0.1:${bouncer.port}/app?sslmode=disable`,
      config: { ...settings, poolSize: 6, queueLimit: 1000 },
      log,
    });
    const answers = await Promise.all(
      Array.from({ length: 300 }, async (_, n) => {
        const role = n % 2 === 0 ? 'authenticated' : 'anon';
        const text = `select ${n % 7} as n, current_user::text as me, $1::int as bound`;
        const [row] = await forgetful.objectsAs<{ n: number; me: string; bound: number }>(
          { role, claims: '{}' },
          { text, values: [String(n)] },
          { readOnly: true },
        );
        return row?.n === n % 7 && row.me === role && row.bound === n;
      }),
    );
    expect(answers.every((right) => right)).toBe(true);
    await forgetful.close();
  });

  test('listening goes past it', async () => {
    const heard = new Promise<string>((resolve) => {
      void database
        .listen('past', resolve)
        .then(() => database.runAs(owner, { text: "select pg_notify('past', 'hello')", values: [] }));
    });
    expect(await heard).toBe('hello');
  });

  test('migrations run through it as well, if they must', async () => {
    const url = `postgres://app:${encodeURIComponent(password)}@127.0.0.1:${bouncer.port}/app?sslmode=disable`;
    expect(await migrate({ url, directory })).toEqual({ applied: [] });
  });
});
