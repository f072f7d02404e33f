// Operators get nothing of other people's projects through any API. Each question is asked by the project's owner too: an API that tells its owner
// nothing would prove nothing here.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
// It changes the environment as it is loaded, which otherwise is when the first picture is asked for.
import 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RunningJob } from '../../server/background/every.ts';
import { startScheduledBackups } from '../../server/commands/backup-contents.ts';
import { startExports } from '../../server/exports/start-exports.ts';
import { openFileSaver } from '../../server/files/file-saver.ts';
import { openForExports } from '../../server/files/open-for-exports.ts';
import { startImports } from '../../server/imports/door/start-imports.ts';
import { notSaved } from '../../server/imports/files-in-zip.ts';
import { startApp, type TestUser } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { addRow, type Board, makeBoard, one } from '../sql/board.ts';
import { makeOperator, type Operator } from './operator.ts';

/** Stands in everything that somebody wrote in the project. */
const secret = 'walledseed';
let board: Board;
let ada: TestUser;
let iris: Operator;
let exports: RunningJob;
let imports: RunningJob;
let tables: readonly string[];
let attachment: string;
/** What the owner made for herself. */
let hers: { readonly exported: string; readonly imported: string; readonly backup: string };

const json = (body: unknown): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

const app = forSuite(() => startApp({ settings: { BACKUP_SCHEDULE: '0 3 29 2 *' } }));
beforeAll(async () => {
  board = await makeBoard(app);
  ada = board.people.owner;
  iris = await makeOperator(app, 'Iris');
  exports = await startExports(app.services, await openForExports(app.services.config));
  imports = await startImports(app.services, await openFileSaver(app.services, notSaved));
  const { editor } = board.people;
  const { project, tasks } = board;
  for (const [who, table, id, words] of [
    [ada, 'projects', project, { description: secret }],
    [ada, 'workflow_columns', board.columns.todo, { name: secret }],
    [editor, 'tasks', tasks[0], { title: `${secret} title`, description: `${secret} text`, due_date: '2026-12-01' }],
    [editor, 'task_labels', board.label, { name: secret }],
    [editor, 'task_checklist_items', board.item, { title: secret }],
    [editor, 'task_comments', board.comment, { body: secret }],
    [editor, 'custom_fields', board.field, { name: secret }],
    [editor, 'saved_views', board.view, { name: secret }],
    [editor, 'templates', board.template, { name: secret }],
  ] as const)
    await one(who.client.from(table).update(words).eq('id', id).select().single());
  const row = { task_id: tasks[0], field_id: board.spareField, value: secret };
  await one(editor.client.from('task_field_values').insert(row).select());
  attachment = `${project}/${tasks[0]}/plan.txt`;
  await one(editor.client.storage.from('attachments').upload(attachment, new Blob([secret], { type: 'text/plain' })));
  await addRow(app, editor, 'task_attachments', { task_id: tasks[0], name: `${secret}.txt`, object_path: attachment });
  tables = (
    await app.sql<{ name: string }>(
      `select c.relname as name from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') order by 1`,
    )
  ).map(({ name }) => name);

  const file = await app.request('/api/imports/?name=plan.csv', {
    ...rawFile(`ID,Title\n1,${secret}`),
    token: ada.token,
  });
  const backups = await startScheduledBackups(app.services, { url: app.databaseUrl, directUrl: app.ownerUrl });
  hers = {
    exported: await exported(ada, project),
    imported: ((await file.json()) as { id: string }).id,
    backup: (await backups?.make(new Date('2026-01-02T03:00:00Z'))) ?? '',
  };
  await backups?.stop();
});
afterAll(async () => {
  await exports?.stop();
  await imports?.stop();
});

const rawFile = (text: string): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/octet-stream' },
  body: text,
});

/** Where the file is that somebody asked for; empty where they were refused. */
async function exported(who: TestUser, project: string | null): Promise<string> {
  const { data } = await who.client.rpc('begin_export', { format: 'csv', project_id: project });
  await exports.settle();
  const { data: mine } = await who.client.rpc('my_exports');
  return (mine as { id: string; path: string | null }[]).find(({ id }) => id === data?.id)?.path ?? '';
}

/** Every GET route of the admin API, as its source declares them. */
function routesOfAdmin(): string[] {
  const room = join(import.meta.dirname, '../../server/admin');
  const found = readdirSync(room).flatMap((file) =>
    [...readFileSync(join(room, file), 'utf8').matchAll(/door\.get\('([^']+)'/g)].map(([, path]) => path ?? ''),
  );
  expect(found.length).toBeGreaterThan(12);
  return found.map((path) => path.replace(':id', path.startsWith('/projects') ? board.project : ada.id));
}

/** What each door answers somebody: status, headers and body. */
async function everythingTold(who: TestUser): Promise<Map<string, string>> {
  const told = new Map<string, string>();
  const ask = async (
    path: string,
    init: RequestInit = {},
    door = `${init.method ?? 'GET'} ${path}`,
  ): Promise<string> => {
    const answer = await app.request(path, { token: who.token, ...init });
    const text = Buffer.from(await answer.arrayBuffer()).toString('latin1');
    told.set(door, [answer.status, JSON.stringify([...answer.headers]), text].join(' '));
    return text;
  };
  const { project, tasks } = board;
  for (const table of tables) await ask(`/rest/v1/${table}?select=*`);
  await ask('/rest/v1/projects?select=*,tasks(*,task_comments(*)),saved_views(*)', {}, 'embedded rows');
  await ask('/rest/v1/tasks?select=title', { headers: { accept: 'text/csv' } }, 'rows as CSV');
  await ask('/rest/v1/rpc/search_tasks', json({ query: secret }), 'search');
  await ask('/rest/v1/rpc/dashboard_metrics', json({ project_id: project }), 'figures');

  const storage = '/storage/v1/object';
  for (const way of ['authenticated/', 'public/', '', 'info/', 'info/authenticated/'])
    await ask(`${storage}/${way}attachments/${attachment}`, {}, `file ${way}`);
  await ask(`/storage/v1/render/image/authenticated/attachments/${attachment}`);
  const signed = await ask(`${storage}/sign/attachments/${attachment}`, json({ expiresIn: 60 }), 'link to a file');
  const link = /"signedURL":"([^"]+)"/.exec(signed)?.[1];
  if (link !== undefined) await ask(`/storage/v1${link}`, {}, 'file by link');
  for (const list of ['list', 'list-v2'])
    await ask(`${storage}/${list}/attachments`, json({ prefix: `${project}/${tasks[0]}`, limit: 10 }));
  await ask(`/storage/v1/zip/attachments/${project}`, {}, 'files as a zip');
  const copy = { bucketId: 'attachments', sourceKey: attachment, destinationBucket: 'avatars' };
  await ask(`${storage}/copy`, json({ ...copy, destinationKey: `${who.id}/taken.txt` }));
  await ask(`${storage}/authenticated/avatars/${who.id}/taken.txt`, {}, 'copied file');

  for (const [name, id] of [
    ['export of the project', project],
    ['export of everything', null],
  ] as const) {
    const path = await exported(who, id);
    if (path !== '') await ask(`${storage}/authenticated/exports/${path}`, {}, name);
  }
  await ask(`${storage}/authenticated/exports/${hers.exported}`, {}, 'her export');
  await ask('/rest/v1/rpc/my_exports', json({}));

  const own = JSON.parse(await ask('/api/imports/?name=own.csv', rawFile('ID,Title\n1,Plain'))) as { id: string };
  await ask(`/api/imports/${own.id}/preview`, json({ project }), 'look at an import into it');
  for (const path of ['', '/preview']) {
    const init = path === '' ? {} : json({});
    await ask(`/api/imports/${hers.imported}${path}`, init, `her import ${path}`);
  }
  await ask(`/ical/${project}.ics`);
  const kept = hers.backup.split('/').at(-1);
  for (const path of [`/backups/${kept}`, `/storage/v1/object/authenticated/backups/${kept}`]) await ask(path);
  await ask('/auth/v1/admin/users');
  for (const path of routesOfAdmin()) await ask(`/api/admin${path}`);
  for (const path of ['projects', 'accounts', 'log', 'mail']) await ask(`/api/admin/${path}?words=${secret}`);
  return told;
}

const tellingOf = (told: ReadonlyMap<string, string>): string[] =>
  [...told].filter(([, text]) => text.toLowerCase().includes(secret)).map(([door]) => door);

test('every door that shows a project to its owner hides it from the operator', async () => {
  const toOwner = tellingOf(await everythingTold(ada));
  const rows = (...names: string[]) => names.map((name) => `GET /rest/v1/${name}?select=*`);
  expect(toOwner).toEqual(
    expect.arrayContaining([
      ...rows('projects', 'workflow_columns', 'tasks', 'task_labels', 'task_checklist_items', 'task_comments'),
      ...rows('custom_fields', 'task_field_values', 'saved_views', 'templates', 'task_attachments', 'task_activity'),
      ...['embedded rows', 'rows as CSV', 'search', 'file authenticated/', 'file by link', 'files as a zip'],
      ...['export of the project', 'export of everything', 'her export', 'her import /preview'],
    ]),
  );
  const told = await everythingTold(iris);
  expect(tellingOf(told)).toEqual([]);
  // The admin API answers, not a closed door.
  for (const path of ['state', 'jobs', 'files', 'backups', 'log', `projects/${board.project}`])
    expect(told.get(`GET /api/admin/${path}`), path).toMatch(/^200 /);
  const { body } = await iris.ask('GET', `/projects?words=${secret}`);
  expect(body).toMatchObject({ total: 0 });
});

test('live changes of a project do not reach the operator’s socket', async () => {
  const heard: Record<string, string[]> = {};
  const channels = [ada, iris].map((who) => {
    const own: string[] = [];
    heard[who.id] = own;
    const channel = who.client.channel('all');
    const joined = new Promise<string>((resolve) => {
      channel
        .on('postgres_changes', { event: '*', schema: 'public' }, (change) => own.push(JSON.stringify(change)))
        .subscribe((state) => resolve(state));
    });
    return { who, channel, joined };
  });
  expect(await Promise.all(channels.map(({ joined }) => joined))).toEqual(['SUBSCRIBED', 'SUBSCRIBED']);
  await expect
    .poll(
      async () => {
        await ada.client
          .from('tasks')
          .update({ title: `${secret} ${Math.random()}` })
          .eq('id', board.tasks[0]);
        return heard[ada.id]?.length;
      },
      { interval: 300 },
    )
    .toBeGreaterThan(1);
  expect(heard[iris.id]).toEqual([]);
  await Promise.all(channels.map(({ who, channel }) => who.client.removeChannel(channel)));
});

test('nor is anything written, taken over or entered silently', async () => {
  const { project, tasks, columns } = board;
  const sums = () =>
    Promise.all(
      tables.map(async (table) => {
        const [row] = await app.sql<{ sum: string }>(
          `select md5(coalesce(string_agg(r.text, '' order by r.text), '')) as sum from (
             select to_jsonb(t)::text as text from public.${table} t
             where $1 in (to_jsonb(t) ->> 'project_id', ${table === 'projects' ? "to_jsonb(t) ->> 'id'" : 'null'})) r`,
          [project],
        );
        return [table, row?.sum];
      }),
    );
  const before = await sums();
  const { client } = iris;
  const answers = await Promise.all([
    client.from('tasks').update({ title: 'mine' }).eq('project_id', project).select(),
    client.from('tasks').delete().eq('project_id', project).select(),
    client.from('tasks').insert({ project_id: project, column_id: columns.todo, title: 'mine' }).select(),
    client.from('task_comments').insert({ task_id: tasks[0], body: 'mine' }).select(),
    client.from('project_members').insert({ project_id: project, user_id: iris.id, role: 'owner' }).select(),
    client.from('projects').update({ name: 'mine' }).eq('id', project).select(),
    client.from('projects').delete().eq('id', project).select(),
  ]);
  for (const { data } of answers) expect(data ?? []).toEqual([]);
  const files = client.storage.from('attachments');
  const refused = await Promise.all([
    files.upload(`${project}/${tasks[0]}/mine.txt`, new Blob(['mine'])),
    files.upload(attachment, new Blob(['mine']), { upsert: true }),
    files.move(attachment, `${iris.id}/mine.txt`),
    files.createSignedUploadUrl(`${project}/${tasks[0]}/mine.txt`),
  ]);
  for (const { error } of refused) expect(error).not.toBeNull();
  await files.remove([attachment]);
  const resumable = await app.request('/storage/v1/upload/resumable', {
    method: 'POST',
    token: iris.token,
    headers: {
      'tus-resumable': '1.0.0',
      'upload-length': '4',
      'upload-metadata': Object.entries({ bucketName: 'attachments', objectName: `${project}/${tasks[0]}/mine.txt` })
        .map(([name, value]) => `${name} ${Buffer.from(value).toString('base64')}`)
        .join(','),
    },
  });
  expect(resumable.ok).toBe(false);

  const own = await app.request('/api/imports/?name=own.csv', { ...rawFile('ID,Title\n1,Mine'), token: iris.token });
  const { id } = (await own.json()) as { id: string };
  const started = await app.request(`/api/imports/${id}/start`, { ...json({ project }), token: iris.token });
  expect([started.status, await started.json()]).toMatchObject([403, { code: 'KB826' }]);
  for (const [path, body] of [
    ['pass-on', { email: iris.email, reason: 'mine' }],
    ['enter', { reason: '' }],
    ['leave', {}],
    ['restore', { reason: 'mine' }],
  ] as const)
    expect([path, (await iris.ask('POST', `/projects/${project}/${path}`, body)).status]).not.toEqual([path, 200]);
  await imports.settle();
  expect(await sums()).toEqual(before);
  expect(await one(ada.client.storage.from('attachments').download(attachment))).toBeTruthy();
});
