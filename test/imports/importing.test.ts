// Imports of samples: everything arrives or is reported with its line, a second import updates, undo removes all of it, and rights hold.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { beforeAll, describe, expect, test } from 'vitest';
import yazl from 'yazl';
import { openFileSaver } from '../../server/files/file-saver.ts';
import { notSaved, type SaveFile } from '../../server/imports/files-in-zip.ts';
import { fitToLimits } from '../../server/imports/fit-to-limits.ts';
import type { ImportOptions } from '../../server/imports/import-options.ts';
import type { Problem } from '../../server/imports/neutral.ts';
import { keepNames, matchPeople } from '../../server/imports/people.ts';
import { readFile } from '../../server/imports/products.ts';
import { undoImport } from '../../server/imports/undo-import.ts';
import { writeImport } from '../../server/imports/write-import.ts';
import { startApp, type TestUser } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { makeProject } from '../sql/board.ts';

let ada: TestUser;
let bob: TestUser;
const app = forSuite(startApp);
beforeAll(async () => {
  ada = await app.createUser({ name: 'Ada Berg', email: 'ada@example.test' });
  bob = await app.createUser({ name: 'Bob' });
});

const sample = (name: string): Buffer => readFileSync(join(import.meta.dirname, 'samples', name));
const callerOf = (who: TestUser) => ({
  role: 'authenticated',
  claims: JSON.stringify({ sub: who.id, role: 'authenticated' }),
});

async function bring(projectId: string, bytes: Buffer, fileName: string, who = ada, more: Partial<ImportOptions> = {}) {
  const caller = callerOf(who);
  const { read, files } = await readFile(bytes, { fileName });
  const matched = await matchPeople(app.database, caller, projectId, read.project.people);
  return writeImport({
    database: app.database,
    caller,
    userId: who.id,
    projectId,
    isNew: false,
    fileName,
    read: fitToLimits(keepNames(read, matched)),
    matched,
    files,
    ...more,
  });
}

/** Breaks off once, when the bytes are there and what tells of them is not. */
async function breakingSaver(): Promise<SaveFile> {
  const save = await openFileSaver(app.services, notSaved);
  let isBroken = false;
  return async (file) => {
    const size = await save(file);
    if (isBroken) return size;
    isBroken = true;
    throw new Error('the node stopped');
  };
}

/** What lies in the bucket for this project, and the attachments that tell of it. */
const filesOf = (projectId: string) =>
  app.sql<{ lies: string; told: string | null; type: string | null }>(
    `select o.name as lies, a.object_path as told, a.content_type as type from storage.objects o
     left join public.task_attachments a on a.object_path = o.name where o.bucket_id = 'attachments' and o.name like $1 || '/%'`,
    [projectId],
  );

const problemsOf = (problems: readonly Problem[]) =>
  problems.map(({ kind, line }) => (line === null ? kind : `${line} ${kind}`)).sort();

async function tasksOf(projectId: string) {
  return app.sql<Record<string, never>>(
    `select t.title, t.description, c.name as list, t.due_date::text as due, t.start_date::text as start, t.created_at, t.completed_at, t.archived_at is not null as archived,
       t.estimate::float as estimate, p.title as parent,
       (select array_agg(l.name order by l.name) from public.task_label_links k join public.task_labels l on l.id = k.label_id where k.task_id = t.id) as labels,
       (select array_agg(a.user_id) from public.task_assignees a where a.task_id = t.id) as people,
       (select array_agg(i.title || case when i.is_done then ' ✓' else '' end order by i.position) from public.task_checklist_items i where i.task_id = t.id) as items,
       (select json_agg(json_build_array(m.body, m.created_at, m.author_id) order by m.created_at) from public.task_comments m where m.task_id = t.id) as comments,
       (select array_agg(b.title) from public.task_dependencies d join public.tasks b on b.id = d.predecessor_id where d.successor_id = t.id) as waits
     from public.tasks t join public.workflow_columns c on c.id = t.column_id left join public.tasks p on p.id = t.parent_id
     where t.project_id = $1 order by t.number`,
    [projectId],
  );
}

/** Everything of a project that an import could touch, without ids and times. */
async function traceOf(projectId: string): Promise<unknown> {
  const [counts] = await app.sql(
    `select (select count(*) from public.workflow_columns where project_id = $1)::int as columns,
       (select count(*) from public.task_labels where project_id = $1)::int as labels,
       (select count(*) from public.task_comments where project_id = $1)::int as comments,
       (select count(*) from private.import_origins where project_id = $1)::int as origins`,
    [projectId],
  );
  return { ...counts, tasks: await tasksOf(projectId) };
}

describe('a board of Trello', () => {
  let projectId: string;
  beforeAll(async () => {
    projectId = (await makeProject(app, ada, 'Trello')).project;
    await app.sql('insert into public.project_members (project_id, user_id, role) values ($1, $2, $3)', [
      projectId,
      bob.id,
      'editor',
    ]);
  });

  test('arrives with lists, labels, checklists, comments and dates; what has no place stands in the description', async () => {
    const done = await bring(projectId, sample('trello.json'), 'harbour.json');
    expect(done).toMatchObject({ state: 'done', made: 6, updated: 0 });
    expect(problemsOf(done.problems)).toEqual(['no_title', 'start_after_due', 'unknown_person', 'unknown_person']);
    const tasks = await tasksOf(projectId);
    const dredge = tasks.find(({ title }) => title === 'Dredge 🌊 the basin');
    expect(dredge).toMatchObject({
      list: 'Ideas',
      due: '2024-05-03',
      labels: ['Bug', 'sky_dark'],
      people: [ada.id],
      items: ['Before: First ✓', 'Before: Second', 'After: Third'],
    });
    expect(new Date(dredge?.created_at ?? 0).toISOString()).toBe('2024-01-15T08:00:00.000Z');
    expect(dredge?.description).toContain('# Plan\n\n- one\n- two\n\n`code`');
    expect(dredge?.description).toContain('**Berth:** North 4');
    expect(dredge?.description).toContain('**Size:** Large');
    expect(dredge?.description).toContain('attachments/a1/download/chart.pdf');
    const comments = dredge?.comments as unknown as [string, string, string][];
    expect(comments.map(([body]) => body)).toEqual([
      'First words',
      '**Gone Person** · 2024-02-02 10:00 UTC\n\nSecond, @ada',
    ]);
    expect(comments.every(([, , author]) => author === ada.id)).toBe(true);
    expect(new Date(comments[0]?.[1] ?? 0).toISOString()).toBe('2024-02-01T09:30:00.000Z');
    expect(tasks.find(({ title }) => title === 'Only words, no title')).toMatchObject({ list: 'Done' });
    expect(tasks.filter(({ archived }) => archived).map(({ title }) => title)).toEqual([
      'In an archived list',
      'In no list',
    ]);
    const buoys = tasks.find(({ title }) => title === 'Paint the **buoys** <b>red</b>');
    expect(buoys?.description).toMatch(
      /\*\*Assigned to:\*\* Gone Person.*\*\*Done:\*\* yes.*\*\*Start:\*\* 2024-03-09/s,
    );
    expect(
      await app.sql("select kind from public.notifications where project_id = $1 and kind <> 'added'", [projectId]),
    ).toEqual([]);
  });

  test('a second time changes nothing; a newer file changes what changed there and keeps what people did here', async () => {
    const before = await traceOf(projectId);
    expect(await bring(projectId, sample('trello.json'), 'again.json')).toMatchObject({
      made: 0,
      updated: 0,
      unchanged: 6,
    });
    expect(await traceOf(projectId)).toEqual(before);

    await app.sql(`update public.tasks set title = 'Ours' where project_id = $1 and title = 'A plain card'`, [
      projectId,
    ]);
    const board = JSON.parse(sample('trello.json').toString());
    board.cards[1].name = 'Dredge deeper';
    board.checklists[0].checkItems[0].state = 'complete';
    board.actions[0].data.text = 'Second, put better';
    // By a colleague: it is the same board.
    const newer = await bring(projectId, Buffer.from(JSON.stringify(board)), 'newer.json', bob);
    expect(newer).toMatchObject({ made: 0, updated: 1 });
    expect(problemsOf(newer.problems)).toContain('comment_of_another');
    const tasks = await tasksOf(projectId);
    expect(tasks).toHaveLength(6);
    expect(tasks.find(({ title }) => title === 'Dredge deeper')).toMatchObject({
      items: ['Before: First ✓', 'Before: Second ✓', 'After: Third'],
    });
    expect(tasks.map(({ title }) => title)).toContain('Ours');

    expect(await undoImport(app.database, callerOf(ada), newer.id)).toBeNull();
    expect(await undoImport(app.database, callerOf(bob), newer.id)).toMatchObject({ removed: 0, restored: 1 });
    expect((await tasksOf(projectId)).find(({ title }) => title === 'Dredge 🌊 the basin')).toMatchObject({
      items: ['Before: First ✓', 'Before: Second', 'After: Third'],
    });
  });
});

test('undo leaves a project as it was, and figures add up', async () => {
  const projectId = (await makeProject(app, ada, 'Undo')).project;
  const before = await traceOf(projectId);
  const { id } = await bring(projectId, sample('trello.json'), 'harbour.json');
  expect((await tasksOf(projectId)).length).toBe(6);
  expect(await undoImport(app.database, callerOf(ada), id)).toEqual({ removed: 6, restored: 0 });
  expect(await traceOf(projectId)).toEqual(before);
  const [{ metrics }] = (await app.asUser<{ metrics: { tasks: unknown } }>(
    ada.id,
    'select public.dashboard_metrics($1) as metrics',
    [projectId],
  )) as [{ metrics: { tasks: unknown } }];
  expect(metrics.tasks).toMatchObject({ total: 0, open: 0, completed: 0, unassigned: 0 });
  expect(await bring(projectId, sample('trello.json'), 'harbour.json')).toMatchObject({ made: 6 });
});

test.each(readdirSync(join(import.meta.dirname, 'samples')).filter((name) => !name.endsWith('.md')))(
  '%s: a second time changes nothing, and undo leaves nothing',
  async (name) => {
    const projectId = (await makeProject(app, ada, name)).project;
    const before = await traceOf(projectId);
    const first = await bring(projectId, sample(name), name);
    expect(first).toMatchObject({ state: 'done', updated: 0, unchanged: 0 });
    expect(first.made).toBeGreaterThan(0);
    const there = await traceOf(projectId);
    expect(await bring(projectId, sample(name), name)).toMatchObject({ made: 0, updated: 0, unchanged: first.made });
    expect(await traceOf(projectId)).toEqual(there);
    await undoImport(app.database, callerOf(ada), first.id);
    expect(await traceOf(projectId)).toEqual(before);
  },
);

test('a table is read by the names of its columns, each odd cell told with its line', async () => {
  const projectId = (await makeProject(app, ada, 'Tabelle')).project;
  const done = await bring(projectId, sample('plain.csv'), 'Werft.csv');
  expect(problemsOf(done.problems)).toEqual([
    '4 not_an_estimate',
    '4 unknown_person',
    '5 not_a_date',
    '5 unknown_parent',
    '6 twice',
    '7 no_title',
    '8 circle',
    '9 circle',
    '9 too_many_cells',
  ]);
  const tasks = await tasksOf(projectId);
  expect(tasks[0]).toMatchObject({
    title: 'Steg bauen',
    list: 'In Arbeit',
    due: '2026-12-24',
    estimate: 3.5,
    labels: ['Bau', 'Holz'],
    people: [ada.id],
  });
  expect(tasks[0]?.description).toContain('Erste Zeile\nzweite Zeile; mit "Anführung"');
  expect(tasks[0]?.description).toContain('**Raum:** Halle 2');
});

test('a new project has the lists of the board, in their order, and keeps what the board says of itself', async () => {
  const projectId = (await makeProject(app, ada, 'New')).project;
  const told = { ...JSON.parse(sample('trello.json').toString()), desc: 'All that floats', tide: 'spring' };
  await bring(projectId, Buffer.from(JSON.stringify(told)), 'harbour.json', ada, { isNew: true });
  const columns = await app.sql(
    'select name, kind::text from public.workflow_columns where project_id = $1 order by position',
    [projectId],
  );
  expect(columns.map(({ name }) => name)).toEqual(['Ideas', 'Doing', 'Done', 'Old things']);
  expect(await app.sql('select description from public.projects where id = $1', [projectId])).toEqual([
    { description: 'All that floats\n\n---\n\n**Tide:** spring' },
  ]);
  // In a project that is there already nobody's words are changed: there it is told.
  const other = (await makeProject(app, ada, 'Old')).project;
  const { problems } = await bring(other, Buffer.from(JSON.stringify(told)), 'harbour.json');
  expect(problems).toContainEqual({ kind: 'of_the_project', line: null, about: 'Tide: spring' });
  expect(await app.sql('select description from public.projects where id = $1', [other])).toEqual([
    { description: '' },
  ]);
});

test('a person without write access imports nothing into a project', async () => {
  const projectId = (await makeProject(app, ada, 'Closed')).project;
  await expect(bring(projectId, sample('trello.json'), 'harbour.json', bob)).rejects.toMatchObject({
    sqlstate: '42501',
  });
  await app.sql(`insert into public.project_members (project_id, user_id, role) values ($1, $2, 'viewer')`, [
    projectId,
    bob.id,
  ]);
  await expect(bring(projectId, sample('trello.json'), 'harbour.json', bob)).rejects.toMatchObject({
    sqlstate: '42501',
  });
  expect(await tasksOf(projectId)).toEqual([]);
});

test('an import that is stopped keeps what it wrote, goes on when it is run again, and is taken back whole', async () => {
  const projectId = (await makeProject(app, ada, 'Stopped')).project;
  const lines = ['ID,Title,Comment', ...Array.from({ length: 2500 }, (_, n) => `${n},Task ${n},"said ${n}"`)];
  const bytes = Buffer.from(lines.join('\n'));
  const stop = new AbortController();
  const onProgress = (): void => stop.abort();
  const stopped = await bring(projectId, bytes, 'many.csv', ada, { signal: stop.signal, onProgress });
  expect(stopped).toMatchObject({ state: 'cancelled', made: 500 });
  expect(await bring(projectId, bytes, 'many.csv')).toMatchObject({ state: 'done', made: 2000, unchanged: 500 });
  expect(await tasksOf(projectId)).toHaveLength(2500);
  expect(await undoImport(app.database, callerOf(ada), stopped.id)).toMatchObject({ removed: 500 });
});

test('oversized content is cut and reported, and unreadable files are refused with the reason', async () => {
  const projectId = (await makeProject(app, ada, 'Odd')).project;
  const board = JSON.parse(sample('trello.json').toString());
  board.cards = [
    {
      id: 'x',
      name: 'o'.repeat(700),
      desc: `${'🚢'.repeat(60_000)}`,
      idList: 'l1',
      pos: 1,
      idMembers: [null, 7],
      labels: 'no',
    },
    7,
    null,
  ];
  const done = await bring(projectId, Buffer.from(JSON.stringify(board)), 'odd.json');
  // Checklists and comments of the cards that are gone from the file are told.
  const told = problemsOf(done.problems);
  expect(told.filter((kind) => kind !== 'of_the_project')).toEqual(['long_description', 'long_title']);
  expect(done.problems).toContainEqual({
    kind: 'of_the_project',
    line: null,
    about: 'Of a card that is not in the file: Name: Before',
  });
  const [task] = await tasksOf(projectId);
  const comments = task?.comments as unknown as [string][];
  const all = `${task?.description}${comments.map(([body]) => body).join('')}`;
  expect(all.match(/🚢/gu)).toHaveLength(60_000);
  expect(all).toContain('o'.repeat(700));
  await expect(readFile(Buffer.from('[1, 2'))).rejects.toThrow('no JSON');
  await expect(readFile(Buffer.from(''))).rejects.toThrow('empty');
  await expect(readFile(Buffer.from('{"a": 1}'))).rejects.toThrow('isn’t an export');
  // Where others are served meanwhile, no more of it is held than was said.
  const mostAtOnce = { bytes: 100, values: 8, objects: 2, rows: 2 };
  const head = '{"format":"kanbase.projects","version":1,"tables":{\n"tasks":[\n';
  for (const [text, words, isNew] of [
    // A table is read in pieces, and none of it is held beside the tasks it becomes.
    [`[${'x'.repeat(100)}`, 'more than 0 MB'],
    ['[1,2,3,4,5,6,7,8]', 'more than 8 values'],
    [`["${','.repeat(20)}\\"${'{'.repeat(20)}"]`, 'isn’t an export'],
    ['[{},{},{}]', 'more than 2 objects'],
    ['a,b,c\n1,2,3\n1,2,3', 'more than 8 values'],
    [`${head}{"a":1},\n{"a":1},\n{"a":1},\n{"a":1},\n{"a":1}]}}`, 'more than 8 values'],
    [`${head}{},\n{},\n{}]}}`, 'more than 2 rows', true],
  ] as const)
    await expect(readFile(Buffer.from(text), { mostAtOnce, isNew: isNew ?? false })).rejects.toThrow(words);
});

test('issues of GitHub arrive with labels, comments, closed ones as done when they were closed', async () => {
  const projectId = (await makeProject(app, ada, 'Issues')).project;
  const done = await bring(projectId, sample('github.json'), 'issues.json');
  expect(done).toMatchObject({ made: 2, updated: 0, problems: [] });
  const [docs, crash] = await tasksOf(projectId);
  expect(docs).toMatchObject({ title: 'Write docs', list: 'Open', completed_at: null });
  expect(crash).toMatchObject({
    title: 'Crash on start',
    list: 'Closed',
    labels: ['bug'],
    people: [ada.id],
    due: '2024-04-01',
  });
  expect(new Date(crash?.completed_at ?? 0).toISOString()).toBe('2024-03-01T10:00:00.000Z');
  expect(crash?.description).toContain('```js\nboom()\n```');
  expect(crash?.description).toContain('**Closed as:** not planned');
  expect(crash?.comments).toMatchObject([
    ['**octo** · 2024-02-02 10:00 UTC\n\nSame here 👍', expect.anything(), ada.id],
  ]);
});

test('text cut in the middle of a character is kept and reported like everything else', async () => {
  const projectId = (await makeProject(app, ada, 'Ships')).project;
  const ships = ['🚢'.repeat(400), `a${'🚢'.repeat(400)}`];
  const rows = ships.map((words, at) => [words, words, words, words, `nobody ${words}`, words, `more${at}`, ...ships]);
  const table = [['ID', 'Title', 'State', 'Labels', 'Parent', 'Due', 'Assignee'], ...rows];
  const done = await bring(projectId, Buffer.from(table.map((row) => row.join(',')).join('\n')), 'ships.csv');
  expect(done).toMatchObject({ state: 'done', made: 2 });
  expect(done.problems.map(({ kind }) => kind)).not.toContain('refused');
  const [kept] = await app.sql<{ problems: Problem[] }>('select problems from private.imports where id = $1', [
    done.id,
  ]);
  expect(kept?.problems).toEqual(done.problems);
  expect(done.problems.every(({ about }) => about.isWellFormed())).toBe(true);
});

test('a file whose import breaks off before its row is there comes once; one that is refused leaves no bytes', async () => {
  const projectId = (await makeProject(app, ada, 'Files')).project;
  const board = JSON.parse(sample('trello.json').toString());
  const [card] = board.cards.filter(({ attachments }: { attachments?: unknown[] }) => attachments?.length);
  const mimeType = `text/${'x'.repeat(300)}`;
  card.attachments = [
    { id: 'a1', name: 'tides.txt', fileName: 'tides.txt', mimeType, url: 'https://t.test/a1' },
    { id: 'a2', name: 'late.txt', fileName: 'late.txt', date: '+020000-01-01T00:00:00Z', url: 'https://t.test/a2' },
  ];
  const zip = new yazl.ZipFile();
  zip.addBuffer(Buffer.from(JSON.stringify(board)), 'board.json');
  for (const name of ['tides.txt', 'late.txt']) zip.addBuffer(Buffer.from(`in ${name}`), `attachments/${name}`);
  zip.end();
  const bytes = await buffer(zip.outputStream);
  const saveFile = await breakingSaver();
  let importId = '';
  const onBegin = (id: string): void => {
    importId = id;
  };
  await expect(bring(projectId, bytes, 'board.zip', ada, { saveFile, onBegin })).rejects.toThrow('the node stopped');
  // The same tasks once more, as by the node that goes on after one that wrote nothing of how far it was.
  await app.sql("update private.import_origins set digest = '' where project_id = $1", [projectId]);
  const done = await bring(projectId, bytes, 'board.zip', ada, { saveFile, importId });
  expect(done.problems.filter(({ kind }) => kind === 'not_attached')).toEqual([
    expect.objectContaining({ about: expect.stringContaining('late.txt') }),
  ]);
  const [file, ...others] = await filesOf(projectId);
  expect(others).toEqual([]);
  expect(file).toMatchObject({ told: file?.lies, type: 'text/plain' });
});
