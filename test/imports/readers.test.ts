// Readers of other products' exports: every sample has the odd cases of its product (markdown, emoji, people without an account, several date
// formats, broken rows), and content without a place is preserved.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import yazl from 'yazl';
import { fitToLimits } from '../../server/imports/fit-to-limits.ts';
import type { Project } from '../../server/imports/neutral.ts';
import { readFile } from '../../server/imports/products.ts';

const sample = (name: string): Buffer => readFileSync(join(import.meta.dirname, 'samples', name));

async function read(name: string, fileName = name) {
  const recognised = await readFile(sample(name), { fileName });
  const { project, problems } = fitToLimits(recognised.read);
  return {
    ...recognised,
    project,
    tasks: project.tasks,
    told: problems.map(({ kind, line, about }) => [line, kind, about]),
  };
}
const named = (tasks: Project['tasks'], title: string) => tasks.find((task) => task.title.startsWith(title));

test('Jira: keys, two ways to name a parent, comments with author and moment, several labels, three ways to write a day', async () => {
  const { product, project, tasks, told } = await read('jira.csv');
  expect([product, project.scope]).toEqual(['jira', 'jira:SHIP']);
  const [slipway, saw, nail] = [named(tasks, 'Rebuild'), named(tasks, 'Saw'), named(tasks, 'Nail')];
  expect(slipway).toMatchObject({
    origin: 'SHIP-1',
    title: 'Rebuild the slipway ⚓',
    state: 'In Progress',
    priority: 'p0',
    labels: ['Epic', 'wood', 'big', 'Yard'],
    assignees: ['Ada Berg'],
    due: '2026-12-24',
    created: '2026-09-05T11:00:00.000Z',
    estimate: 5,
    comments: [
      { author: 'bob', at: '2026-09-05T11:00:00.000Z', body: 'First run failed; again' },
      { author: 'Ada Berg', at: '2026-09-06T14:00:00.000Z', body: 'Retrying `now`\ntomorrow' },
    ],
  });
  expect(slipway?.description).toContain('**Attachment:** 05/Sep/26 11:02 AM;bob;chart.pdf');
  expect(slipway?.description).not.toContain('Votes');
  expect(slipway?.description).toContain(
    '# Plan\n\n- one\n  - two, with "quotes" and **bold** [words](https://example.test/w)\n\n```\n\n*not* [bold|x]\n\n```',
  );
  expect(saw).toMatchObject({ parent: 'SHIP-1', done: true, completed: '2026-09-07T09:00:00.000Z' });
  expect(saw?.comments).toMatchObject([{ author: null, body: 'no moment; just words' }]);
  expect(nail).toMatchObject({ parent: 'SHIP-2', created: '2026-09-06T00:00:00.000Z', due: null, waitsFor: [] });
  expect(nail?.description).toMatch(/many.*32\/Sep\/26.*NONE-9/s);
  expect(tasks).toHaveLength(4);
  expect(told).toEqual([
    [10, 'other_priority', 'Low'],
    [11, 'not_an_estimate', 'many'],
    [11, 'not_a_date', '32/Sep/26'],
    [11, 'unknown_predecessor', 'NONE-9'],
  ]);
});

test('Linear: what was quoted against formulas is as it was, archived ones stay so, dates with their zone', async () => {
  const { product, tasks, told } = await read('linear.csv');
  expect(product).toBe('linear');
  expect(named(tasks, '=SUM')).toMatchObject({
    title: '=SUM of pages 🧮',
    priority: 'p0',
    labels: ['Feature', 'bug'],
    assignees: ['ada@example.test'],
    created: '2026-10-02T17:00:00.000Z',
    due: '2026-11-03',
    waitsFor: ['ACME-2'],
  });
  expect(named(tasks, 'Compare')).toMatchObject({
    parent: 'ACME-1',
    archived: true,
    due: null,
    created: '2026-05-13T09:21:41.000Z',
    completed: '2026-05-14T08:00:00.000Z',
  });
  expect(named(tasks, 'Compare')?.description).toContain('Nov 3rd');
  expect(told).toEqual([[4, 'not_a_date', 'Nov 3rd']]);
});

test('Asana: done wherever it stands, people with their address, parents by name', async () => {
  const { product, project, tasks, told } = await read('asana.csv');
  expect([product, project.scope]).toEqual(['asana', 'asana:Launch']);
  expect(project.people.map(({ name, address }) => [name, address])).toEqual([
    ['Ada B.', 'ada@example.test'],
    ['Gone', 'gone@acme.test'],
  ]);
  const strategy = named(tasks, 'Marketing Strategy');
  expect(strategy).toMatchObject({ state: 'Campaign', labels: ['web', 'print'], priority: 'p1', due: '2026-10-15' });
  expect(strategy?.description).toContain('**Season:** Autumn');
  const campaign = named(tasks, 'Develop');
  expect(campaign).toMatchObject({
    state: 'Done',
    done: true,
    parent: '1211430001',
    waitsFor: ['1211430001'],
    start: null,
  });
  expect(campaign?.description).toContain('**Section:** Campaign');
  expect(named(tasks, 'Only notes')?.parent).toBeNull();
  expect(told.map(([line, kind]) => [line, kind])).toEqual([
    [4, 'other_priority'],
    [5, 'unknown_parent'],
    [5, 'no_title'],
    [4, 'start_after_due'],
  ]);
});

test('Todoist: sections, indents, @labels and notes become what they mean; the same file has the same ids', async () => {
  const { product, project, tasks, told } = await read('todoist.csv', 'Home [2203306141].csv');
  expect([product, project.scope]).toEqual(['todoist', 'todoist:2203306141']);
  const [basil, compost, water] = [named(tasks, 'Repot'), named(tasks, 'Buy'), named(tasks, 'Water')];
  expect(basil).toMatchObject({
    title: 'Repot the basil 🌿',
    labels: ['garden', 'weekend'],
    priority: 'p0',
    assignees: ['Ada Berg'],
    due: '2026-10-05',
    state: null,
  });
  expect(compost).toMatchObject({
    parent: basil?.origin,
    comments: [{ author: 'Kai', body: 'Get the peat-free one' }],
  });
  expect(water).toMatchObject({ state: 'Weekly', due: null, priority: 'p1' });
  expect(water?.description).toContain('**Date:** every monday at 9am');
  expect(named(tasks, 'Order')).toMatchObject({ parent: water?.origin, due: '2026-10-09' });
  expect(named(tasks, 'Order')?.description).toContain('**DEADLINE:** Oct 9 2026');
  expect(tasks).toHaveLength(5);
  expect(told).toEqual([[8, 'not_a_date', 'every monday at 9am']]);
  expect((await read('todoist.csv')).tasks.map(({ origin }) => origin)).toEqual(tasks.map(({ origin }) => origin));
});

test('GitLab: the same issues by mail and by its API', async () => {
  const table = await read('gitlab.csv');
  const json = await read('gitlab.json');
  for (const { product, project } of [table, json])
    expect([product, project.scope]).toEqual(['gitlab', 'gitlab:https://gitlab.example.test/yard/boats']);
  const crash = named(table.tasks, 'Crash');
  expect(crash).toMatchObject({
    labels: ['bug', 'prio::high'],
    assignees: ['Ada Berg', 'Gone Person'],
    done: true,
    estimate: 2,
    due: '2026-04-01',
    completed: '2026-03-01T10:00:00.000Z',
  });
  expect(crash?.description).toMatch(
    /1\. start.*\*\*Confidential:\*\* Yes.*\*\*Milestone:\*\* v1.*\*\*Time Estimate:\*\* 3600/s,
  );
  expect(named(table.tasks, 'Write docs')?.description).not.toMatch(/Confidential|Time/);
  expect(json.tasks.map(({ title, state }) => [title, state])).toEqual([
    ['gitlab 2', 'Closed'],
    ['Write docs', 'Open'],
  ]);
  expect(named(json.tasks, 'Write docs')).toMatchObject({ labels: ['docs'], estimate: 3, due: '2026-05-01' });
  expect(json.told).toEqual([[null, 'no_title', expect.anything()]]);
});

test('Plane: lists in a cell, comments with their authors, what is archived', async () => {
  const { product, tasks, told } = await read('plane.csv');
  expect(product).toBe('plane');
  expect(named(tasks, 'Sign in')).toMatchObject({
    priority: 'p0',
    labels: ['bug', 'front, end'],
    assignees: ['Ada Berg', 'Gone Person'],
    due: '2026-01-05',
    comments: [{ author: 'Gone Person', at: '2026-01-01T14:30:00.000Z', body: 'Started **looking**' }],
  });
  expect(named(tasks, 'Sign in')?.description).toContain('**Links:** Docs https://docs.example.test/a');
  const part = named(tasks, 'Part');
  expect(part).toMatchObject({ parent: 'HRB-1', waitsFor: ['HRB-1'], archived: true, labels: ['[broken'] });
  expect(part?.comments).toMatchObject([{ body: 'not json' }]);
  expect(told).toEqual([]);
});

test('Planka: lists in order, the archive, checklists of either version; what was thrown away stays there', async () => {
  const { product, project, tasks } = await read('planka.json');
  expect(product).toBe('planka');
  expect(project.states.map(({ name, kind }) => [name, kind])).toEqual([
    ['In progress', 'in_progress'],
    ['Done', 'done'],
  ]);
  expect(tasks.map(({ title }) => title)).toEqual(['Tar the hull 🛶', 'Old one']);
  expect(tasks.at(0)).toMatchObject({
    labels: ['berry-red', 'wood'],
    assignees: ['u1', 'u9'],
    due: '2026-06-01',
    checklist: [
      { title: 'Heat', done: true },
      { title: 'Paint', done: false },
    ],
  });
  expect(tasks.at(0)?.description).toContain('- hull.jpg');
  expect(tasks.at(1)).toMatchObject({ archived: true, state: null });
});

const zipOf = (files: Readonly<Record<string, string>>): Promise<Buffer> => {
  const zip = new yazl.ZipFile();
  for (const [name, text] of Object.entries(files)) zip.addBuffer(Buffer.from(text), name);
  zip.end();
  return buffer(zip.outputStream);
};

describe('files beside the rows in a zip', () => {
  const filesOf = (tasks: Project['tasks']) =>
    tasks.flatMap(({ attachments }) => attachments.map(({ name, type, entry }) => [name, type, entry]));

  test('of Vikunja are found by their number, and named in the description only where they are missing', async () => {
    const data = sample('vikunja.json').toString();
    const { read: whole, files } = await readFile(await zipOf({ 'data.json': data, 'files/30': 'bytes' }));
    expect(filesOf(whole.project.tasks)).toEqual([['plan.png', 'image/png', 'files/30']]);
    expect(JSON.stringify(named(whole.project.tasks, 'Dig')?.leftovers)).not.toContain('plan.png');
    expect(await text((await files?.open('files/30')) ?? Readable.from([]))).toBe('bytes');
    const { read: without } = await readFile(await zipOf({ 'data.json': data, 'files/31': 'bytes' }));
    expect(filesOf(without.project.tasks)).toEqual([]);
    expect(JSON.stringify(named(without.project.tasks, 'Dig')?.leftovers)).toContain('plan.png');
  });

  test('of Jira and of any table are found by path or name; two of one name, and addresses, stay words', async () => {
    const jira = await readFile(await zipOf({ 'issues.csv': sample('jira.csv').toString(), 'files/chart.pdf': 'pdf' }));
    expect(filesOf(jira.read.project.tasks)).toEqual([['chart.pdf', null, 'files/chart.pdf']]);
    const table = 'ID,Title,Files\n1,One,"a/x.png\nhttps://example.test/y.png"\n2,Two,x.png\n3,Three,../../etc/passwd';
    const csv = await readFile(await zipOf({ 'tasks.csv': table, 'a/x.png': 'one', 'b/x.png': 'other' }));
    expect(csv.product).toBe('csv');
    expect(filesOf(csv.read.project.tasks)).toEqual([['x.png', null, 'a/x.png']]);
    expect(csv.read.project.tasks.map(({ leftovers }) => leftovers)).toEqual([
      [['Files', 'https://example.test/y.png']],
      [['Files', 'x.png']],
      [['Files', '../../etc/passwd']],
    ]);
  });
});

describe('Vikunja', () => {
  test('projects become one with labels, HTML becomes markdown, relations and comments come along', async () => {
    const { product, tasks, told } = await read('vikunja.json');
    expect(product).toBe('vikunja');
    const dig = named(tasks, 'Dig');
    expect(dig).toMatchObject({
      state: 'Doing',
      labels: ['Garden', 'soil'],
      priority: 'p0',
      due: '2026-05-01',
      start: null,
    });
    expect(dig?.description).toContain(
      'Deep & **wide**\nhere\n\n- [x] spade\n\n- [ ] gloves\n\n[how](https://example.test/?a=1)',
    );
    expect(dig?.description).toMatch(/plan\.png.*24 h/s);
    expect(dig?.comments).toMatchObject([{ author: 'gone', body: 'Mind the *roots*' }]);
    expect(named(tasks, 'Plant')).toMatchObject({ state: 'Done', parent: '11', waitsFor: ['11'], priority: 'p1' });
    expect(named(tasks, 'Roof')).toMatchObject({ archived: true, labels: ['House'] });
    expect(told).toEqual([
      [null, 'unknown_predecessor', '99'],
      [null, 'of_the_project', 'Project without tasks: Inbox'],
    ]);
  });

  test('newer exports say in their views which bucket a task is in, and in which order', async () => {
    const { project, tasks, told } = await read('vikunja-views.json');
    expect(project.states).toEqual([
      { name: 'Offen', kind: 'todo' },
      { name: 'Auf der Helling', kind: 'custom' },
      { name: 'Erledigt', kind: 'done' },
    ]);
    expect(tasks.map(({ title, state, done }) => [title, state, done])).toEqual([
      ['Neu', null, false],
      ['Kiel legen ⚓', 'Auf der Helling', false],
      // There it is done in whichever bucket; here the list says so.
      ['Schon fertig, steht noch vorn', 'Erledigt', true],
      ['Holz kaufen', 'Erledigt', true],
    ]);
    expect(named(tasks, 'Holz kaufen')).toMatchObject({ parent: '31', description: 'Eiche' });
    const keel = named(tasks, 'Kiel')?.description ?? '';
    for (const kept of [
      '**Repeats after:** a month',
      '**Progress:** 50 %',
      '**Reminders:** 2026-06-29T08:00:00Z',
      'duplicates: Kiel',
      '**Color:** aa5500',
      '**Favorite:** yes',
    ])
      expect(keel).toContain(kept);
    expect(told).toEqual([[null, 'of_the_project', 'Werft, Auf der Helling: Limit: 3']]);
  });

  test('is read out of the zip it comes in; a zip with nothing or several tables says so', async () => {
    const zip = await zipOf({ VERSION: 'v1', 'data.json': sample('vikunja.json').toString(), 'filters.json': '[]' });
    expect(await readFile(zip, { fileName: 'export.zip' })).toMatchObject({ product: 'vikunja' });
    const plane = await zipOf({ 'harbour-1.csv': sample('plane.csv').toString() });
    expect(await readFile(plane, { fileName: 'export.zip' })).toMatchObject({ product: 'plane' });
    await expect(readFile(await zipOf({ 'a.txt': '' }))).rejects.toThrow('no table and no JSON');
    await expect(readFile(await zipOf({ 'a.csv': '', 'b.csv': '' }))).rejects.toThrow('say which (a.csv, b.csv)');
    const several = await zipOf({
      'yard/a.csv': 'ID,Title\n1,A',
      'yard/b.csv': 'ID,Title\n1,B',
      'quay/b.csv': 'ID,Title\n1,C',
      'yard/pictures/c.csv': 'ID,Title\n1,D',
    });
    for (const [part, title] of [
      ['a.csv', 'A'],
      ['yard/b.csv', 'B'],
      ['c.csv', 'D'],
    ] as const)
      expect((await readFile(several, { part })).read.project.tasks).toMatchObject([{ title }]);
    for (const part of ['b.csv', 'd.csv'])
      await expect(readFile(several, { part })).rejects.toThrow(`In the zip is no ${part}, or more than one`);
    await expect(readFile(zip.subarray(0, 200))).rejects.toThrow('cannot be read');
  });
});

test('a product that is named must be the one; what looks like none is refused in words', async () => {
  await expect(readFile(sample('asana.csv'), { from: 'jira' })).rejects.toThrow('no table as jira exports it');
  await expect(readFile(sample('planka.json'), { from: 'trello' })).rejects.toThrow('no board as Trello');
  await expect(readFile(sample('plain.csv'), { from: 'nothing' })).rejects.toThrow('trello, github');
  // A table of any product may be taken for a plain one.
  expect(await readFile(sample('asana.csv'), { from: 'csv' })).toMatchObject({ product: 'csv' });
});

test('Jira: the kind and the sprints of an issue are labels, with their commas', async () => {
  const lines = ['Summary,Issue key,Status,Issue Type,Sprint,Sprint', 'Hull,SHIP-1,Open,Bug,"Sprint 5, dock",Sprint 6'];
  const { read: found } = await readFile(Buffer.from(lines.join('\n')));
  const [task] = fitToLimits(found).project.tasks;
  expect(task).toMatchObject({ labels: ['Bug', 'Sprint 5, dock', 'Sprint 6'], description: '' });
});

test('WeKan: its lists, people, comments, checklists and subtasks; no board of Trello', async () => {
  const { product, project, tasks } = await read('wekan.json');
  expect([product, project.scope, project.name]).toEqual(['wekan', 'wekan:b1', 'Harbour']);
  expect(project.states.map(({ name }) => name)).toEqual(['Doing', 'Done']);
  const [hull, tar] = [named(tasks, 'Caulk'), named(tasks, 'Buy')];
  expect(hull).toMatchObject({
    state: 'Doing',
    labels: ['wood'],
    assignees: ['u2', 'u1'],
    start: '2026-02-01',
    due: '2026-02-03',
    created: '2026-01-05T08:00:00.000Z',
    comments: [{ author: 'u2', at: '2026-01-08T09:00:00.000Z', body: 'Mind the keel' }],
    checklist: [
      { title: 'Scrape', done: true },
      { title: 'Tar', done: false },
    ],
  });
  expect(hull?.description).toBe(
    'With tar\n\n---\n\n**Place:** Dock 3  \n**Due:** 2026-02-03 16:30 UTC  \n**Created by:** Ada Berg  \n**Spent time:** 4',
  );
  expect(tar).toMatchObject({ parent: 'c1', archived: true, done: true, completed: '2026-01-07T08:00:00.000Z' });
});

test('TickTick: what stands above the table is no task; whole days are those of their time zone', async () => {
  const { product, project, tasks, told } = await read('ticktick.csv');
  expect([product, project.states.map(({ name }) => name)]).toEqual(['ticktick', ['Harbour', 'Home']]);
  expect(tasks).toHaveLength(3);
  expect(named(tasks, 'Caulk')).toMatchObject({
    state: 'Harbour',
    labels: ['wood', 'spring'],
    start: '2026-11-24',
    due: '2026-11-24',
    priority: 'p1',
    done: false,
  });
  expect(named(tasks, 'Buy')).toMatchObject({
    parent: '1',
    done: true,
    due: '2026-11-24',
    checklist: [
      { title: 'Black', done: false },
      { title: 'Brown', done: true },
    ],
  });
  expect(named(tasks, 'Buy')?.description).toContain('**Due Date:** 2026-11-24 15:30');
  expect(named(tasks, 'Buy')?.description).toContain('**Repeat:** RRULE:FREQ=WEEKLY');
  expect(told).toEqual([
    [null, 'of_the_project', 'Date: 2026-11-20+0000'],
    [null, 'of_the_project', 'Version: 7.1'],
    [null, 'of_the_project', expect.stringContaining('1 Completed')],
    [9, 'other_priority', 'low'],
  ]);
});

test('a table of one column keeps its lines, also those with commas', async () => {
  const { read: found } = await readFile(Buffer.from('Title\nBuy tar\nOars, rope, nails\n'));
  expect(found.project.tasks.map(({ title }) => title)).toEqual(['Buy tar', 'Oars']);
});

test('JSON of an unknown shape is refused in words, also where it has lists and cards', async () => {
  for (const shape of [
    { boards: [] },
    { lists: [{ id: 1 }], cards: [{ id: 2, list: 1 }] },
    { lists: [], cards: [], swimlanes: [] },
  ])
    await expect(readFile(Buffer.from(JSON.stringify(shape)))).rejects.toThrow(/isn’t an export that can be read here/);
});

test('a priority that is none here, and dates of both orders, are told', async () => {
  const lines = ['Title,Priority,Due', 'A,low,25/12/2026', 'B,Low,12/26/2026', 'C,high,3/4/2026', 'D,normal,'];
  const { read: found } = await readFile(Buffer.from(lines.join('\n')));
  const { project, problems } = fitToLimits(found);
  expect(project.tasks.map(({ priority }) => priority)).toEqual(['p2', 'p2', 'p1', 'p2']);
  expect(problems).toEqual([
    { kind: 'mixed_dates', line: null, about: '25/12/2026, 12/26/2026 (dmy)' },
    { kind: 'other_priority', line: 2, about: 'low' },
  ]);
});

test('a cell is cut to the length of its column before anything looks at it, and that is told', async () => {
  const { read: found } = await readFile(
    Buffer.from(`Title,Due,Assignee\nHull,${'1'.repeat(5000)},${'a'.repeat(30_000)}`),
  );
  const { project, problems } = fitToLimits(found);
  expect(project.people[0]?.key).toHaveLength(20_000);
  expect(problems.map(({ kind, about }) => [kind, about])).toContainEqual(['cut_cell', 'Due: 5000 > 100']);
  expect(problems.map(({ kind, about }) => [kind, about])).toContainEqual(['cut_cell', 'Assignee: 30000 > 20000']);
});
