// Projects at the desk: outlines for operators, and through every door nothing of what is in them, until one enters openly.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { endOperatorEntries } from '../../server/desk/ask.ts';
import { startApp, type TestApp, type TestUser } from '../helpers/app.ts';
import { makeBoard } from '../sql/board.ts';
import { idsOf, toldApart } from '../sql/every-procedure.ts';
import { makeOperator, type Operator } from './operator.ts';

let app: TestApp;
let olga: Operator;
let ada: TestUser;
let project: { id: string; key: string };
let task: { id: string };
const path = () => `${project.id}/${task.id}/secret.txt`;

beforeAll(async () => {
  app = await startApp();
  olga = await makeOperator(app);
  ada = await app.createUser({ name: 'Ada' });
  project = (await ada.client.rpc('create_project_with_defaults', { name: 'Hidden garden' })).data;
  const { data: columns } = await ada.client
    .from('workflow_columns')
    .select('id')
    .eq('project_id', project.id)
    .order('position');
  const made = await ada.client
    .from('tasks')
    .insert({ project_id: project.id, column_id: columns?.[0]?.id, title: 'Walledseed', description: 'Walledseed' })
    .select('id')
    .single();
  task = made.data as { id: string };
  await ada.client.from('task_comments').insert({ task_id: task.id, body: 'Walledseed' });
  expect((await ada.client.storage.from('attachments').upload(path(), new Blob(['Walledseed']))).error).toBeNull();
});
afterAll(() => app.close());

/** What somebody gets of the project, through every door there is. */
async function through(who: { client: TestUser['client']; token: string }) {
  const { client } = who;
  const tables = [
    'projects',
    'project_members',
    'workflow_columns',
    'tasks',
    'task_comments',
    'task_activity',
    'task_attachments',
  ];
  const rows = await Promise.all(tables.map((table) => client.from(table).select('*')));
  const calls = await Promise.all([
    client.rpc('search_tasks', { query: 'Walledseed' }),
    client.rpc('dashboard_metrics', { project_id: project.id }),
    client.rpc('project_people', { project_id: project.id }),
    client.rpc('operator_entries', { project_id: project.id }),
    client.rpc('current_project_role', { project_id: project.id }),
  ]);
  const files = client.storage.from('attachments');
  const [file, link, list] = await Promise.all([
    files.download(path()),
    files.createSignedUrl(path(), 60),
    files.list(`${project.id}/${task.id}`),
  ]);
  const zip = await app.request(`/storage/v1/zip/attachments/${project.id}`, { token: who.token });
  return {
    rows: rows.map(({ data }) => data?.length ?? 0),
    calls: calls.map(({ data }) => (Array.isArray(data) ? data.length > 0 : data !== null)),
    file: file.data !== null,
    link: link.data !== null,
    list: list.data?.length ?? 0,
    zip: zip.ok && (await zip.arrayBuffer()).byteLength > 22,
  };
}

/** Whether a change of the task is heard. */
async function hears(who: { client: TestUser['client'] }, title: string): Promise<boolean> {
  const heard: string[] = [];
  const channel = who.client.channel(`tasks of ${title}`);
  const owner = ada.client.channel(`own ${title}`);
  const listen = (one: typeof channel, into: (title: string) => void) =>
    new Promise<void>((resolve, reject) => {
      one
        .on('postgres_changes', { event: 'UPDATE', schema: 'public', table: 'tasks' }, ({ new: row }) =>
          into(row.title),
        )
        .subscribe((state, error) => (state === 'SUBSCRIBED' ? resolve() : error && reject(error)));
    });
  const own: string[] = [];
  await Promise.all([listen(channel, (it) => heard.push(it)), listen(owner, (it) => own.push(it))]);
  await expect
    .poll(
      async () => {
        await ada.client.from('tasks').update({ title }).eq('id', task.id);
        await ada.client
          .from('tasks')
          .update({ title: `${title} again` })
          .eq('id', task.id);
        return own.length;
      },
      { timeout: 20_000, interval: 300 },
    )
    .toBeGreaterThan(1);
  await Promise.all([who.client.removeChannel(channel), ada.client.removeChannel(owner)]);
  return heard.length > 0;
}

const nothing = {
  rows: [0, 0, 0, 0, 0, 0, 0],
  calls: [false, false, false, false, false],
  file: false,
  link: false,
  list: 0,
  zip: false,
};

test('an operator finds the outline of a project: name, size, owners', async () => {
  for (const words of ['hidden gar', project.key, ada.email]) {
    const { body } = await olga.ask('GET', `/projects?words=${encodeURIComponent(words)}`);
    expect(body).toMatchObject({
      total: 1,
      projects: [{ id: project.id, name: 'Hidden garden', tasks: 1, members: 1, owners: [{ email: ada.email }] }],
    });
    expect(JSON.stringify(body)).not.toContain('Walledseed');
  }
  expect((await olga.ask('GET', '/projects?kind=archived')).body).toMatchObject({ total: 0 });
});

test('what is in it no door gives them: REST, procedures, search, files, live changes', async () => {
  expect(await through(olga)).toEqual(nothing);
  expect(await hears(olga, 'quiet')).toBe(false);
});

test('to every procedure it is what never was, and it is neither exported nor followed', async () => {
  const board = await makeBoard(app);
  expect(await toldApart(app, [olga], idsOf(board))).toEqual([]);
  const json = { 'content-type': 'application/json' };
  const asked = await app.request('/rest/v1/rpc/begin_export', {
    method: 'POST',
    token: olga.token,
    headers: json,
    body: JSON.stringify({ format: 'json', project_id: board.project }),
  });
  expect(asked.status).toBe(404);
  // A private channel, by which those in it talk and see each other.
  const channel = olga.client.channel(`project:${board.project}`, { config: { private: true } });
  const joined = await new Promise<string>((resolve) => {
    channel.subscribe((state) => resolve(state));
  });
  expect(joined).not.toBe('SUBSCRIBED');
  await olga.client.removeChannel(channel);
});

test('entered openly they read, cannot write, and everybody in the project sees who and why; it ends', async () => {
  expect((await olga.ask('POST', `/projects/${project.id}/enter`, { reason: ' ' })).body).toMatchObject({
    code: 'KB804',
  });
  expect((await olga.ask('POST', `/projects/${project.id}/enter`, { reason: 'Ada asked for help' })).status).toBe(200);
  expect((await olga.ask('POST', `/projects/${project.id}/enter`, { reason: 'twice' })).body).toMatchObject({
    code: 'KB804',
  });
  expect(await through(olga)).toMatchObject({ file: true, list: 1 });
  expect((await olga.client.from('tasks').update({ title: 'mine' }).eq('id', task.id)).status).toBe(403);
  const { data: entries } = await ada.client.rpc('operator_entries', { project_id: project.id });
  expect(entries).toMatchObject([
    { deed: 'entered', operator: olga.email, reason: 'Ada asked for help', left_at: null },
  ]);
  expect(await app.sql(`select recipient from private.outbox where kind = 'operator_entered'`)).toEqual([
    { recipient: ada.email },
  ]);
  expect((await olga.ask('GET', '/log?words=project_entered')).body).toMatchObject([
    { subject: 'Hidden garden', subject_id: project.id },
  ]);

  expect((await olga.ask('POST', `/projects/${project.id}/leave`, {})).status).toBe(200);
  expect((await olga.ask('POST', `/projects/${project.id}/leave`, {})).body).toMatchObject({ code: 'KB804' });
  expect(await through(olga)).toEqual(nothing);

  // Forgotten, it ends by itself after a day; an owner may end it before.
  await olga.ask('POST', `/projects/${project.id}/enter`, { reason: 'again' });
  expect(await endOperatorEntries(app.services)).toBe(0);
  await app.sql(`update private.operator_entries set ends_at = now() - interval '1 second' where left_at is null`);
  expect(await endOperatorEntries(app.services)).toBe(1);
  expect(await through(olga)).toEqual(nothing);
  await olga.ask('POST', `/projects/${project.id}/enter`, { reason: 'and again' });
  await ada.client.from('project_members').delete().eq('user_id', olga.id);
  expect(await through(olga)).toEqual(nothing);
  const { data: all } = await ada.client.rpc('operator_entries', { project_id: project.id });
  expect(all.map(({ left_at }: { left_at: string | null }) => left_at === null)).toEqual([false, false, false]);
});

test('a project is passed on, never to an operator; who owned it stays as an editor', async () => {
  const bob = await app.createUser({ name: 'Bob' });
  const pass = (email: string, reason = 'Ada has left') =>
    olga.ask('POST', `/projects/${project.id}/pass-on`, { email, reason });
  expect((await pass(olga.email)).body).toMatchObject({ code: 'KB804' });
  expect((await pass('nobody@example.test')).body).toMatchObject({ code: 'KB803' });
  expect((await pass(bob.email, '')).body).toMatchObject({ code: 'KB804' });
  expect((await pass(bob.email.toUpperCase())).status).toBe(200);
  expect(
    await app.sql(
      'select user_id, role::text from public.project_members where project_id = $1 order by project_members.role',
      [project.id],
    ),
  ).toEqual([
    { user_id: bob.id, role: 'owner' },
    { user_id: ada.id, role: 'editor' },
  ]);
  expect(
    await app.sql(`select recipient from private.outbox where kind = 'project_passed' order by recipient`),
  ).toEqual([{ recipient: ada.email }, { recipient: bob.email }]);
  expect((await bob.client.rpc('operator_entries', { project_id: project.id })).data[0]).toMatchObject({
    deed: 'passed',
    reason: 'Ada has left',
  });
  expect((await olga.ask('GET', '/log?words=project_passed')).body).toMatchObject([{ details: { to: bob.email } }]);
});
