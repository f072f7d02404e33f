// Imports through /api/imports: preview, writing by any free node, stop, resume, undo; with no more rights than by hand.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import yazl from 'yazl';
import type { RunningJob } from '../../server/background/every.ts';
import { openFileSaver } from '../../server/files/file-saver.ts';
import { startImports } from '../../server/imports/door/start-imports.ts';
import { notSaved, type SaveFile } from '../../server/imports/files-in-zip.ts';
import { startApp, type TestUser } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { makeProject } from '../sql/board.ts';

let ada: TestUser;
let bob: TestUser;
let node: RunningJob;
let saveFile: SaveFile;
const app = forSuite(startApp);
beforeAll(async () => {
  ada = await app.createUser({ name: 'Ada Berg', email: 'ada@example.test' });
  bob = await app.createUser({ name: 'Bob' });
  saveFile = await openFileSaver(app.services, notSaved);
  node = await startImports(app.services, saveFile);
});
afterAll(async () => {
  await node?.stop();
});

const sample = (name: string): Buffer => readFileSync(join(import.meta.dirname, 'samples', name));

const zipOf = (files: Readonly<Record<string, Buffer>>): Promise<Buffer> => {
  const zip = new yazl.ZipFile();
  for (const [name, bytes] of Object.entries(files)) zip.addBuffer(bytes, name);
  zip.end();
  return buffer(zip.outputStream);
};

interface Column {
  readonly name: string;
  readonly field: string;
  readonly samples: readonly string[];
}
/** What the door answers: of an import, of a look at one, or a refusal. */
interface ImportReport {
  readonly id: string;
  readonly projectId: string;
  readonly code: string;
  readonly failure: string;
  readonly done: number;
  readonly total: number;
  readonly keepsDates: boolean;
  readonly columns: readonly Column[];
  readonly lists: readonly object[];
  readonly people: readonly object[];
  readonly problems: readonly object[];
  readonly problemCount: number;
}

async function ask<T = ImportReport>(
  who: TestUser,
  method: string,
  path: string,
  body?: unknown,
): Promise<{ readonly status: number; readonly body: T }> {
  const raw = Buffer.isBuffer(body);
  const answer = await fetch(`${app.url}/api/imports${path}`, {
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

async function upload(who: TestUser, name: string, bytes = sample(name)): Promise<string> {
  const { status, body } = await ask(who, 'POST', `/?name=${encodeURIComponent(name)}`, bytes);
  expect(status).toBe(201);
  return body.id;
}

const ended = (who: TestUser, id: string, state = 'done') =>
  expect.poll(async () => (await ask(who, 'GET', `/${id}`)).body, { timeout: 100_000 }).toMatchObject({ state });
const countOf = async (projectId: string): Promise<number> =>
  (await app.sql<{ n: number }>('select count(*)::int as n from public.tasks where project_id = $1', [projectId]))[0]
    ?.n ?? 0;
const letIn = (projectId: string, who: TestUser, role: string) =>
  app.sql('insert into public.project_members (project_id, user_id, role) values ($1, $2, $3::public.project_role)', [
    projectId,
    who.id,
    role,
  ]);

test('a board is tried, brought into a new project, and taken back', async () => {
  const id = await upload(ada, 'trello.json');
  const { body: shown } = await ask(ada, 'POST', `/${id}/preview`, {});
  expect(shown).toMatchObject({
    product: 'trello',
    keepsDates: true,
    columns: null,
    counts: { tasks: 6, archived: 2 },
  });
  expect(shown.lists[0]).toMatchObject({ name: 'Ideas', first: ['Dredge 🌊 the basin', expect.anything()] });
  expect(shown.problems.length).toBe(shown.problemCount);

  const { status, body } = await ask(ada, 'POST', `/${id}/start`, { name: 'Harbour' });
  expect(status).toBe(202);
  await ended(ada, id);
  const { body: done } = await ask(ada, 'GET', `/${id}`);
  expect(done).toMatchObject({ projectName: 'Harbour', result: { made: 6 }, canUndo: true });
  expect(done.done).toBe(done.total);
  expect(await countOf(body.projectId)).toBe(6);
  // Nothing is kept that was read for the last time.
  expect(await app.sql('select file from private.import_jobs where id = $1', [id])).toEqual([{ file: null }]);
  expect(await ask(ada, 'POST', `/${id}/start`, { name: 'Twice' })).toMatchObject({ status: 409 });

  expect(await ask(ada, 'POST', `/${id}/undo`)).toMatchObject({ status: 202 });
  await ended(ada, id, 'undone');
  expect(await countOf(body.projectId)).toBe(0);
  expect((await ask<readonly ImportReport[]>(ada, 'GET', '/')).body[0]).toMatchObject({
    id,
    state: 'undone',
    canUndo: false,
  });
});

test('columns and people are chosen by hand; a choice that is none is refused', async () => {
  const projectId = (await makeProject(app, ada, 'Mapped')).project;
  await letIn(projectId, bob, 'editor');
  const id = await upload(ada, 'plain.csv');
  const { body: first } = await ask(ada, 'POST', `/${id}/preview`, { project: projectId });
  expect(first.columns[1]).toMatchObject({ name: 'Titel', field: 'title' });
  expect(first.columns[1]?.samples[0]).toBe('Steg bauen');
  const mapping = first.columns.map(({ name, field }) =>
    name === 'Raum' ? 'labels' : name === 'Etiketten' ? 'leave_out' : field,
  );
  const choices = { project: projectId, mapping, people: { 'Niemand Bekannt': bob.id, 'ada@example.test': '' } };
  const { body: shown } = await ask(ada, 'POST', `/${id}/preview`, choices);
  expect(shown.people).toMatchObject([
    { key: 'ada@example.test', userId: null },
    { key: 'Niemand Bekannt', userId: bob.id },
  ]);
  await ask(ada, 'POST', `/${id}/start`, choices);
  await ended(ada, id);
  const labels = await app.sql('select name from public.task_labels where project_id = $1', [projectId]);
  expect(labels).toContainEqual({ name: 'Halle 2' });
  expect(labels).not.toContainEqual({ name: 'Holz' });
  const assigned = await app.sql('select user_id from public.task_assignees where project_id = $1', [projectId]);
  expect(assigned).toEqual([{ user_id: bob.id }]);

  const other = await upload(ada, 'plain.csv');
  for (const [wrong, code] of [
    [{ mapping: ['title'] }, 'KB824'],
    [{ mapping: ['room'] }, 'KB824'],
    [{ from: 'abacus' }, 'KB824'],
    [{ from: 'jira' }, 'KB823'],
    [{ dates: 'ymd' }, 'KB824'],
    [{ people: { Ada: 'me' } }, 'KB824'],
    [{ project: 'web' }, 'KB824'],
  ] as const)
    expect(await ask(ada, 'POST', `/${other}/preview`, wrong)).toMatchObject({ body: { code } });
  expect(await ask(ada, 'POST', `/${other}/start`, {})).toMatchObject({ status: 400 });
  expect(await ask(ada, 'DELETE', `/${other}`)).toMatchObject({ status: 204 });
  expect(await ask(ada, 'GET', `/${other}`)).toMatchObject({ status: 404 });
});

test('an editor brings work in, but dates nothing back: what was when stands in words', async () => {
  const projectId = (await makeProject(app, ada, 'Dated')).project;
  await letIn(projectId, bob, 'editor');
  const began = Date.now() - 60_000;
  const id = await upload(bob, 'trello.json');
  const { body: shown } = await ask(bob, 'POST', `/${id}/preview`, { project: projectId });
  expect(shown.keepsDates).toBe(false);
  await ask(bob, 'POST', `/${id}/start`, { project: projectId });
  await ended(bob, id);
  const tasks = await app.sql<{ created_at: Date; completed_at: Date | null; description: string; title: string }>(
    'select title, created_at, completed_at, description from public.tasks where project_id = $1',
    [projectId],
  );
  const comments = await app.sql<{ created_at: Date; author_id: string; body: string }>(
    'select created_at, author_id, body from public.task_comments where project_id = $1',
    [projectId],
  );
  expect(tasks.find(({ title }) => title.startsWith('Dredge'))?.description).toContain(
    '**Created:** 2024-01-15 08:00 UTC',
  );
  for (const { created_at } of [...tasks, ...comments]) expect(created_at.getTime()).toBeGreaterThan(began);
  expect(comments.every(({ author_id }) => author_id === bob.id)).toBe(true);
  expect(comments.map(({ body }) => body).join()).toContain('2024-02-01 09:30 UTC');
});

test('an import needs write access to the project, and belongs to its owner alone', async () => {
  const projectId = (await makeProject(app, ada, 'Closed')).project;
  const id = await upload(bob, 'gitlab.csv');
  for (const role of [null, 'viewer'] as const) {
    if (role !== null) await letIn(projectId, bob, role);
    for (const path of ['preview', 'start'])
      expect(await ask(bob, 'POST', `/${id}/${path}`, { project: projectId })).toMatchObject({ status: 403 });
  }
  for (const [method, path] of [
    ['GET', ''],
    ['POST', '/preview'],
    ['POST', '/start'],
    ['POST', '/cancel'],
    ['POST', '/undo'],
    ['DELETE', ''],
  ] as const)
    expect(await ask(ada, method, `/${id}${path}`, method === 'POST' ? { name: 'x' } : undefined)).toMatchObject({
      status: 404,
      body: { code: 'KB822' },
    });
  for (const token of [null, app.anonKey, app.serviceKey]) {
    const headers: Record<string, string> = token === null ? {} : { authorization: `Bearer ${token}` };
    expect((await fetch(`${app.url}/api/imports/`, { headers })).status).toBe(401);
  }
  // Rights that end between the press and the work.
  await app.sql(`update public.project_members set role = 'editor' where project_id = $1 and user_id = $2`, [
    projectId,
    bob.id,
  ]);
  await node.stop();
  await ask(bob, 'POST', `/${id}/start`, { project: projectId });
  await app.sql('delete from public.project_members where project_id = $1 and user_id = $2', [projectId, bob.id]);
  node = await startImports(app.services, saveFile);
  await ended(bob, id, 'failed');
  expect(await countOf(projectId)).toBe(0);
  expect((await ask(bob, 'GET', `/${id}`)).body.failure).toMatch(/may not write/);
});

test('a node that stops in the middle leaves the rest to the next one; cancelled, what is there can be taken back', async () => {
  const lines = ['ID,Title,Comment', ...Array.from({ length: 1500 }, (_, n) => `${n},Task ${n},"said ${n}"`)];
  const many = Buffer.from(lines.join('\n'));
  const id = await upload(ada, 'many.csv', many);
  const { body } = await ask(ada, 'POST', `/${id}/start`, { name: 'Many' });
  await expect.poll(() => countOf(body.projectId), { timeout: 100_000, interval: 20 }).toBeGreaterThan(0);
  await node.stop();
  expect((await ask(ada, 'GET', `/${id}`)).body).toMatchObject({ state: expect.stringMatching(/running|done/) });
  node = await startImports(app.services, saveFile);
  await ended(ada, id);
  expect(await countOf(body.projectId)).toBe(1500);
  expect((await ask(ada, 'GET', `/${id}`)).body).toMatchObject({ made: 1500, problemCount: 0 });
  expect((await app.sql('select id from private.imports where project_id = $1', [body.projectId])).length).toBe(1);

  const second = await upload(ada, 'other.csv', many);
  await node.stop();
  await ask(ada, 'POST', `/${second}/start`, { project: body.projectId });
  expect(await ask(ada, 'POST', `/${second}/cancel`)).toMatchObject({ status: 200 });
  expect((await ask(ada, 'GET', `/${second}`)).body).toMatchObject({ state: 'cancelled', canUndo: false });
  node = await startImports(app.services, saveFile);
  expect(await ask(ada, 'POST', `/${second}/undo`)).toMatchObject({ status: 409 });
});

/** Whatever writes a task of this title waits, until the returned function is called. */
async function holdTask(title: string): Promise<() => Promise<void>> {
  await app.sql('create table private.held as select $1::text as title', [title]);
  await app.sql(`create function private.wait_for_held() returns trigger language plpgsql security definer as $$
    begin
      while exists (select from private.held where title = new.title) loop perform pg_sleep(0.01); end loop;
      return new;
    end $$`);
  await app.sql(
    'create trigger held before insert on public.tasks for each row execute function private.wait_for_held()',
  );
  return async () => {
    await app.sql('delete from private.held');
    await app.sql('drop trigger held on public.tasks');
    await app.sql('drop function private.wait_for_held()');
    await app.sql('drop table private.held');
  };
}

test('stopped while it is written: it says what is there, in whole batches; the same file goes on without doubling, and each is taken back', async () => {
  const all = 2500;
  const lines = ['ID,Title,Comment', ...Array.from({ length: all }, (_, n) => `${n},Task ${n},"said ${n}"`)];
  const file = Buffer.from(lines.join('\n'));
  const id = await upload(ada, 'stopped.csv', file);
  const goOn = await holdTask('Task 700');
  const { body } = await ask(ada, 'POST', `/${id}/start`, { name: 'Stopped' });
  const { projectId } = body;
  await expect.poll(() => countOf(projectId), { timeout: 100_000 }).toBeGreaterThan(0);
  expect(await ask(ada, 'POST', `/${id}/cancel`)).toMatchObject({ status: 200 });
  await goOn();
  await ended(ada, id, 'cancelled');
  const there = await countOf(projectId);
  expect(there).toBeLessThan(all);
  const { body: told } = await ask<ImportReport & { made: number; result: object }>(ada, 'GET', `/${id}`);
  expect(told).toMatchObject({
    canUndo: true,
    made: there,
    result: { made: there, updated: 0, unchanged: 0 },
    done: 2 * there,
    total: 2 * all,
  });
  // A thousand rows at a time: tasks with their comments, or none of them.
  expect(there % 500).toBe(0);
  const comments = () =>
    app.sql(`select count(*)::int as n from public.task_comments where project_id = $1`, [projectId]);
  expect(await comments()).toEqual([{ n: there }]);
  expect(await ask(ada, 'POST', `/${id}/cancel`)).toMatchObject({ status: 409 });
  // Nobody goes on with it.
  await node.settle();
  expect(await countOf(projectId)).toBe(there);

  const again = await upload(ada, 'stopped.csv', file);
  await ask(ada, 'POST', `/${again}/start`, { project: projectId });
  await ended(ada, again);
  expect((await ask(ada, 'GET', `/${again}`)).body).toMatchObject({
    result: { made: all - there, updated: 0, unchanged: there },
  });
  expect(await countOf(projectId)).toBe(all);
  expect(await comments()).toEqual([{ n: all }]);

  for (const [which, left] of [
    [id, all - there],
    [again, 0],
  ] as const) {
    expect(await ask(ada, 'POST', `/${which}/undo`)).toMatchObject({ status: 202 });
    await ended(ada, which, 'undone');
    expect(await countOf(projectId)).toBe(left);
    expect(await comments()).toEqual([{ n: left }]);
  }
});

test('files that lie beside a board in a zip come along as attachments, within the limits; links stay links', async () => {
  const board = JSON.parse(sample('trello.json').toString());
  const [card] = board.cards.filter(({ attachments }: { attachments?: unknown[] }) => attachments?.length);
  card.attachments = [
    {
      id: 'a1',
      name: 'Chart',
      fileName: 'chart.png',
      mimeType: 'image/png',
      date: '2024-02-01T00:00:00.000Z',
      url: 'https://t.test/a1',
    },
    { id: 'a2', name: 'Elsewhere', url: 'https://t.test/a2' },
    { id: 'a3', name: 'trick.png', fileName: 'trick.png', mimeType: 'image/png', url: 'https://t.test/a3' },
  ];
  const png = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(64)]);
  const zipped = await zipOf({
    'harbour/board.json': Buffer.from(JSON.stringify(board)),
    'harbour/attachments/a1/chart.png': png,
    'harbour/attachments/trick.png': Buffer.from('<html><script>alert(1)</script></html>'),
    'harbour/notes.csv': Buffer.from('a,b'),
  });
  const id = await upload(ada, 'board.zip', zipped);
  const { body: shown } = await ask(ada, 'POST', `/${id}/preview`, {});
  expect(shown).toMatchObject({ product: 'trello', counts: { files: 2 } });
  const { body } = await ask(ada, 'POST', `/${id}/start`, { name: 'With files' });
  await ended(ada, id);
  const { body: done } = await ask(ada, 'GET', `/${id}`);
  expect(done.problems).toContainEqual(
    expect.objectContaining({ kind: 'not_attached', about: expect.stringContaining('trick.png') }),
  );
  const files = () =>
    app.sql<{ name: string; content_type: string; size_bytes: string; object_path: string; created_at: Date }>(
      'select name, content_type, size_bytes, object_path, created_at from public.task_attachments where project_id = $1',
      [body.projectId],
    );
  const [chart, ...others] = await files();
  expect(others).toEqual([]);
  expect(chart).toMatchObject({ name: 'chart.png', content_type: 'image/png', size_bytes: String(png.length) });
  expect(chart?.created_at.toISOString()).toBe('2024-02-01T00:00:00.000Z');
  const stored = await ada.client.storage.from('attachments').download(chart?.object_path ?? '');
  expect(Buffer.from((await stored.data?.arrayBuffer()) ?? new ArrayBuffer(0))).toEqual(png);
  const [task] = await app.sql<{ description: string }>(
    'select description from public.tasks where project_id = $1 and title = $2',
    [body.projectId, card.name],
  );
  expect(task?.description).toContain('https://t.test/a2');
  expect(task?.description).not.toContain('https://t.test/a1');
  // What was refused is not forgotten.
  expect(task?.description).toContain('https://t.test/a3');

  // The same again doubles no file; undo takes it away.
  const again = await upload(ada, 'board.zip', zipped);
  await ask(ada, 'POST', `/${again}/start`, { project: body.projectId });
  await ended(ada, again);
  expect(await files()).toHaveLength(1);
  await ask(ada, 'POST', `/${id}/undo`);
  await ended(ada, id, 'undone');
  expect(await files()).toEqual([]);
});

test('of a whole workspace, with a table beside each board, one board after the other is chosen', async () => {
  const board = (name: string) => ({ ...JSON.parse(sample('trello.json').toString()), id: name, name });
  const workspace = await zipOf({
    'workspace/harbour.json': Buffer.from(JSON.stringify(board('Harbour'))),
    'workspace/harbour.csv': Buffer.from('Card ID,Card Name'),
    'workspace/yard.json': Buffer.from(JSON.stringify(board('Yard'))),
    'workspace/yard.csv': Buffer.from('Card ID,Card Name'),
  });
  const { status, body } = await ask<ImportReport & { details: string }>(ada, 'POST', '/?name=all.zip', workspace);
  expect([status, body.code]).toEqual([422, 'KB828']);
  const parts = body.details.split('\n');
  expect(parts).toEqual(['workspace/harbour.json', 'workspace/yard.json']);
  for (const [part, name] of [
    [parts[0], 'Harbour'],
    [parts[1], 'Yard'],
  ] as const) {
    const path = `/?${new URLSearchParams({ name: 'all.zip', part: part ?? '' })}`;
    const { id } = (await ask(ada, 'POST', path, workspace)).body;
    expect((await ask(ada, 'POST', `/${id}/preview`, {})).body).toMatchObject({ product: 'trello', name });
    const { projectId } = (await ask(ada, 'POST', `/${id}/start`, { name })).body;
    await ended(ada, id);
    expect(await countOf(projectId)).toBe(6);
  }
  expect((await ask(ada, 'POST', '/?name=all.zip&part=none.json', workspace)).body).toMatchObject({ code: 'KB823' });
});

test('people of the file are invited, by owners alone; what was theirs is theirs when they join, and undo withdraws what is open', async () => {
  const table = Buffer.from(
    [
      'ID,Title,Assignee',
      '1,Caulk,Cleo <cleo@example.test>',
      '2,Tar,"Dag; Cleo <cleo@example.test>"',
      '3,Rest,Ezra',
    ].join('\n'),
  );
  const id = await upload(ada, 'yard.csv', table);
  const { body: before } = await ask(ada, 'POST', `/${id}/preview`, {});
  expect(before).toMatchObject({ mayInvite: true, problemCount: 3 });
  const people = { 'Cleo <cleo@example.test>': 'cleo@example.test', Dag: 'Dag@example.test' };
  const { body: shown } = await ask(ada, 'POST', `/${id}/preview`, { people });
  expect(shown.people).toMatchObject([
    { name: 'Cleo', invited: 'cleo@example.test', userId: null },
    { name: 'Dag', invited: 'dag@example.test' },
    { name: 'Ezra', invited: null },
  ]);
  expect(shown.problems).toMatchObject([{ kind: 'unknown_person', about: 'Ezra' }]);
  const { body } = await ask(ada, 'POST', `/${id}/start`, { name: 'Yard', people });
  await ended(ada, id);
  const invitations = () =>
    app.sql<{ id: string; email: string; role: string }>(
      'select id, email, role from public.project_invitations where project_id = $1 and accepted_at is null order by email',
      [body.projectId],
    );
  const open = await invitations();
  expect(open).toMatchObject([
    { email: 'cleo@example.test', role: 'editor' },
    { email: 'dag@example.test', role: 'editor' },
  ]);
  const letters = await app.sql<{ to: string }>(
    `select recipient as to from private.outbox where kind = 'project_invitation'`,
  );
  expect(letters.map(({ to }) => to).sort()).toEqual(['cleo@example.test', 'dag@example.test']);

  const cleo = await app.createUser({ name: 'Cleo', email: 'cleo@example.test' });
  const joined = await cleo.client.rpc('join_project', { invitation_id: open[0]?.id ?? '' });
  expect(joined.error).toBeNull();
  const hers = await app.sql(
    'select t.title from public.task_assignees a join public.tasks t on t.id = a.task_id where a.user_id = $1 order by 1',
    [cleo.id],
  );
  expect(hers).toEqual([{ title: 'Caulk' }, { title: 'Tar' }]);
  expect(await app.sql('select kind from public.notifications where user_id = $1', [cleo.id])).not.toContainEqual({
    kind: 'assigned',
  });

  // Not by those who could not invite by hand.
  const other = await upload(cleo, 'yard.csv', table);
  for (const path of ['preview', 'start'])
    expect(await ask(cleo, 'POST', `/${other}/${path}`, { project: body.projectId, people })).toMatchObject({
      status: 403,
      body: { code: 'KB826' },
    });

  await ask(ada, 'POST', `/${id}/undo`);
  await ended(ada, id, 'undone');
  expect(await invitations()).toEqual([]);
  expect(await app.sql('select email from private.awaited_assignees')).toEqual([]);
});

test('a file that is brought again without its invitations finds its tasks unchanged, and leaves what people made of them', async () => {
  const table = Buffer.from('ID,Title,Assignee\n1,Splice,Fenna <fenna@example.test>\n2,Whip,Ada Berg');
  const people = { 'Fenna <fenna@example.test>': 'fenna@example.test' };
  const id = await upload(ada, 'rope.csv', table);
  const { body } = await ask(ada, 'POST', `/${id}/start`, { name: 'Rope', people });
  const { projectId } = body;
  await ended(ada, id);
  await app.sql(`update public.tasks set title = 'Splice, by us' where project_id = $1 and title = 'Splice'`, [
    projectId,
  ]);
  for (const choices of [{}, { people }, {}]) {
    const again = await upload(ada, 'rope.csv', table);
    await ask(ada, 'POST', `/${again}/start`, { project: projectId, ...choices });
    await ended(ada, again);
    expect((await ask(ada, 'GET', `/${again}`)).body).toMatchObject({ result: { made: 0, updated: 0, unchanged: 2 } });
  }
  expect(await app.sql('select title from public.tasks where project_id = $1 order by title', [projectId])).toEqual([
    { title: 'Splice, by us' },
    { title: 'Whip' },
  ]);
});

test('a file that is no export is refused with the reason, and one that is too large at once', async () => {
  for (const [bytes, code, words] of [
    [Buffer.from('[1, 2'), 'KB823', 'no JSON'],
    [Buffer.from('{"a": 1}'), 'KB823', 'isn’t an export'],
    [Buffer.alloc(0), 'KB824', 'must be the file'],
  ] as const) {
    const { body } = await ask(ada, 'POST', '/?name=x', bytes);
    expect(body.code).toBe(code);
    expect(JSON.stringify(body)).toContain(words);
  }
  // Four kilobytes of zip, and more than a process could hold when there are a hundred times as many.
  const dense = await zipOf({ 'board.json': Buffer.from(`[${'{},'.repeat(800_000)}{}]`) });
  const { status, body } = await ask(ada, 'POST', '/?name=board.zip', dense);
  expect([status, body.code, JSON.stringify(body)]).toEqual([
    422,
    'KB823',
    expect.stringContaining('more than 750000 objects'),
  ]);
  expect((await ask(ada, 'POST', '/?name=x', Buffer.alloc(65 * 1024 * 1024, 'a,'))).status).toBe(413);
});

test('a token that outlives its account is refused in words', async () => {
  const gone = await app.createUser({ name: 'Gone' });
  await app.sql('delete from auth.users where id = $1', [gone.id]);
  const { status, body } = await ask(gone, 'POST', '/?name=x', sample('trello.json'));
  expect([status, body.code]).toEqual([401, 'KB821']);
});
