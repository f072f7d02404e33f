// Exports as people ask for them: what they see and nothing else, in each format, under a link that ends; and a project that goes out as JSON
// and comes back is compared with itself, field by field.

import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import ICAL from 'ical.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import yauzl from 'yauzl';
import type { RunningJob } from '../../server/background/every.ts';
import { startExports } from '../../server/exports/start-exports.ts';
import { openZipWriter } from '../../server/exports/zip-writer.ts';
import { openFileSaver } from '../../server/files/file-saver.ts';
import { openForExports } from '../../server/files/open-for-exports.ts';
import { notSaved, type SaveFile } from '../../server/imports/files-in-zip.ts';
import { fitToLimits } from '../../server/imports/fit-to-limits.ts';
import type { ImportOptions } from '../../server/imports/import-options.ts';
import { historyTables } from '../../server/imports/neutral.ts';
import { keepNames, matchPeople } from '../../server/imports/people.ts';
import { previewOf } from '../../server/imports/preview.ts';
import { readFile } from '../../server/imports/products.ts';
import { undoImport } from '../../server/imports/undo-import.ts';
import { writeImport } from '../../server/imports/write-import.ts';
import { startApp, type TestUser } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { addRow, addTask, type Board, makeBoard, one } from '../sql/board.ts';

/** Work that was claimed or begun there is not claimed or begun here. */
const isHistory = (table: string): boolean => historyTables.has(table);
type Row = Readonly<Record<string, unknown>>;
interface Listed {
  readonly id: string;
  readonly state: string;
  readonly path: string;
  readonly done: number;
  readonly total: number;
  readonly error: string | null;
}

let board: Board;
let exports: RunningJob;
let pictureId: string;
const formula = '=HYPERLINK("https://evil.test";"Look")';
const picture = Buffer.from('not much of a picture');

const app = forSuite(startApp);
beforeAll(async () => {
  board = await makeBoard(app);
  const { editor, owner } = board.people;
  const { project, tasks, columns } = board;
  pictureId = '0198c1de-0000-7000-8000-000000000001';
  await one(owner.client.from('projects').update({ viewers_may_comment: true }).eq('id', project).select());
  const path = `${project}/${tasks[0]}/${pictureId}/plan (1).png`;
  await one(editor.client.storage.from('attachments').upload(path, picture, { contentType: 'image/png' }));
  await addRow(app, editor, 'task_attachments', {
    id: pictureId,
    task_id: tasks[0],
    name: 'plan (1).png',
    object_path: path,
  });
  await one(
    editor.client
      .from('tasks')
      .update({
        description: `See ![the plan](attachment:${pictureId}), and write \\u0000 in words`,
        due_date: '2026-12-01',
        estimate: 2.5,
      })
      .eq('id', tasks[0])
      .select(),
  );
  const child = await addTask(app, editor, { project_id: project, parent_id: tasks[0], title: formula });
  await addTask(app, editor, { project_id: project, parent_id: child, title: 'Below, 🌊', column_id: columns.done });
  const gone = await addTask(app, editor, { project_id: project, title: 'Deleted' });
  await one(editor.client.from('tasks').delete().eq('id', gone).select());
  await addTask(app, owner, { project_id: project, title: 'After a gap', archived_at: '2026-01-01' });
  const kind = await addRow(app, editor, 'custom_fields', {
    project_id: project,
    name: 'Kind',
    kind: 'select',
    options: JSON.stringify([{ id: 'bug', name: 'A bug' }]),
    default_value: JSON.stringify('bug'),
  });
  await one(
    owner.client.from('task_field_values').insert({ task_id: tasks[1], field_id: kind, value: 'bug' }).select(),
  );
  await one(
    editor.client
      .from('saved_views')
      .update({ filter: { all: [{ property: 'label', is: 'is', value: board.label }] } })
      .eq('id', board.view)
      .select(),
  );
  exports = await startExports(app.services, await openForExports(app.services.config));
});
afterAll(async () => {
  await exports?.stop();
});

async function ask(who: TestUser, format: string, project: string | null): Promise<Listed> {
  const asked = await one(who.client.rpc('begin_export', { format, project_id: project }));
  await exports.settle();
  const listed = (await one(who.client.rpc('my_exports'))) as Listed[];
  return listed.find(({ id }) => id === (asked as Listed).id) as Listed;
}

async function fetched(who: TestUser, format: string, project: string | null): Promise<Buffer> {
  const made = await ask(who, format, project);
  expect(made).toMatchObject({ state: 'done', error: null });
  expect(made.done).toBe(made.total);
  const { signedUrl } = await one(who.client.storage.from('exports').createSignedUrl(made.path, 60));
  const answer = await fetch(signedUrl);
  expect(answer.status).toBe(200);
  return Buffer.from(await answer.arrayBuffer());
}

const tablesIn = (bytes: Buffer): Record<string, Row[]> => JSON.parse(bytes.toString()).tables;

async function entriesOf(bytes: Buffer): Promise<Map<string, Buffer>> {
  const zip = await yauzl.fromBufferPromise(bytes);
  const entries = new Map<string, Buffer>();
  for await (const entry of zip.eachEntry()) {
    const stream = await zip.openReadStreamPromise(entry);
    const parts: Buffer[] = [];
    for await (const part of stream) parts.push(part as Buffer);
    entries.set(entry.fileName, Buffer.concat(parts));
  }
  return entries;
}

describe('JSON', () => {
  test('has every row of every table that belongs to a project, as its reader sees it', async () => {
    const { viewer } = board.people;
    const tables = tablesIn(await fetched(viewer, 'json', board.project));
    const inDatabase = await app.sql<{ name: string }>(
      `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'project_id'
       where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' order by 1`,
    );
    // Whoever adds a table finds it here by itself. These few belong to people or to owners, and tests of policies hold what is seen of the others.
    const leftOut = [
      'access_grants',
      'access_log',
      'calendar_feeds',
      'notification_settings',
      'notifications',
      'project_invitations',
      'webhook_deliveries',
      'service_accounts',
      'webhooks',
    ];
    expect(Object.keys(tables).sort()).toEqual(
      ['projects', 'people', ...inDatabase.map(({ name }) => name).filter((name) => !leftOut.includes(name))].sort(),
    );
    for (const name of [
      'tasks',
      'task_comments',
      'custom_fields',
      'task_field_values',
      'task_activity',
      'saved_views',
    ]) {
      const seen = await app.asUser(
        viewer.id,
        `select row_to_json(t) as row from public.${name} t where project_id = $1`,
        [board.project],
      );
      const sorted = (rows: readonly unknown[]) => rows.map((row) => JSON.stringify(row)).sort();
      expect(sorted(tables[name] ?? []), name).toEqual(sorted(seen.map(({ row }) => row)));
    }
    expect(tables.people?.map(({ name }) => name).sort()).toEqual(['Edda Editor', 'Olga Owner', 'Vito Viewer']);
    expect(JSON.stringify(tables)).not.toContain('@example.test');
  });

  test('everything is a file for each project, without those of others', async () => {
    const entries = await entriesOf(await fetched(board.people.viewer, 'json', null));
    expect(entries.size).toBe(1);
    expect(tablesIn([...entries.values()][0] as Buffer).projects).toMatchObject([{ id: board.project }]);
  });
});

describe('access to exports', () => {
  test('a stranger gets no project, no link and no list of somebody else', async () => {
    const { outsider, owner } = board.people;
    const refused = await outsider.client.rpc('begin_export', { format: 'json', project_id: board.project });
    expect(refused.status).toBe(404);
    const nobody = await app.client().rpc('begin_export', { format: 'json' });
    expect(nobody.status).toBe(401);
    expect((await owner.client.rpc('begin_export', { format: 'abacus' })).status).toBe(400);
    const { path, id } = await ask(owner, 'csv', board.project);
    const link = await outsider.client.storage.from('exports').createSignedUrl(path, 60);
    expect(link.error).not.toBeNull();
    expect(await one(outsider.client.rpc('my_exports'))).toEqual([]);
    expect((await outsider.client.rpc('cancel_export', { export_id: id })).status).toBe(404);
    // Nobody but the server writes there.
    const own = `${outsider.id}/x/evil.html`;
    expect((await outsider.client.storage.from('exports').upload(own, picture)).error).not.toBeNull();
  });

  test('an export of a project its owner no longer sees is not written', async () => {
    const late = await app.createUser({ name: 'Late' });
    await app.sql("insert into public.project_members (project_id, user_id, role) values ($1, $2, 'editor')", [
      board.project,
      late.id,
    ]);
    await app.sql("insert into private.exports (user_id, project_id, format) values ($1, $2, 'json')", [
      late.id,
      board.project,
    ]);
    await app.sql('delete from public.project_members where user_id = $1', [late.id]);
    await exports.settle();
    expect(await one(late.client.rpc('my_exports'))).toMatchObject([{ state: 'failed', error: 'gone', path: null }]);
  });

  test('a file goes when it is cancelled, and when its day is over', async () => {
    const { owner } = board.people;
    for (const end of [
      (id: string) => owner.client.rpc('cancel_export', { export_id: id }),
      (id: string) =>
        app.sql("update private.exports set expires_at = now() - interval '1 second' where id = $1", [id]),
    ]) {
      const { id, path } = await ask(owner, 'ical', null);
      const { signedUrl } = await one(owner.client.storage.from('exports').createSignedUrl(path, 60));
      await end(id);
      await exports.settle();
      expect((await fetch(signedUrl)).ok).toBe(false);
      expect(((await one(owner.client.rpc('my_exports'))) as Listed[]).map((one) => one.id)).not.toContain(id);
    }
  });

  test('an export that a node left in the middle is written by the next, and asking twice makes one', async () => {
    const { owner } = board.people;
    await app.sql(
      `insert into private.exports (user_id, project_id, format, state, attempt, heard_at) values ($1, $2, 'ical', 'running', 1, now() - interval '3 minutes')`,
      [owner.id, board.project],
    );
    const asked = (await one(
      owner.client.rpc('begin_export', { format: 'ical', project_id: board.project }),
    )) as Listed;
    await exports.settle();
    const listed = (await one(owner.client.rpc('my_exports'))) as Listed[];
    expect(listed.filter(({ id }) => id === asked.id)).toMatchObject([{ state: 'done' }]);
  });
});

test('a table of tasks in words, which no spreadsheet runs', async () => {
  const text = (await fetched(board.people.viewer, 'csv', board.project)).toString();
  const { read } = await readFile(Buffer.from(text), { fileName: 'x.csv' });
  const key = (await app.sql<{ key: string }>('select key from projects where id = $1', [board.project]))[0]?.key;
  expect(text).toContain(`"'=HYPERLINK(""https://evil.test"";""Look"")"`);
  expect(read.project.tasks.map(({ title }) => title)).toEqual([
    'Draft the page',
    'Publish the page',
    'Tell everyone',
    'Show the page',
    `'${formula}`,
    'Below, 🌊',
    'After a gap',
  ]);
  expect(read.project.tasks.at(0)).toMatchObject({
    origin: `${key}-1`,
    state: 'Backlog',
    labels: ['urgent'],
    assignees: ['Edda Editor'],
    due: '2026-12-01',
    estimate: 2.5,
    checklist: [{ title: 'A step', done: false }],
    leftovers: expect.arrayContaining([
      ['Cost', '5'],
      ['Repeats', 'FREQ=DAILY'],
    ]),
  });
  expect(read.project.tasks.at(1)).toMatchObject({
    waitsFor: [`${key}-1`],
    leftovers: expect.arrayContaining([['Kind', 'A bug']]),
  });
  expect(read.project.tasks.at(4)).toMatchObject({ parent: `${key}-1` });
});

test('a folder of pages with the files they show', async () => {
  const entries = await entriesOf(await fetched(board.people.viewer, 'markdown', board.project));
  const names = [...entries.keys()];
  const page = names.find((name) => name.endsWith('-1 Draft the page.md')) ?? '';
  const folder = page.slice(0, page.indexOf('/') + 1);
  const text = entries.get(page)?.toString() ?? '';
  const [, place = ''] = /!\[the plan\]\((files\/[^)]+)\)/.exec(text) ?? [];
  expect(entries.get(`${folder}${decodeURIComponent(place)}`)).toEqual(picture);
  expect(text).toContain('labels: ["urgent"]');
  expect(text).toContain('- [ ] A step');
  expect(text).toContain('Cost: "5"');
  expect(text).toContain('On it');
  // The bytes of this one never came.
  expect(text).toContain('- notes.txt (not there any more)');
  expect(names.find((name) => name.includes('HYPERLINK'))).toMatch(/^[^:"<>|*?\\]+$/);
  expect(entries.get(`${folder}README.md`)?.toString()).toContain('## Backlog');
  // Every link between pages leads to one.
  for (const [name, content] of entries)
    if (name.endsWith('.md'))
      for (const [, to] of content.toString().matchAll(/\]\(<([^>]+)>\)/g)) expect(names).toContain(`${folder}${to}`);
});

test('files kept encoded are in a zip as their names say; what cannot be decoded has a name that tells', async () => {
  const { editor } = board.people;
  const { id: project } = (await one(
    editor.client.rpc('create_project_with_defaults', { name: 'Encoded', key: 'ENC' }),
  )) as { id: string };
  const columns = (await one(
    editor.client.from('workflow_columns').select('id').eq('project_id', project).limit(1),
  )) as { id: string }[];
  const task = await addTask(app, editor, { project_id: project, column_id: columns[0]?.id ?? '', title: 'Paint it' });
  const words = Buffer.from('body { color: red }\n'.repeat(400));
  const attach = async (name: string, bytes: Buffer, contentEncoding: string) => {
    const path = `${project}/${task}/${name}`;
    await one(
      editor.client.storage
        .from('attachments')
        .upload(path, bytes, { contentType: 'text/css', contentEncoding } as never),
    );
    await addRow(app, editor, 'task_attachments', { task_id: task, name, content_type: 'text/css', object_path: path });
  };
  await attach('whole.css', gzipSync(words), 'gzip');
  await attach('brotli.css', brotliCompressSync(words), 'br');
  await attach('unknown.css', Buffer.from('of another kind'), 'gzip, zstd');
  await attach('wrong.css', words, 'gzip');
  const expected = [
    ['brotli.css', words],
    ['unknown.css.gz.zstd', Buffer.from('of another kind')],
    ['whole.css', words],
    ['wrong.css', words],
  ];
  const filesOf = (entries: Map<string, Buffer>) =>
    [...entries]
      .filter(([name]) => /(^|\/)files\//.test(name))
      .map(([name, bytes]) => [name.replace(/.*\//, ''), bytes] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1));
  expect(filesOf(await entriesOf(await fetched(editor, 'zip', project)))).toEqual(expected);
  const pages = await entriesOf(await fetched(editor, 'markdown', project));
  expect(filesOf(pages)).toEqual(expected);
  const page = [...pages].find(([name]) => name.endsWith('-1 Paint it.md'))?.[1].toString() ?? '';
  for (const [name] of expected) expect(page).toContain(`files/ENC-1/${String(name)}`);
});

test('a zip of many files lists each of them', async () => {
  const out = new PassThrough();
  const whole = buffer(out);
  const zip = openZipWriter(out);
  const names = Array.from({ length: 2000 }, (_, n) => `a folder with a long name/file ${n}.md`);
  for (const name of names) await zip.add(name, Buffer.from(`in ${name}`), new Date(0), false);
  await zip.end();
  out.end();
  const entries = await entriesOf(await whole);
  expect([...entries.keys()]).toEqual(names);
  for (const [name, content] of entries) expect(content.toString()).toBe(`in ${name}`);
});

test('files with dates outside the range of zip are packed all the same', async () => {
  const out = new PassThrough();
  const whole = buffer(out);
  const zip = openZipWriter(out);
  for (const at of ['1969-07-20', '-000100-01-01', '2200-01-01'])
    await zip.add(`${at}.md`, Buffer.from(at), new Date(at), false);
  await zip.write('1900-01-01.txt', new Date('1900-01-01'), async (entry) => void entry.write('1900-01-01'));
  await zip.end();
  out.end();
  for (const [name, content] of await entriesOf(await whole)) expect(name).toContain(content.toString());
});

test('a calendar of what has a day', async () => {
  const text = (await fetched(board.people.viewer, 'ical', null)).toString();
  const events = new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent');
  expect(events.map((event) => new ICAL.Event(event).summary)).toEqual([expect.stringContaining('Draft the page')]);
});

describe('there and back', () => {
  async function bring(bytes: Buffer, who: TestUser, part?: string): Promise<{ id: string; problems: string[] }> {
    const caller = { role: 'authenticated', claims: JSON.stringify({ sub: who.id, role: 'authenticated' }) };
    const [{ id: projectId } = { id: '' }] = await app.asUser<{ id: string }>(
      who.id,
      "select id from public.create_project_with_defaults('Back again')",
    );
    const { read, product, files } = await readFile(bytes, { isNew: true, part });
    expect(product).toBe('kanbase');
    const matched = await matchPeople(app.database, caller, projectId, read.project.people);
    const { state, problems } = await writeImport({
      database: app.database,
      caller,
      userId: who.id,
      projectId,
      isNew: true,
      fileName: 'x.json',
      read: fitToLimits(keepNames(read, matched)),
      matched,
      files,
      saveFile: await openFileSaver(app.services, notSaved),
    });
    expect(state).toBe('done');
    return { id: projectId, problems: problems.map(({ about }) => about) };
  }

  /** Field by field, but for ids and for what is otherwise on purpose. */
  function expectSame(was: Record<string, Row[]>, is: Record<string, Row[]>, id: string, editor: TestUser): void {
    const isOwn = (row: Row) => row.user_id === undefined || row.user_id === null || row.user_id === editor.id;
    // What came back in the order of its ids stands where it stood.
    const ids = new Map([[board.project, id]]);
    for (const [name, rows] of Object.entries(was)) {
      if (isHistory(name)) continue;
      const order = (all: readonly Row[]) =>
        all
          .map((row) => String(row.id ?? ''))
          .filter((one) => one !== '')
          .sort();
      const [old, fresh] = [order(rows), order(is[name] ?? [])];
      expect(fresh.length, name).toBe(old.length);
      for (const [place, one] of old.entries()) if (name !== 'people') ids.set(one, fresh[place] ?? '');
    }
    const same = (text: string) =>
      text.replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (one) => ids.get(one) ?? one);
    const kept = (row: Row, not: readonly string[]) =>
      JSON.stringify(
        Object.entries(row)
          .filter(([column]) => !not.includes(column))
          .sort(),
      );
    for (const [name, rows] of Object.entries(was)) {
      // Whose a row is, is whose import it was.
      if (isHistory(name) || ['projects', 'project_members'].includes(name)) continue;
      const not = ['updated_at', 'version', 'created_by', 'author_id', 'owner_id', 'uploaded_by', 'body'];
      // Here it is as large as its bytes.
      if (name === 'task_attachments') not.push('size_bytes', 'content_type');
      // Planned anew, from the day on which it came.
      if (name === 'task_recurrences') not.push('next_on', 'next_at', 'revision', 'made', 'is_over');
      if (name === 'comment_resolutions') not.push('user_id');
      // Each watches for themselves, and from when they are here.
      if (['task_watchers', 'project_watchers', 'project_members'].includes(name)) not.push('created_at', 'reason');
      const own = name === 'task_assignees' || name === 'comment_resolutions' ? () => true : isOwn;
      expect(
        (is[name] ?? [])
          .filter(own)
          .map((row) => kept(row, not))
          .sort(),
        name,
      ).toEqual(
        rows
          .filter(own)
          .map((row) => same(kept(row, not)))
          .sort(),
      );
    }
    const { enforce_dependencies, viewers_may_comment } = was.projects?.[0] ?? {};
    expect(is.projects?.[0]).toMatchObject({ enforce_dependencies, viewers_may_comment });
    expect(is.project_members?.map(({ user_id }) => user_id).sort()).toEqual(
      was.project_members?.map(({ user_id }) => user_id).sort(),
    );
    // Own words stay; those of others say whose they were.
    const bodies = (tables: Record<string, Row[]>) =>
      (tables.task_comments ?? []).map(({ body }) => String(body)).sort();
    expect(bodies(is)).toEqual([expect.stringMatching(/^\*\*Olga Owner\*\* · .* UTC\n\nGood$/), 'On it']);
  }

  test('a project that uses everything is the same, field by field', async () => {
    const { editor } = board.people;
    const project = async (bytes: Buffer) => tablesIn((await entriesOf(bytes)).get('project.json') ?? Buffer.alloc(0));
    const before = await fetched(editor, 'zip', board.project);
    const { id, problems } = await bring(before, editor);
    // The bytes of this one never came.
    expect(problems).toEqual(['notes.txt: it is not in the file']);
    const after = await fetched(editor, 'zip', id);
    const [was, is] = [await project(before), await project(after)];
    // Guests are let in by people, not by a file.
    was.task_grants = (was.task_grants ?? []).filter(({ user_id }) => user_id !== board.people.guest.id);
    was.task_attachments = (was.task_attachments ?? []).filter(({ name }) => name !== 'notes.txt');
    const bytesOf = async (zip: Buffer) =>
      [...(await entriesOf(zip))].filter(([name]) => name.startsWith('files/')).map(([, content]) => content);
    expect(await bytesOf(after)).toEqual([picture]);
    expect(await bytesOf(before)).toEqual([picture]);
    expectSame(was, is, id, editor);

    // Everything at once is a zip of such zips: each is brought by its name, and no other.
    const all = await fetched(editor, 'zip', null);
    expect((await entriesOf(all)).size).toBeGreaterThan(1);
    await expect(readFile(all, { isNew: true })).rejects.toThrow('say which');
    const again = await bring(all, editor, `${was.projects?.[0]?.key}.zip`);
    expect(again.problems).toEqual(problems);
    const whole = await fetched(editor, 'zip', again.id);
    expect(await bytesOf(whole)).toEqual([picture]);
    expectSame(was, await project(whole), again.id, editor);
  });

  test('a file that is still encoded in the zip keeps the ending that tells, and the type of that', async () => {
    const { editor } = board.people;
    const { data: old } = await editor.client.from('projects').select('id').eq('key', 'ENC').single();
    const { id } = await bring(await fetched(editor, 'zip', old?.id), editor);
    const files = await editor.client.from('task_attachments').select('name, content_type').eq('project_id', id);
    expect(files.data?.toSorted((a, b) => (a.name < b.name ? -1 : 1))).toEqual([
      { name: 'brotli.css', content_type: 'text/css' },
      { name: 'unknown.css.gz.zstd', content_type: 'application/octet-stream' },
      { name: 'whole.css', content_type: 'text/css' },
      { name: 'wrong.css', content_type: 'text/css' },
    ]);
  });

  test('broken off after the bytes of a file, it goes on with them', async () => {
    const { editor } = board.people;
    const caller = { role: 'authenticated', claims: JSON.stringify({ sub: editor.id, role: 'authenticated' }) };
    const { read, files } = await readFile(await fetched(editor, 'zip', board.project), { isNew: true });
    const [{ id: projectId } = { id: '' }] = await app.asUser<{ id: string }>(
      editor.id,
      "select id from public.create_project_with_defaults('Broken off')",
    );
    const save = await openFileSaver(app.services, notSaved);
    const begun: string[] = [];
    const write = (saveFile: SaveFile) =>
      writeImport({
        database: app.database,
        caller,
        userId: editor.id,
        projectId,
        isNew: true,
        fileName: 'x.zip',
        read,
        matched: new Map(),
        files,
        saveFile,
        importId: begun[0] ?? null,
        onBegin: (id) => void begun.push(id),
      });
    const breaking: SaveFile = async (file) => {
      await save(file);
      throw new Error('the node stopped');
    };
    await expect(write(breaking)).rejects.toThrow('the node stopped');
    const { problems } = await write(save);
    expect(problems.map(({ about }) => about)).not.toContainEqual(expect.stringContaining('plan (1).png'));
    expect(await app.sql('select name from public.task_attachments where project_id = $1', [projectId])).toEqual([
      { name: 'plan (1).png' },
    ]);
  });

  test('the JSON alone brings the rows, and tells of each file; another program may have put it differently', async () => {
    const { editor } = board.people;
    const bytes = await fetched(editor, 'json', board.project);
    const plain = await bring(bytes, editor);
    expect(plain.problems.sort()).toEqual(['notes.txt: it is not in the file', 'plan (1).png: it is not in the file']);
    const other = await bring(Buffer.from(JSON.stringify(JSON.parse(bytes.toString()), null, 1)), editor);
    expect(tablesIn(await fetched(editor, 'json', other.id)).tasks).toHaveLength(7);
    const turned = JSON.parse(bytes.toString());
    turned.tables.tasks.reverse();
    // Subtasks may stand before what they are below.
    const back = tablesIn(
      await fetched(editor, 'json', (await bring(Buffer.from(JSON.stringify(turned)), editor)).id),
    ).tasks;
    const parentsIn = (rows: readonly Row[] = []) =>
      rows.map(({ title, parent_id }) => [title, rows.find(({ id }) => id === parent_id)?.title]).sort();
    expect(parentsIn(back)).toEqual(parentsIn(tablesIn(bytes).tasks));
    expect(parentsIn(back)).toContainEqual(['Below, 🌊', formula]);
    await expect(readFile(bytes, { mostBytes: 1000 })).rejects.toThrow('raise IMPORT_SIZE_LIMIT');
  });

  test('stopped on its way it says how many tasks are there, goes on to the same, and is taken back', async () => {
    const { editor } = board.people;
    const caller = { role: 'authenticated', claims: JSON.stringify({ sub: editor.id, role: 'authenticated' }) };
    const bytes = await fetched(editor, 'json', board.project);
    const { read } = await readFile(bytes, { isNew: true });
    expect(previewOf(read, new Map(), new Map())).toMatchObject({
      counts: { tasks: 7, archived: 1, subtasks: 2, comments: 2, files: 0 },
      lists: [{ name: 'Backlog', count: 6, first: expect.arrayContaining(['Draft the page']) }, {}, {}, { count: 1 }],
    });
    const [{ id: projectId } = { id: '' }] = await app.asUser<{ id: string }>(
      editor.id,
      "select id from public.create_project_with_defaults('Stopped')",
    );
    const write = (more: Partial<ImportOptions>) =>
      writeImport({
        database: app.database,
        caller,
        userId: editor.id,
        projectId,
        isNew: true,
        fileName: 'x.json',
        read,
        matched: new Map(),
        ...more,
      });
    const there = () =>
      app.sql<{ id: string }>('select id from public.tasks where project_id = $1 order by id', [projectId]);
    // Told once for each table: broken off after each, it is the same import that goes on.
    let importId: string | null = null;
    let earlier: { id: string }[] = [];
    for (let tables = 1; ; tables++) {
      const stop = new AbortController();
      let told = 0;
      const { id, state, made } = await write({
        importId,
        signal: stop.signal,
        onProgress: () => ++told === tables && stop.abort(),
      });
      const now = await there();
      expect(made).toBe(now.length);
      expect(now).toEqual(expect.arrayContaining(earlier));
      expect(id).toBe(importId ?? id);
      [importId, earlier] = [id, now];
      if (state === 'done') break;
      expect(tables).toBeLessThan(40);
    }
    expect(earlier).toHaveLength(7);
    const [was, is] = [tablesIn(bytes), tablesIn(await fetched(editor, 'json', projectId))];
    const counts = (tables: Record<string, Row[]>) =>
      [
        'workflow_columns',
        'task_labels',
        'tasks',
        'task_comments',
        'task_checklist_items',
        'task_dependencies',
        'saved_views',
      ].map((name) => [name, tables[name]?.length]);
    expect(counts(is)).toEqual(counts(was));
    await undoImport(app.database, caller, importId);
    expect(await there()).toEqual([]);
  });

  test('into a project that is there it comes like every other file, and what has no place is told in words', async () => {
    const { read } = await readFile(await fetched(board.people.editor, 'json', board.project));
    const { project } = fitToLimits(read);
    expect(project.tasks).toHaveLength(7);
    expect(project.tasks.find(({ title }) => title === 'Draft the page')?.description).toContain('FREQ=DAILY');
    await expect(readFile(Buffer.from('{"format":"kanbase.projects","version":9}'))).rejects.toThrow('newer');
  });
});
