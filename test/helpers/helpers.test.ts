// What the helpers promise the tests that use them: databases and apps of their own.

import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startApp, type TestApp } from './app.ts';
import { freshDatabase } from './fresh-database.ts';
import { differences, lookAround } from './left-as-found.ts';
import { clearAfterKilledRuns, temporaryDirectory } from './temporary.ts';

let one: TestApp;
let two: TestApp;
beforeAll(async () => {
  [one, two] = await Promise.all([startApp(), startApp()]);
});
afterAll(async () => {
  await Promise.all([one.close(), two.close()]);
});

test('a fresh database is migrated, and nobody else sees what is done in it', async () => {
  const ada = await one.createUser({ name: 'Ada' });
  expect(await one.sql('select display_name from public.profiles')).toEqual([{ display_name: 'Ada' }]);
  expect(await two.sql('select id from public.profiles')).toEqual([]);
  expect(await one.asUser(ada.id, 'select auth.uid() as id')).toEqual([{ id: ada.id }]);
});

test('a user comes with a client that is signed in', async () => {
  const bob = await one.createUser({ name: 'Bob' });
  const { data, error } = await bob.client.from('profiles').select('display_name').eq('id', bob.id).single();
  expect([error, data]).toEqual([null, { display_name: 'Bob' }]);
});

test('an empty database is empty', async () => {
  const empty = await freshDatabase({ from: null });
  expect(empty.directUrl).toContain(empty.name);
  await empty.drop();
});

test('what a file leaves for the next one is seen', () => {
  const before = lookAround();
  expect(differences(before)).toEqual([]);
  vi.stubEnv('KANBASE_LEFT', 'behind');
  vi.stubGlobal('left', 'behind');
  vi.useFakeTimers();
  expect(differences(before)).toEqual(['environment', 'globals', 'functions', 'fakedClock']);
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  expect(differences(before)).toEqual([]);
});

test('what a run left that was killed is cleared away by the next one, with the servers in it', async () => {
  const killed = spawnSync(process.execPath, ['--version']).pid;
  const own = temporaryDirectory('own');
  const left = own.replace(`-${process.pid}-`, `-${killed}-`);
  mkdirSync(join(left, 'postgres'), { recursive: true });
  const server = spawn('sleep', ['600'], { cwd: join(left, 'postgres') });
  const ended = new Promise((resolve) => server.once('exit', (_, signal) => resolve(signal)));
  clearAfterKilledRuns();
  expect([existsSync(own), existsSync(left)]).toEqual([true, false]);
  expect(await ended).toBe('SIGKILL');
  rmSync(own, { recursive: true });
});
