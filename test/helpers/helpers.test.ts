// Tests of the test helpers: each gets a database and an app of its own.

import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startApp, type TestApp } from './app.ts';
import { differences, lookAround } from './check-leftovers.ts';
import { freshDatabase } from './fresh-database.ts';
import { findSecrets, Records, records } from './records.ts';
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

test('a secret in what is logged is found at the end of the run, whoever noted it', () => {
  const directory = temporaryDirectory('records');
  const mine = new Records(directory);
  mine.keepSettings({
    SMTP_URL: 'smtp://kanbase:kept-by-mail-01@127.0.0.1:25',
    JWT_KEYS: '{"keys":[{"kid":"the-first-of-all","d":"kept-by-keys-01"}]}',
    METRICS_TOKEN: 'kept by metrics',
    SITE_URL: 'http://kept-nowhere-01.test',
  });
  mine.keepSecretsOf('{"email":"ada@example.test","password":"kept-by-ada-01"}');
  mine.keepLog('{"msg":"sent by kept-by-mail-01"}\n{"msg":"the-first-of-all of http://kept-nowhere-01.test/"}\n');
  mine.keepLog('kept-by-keys-01/kept-by-ada-01, kept by metrics');
  mine.keepLog('somebody brought eyJhbGciOiJIUzI1NiJ9.eyJrZXB0IjoxfQ.c2lnbmF0dXJl');
  mine.close();
  const { leaks, lines, secrets } = findSecrets(directory);
  expect([leaks.length, lines, secrets]).toEqual([5, 4, 4]);
  expect(leaks.filter((leak) => /first-of-all|nowhere/.test(leak))).toEqual([]);
  rmSync(directory, { recursive: true });
});

test('records of a run keep the log of an app, and passwords people sign up with', async () => {
  const kept = (kind: string): string =>
    readFileSync(join(process.env.KANBASE_TEST_RECORDS ?? '', `${kind}-${process.pid}`), 'utf8');
  expect(records).not.toBeNull();
  await one.client().auth.signUp({ email: 'kept@example.test', password: 'kept by a sign-up 01' });
  expect(kept('secrets')).toContain('kept by a sign-up 01');
  expect(kept('log')).toContain('/auth/v1/signup');
});

test('records of a run keep the secrets of feeds, invitations, files and unsubscribing, too', async () => {
  const kept = (): string[] =>
    readFileSync(join(process.env.KANBASE_TEST_RECORDS ?? '', `secrets-${process.pid}`), 'utf8')
      .split('\n')
      .map((line) => line.slice(1, -1));
  const { client, id } = await one.createUser({ name: 'Secretive' });
  const { data: project } = await client.rpc('create_project_with_defaults', { name: 'Hush' });
  const { data: feed } = await client.rpc('create_calendar_feed', { kind: 'mine' });
  const guest = { project_id: project.id, email: 'guest@example.test', role: 'viewer' };
  const { data: invitation } = await client.rpc('invite_member', guest);
  const { data: again } = await client.rpc('invitation_token', { invitation_id: invitation.id });
  const { data: signed } = await client.storage.from('avatars').createSignedUploadUrl(`${id}/face.png`);
  const signature = signed?.token.split('.').at(-1);
  expect(kept()).toEqual(expect.arrayContaining([feed.token, invitation.token, again, signature]));
  await one.request(`/api/unsubscribe?token=${id}.the-way-out-of-mails`);
  await one.request('/ical/an-address-of-a-feed.ics');
  expect(kept()).toEqual(expect.arrayContaining(['the-way-out-of-mails', 'an-address-of-a-feed']));
});

test('traces that a test file leaves for the next one are found', () => {
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

test('directories and servers of a killed run are cleared away by the next one', async () => {
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
