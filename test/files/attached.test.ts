// Attachments and pictures of projects, and their removal together with their owners.

import type { SupabaseClient } from '@supabase/supabase-js';
import { beforeEach, describe, expect, test } from 'vitest';
import { startApp } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { person } from '../helpers/person.ts';

let project: string;
let task: string;
let otherTask: string;

const app = forSuite(startApp);
const owner = person(app, 'Olga');
const viewer = person(app, 'Vera');
const stranger = person(app, 'Sten');

beforeEach(async () => {
  const made = await owner.client.rpc('create_project_with_defaults', { name: 'Files' });
  project = (made.data as { id: string }).id;
  [task = '', otherTask = ''] = await Promise.all([addTask('One'), addTask('Another')]);
  await app.sql(`insert into project_members (project_id, user_id, role) values ($1, $2, 'viewer')`, [
    project,
    viewer.id,
  ]);
});

async function addTask(title: string): Promise<string> {
  const { data, error } = await owner.client.from('tasks').insert({ project_id: project, title }).select('id').single();
  if (error) throw error;
  return data.id as string;
}

async function attach(name: string, to = task): Promise<string> {
  const object_path = `${project}/${to}/${name}`;
  const sent = await owner.client.storage.from('attachments').upload(object_path, new Blob(['bytes']));
  expect(sent.error).toBeNull();
  const { data, error } = await owner.client
    .from('task_attachments')
    .insert({ task_id: to, name, content_type: 'image/png', size_bytes: 5, object_path })
    .select('id')
    .single();
  if (error) throw error;
  return data.id as string;
}

const files = async (): Promise<string[]> =>
  (
    await app.sql<{ name: string }>(`select name from storage.objects where strpos(name, $1) > 0 order by name`, [
      project,
    ])
  ).map(({ name }) => name);

describe('the cover of a task', () => {
  test('is one of its own attachments, is embedded as such, and goes with it', async () => {
    const picture = await attach('crane.png');
    const set = await owner.client.from('tasks').update({ cover_attachment_id: picture }).eq('id', task);
    expect(set.error).toBeNull();
    const read = () =>
      viewer.client.from('tasks').select('title,cover(name),task_attachments(name)').eq('id', task).single();
    expect((await read()).data).toEqual({
      title: 'One',
      cover: { name: 'crane.png' },
      task_attachments: [{ name: 'crane.png' }],
    });
    await owner.client.from('task_attachments').delete().eq('id', picture);
    expect((await read()).data).toEqual({ title: 'One', cover: null, task_attachments: [] });
    const lines = await app.sql<{ kind: string }>(
      'select kind from task_activity where task_id = $1 order by created_at',
      [task],
    );
    expect(lines.map(({ kind }) => kind)).toEqual(['created', 'attached', 'updated', 'detached']);
  });

  test('of another task, or of nothing at all, is refused in the same words; viewers are refused', async () => {
    const elsewhere = await attach('crane.png', otherTask);
    const nowhere = crypto.randomUUID();
    for (const id of [elsewhere, nowhere]) {
      const { error } = await owner.client.from('tasks').update({ cover_attachment_id: id }).eq('id', task);
      expect([error?.code, error?.message]).toEqual([
        '23503',
        'insert or update on table "tasks" violates "tasks_cover_is_attached"',
      ]);
    }
    const own = await attach('crane.png');
    const { error } = await viewer.client.from('tasks').update({ cover_attachment_id: own }).eq('id', task);
    expect(error?.code).toBe('42501');
  });
});

describe('the picture of a project', () => {
  const bytes = new Blob(['\u0089PNG'], { type: 'image/png' });
  const save = (client: SupabaseClient, folder = project) =>
    client.storage
      .from('avatars')
      .upload(`projects/${folder}/${crypto.randomUUID()}.png`, bytes, { contentType: 'image/png' });

  test('is written by its owners alone, and everybody gets it by its address', async () => {
    const { data, error } = await save(owner.client);
    expect(error).toBeNull();
    const address = owner.client.storage.from('avatars').getPublicUrl(data?.path ?? '').data.publicUrl;
    const set = await owner.client
      .from('projects')
      .update({ avatar_url: new URL(address).pathname })
      .eq('id', project);
    expect(set.error).toBeNull();
    expect((await fetch(address)).status).toBe(200);
    for (const other of [viewer, stranger]) expect((await save(other.client)).error).not.toBeNull();
    expect((await save(owner.client, 'x')).error).not.toBeNull();
    const removed = await viewer.client.storage.from('avatars').remove([data?.path ?? '']);
    expect(removed.data).toEqual([]);
  });

  test.each([
    '//elsewhere.example/a.png',
    '/\\elsewhere.example',
    'https://elsewhere.example/a.png',
    'javascript:alert(1)',
  ])('is a path on this site: %s is refused', async (avatar_url) => {
    const { error } = await owner.client.from('projects').update({ avatar_url }).eq('id', project);
    expect(error?.code).toBe('23514');
  });
});

/** The time to undo is over, and the server has looked for what is due. */
async function untilLateEnough(): Promise<void> {
  await app.sql(`update private.removed_files set removed_at = now() - interval '2 hours'`);
  // Removing anything makes the server look at once.
  await app.client({ key: app.serviceKey }).storage.from('attachments').remove(['nothing']);
  await expect.poll(() => app.sql('select from private.removed_files'), { timeout: 30_000 }).toEqual([]);
}

describe('when the time to undo is over, files go', () => {
  test('with their attachment, their task and its files that nobody attached, and their project', async () => {
    const first = await attach('first.txt');
    await attach('second.txt');
    await attach('third.txt', otherTask);
    await owner.client.storage.from('attachments').upload(`${project}/${task}/unattached.txt`, new Blob(['x']));
    await owner.client.storage
      .from('avatars')
      .upload(`projects/${project}/a.png`, new Blob(['\u0089PNG'], { type: 'image/png' }), {
        contentType: 'image/png',
      });
    await owner.client.from('task_attachments').delete().eq('id', first);
    expect(await files()).toHaveLength(5);
    await untilLateEnough();
    expect(await files()).toHaveLength(4);
    await owner.client.from('tasks').delete().eq('id', task);
    expect(await files()).toHaveLength(4);
    await untilLateEnough();
    expect(await files()).toEqual([`${project}/${otherTask}/third.txt`, `projects/${project}/a.png`]);
    await owner.client.from('projects').delete().eq('id', project);
    await untilLateEnough();
    // There as long as the project can be brought back.
    expect(await files()).toHaveLength(2);
    await app.sql('delete from projects where id = $1', [project]);
    await untilLateEnough();
    expect(await files()).toEqual([]);
  });

  test('but what is there again by then keeps its files', async () => {
    const kept = await attach('kept.txt');
    await attach('forgotten.txt');
    const read = async (table: string, column: string, id: string) =>
      (await app.client({ key: app.serviceKey }).from(table).select().eq(column, id).single()).data as Record<
        string,
        unknown
      >;
    const taskRow = await read('tasks', 'id', task);
    const { created_at: _, updated_at: __, ...row } = await read('task_attachments', 'id', kept);
    await owner.client.from('tasks').delete().eq('id', task);
    const again = await owner.client
      .from('tasks')
      .insert({ id: task, project_id: project, title: taskRow.title as string });
    expect(again.error).toBeNull();
    expect((await owner.client.from('task_attachments').insert(row)).error).toBeNull();
    await untilLateEnough();
    expect(await files()).toEqual([`${project}/${task}/kept.txt`]);
    const { data } = await viewer.client.storage.from('attachments').download(`${project}/${task}/kept.txt`);
    expect(await data?.text()).toBe('bytes');
  });

  test('with an account, its pictures', async () => {
    const leaving = await app.createUser({ name: 'Leo' });
    const path = `${leaving.id}/me.png`;
    const kept = `${owner.id}/me.png`;
    const bytes = new Blob(['\u0089PNG'], { type: 'image/png' });
    await leaving.client.storage.from('avatars').upload(path, bytes, { contentType: 'image/png' });
    await owner.client.storage.from('avatars').upload(kept, bytes, { contentType: 'image/png', upsert: true });
    await app.client({ key: app.serviceKey }).auth.admin.deleteUser(leaving.id);
    await untilLateEnough();
    const left = await app.sql<{ name: string }>(`select name from storage.objects where name in ($1, $2)`, [
      path,
      kept,
    ]);
    expect(left).toEqual([{ name: kept }]);
  });
});
