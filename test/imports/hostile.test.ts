// Hostile files: other requests are answered while they are read, the reading process is ended in time, and an import that crashed its process twice
// is not started again.

import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import type { RunningJob } from '../../server/background/every.ts';
import { openFileSaver } from '../../server/files/file-saver.ts';
import { openReadingLimits } from '../../server/imports/door/reading-limits.ts';
import { startImports } from '../../server/imports/door/start-imports.ts';
import { workerLimits } from '../../server/imports/door/worker/limits.ts';
import { runWorker, WorkerEnded } from '../../server/imports/door/worker/run-worker.ts';
import { notSaved } from '../../server/imports/files-in-zip.ts';
import { startApp, type TestUser } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { scratch, startKanbase } from '../helpers/kanbase.ts';

let mallory: TestUser;
let ada: TestUser;
const app = forSuite(startApp);
beforeAll(async () => {
  mallory = await app.createUser({ name: 'Mallory' });
  ada = await app.createUser({ name: 'Ada' });
});

const choices = { from: null, part: null, mapping: null, dates: null, people: {} };
const rows = (count: number, comments = 0): Buffer => {
  const header = `ID,Title,Description${',Comment'.repeat(comments)}`;
  const line = (n: number): string =>
    `${n},Task ${n},${'words '.repeat(20)}${n}${Array.from({ length: comments }, (_, at) => `,said ${n} ${at}`).join('')}`;
  return Buffer.from([header, ...Array.from({ length: count }, (_, n) => line(n))].join('\n'));
};

const board = (count: number): Buffer =>
  Buffer.from(
    JSON.stringify({
      lists: [{ id: 'l', name: 'Open' }],
      cards: Array.from({ length: count }, (_, n) => ({
        id: `c${n}`,
        idList: 'l',
        name: `Card ${n}`,
        desc: 'words '.repeat(20),
      })),
    }),
  );

async function ask<T = Record<string, never>>(
  who: TestUser,
  method: string,
  path: string,
  body?: unknown,
  url = app.url,
): Promise<{ readonly status: number; readonly body: T }> {
  const raw = Buffer.isBuffer(body);
  const answer = await fetch(`${url}/api/imports${path}`, {
    method,
    headers: {
      authorization: `Bearer ${who.token}`,
      ...(body === undefined ? {} : { 'content-type': raw ? 'application/octet-stream' : 'application/json' }),
    },
    ...(body === undefined ? {} : { body: raw ? new Uint8Array(body) : JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, body: text === '' ? null : JSON.parse(text) };
}

const jira = (description: string): string => `Summary,Issue key,Status,Description\nHull,SHIP-1,Open,"${description}"`;
const todoist = (content: string, who = ''): string =>
  `TYPE,CONTENT,DESCRIPTION,PRIORITY,INDENT,AUTHOR,RESPONSIBLE,DATE,DATE_LANG,TIMEZONE\ntask,"${content}",,1,1,,"${who}",,,`;
const vikunja = (description: string): string =>
  JSON.stringify([{ title: 'P', hex_color: '', tasks: [{ id: 1, title: 'T', description }] }]);
const spaces = ' '.repeat(100_000);

/** Each kept one processor for more than 15 seconds. */
const files: readonly (readonly [string, string, string])[] = [
  ['addresses without an end', 'assignees.csv', `ID,Title,Assignee\n1,Hull,${'a@'.repeat(15_000)}`],
  ['a name of one letter', 'letters.csv', `ID,Title,Assignee\n1,Hull,${'a'.repeat(293_000)}`],
  ['a checklist of spaces', 'checklist.csv', `ID,Title,Checklist\n1,Hull,"x${spaces}x"`],
  ['links without an end', 'links.json', vikunja('<a href="'.repeat(20_000))],
  ['tags without an end', 'tags.json', vikunja('<a'.repeat(50_000))],
  ['spaces before no line', 'spaces.json', vikunja(`<p>${spaces}x</p>`)],
  ['brackets without an end', 'brackets.csv', jira('['.repeat(100_000))],
  ['code without an end', 'code.csv', jira('{code:'.repeat(30_000))],
  ['braces without an end', 'braces.csv', jira('{{a'.repeat(50_000))],
  ['spaces before no label', 'labels.csv', todoist(`x${spaces}x`)],
  ['spaces before no number', 'people.csv', todoist('x', `x${spaces}x`)],
];

test.each(files)('%s: read in time, while others are answered', async (_, name, content) => {
  const who = await app.createUser({ name: `Mallory of ${name}` });
  const upload = await ask<{ id: string }>(who, 'POST', `/?name=${name}`, Buffer.from(content));
  expect(upload.status).toBe(201);
  const preview = ask(who, 'POST', `/${upload.body.id}/preview`, {});
  expect((await fetch(`${app.url}/health`)).status).toBe(200);
  expect((await ada.client.from('projects').select()).error).toBeNull();
  expect(await preview).toMatchObject({ status: 200, body: { counts: { tasks: 1 } } });
});

test('while a large file is read, health and the requests of others are answered first', async () => {
  let isRead = false;
  const upload = ask(mallory, 'POST', '/?name=large.csv', rows(120_000)).finally(() => {
    isRead = true;
  });
  await expect.poll(workersHere, { interval: 20 }).toHaveLength(1);
  for (let times = 0; times < 5; times++) {
    expect((await fetch(`${app.url}/health`)).status).toBe(200);
    expect((await ada.client.from('projects').select()).error).toBeNull();
  }
  expect(isRead).toBe(false);
  expect(await upload).toMatchObject({ status: 201 });
  // Its memory went with the process.
  expect(workersHere()).toEqual([]);
});

test('a client that hangs up ends the reading of its file', async () => {
  const gone = new AbortController();
  const upload = fetch(`${app.url}/api/imports/?name=left.csv`, {
    method: 'POST',
    headers: { authorization: `Bearer ${mallory.token}`, 'content-type': 'application/octet-stream' },
    body: new Uint8Array(rows(120_000)),
    signal: gone.signal,
  });
  await expect.poll(workersHere, { interval: 20 }).toHaveLength(1);
  gone.abort();
  await expect(upload).rejects.toThrow();
  await expect.poll(workersHere).toEqual([]);
});

test('a person has one file read at a time and two waiting; a fourth is refused, those of others are not', async () => {
  const ration = openReadingLimits(app.services.limits);
  const begun: string[] = [];
  let end = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    end = resolve;
  });
  const read = (who: TestUser, name: string) =>
    ration(who.id, () => {
      begun.push(name);
      return held;
    });
  const mine = ['first', 'second', 'third'].map((name) => read(mallory, name));
  await expect(read(mallory, 'fourth')).rejects.toMatchObject({ code: 'KB827', status: 429 });
  const other = read(ada, 'of Ada');
  // Each asks Postgres first: which of them is begun first is chance.
  await expect.poll(() => [begun.length, begun.includes('of Ada')]).toEqual([2, true]);
  end();
  await Promise.all([...mine, other]);
  expect(begun.toSorted()).toEqual(['first', 'of Ada', 'second', 'third']);
});

test('after three files that broke off a person pauses', async () => {
  const ration = openReadingLimits(app.services.limits);
  const who = await app.createUser({ name: 'Breaker' });
  const broken = () => ration(who.id, () => Promise.reject(new WorkerEnded('time')));
  for (let times = 0; times < 3; times++) await expect(broken()).rejects.toBeInstanceOf(WorkerEnded);
  await expect(broken()).rejects.toMatchObject({ code: 'KB827' });
  expect(await ration(ada.id, async () => 'read')).toBe('read');
});

test.each([
  ['time', { cpuMs: 1 }],
  ['memory', { rssBytes: 1 }],
  ['memory', { heapMegabytes: 12 }],
  ['time', { readMs: 1 }],
] as const)('a worker is ended by %s (%o)', async (by, limit) => {
  const work = {
    task: { to: 'recognise', fileName: 'large.json', choices },
    file: [gzipSync(board(100_000))],
    means: { database: app.database, caller: { role: 'anon', claims: '{}' }, userId: '', saveFile: null },
  } as const;
  await expect(runWorker({ ...work, limits: { ...workerLimits, ...limit } })).rejects.toMatchObject({ by });
  expect(workersHere()).toEqual([]);
});

test('a table of 200,000 rows is recognised without being held, and previewed as one copy of its tasks', async () => {
  const file = [gzipSync(rows(200_000))];
  const claims = JSON.stringify({ sub: ada.id, role: 'authenticated', aud: 'authenticated' });
  const means = { database: app.database, caller: { role: 'authenticated', claims }, userId: ada.id, saveFile: null };
  const about = { fileName: 'large.csv', choices };
  const within = (megabytes: number) => ({ ...workerLimits, cpuMs: 120_000, rssBytes: megabytes * 1024 * 1024 });
  const recognised = runWorker({ task: { to: 'recognise', ...about }, file, means, limits: within(200) });
  expect(await recognised).toBe('csv');
  const preview = { to: 'preview', userId: ada.id, claims, projectId: null, ...about } as const;
  const shown = await runWorker<string>({ task: preview, file, means, limits: within(400) });
  expect(JSON.parse(shown)).toMatchObject({ counts: { tasks: 200_000 } });
});

describe('an import whose process is killed', () => {
  test('is begun once more; the second time it fails in words and stays', async () => {
    const node: RunningJob = await startImports(app.services, await openFileSaver(app.services, notSaved));
    try {
      const { body } = await ask<{ id: string }>(ada, 'POST', '/?name=killed.csv', rows(20_000));
      await ask(ada, 'POST', `/${body.id}/start`, { name: 'Killed' });
      const killed = new Set<number>();
      while (killed.size < 2) {
        await expect.poll(() => workersHere().filter((pid) => !killed.has(pid)), { interval: 10 }).toHaveLength(1);
        for (const pid of workersHere()) {
          killed.add(pid);
          process.kill(pid, 'SIGKILL');
        }
      }
      await expect
        .poll(async () => (await ask(ada, 'GET', `/${body.id}`)).body)
        .toMatchObject({ state: 'failed', failure: expect.stringContaining('broke off twice') });
      await node.settle();
      expect(workersHere()).toEqual([]);
    } finally {
      await node.stop();
    }
  });

  test('with the whole server is begun once more at the next start, and not after that', async () => {
    const place = scratch('hostile');
    const settings = ['--data-dir', place.path];
    const env = { DATABASE_URL: app.databaseUrl, DATABASE_DIRECT_URL: app.ownerUrl };
    try {
      const who = await app.createUser({ name: 'Owner' });
      const { body } = await ask<{ id: string }>(who, 'POST', '/?name=crash.csv', rows(4000, 2));
      await ask(who, 'POST', `/${body.id}/start`, { name: 'Crash' });
      const state = async () =>
        (await app.sql('select state, crashes from private.import_jobs where id = $1', [body.id]))[0];
      // As if a minute had passed.
      const due = () =>
        app.sql(`update private.import_jobs set held_until = now() - interval '1 second' where id = $1`, [body.id]);
      for (const crashes of [0, 1]) {
        const server = await startKanbase(settings, { env });
        await expect.poll(() => workersOf(server.pid), { interval: 10 }).toHaveLength(1);
        const [worker = 0] = workersOf(server.pid);
        expect(await state()).toEqual({ state: 'running', crashes });
        await server.stop('SIGKILL');
        // It does not go on without its server.
        await expect.poll(() => isAlive(worker)).toBe(false);
        await due();
      }
      const server = await startKanbase(settings, { env });
      await expect.poll(state).toMatchObject({ state: 'failed' });
      expect(workersOf(server.pid)).toEqual([]);
      expect((await server.stop()).code).toBe(0);
    } finally {
      place.remove();
    }
  });

  test('SIGTERM ends a server that reads, and the next one goes on', async () => {
    const place = scratch('hostile');
    const env = { DATABASE_URL: app.databaseUrl, DATABASE_DIRECT_URL: app.ownerUrl };
    try {
      const who = await app.createUser({ name: 'Patient' });
      const { body } = await ask<{ id: string }>(who, 'POST', '/?name=term.csv', rows(60_000));
      await ask(who, 'POST', `/${body.id}/start`, { name: 'Term' });
      const server = await startKanbase(['--data-dir', place.path], { env });
      await expect.poll(() => workersOf(server.pid), { interval: 10 }).toHaveLength(1);
      expect((await fetch(`${server.url}/health`)).status).toBe(200);
      expect((await server.stop()).code).toBe(0);
      const [job] = await app.sql('select state, crashes, held_by from private.import_jobs where id = $1', [body.id]);
      expect(job).toEqual({ state: 'running', crashes: 0, held_by: null });
      await ask(who, 'POST', `/${body.id}/cancel`);
    } finally {
      place.remove();
    }
  });
});

const workersHere = (): number[] => workersOf(process.pid);

function workersOf(server: number): number[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const parent = Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${name}/status`, 'utf8'))?.[1]);
      const isWorker = readFileSync(`/proc/${name}/cmdline`, 'utf8').includes('import-worker.js');
      return parent === server && isWorker ? [Number(name)] : [];
    } catch {
      return [];
    }
  });
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
