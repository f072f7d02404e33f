// Guests, groups, invitations, public links and named people of tasks that move to another project: the preview tells them, the move ends them, and its
// undo brings them back as they were.

import { beforeAll, describe, expect, it } from 'vitest';
import { endDeletedProjects } from '../../server/admin/call-admin.ts';
import type { TestUser } from '../helpers/app.ts';
import { whileHeld } from '../helpers/while-held.ts';
import { addMember, makeGroup, one } from './board.ts';
import { startTogether } from './start-together.ts';

const { app, owner, editor, shared } = startTogether();

type Row = Readonly<Record<string, unknown>>;
const add = async ({ client }: TestUser, table: string, row: Row) =>
  (await one(client.from(table).insert(row).select().single())) as Row & { readonly id: string };
const move = (who: TestUser, task: string, project_id: string, brings_back = false) =>
  who.client.rpc('move_tasks_to_project', { task_ids: [task], project_id, brings_back });
const sees = async (who: TestUser, task: string) =>
  ((await one(who.client.from('tasks').select('id').eq('id', task))) as unknown[]).length === 1;
/** What follows from another grant begins anew. */
const rightsTo = (tasks: readonly string[]) =>
  app.sql(
    `select task_id, user_id, group_id, is_named, level, created_by, case when is_named then created_at end as named_at, audience_id from public.task_grants
     where task_id = any ($1) order by task_id, user_id, group_id`,
    [tasks],
  );

let guest: TestUser;
let crew: TestUser;
let both: TestUser;
let named: TestUser;
let group: string;
beforeAll(async () => {
  [guest, crew, both, named] = [
    await app.createUser({ name: 'Gwen Guest' }),
    await app.createUser({ name: 'Cara Crew' }),
    await app.createUser({ name: 'Bo Both' }),
    await app.createUser({ name: 'Nora Named' }),
  ];
  group = await makeGroup(app, owner);
  await app.sql('insert into public.group_members (group_id, user_id) values ($1, $2)', [group, crew.id]);
});

async function two(called: string) {
  const [{ project: from }, { project: to }] = [await shared(called), await shared(`${called} target`)];
  for (const project of [from, to]) await addMember(app, project, both, 'editor');
  await addMember(app, from, named, 'editor');
  const task = (await add(editor, 'tasks', { project_id: from, title: 'Shown' })).id;
  const part = (await add(editor, 'tasks', { project_id: from, title: 'Part', parent_id: task })).id;
  return { from, to, task, part };
}

async function sharedTask(called: string) {
  const made = await two(called);
  const of = { project_id: made.from, task_id: made.task };
  await add(owner, 'task_grants', { ...of, user_id: guest.id, level: 'edit' });
  await add(owner, 'task_grants', { ...of, group_id: group, level: 'comment' });
  await add(editor, 'task_assignees', { ...of, user_id: guest.id });
  await one(owner.client.rpc('invite_guest', { task_id: made.task, email: 'friend@example.test', level: 'see' }));
  const link = (await one(owner.client.rpc('create_share_link', of))) as { id: string; token: string };
  await expect.poll(() => sees(guest, made.part)).toBe(true);
  return { ...made, link };
}

const invitationsOf = (task: string) =>
  app.sql<{ id: string }>('select id from public.project_invitations where task_id = $1 order by created_at, id', [
    task,
  ]);

const open = async (token: string) =>
  (
    await app.request('/auth/v1/share_links/open', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token }),
    })
  ).status;

describe('a shared task', () => {
  it('loses guests, groups, invitations and links as it moves, and has them again when that is undone', async () => {
    const { from, to, task, part, link } = await sharedTask('Shared');
    const before = await rightsTo([task, part]);
    const invited = () => app.sql('select id, email, level from public.project_invitations where task_id = $1', [task]);
    const tokens = () =>
      app.sql(
        'select token_hash from private.invitation_tokens t join public.project_invitations i on i.id = t.invitation_id where i.task_id = $1',
        [task],
      );
    const [invitations, secrets] = [await invited(), await tokens()];
    expect(secrets).toHaveLength(1);

    expect(await one(owner.client.rpc('foresee_move_to_project', { task_ids: [task], project_id: to }))).toMatchObject({
      guests_left: [
        { user_id: null, group_id: group },
        { user_id: guest.id, group_id: null, name: 'Gwen Guest' },
        { user_id: null, group_id: null, name: 'friend@example.test' },
      ],
      named_left: [],
      links_left: 1,
      people_left: [{ user_id: guest.id }],
    });
    // Who owns neither learns of no invitation and no link.
    expect(await one(editor.client.rpc('foresee_move_to_project', { task_ids: [task], project_id: to }))).toMatchObject(
      {
        guests_left: [{ group_id: group }, { user_id: guest.id }],
        links_left: 0,
      },
    );

    await one(move(editor, task, to));
    expect(await rightsTo([task, part])).toEqual([]);
    expect(await Promise.all([guest, crew].map((who) => sees(who, task)))).toEqual([false, false]);
    expect([await invited(), await open(link.token)]).toEqual([[], 404]);

    await one(move(editor, task, from, true));
    expect(await rightsTo([task, part])).toEqual(before);
    await expect.poll(() => sees(guest, part)).toBe(true);
    await expect.poll(() => sees(crew, part)).toBe(true);
    expect(await one(guest.client.from('task_assignees').select('user_id').eq('task_id', task))).toEqual([
      { user_id: guest.id },
    ]);
    expect([await invited(), await tokens(), await open(link.token)]).toEqual([invitations, secrets, 200]);
  });

  it('keeps a guest who is a member there, who is a guest again when it comes back', async () => {
    const { from, to, task, part } = await sharedTask('Kept');
    await addMember(app, to, guest, 'viewer');
    const before = await rightsTo([task, part]);
    await one(move(editor, task, to));
    expect(await sees(guest, task)).toBe(true);
    await one(move(editor, task, from, true));
    expect(await rightsTo([task, part])).toEqual(before);
  });

  it('leaves nothing behind for longer than a day', async () => {
    for (const isSwept of [false, true]) {
      const { from, to, task } = await sharedTask('Late');
      await one(move(editor, task, to));
      await app.sql(`update private.former_places set left_at = now() - interval '25 hours' where task_id = $1`, [
        task,
      ]);
      if (isSwept) {
        await endDeletedProjects(app.services);
        expect(await app.sql('select left_behind from private.former_places where task_id = $1', [task])).toEqual([
          { left_behind: {} },
        ]);
      }
      await one(move(owner, task, from, true));
      expect(await rightsTo([task])).toEqual([]);
      expect(await sees(guest, task)).toBe(false);
    }
  });

  it('does not bring back a guest whom an owner has removed meanwhile', async () => {
    const { from, to, task } = await sharedTask('Removed');
    const other = (await add(editor, 'tasks', { project_id: from, title: 'Other' })).id;
    await add(owner, 'task_grants', { project_id: from, task_id: other, user_id: guest.id, level: 'see' });
    await one(move(editor, task, to));
    expect((await owner.client.rpc('remove_guest', { project_id: from, user_id: guest.id })).error).toBeNull();
    await one(move(editor, task, from, true));
    expect(await sees(guest, task)).toBe(false);
    expect((await rightsTo([task])).map(({ group_id }) => group_id)).toEqual([group]);
  });

  it('comes back without a guest, group, invitation or link that an owner has ended meanwhile', async () => {
    const { from, to, task, link } = await sharedTask('Ended');
    await one(owner.client.rpc('invite_guest', { task_id: task, email: crew.email }));
    const [friend] = await invitationsOf(task);
    const remove = async (who: TestUser, id: string | undefined) =>
      (await who.client.rpc('remove_guest', { project_id: from, user_id: id })).error?.code;
    const revoke = async (who: TestUser) =>
      (await who.client.rpc('revoke_share_link', { link_id: link.id })).error?.code;
    await one(move(editor, task, to));
    expect([await remove(editor, guest.id), await revoke(editor)]).toEqual(['42501', 'PT404']);
    for (const ended of [guest.id, group, friend?.id, crew.id]) expect(await remove(owner, ended)).toBeUndefined();
    expect(await revoke(owner)).toBeUndefined();
    // There is nothing any more.
    expect([await remove(owner, guest.id), await revoke(owner)]).toEqual(['PT404', 'PT404']);
    await one(move(editor, task, from, true));
    expect([await rightsTo([task]), await invitationsOf(task), await open(link.token)]).toEqual([[], [], 404]);
  });

  it('loses a group or an invitation that an owner takes out of its project', async () => {
    const { from, task, part } = await sharedTask('Here');
    const [friend] = await invitationsOf(task);
    for (const user_id of [group, friend?.id])
      expect((await owner.client.rpc('remove_guest', { project_id: from, user_id })).error).toBeNull();
    expect((await rightsTo([task, part])).map(({ user_id }) => user_id)).toEqual([guest.id, guest.id]);
    expect(await invitationsOf(task)).toEqual([]);
  });

  it('does not bring back a guest whom an owner is removing, nor remove one too late', async () => {
    const { from, to, task } = await sharedTask('Removed at once');
    await one(move(editor, task, to));
    await whileHeld({
      ...{ app, row: 'select from private.former_places where task_id = $1', id: task },
      ask: () => one(move(editor, task, from, true)),
      meanwhile: (held) => held.query('select private.forget_left_guest($1, $2)', [from, guest.id]),
    });
    expect((await rightsTo([task])).map(({ group_id }) => group_id)).toEqual([group]);

    const late = await sharedTask('Removed late');
    await one(move(editor, late.task, late.to));
    const answer = await whileHeld({
      ...{ app, row: 'select from private.former_places where task_id = $1', id: late.task },
      ask: async () => (await owner.client.rpc('remove_guest', { project_id: late.from, user_id: guest.id })).error,
      meanwhile: async (held) => {
        await held.query(`select set_config('request.jwt.claims', '{"role": "service_role"}', true)`);
        await held.query('select private.move_tasks_between_projects(array[$1]::uuid[], $2, null, true)', [
          ...[late.task, late.from],
        ]);
      },
    });
    expect(answer).toBeNull();
    expect((await rightsTo([late.task])).map(({ group_id }) => group_id)).toEqual([group]);
  });

  it('lets nobody in again by a key', async () => {
    const { from, to, task, link } = await sharedTask('By a key');
    await one(move(editor, task, to));
    const { token } = (await one(editor.client.rpc('create_api_key', { name: 'CI', scope: 'write' }))) as {
      token: string;
    };
    const program = { ...editor, client: app.client({ token }) };
    expect(await one(move(program, task, from, true))).toHaveLength(2);
    expect([await rightsTo([task]), await invitationsOf(task), await open(link.token)]).toEqual([[], [], 404]);
  });

  it('is not shared with a group that has left its project meanwhile', async () => {
    const { from, to, task } = await two('Group of members');
    await app.sql(`insert into public.project_members (project_id, group_id, role) values ($1, $2, 'viewer')`, [
      from,
      group,
    ]);
    await add(owner, 'task_grants', { project_id: from, task_id: task, group_id: group });
    await one(move(owner, task, to));
    await app.sql('delete from public.project_members where project_id = $1 and group_id = $2', [from, group]);
    await one(move(owner, task, from, true));
    expect(await rightsTo([task])).toEqual([]);
  });

  it('stays restricted to those it was restricted to meanwhile', async () => {
    const { from, to, task, part, link } = await sharedTask('Restricted there');
    const after = (await add(editor, 'tasks', { project_id: from, title: 'After' })).id;
    await add(editor, 'task_dependencies', { project_id: from, predecessor_id: task, successor_id: after });
    await add(editor, 'task_assignees', { project_id: from, task_id: task, user_id: named.id });
    await one(move(both, task, to));
    await add(both, 'task_grants', { project_id: to, task_id: task, user_id: both.id });
    await add(both, 'task_grants', { project_id: to, task_id: task, user_id: editor.id });
    await one(both.client.from('tasks').update({ is_restricted: true }).eq('id', task).select());
    await one(move(both, task, from, true));
    expect(await Promise.all([both, editor, named, guest, crew].map((who) => sees(who, part)))).toEqual([
      ...[true, true, false, false, false],
    ]);
    expect([await invitationsOf(task), await open(link.token)]).toEqual([[], 404]);
    expect(await one(both.client.from('tasks').select('is_restricted').eq('id', task))).toEqual([
      { is_restricted: true },
    ]);
  });

  it('stays restricted without its parent, where it was restricted alone meanwhile', async () => {
    const { from, to, part } = await sharedTask('Restricted part');
    await one(move(both, part, to));
    await add(both, 'task_grants', { project_id: to, task_id: part, user_id: both.id });
    await one(both.client.from('tasks').update({ is_restricted: true }).eq('id', part).select());
    await one(move(both, part, from, true));
    expect(await one(both.client.from('tasks').select('parent_id, is_restricted').eq('id', part))).toEqual([
      { parent_id: null, is_restricted: true },
    ]);
    expect(await Promise.all([editor, guest].map((who) => sees(who, part)))).toEqual([false, false]);
  });

  it('comes back as far as its parent does, which shares it again', async () => {
    const { from, to, task, part } = await sharedTask('Part');
    const before = await rightsTo([task, part]);
    await one(move(editor, part, to));
    expect(await sees(guest, part)).toBe(false);
    expect(await sees(guest, task)).toBe(true);
    await one(move(editor, part, from, true));
    expect(await rightsTo([task, part])).toEqual(before);
  });
});

describe('a restricted task', () => {
  async function restricted(called: string) {
    const made = await two(called);
    for (const { id: user_id } of [both, named])
      await add(owner, 'task_grants', { project_id: made.from, task_id: made.task, user_id });
    await one(owner.client.from('tasks').update({ is_restricted: true }).eq('id', made.task).select());
    return made;
  }

  it('names who is a member of both, tells of the others, and names them again', async () => {
    const { from, to, task, part } = await restricted('Secret');
    const before = await rightsTo([task, part]);
    expect(await one(both.client.rpc('foresee_move_to_project', { task_ids: [task], project_id: to }))).toMatchObject({
      named_left: [{ user_id: named.id, name: 'Nora Named' }],
      guests_left: [],
    });
    await one(move(both, task, to));
    expect(await Promise.all([both, named, editor].map((who) => sees(who, part)))).toEqual([true, false, false]);
    // Named there, and here no longer.
    await add(both, 'task_grants', { project_id: to, task_id: task, user_id: editor.id });
    await one(move(both, task, from, true));
    expect(await rightsTo([task, part])).toEqual(before);
    expect(await Promise.all([both, named, editor].map((who) => sees(who, part)))).toEqual([true, true, false]);
  });

  it('does not name again who has left its project meanwhile', async () => {
    const { from, to, task } = await restricted('Left');
    await one(move(both, task, to));
    await app.sql('delete from public.project_members where project_id = $1 and user_id = $2', [from, named.id]);
    await addMember(app, from, named, 'viewer');
    await one(move(both, task, from, true));
    expect(await sees(named, task)).toBe(false);
    expect((await rightsTo([task])).map(({ user_id }) => user_id)).toEqual([both.id]);
  });

  it('is seen by who was named meanwhile and brings it back', async () => {
    const { from, to, task } = await restricted('Brought back');
    await add(owner, 'task_assignees', { project_id: from, task_id: task, user_id: named.id });
    await one(move(both, task, to));
    await add(both, 'task_grants', { project_id: to, task_id: task, user_id: editor.id });
    await one(move(editor, task, from, true));
    expect(await Promise.all([both, named, editor].map((who) => sees(who, task)))).toEqual([true, true, true]);
  });

  it('is seen by who moves it, also where only owning the project showed it', async () => {
    const { from, to, task } = await restricted('Moved by its owner');
    await app.sql(`update public.project_members set role = 'owner' where project_id = $1 and user_id = $2`, [
      to,
      editor.id,
    ]);
    await app.sql(`update public.project_members set role = 'editor' where project_id = $1 and user_id = $2`, [
      to,
      owner.id,
    ]);
    const before = await rightsTo([task]);
    await one(move(owner, task, to));
    expect(await sees(owner, task)).toBe(true);
    await one(move(owner, task, from, true));
    expect(await rightsTo([task])).toEqual(before);
  });
});
