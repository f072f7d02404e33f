// `kanbase serve` as a process: start, banner, stop, and what it says when it cannot start.

import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { buildServerAside } from '../../scripts/build.mjs';
import { connectionOptions } from '../../server/database/connection-options.ts';
import { socketUrl } from '../../server/database/connection-url.ts';
import { type FreshDatabase, freshDatabase } from '../helpers/fresh-database.ts';
import { launchKanbase, runKanbase, type Served, scratch, startKanbase } from '../helpers/kanbase.ts';
import { startSilentMailServer } from '../mail/silent-mail-server.ts';

const place = scratch('serve');
const made: FreshDatabase[] = [];
afterAll(async () => {
  for (const database of made) await database.drop();
  place.remove();
});

test('a first start makes all it needs, says where things are, and stops cleanly; a later one finds it again', async () => {
  const dataDir = join(place.path, 'data');
  const first = await startKanbase(['--data-dir', dataDir]);
  const { stdout } = first.output();
  expect(stdout).toContain(`Address      ${first.url.replace('127.0.0.1', 'localhost')}`);
  expect(stdout).toContain(`Data         ${dataDir} (Postgres 18.`);
  expect(stdout).toContain('kanbase keys');
  // A line on what it waits for, the banner, and nothing else.
  expect(stdout).toMatch(/^Creating the database in .* …\n\n {2}Kanbase is ready\.\n/);
  expect(stdout.trim().split('\n').length).toBeLessThan(15);
  expect(first.output().stderr).toBe('');
  expect((await fetch(`${first.url}/ready`)).status).toBe(200);
  expect(await first.stop('SIGTERM')).toMatchObject({ code: 0 });

  const second = await startKanbase(['--data-dir', dataDir]);
  expect(second.anonKey).toBe(first.anonKey);
  expect(second.output().stdout).toMatch(/^\n {2}Kanbase is ready\.\n/);
  expect(await second.stop('SIGINT')).toMatchObject({ code: 0 });
});

test('a port that is taken is named, with what to do, and nothing is left running', async () => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  const address = taken.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const { code, stderr } = await runKanbase([
    'serve',
    '--host',
    '127.0.0.1',
    '--port',
    String(port),
    '--data-dir',
    join(place.path, 'taken'),
  ]);
  taken.close();
  expect(code).toBe(1);
  expect(stderr.trim().split('\n').at(-1)).toBe(
    `kanbase serve: port ${port} is in use: stop what listens there, or choose another with --port`,
  );
});

/** Ports that a process listens on. */
function listensOn(pid: number): number[] {
  const sockets = new Set(
    readdirSync(`/proc/${pid}/fd`).map((one) => {
      try {
        return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${one}`))?.[1];
      } catch {
        return undefined;
      }
    }),
  );
  return readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , , state, , , , , , inode]) => state === '0A' && sockets.has(inode))
    .map(([, address]) => Number.parseInt(address?.split(':')[1] ?? '', 16));
}

const listenOn = (port: number): Promise<string> =>
  new Promise((resolve) => {
    const other = createServer();
    other.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code ?? ''));
    other.listen(port, '127.0.0.1', () => other.close(() => resolve('listens')));
  });

test.each(['1', '2'])('a free port is held from the start until the server answers, workers: %s', async (workers) => {
  const { database, owner } = await ownDatabase();
  await owner.end();
  const { host = '', user = '', database: name = '' } = connectionOptions(database.directUrl);
  // The socket of the database is there later.
  const late = join(place.path, `late-${workers}`);
  const started = await launchKanbase(['serve', '--host', '127.0.0.1', '--port', '0'], {
    env: { WORKERS: workers, DATABASE_URL: socketUrl(late, user, name) },
    cwd: place.path,
  });
  await started.until(/does not answer yet/, 'stderr');
  const ports = listensOn(started.process.pid ?? 0);
  expect(ports).toEqual([expect.any(Number)]);
  expect(await listenOn(ports[0] ?? 0)).toBe('EADDRINUSE');
  symlinkSync(host, late);
  expect(await started.until(/Service key/)).toContain(`http://localhost:${ports[0]}`);
  expect((await fetch(`http://127.0.0.1:${ports[0]}/health`)).status).toBe(200);
  expect(await listenOn(ports[0] ?? 0)).toBe('EADDRINUSE');
  started.process.kill('SIGTERM');
  expect(await started.ended).toMatchObject({ code: 0 });
});

async function ownDatabase(): Promise<{ database: FreshDatabase; owner: pg.Client }> {
  const database = await freshDatabase();
  made.push(database);
  const owner = new pg.Client(connectionOptions(database.directUrl));
  // It may outlive the database where a test fails.
  owner.on('error', () => undefined);
  await owner.connect();
  return { database, owner };
}

/** A server on a database with a procedure that waits for that, and a request that is inside of it. */
async function withSlowRequest(waitsFor: string, args: string[] = [], more: Record<string, string> = {}) {
  const { database, owner } = await ownDatabase();
  await owner.query(`create function public.take_time() returns text language sql as $$ select 'done' from ${waitsFor} $$;
    grant execute on function public.take_time() to anon`);
  await owner.query('select pg_advisory_lock(7)');
  const server = await startKanbase(['--data-dir', join(place.path, 'slow'), ...args], {
    env: { DATABASE_URL: database.directUrl, ...more },
  });
  const answer = fetch(`${server.url}/rest/v1/rpc/take_time`, {
    method: 'POST',
    headers: { apikey: server.anonKey, authorization: `Bearer ${server.anonKey}` },
  }).then(
    async (response) => `${response.status} ${await response.text()}`,
    () => 'cut off',
  );
  const inside = `select count(*)::int as n from pg_stat_activity where wait_event in ('PgSleep', 'advisory') and datname = current_database()`;
  while ((await owner.query<{ n: number }>(inside)).rows[0]?.n === 0) await owner.query('select pg_sleep(0.01)');
  return { server, answer, owner };
}

test('a stop lets requests in flight finish', async () => {
  const { server, answer, owner } = await withSlowRequest('pg_sleep(1)');
  await owner.end();
  expect(await server.stop('SIGTERM')).toMatchObject({ code: 0 });
  expect(await answer).toBe('200 "done"');
  await expect(fetch(`${server.url}/health`)).rejects.toThrow();
});

test('but not for ever', async () => {
  const { server, answer, owner } = await withSlowRequest('pg_sleep(2.9)', ['--shutdown-timeout-ms', '100']);
  await owner.end();
  expect(await server.stop('SIGINT')).toMatchObject({ code: 0 });
  expect(await answer).toBe('cut off');
});

/** Resolves when no new connection is taken. One that a process got while it was going may be left without an answer. */
async function untilClosed(url: string): Promise<void> {
  const answer = () =>
    fetch(`${url}/health`, { headers: { connection: 'close' }, signal: AbortSignal.timeout(500) }).then(
      ({ status }) => status,
      (error: Error) => (error.cause as NodeJS.ErrnoException | undefined)?.code,
    );
  while ((await answer()) !== 'ECONNREFUSED');
}

/** Of which a mail comes. */
const signUp = (server: Served) =>
  fetch(`${server.url}/auth/v1/signup`, {
    method: 'POST',
    headers: { apikey: server.anonKey, 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'ada@serve.test', password: 'a long password' }),
  });
const mails = 'select state, last_error from private.outbox';

test('a mail under way arrives and is noted, while nobody is let in any more', async () => {
  const post = await startSilentMailServer();
  const { database, owner } = await ownDatabase();
  const server = await startKanbase(['--data-dir', join(place.path, 'mail'), '--shutdown-timeout-ms', '20000'], {
    env: { DATABASE_URL: database.directUrl, SMTP_URL: post.url },
  });
  expect((await signUp(server)).status).toBe(200);
  await post.arrived;
  const ended = server.stop();
  await untilClosed(server.url);
  post.answer();
  expect(await ended).toMatchObject({ code: 0 });
  expect((await owner.query(mails)).rows).toEqual([{ state: 'sent', last_error: null }]);
  await owner.end();
  await post.close();
});

test.each(['1', '2'])(
  'a mail server that has fallen silent is left while requests still finish, its mail to the next start (WORKERS=%s)',
  async (workers) => {
    const post = await startSilentMailServer();
    const env = { SMTP_URL: post.url, WORKERS: workers, DB_ANON_TIMEOUT_MS: '60000' };
    const begun = await withSlowRequest(
      '(select pg_advisory_xact_lock_shared(7)) it',
      ['--shutdown-timeout-ms', '8000'],
      env,
    );
    const { server, answer, owner } = begun;
    expect((await signUp(server)).status).toBe(200);
    await post.arrived;
    const ended = server.stop();
    await untilClosed(server.url);
    await post.hungUp;
    await owner.query('select pg_advisory_unlock_all()');
    expect(await answer).toBe('200 "done"');
    expect(await ended).toMatchObject({ code: 0 });
    expect((await owner.query(mails)).rows).toEqual([{ state: 'queued', last_error: null }]);
    await owner.end();
    await post.close();
  },
);

test('a database that is away at the start is waited for; one that refuses is reported in one line', async () => {
  const refused = await runKanbase(
    [
      'serve',
      '--port',
      '0',
      '--database-url',
      (await freshDatabase()).directUrl.replace(/t_[0-9a-f]+/, 'no_such_database'),
    ],
    { cwd: place.path },
  );
  expect(refused.code).toBe(1);
  expect(refused.stderr.trim()).toMatch(
    /^kanbase serve: the database cannot be reached: database "no_such_database" does not exist\. .*kanbase doctor/,
  );
});

test('a stop while the database is waited for is a stop', async () => {
  // Nobody listens there: the start waits for a database that does not come.
  const started = spawn(
    process.execPath,
    [await buildServerAside(), 'serve', '--port', '0', '--database-url', 'postgres://x@127.0.0.1:9/x'],
    {
      cwd: place.path,
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  const ended = new Promise((resolve) => started.once('exit', resolve));
  await new Promise<void>((resolve) => {
    started.stderr.setEncoding('utf8').on('data', (text: string) => {
      if (text.includes('does not answer yet')) resolve();
    });
  });
  started.kill('SIGTERM');
  expect(await ended).toBe(0);
});

test('sign-up that is open to a network is reported once, with what to set', async () => {
  const database = await freshDatabase();
  made.push(database);
  const env = { DATABASE_URL: database.directUrl };
  const args = ['--data-dir', join(place.path, 'open')];
  const words =
    /Sign-up {6}Anyone who reaches port \d+ can sign up with any address, without confirming it\.\n.*HOST=127\.0\.0\.1.*SMTP_URL.*AUTH_SIGN_UP=off/;
  // A flag that comes later counts.
  const open = await startKanbase([...args, '--host', '0.0.0.0'], { env });
  const printed = open.output().stdout;
  await open.stop();
  expect(printed).toMatch(words);
  expect(printed.match(/can sign up/g)).toHaveLength(1);
  for (const [name, value] of [
    ['SMTP_URL', 'smtp://127.0.0.1:9'],
    ['AUTH_DISABLE_SIGNUP', 'true'],
    ['AUTH_SIGN_UP', 'off'],
  ] as const) {
    const closed = await startKanbase([...args, '--host', '0.0.0.0'], { env: { ...env, [name]: value } });
    await closed.stop();
    expect(closed.output().stdout).not.toContain('can sign up');
  }
});
