// Groups: what they bring into projects and take out again, who sees and manages them, and what they never do.

import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { TestUser } from '../helpers/app.ts';
import { addTask, makeGroup, one } from './board.ts';
import { startTogether } from './start-together.ts';

const { app, owner, editor, shared } = startTogether();

/** The owner's, with others in it. */
async function makeCrew(people: readonly TestUser[] = []): Promise<string> {
  const group_id = await makeGroup(app, owner);
  for (const { id: user_id } of people)
    await one(owner.client.from('group_members').insert({ group_id, user_id }).select());
  return group_id;
}
const bring = (project_id: string, group_id: string, role: 'owner' | 'editor' | 'viewer', by = owner) =>
  by.client.from('project_members').insert({ project_id, group_id, role }).select('role').single();
const guest = (name = 'Gus Guest') => app.createUser({ name });
const roleOf = async (project_id: string, { client }: TestUser) =>
  one(client.rpc('current_project_role', { project_id }));
const rowOf = async (project: string, { id }: TestUser) =>
  (
    await app.sql('select role, own_role from public.project_members where project_id = $1 and user_id = $2', [
      project,
      id,
    ])
  )[0];
const titlesSeenBy = async ({ client }: TestUser, project: string) =>
  ((await one(client.from('tasks').select('title').eq('project_id', project))) as { title: string }[]).map(
    ({ title }) => title,
  );

describe('a group that is a member of a project', () => {
  it('brings its people with its role, those who join later too, and takes them away again', async () => {
    const { project } = await shared('Harbour');
    await addTask(app, owner, { project_id: project, title: 'Paint the crane' });
    const [gus, gina] = [await guest(), await guest('Gina')];
    const group = await makeCrew([gus]);
    expect(await roleOf(project, gus)).toBeNull();
    await one(bring(project, group, 'editor'));
    expect(await roleOf(project, gus)).toBe('editor');
    expect(await titlesSeenBy(gus, project)).toEqual(['Paint the crane']);
    await one(owner.client.from('group_members').insert({ group_id: group, user_id: gina.id }).select());
    expect(await roleOf(project, gina)).toBe('editor');
    await one(
      owner.client
        .from('project_members')
        .update({ role: 'viewer' })
        .eq('project_id', project)
        .eq('group_id', group)
        .select(),
    );
    expect([await roleOf(project, gus), await roleOf(project, gina)]).toEqual(['viewer', 'viewer']);
    await one(owner.client.from('group_members').delete().eq('group_id', group).eq('user_id', gina.id).select());
    expect([await roleOf(project, gina), await titlesSeenBy(gina, project)]).toEqual([null, []]);
    await one(owner.client.from('project_members').delete().eq('project_id', project).eq('group_id', group).select());
    expect([await roleOf(project, gus), await titlesSeenBy(gus, project)]).toEqual([null, []]);
    expect(await roleOf(project, owner)).toBe('owner');
  });

  it('gives the strongest of all roles, one’s own among them', async () => {
    const { project } = await shared('Harbour');
    const gus = await guest();
    const [weak, strong] = [await makeCrew([gus]), await makeCrew([gus])];
    await one(bring(project, weak, 'viewer'));
    await one(bring(project, strong, 'editor'));
    expect(await rowOf(project, gus)).toEqual({ role: 'editor', own_role: null });
    const own = owner.client.from('project_members');
    const upserted = await one(
      own
        .upsert({ project_id: project, user_id: gus.id, role: 'viewer' }, { onConflict: 'project_id,user_id' })
        .select('role, own_role')
        .single(),
    );
    expect(upserted).toEqual({ role: 'editor', own_role: 'viewer' });
    await one(own.upsert({ project_id: project, user_id: gus.id, role: 'owner' }).select());
    expect(await rowOf(project, gus)).toEqual({ role: 'owner', own_role: 'owner' });
    await one(own.update({ own_role: 'viewer' }).eq('project_id', project).eq('user_id', gus.id).select());
    expect(await rowOf(project, gus)).toEqual({ role: 'editor', own_role: 'viewer' });
    await app.sql('delete from public.groups where id = $1', [strong]);
    expect(await rowOf(project, gus)).toEqual({ role: 'viewer', own_role: 'viewer' });
    await one(own.update({ own_role: null }).eq('project_id', project).eq('user_id', gus.id).select());
    expect(await rowOf(project, gus)).toEqual({ role: 'viewer', own_role: null });
    await app.sql('delete from public.groups where id = $1', [weak]);
    expect(await rowOf(project, gus)).toBeUndefined();
    expect(await own.update({ own_role: null }).eq('project_id', project).eq('user_id', editor.id)).toMatchObject({
      status: 400,
      error: { code: '22023' },
    });
  });

  it('is not left by its people one by one, and what they were given themselves ends alone', async () => {
    const { project } = await shared('Harbour');
    const gus = await guest();
    const group = await makeCrew([gus]);
    await one(bring(project, group, 'viewer'));
    const refused = { status: 409, error: { code: 'KB020', message: expect.stringContaining('Crew') } };
    expect(await gus.client.rpc('leave_project', { project_id: project })).toMatchObject(refused);
    expect(
      await owner.client.from('project_members').delete().eq('project_id', project).eq('user_id', gus.id),
    ).toMatchObject(refused);
    await one(gus.client.from('group_members').delete().eq('group_id', group).eq('user_id', gus.id).select());
    expect(await roleOf(project, gus)).toBeNull();
  });

  it('unassigns whom it takes away', async () => {
    const { project } = await shared('Harbour');
    const gus = await guest();
    const group = await makeCrew([gus]);
    await one(bring(project, group, 'editor'));
    const task_id = await addTask(app, owner, { project_id: project, title: 'Paint the crane' });
    await one(owner.client.from('task_assignees').upsert({ task_id, user_id: gus.id, project_id: project }).select());
    await app.sql('delete from public.groups where id = $1', [group]);
    expect(await app.sql('select from public.task_assignees where task_id = $1', [task_id])).toEqual([]);
  });

  it('holds no project alone: its last owner stays one themselves', async () => {
    const { project } = await shared('Harbour');
    const group = await makeCrew([editor]);
    await one(bring(project, group, 'owner'));
    expect(await roleOf(project, editor)).toBe('owner');
    expect(
      await owner.client
        .from('project_members')
        .update({ own_role: 'editor' })
        .eq('project_id', project)
        .eq('user_id', owner.id),
    ).toMatchObject({ status: 409, error: { code: 'KB003' } });
    await app.sql('delete from public.groups where id = $1', [group]);
    expect(await roleOf(project, editor)).toBe('editor');
  });

  it('comes back with a deleted project, and brings who is in it by then', async () => {
    const { project } = await shared('Harbour');
    const [gus, gina] = [await guest(), await guest('Gina')];
    const group = await makeCrew([gus]);
    await one(bring(project, group, 'editor'));
    await one(owner.client.from('projects').delete().eq('id', project).select());
    expect(await roleOf(project, gus)).toBeNull();
    await app.sql('delete from public.group_members where group_id = $1 and user_id = $2', [group, gus.id]);
    await one(owner.client.from('group_members').insert({ group_id: group, user_id: gina.id }).select());
    await one(owner.client.rpc('restore_project', { project_id: project }));
    expect([await roleOf(project, gus), await roleOf(project, gina)]).toEqual([null, 'editor']);
  });

  it('settles people and projects that come at the same time', async () => {
    const { project } = await shared('Harbour');
    const people = await Promise.all(Array.from({ length: 6 }, (_, at) => guest(`Guest ${at}`)));
    const group = await makeCrew();
    await Promise.all([
      one(bring(project, group, 'viewer')),
      ...people.map(({ id }) =>
        one(owner.client.from('group_members').insert({ group_id: group, user_id: id }).select()),
      ),
    ]);
    expect(await Promise.all(people.map((person) => roleOf(project, person)))).toEqual(people.map(() => 'viewer'));
  });
});

describe('groups themselves', () => {
  it('are seen by their people and by those of their projects, and by nobody else', async () => {
    const { project } = await shared('Harbour');
    const [gus, stranger] = [await guest(), await guest('Sten Stranger')];
    const group = await makeCrew([gus]);
    const seenBy = async ({ client }: TestUser) =>
      ((await one(client.from('groups').select('id').eq('id', group))) as unknown[]).length +
      ((await one(client.from('group_members').select('user_id').eq('group_id', group))) as unknown[]).length;
    expect([await seenBy(owner), await seenBy(gus), await seenBy(editor), await seenBy(stranger)]).toEqual([
      3, 3, 0, 0,
    ]);
    await one(bring(project, group, 'viewer'));
    expect([await seenBy(editor), await seenBy(stranger)]).toEqual([3, 0]);
    // Neither their existence nor their people are learnt by adding them to a project of one's own.
    const { data: own } = await stranger.client.rpc('create_project_with_defaults', { name: 'Mine' });
    const answers = [
      await bring(own.id, group, 'viewer', stranger),
      await bring(own.id, randomUUID(), 'viewer', stranger),
    ];
    expect(answers.map(({ status, error }) => [status, error?.message])).toEqual([
      [403, answers[0]?.error?.message],
      [403, answers[0]?.error?.message],
    ]);
  });

  it('are managed by those who manage them, and not by hand where a provider keeps them', async () => {
    const gus = await guest();
    const group = await makeCrew([gus, editor]);
    const added = (by: TestUser, user_id: string) =>
      by.client.from('group_members').insert({ group_id: group, user_id });
    const stranger = await guest('Sten Stranger');
    expect(await added(gus, stranger.id)).toMatchObject({ status: 403 });
    expect(await gus.client.from('groups').update({ name: 'Mine' }).eq('id', group)).toMatchObject({ status: 403 });
    expect(await gus.client.from('groups').delete().eq('id', group)).toMatchObject({ status: 403 });
    expect(
      await gus.client.from('group_members').update({ is_manager: true }).eq('group_id', group).eq('user_id', gus.id),
    ).toMatchObject({ status: 403 });
    expect(
      await gus.client.from('group_members').delete().eq('group_id', group).eq('user_id', editor.id),
    ).toMatchObject({ status: 403 });
    expect(
      await owner.client
        .from('groups')
        .update({ name: `Mine ${group}` })
        .eq('id', group),
    ).toMatchObject({ status: 204 });
    await app.sql("update public.groups set source = 'scim' where id = $1", [group]);
    expect(await added(owner, stranger.id)).toMatchObject({ status: 403 });
    expect(await gus.client.from('group_members').delete().eq('group_id', group).eq('user_id', gus.id)).toMatchObject({
      status: 403,
    });
  });

  it('are made by operators, or by everyone where the setting says so', async () => {
    const made = (by: TestUser, name: string) => by.client.rpc('create_group', { name });
    expect(await made(editor, 'Cooks')).toMatchObject({
      status: 403,
      error: { hint: expect.stringContaining('GROUPS_MADE_BY') },
    });
    const op = await guest('Opal Operator');
    await app.sql('update auth.users set is_operator = true where id = $1', [op.id]);
    const cooks = (await one(made(op, ' Cooks '))) as { id: string; name: string; source: string };
    expect(cooks).toMatchObject({ name: 'Cooks', source: 'hand', created_by: op.id });
    expect(await made(op, 'cooks')).toMatchObject({ status: 409, error: { code: 'KB020' } });
    expect(await made(op, ' ')).toMatchObject({ status: 400 });
    await app.sql('select private.allow_groups(true)');
    expect(await made(editor, 'Bakers')).toMatchObject({ status: 200 });
    await app.sql('select private.allow_groups(false)');
    expect(await made(editor, 'Smiths')).toMatchObject({ status: 403 });
  });

  it('let no operator into a project: they manage groups of others, without being in them', async () => {
    const { project } = await shared('Harbour');
    const op = await guest('Opal Operator');
    await app.sql('update auth.users set is_operator = true where id = $1', [op.id]);
    const group = await makeCrew();
    await one(bring(project, group, 'viewer'));
    const add = (user_id: string) => op.client.from('group_members').insert({ group_id: group, user_id });
    expect(await add(op.id)).toMatchObject({ status: 403 });
    expect(await add((await guest()).id)).toMatchObject({ status: 201 });
    expect(await titlesSeenBy(op, project)).toEqual([]);
  });
});

describe('pages of groups', () => {
  it('show the groups of a project, of oneself, and one with its people', async () => {
    const { project } = await shared('Harbour');
    const [gus, stranger] = [await guest(), await guest('Sten Stranger')];
    const group = await makeCrew([gus]);
    await one(bring(project, group, 'editor'));
    const groupsOf = ({ client }: TestUser) => client.rpc('project_groups', { project_id: project });
    const page = ({ client }: TestUser) => client.rpc('group_page', { group_id: group });
    const brought = { group_id: group, role: 'editor', people: 2, brings: [owner.id, gus.id].sort() };
    expect(await one(groupsOf(owner))).toEqual([{ ...brought, name: expect.any(String), manages: true }]);
    expect(await one(groupsOf(editor))).toEqual([{ ...brought, name: expect.any(String), manages: false }]);
    expect(await one(page(gus))).toMatchObject({
      ...{ id: group, source: 'hand', manages: false, people: 2 },
      members: [
        { user_id: gus.id, display_name: 'Gus Guest', is_manager: false },
        { user_id: owner.id, is_manager: true },
      ].sort(({ user_id }) => (user_id === gus.id ? -1 : 1)),
      projects: [{ id: project, name: 'Harbour', role: 'editor', is_archived: false }],
    });
    const mine = (await one(gus.client.rpc('my_groups'))) as { may_create: boolean; groups: unknown[] };
    expect(mine).toMatchObject({ may_create: false, groups: [{ id: group, people: 2, projects: 1, manages: false }] });
    expect(await one(stranger.client.rpc('my_groups'))).toEqual({ may_create: false, groups: [] });
    for (const answer of [await groupsOf(stranger), await page(stranger)])
      expect(answer).toMatchObject({ status: 404, error: { code: 'PT404' } });
  });

  it('name people with whom one shares no project, and count only one’s own projects', async () => {
    const { project } = await shared('Harbour');
    const op = await guest('Opal Operator');
    await app.sql('update auth.users set is_operator = true where id = $1', [op.id]);
    const group = await makeCrew();
    await one(bring(project, group, 'viewer'));
    const { data } = await op.client.rpc('group_page', { group_id: group });
    expect(data).toMatchObject({ manages: true, members: [{ user_id: owner.id }], projects: [] });
    const { data: mine } = await op.client.rpc('my_groups');
    expect(mine.may_create).toBe(true);
    expect(mine.groups.find(({ id }: { id: string }) => id === group)).toMatchObject({ projects: 0, manages: true });
  });
});
