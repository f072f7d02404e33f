// Guests: people who see single tasks of a project without being in it, as far as their grants say; of all else they learn nothing.

import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import type { TestUser } from '../helpers/app.ts';
import { addMember, makeGroup, one } from './board.ts';
import { startTogether } from './start-together.ts';

const { app, owner, editor, shared } = startTogether({ DATA_TX_OVERRIDE: 'true' });

type Row = Readonly<Record<string, unknown>>;
type Level = 'see' | 'comment' | 'edit';
const add = async ({ client }: TestUser, table: string, row: Row): Promise<Row & { readonly id: string }> =>
  (await one(client.from(table).insert(row).select().single())) as Row & { id: string };
const ids = async ({ client }: TestUser, table: string, project: string): Promise<readonly string[]> =>
  ((await one(client.from(table).select('*').eq('project_id', project))) as readonly Row[]).map((row) =>
    String(row.task_id ?? row.id),
  );

let guest: TestUser;
beforeAll(async () => {
  guest = await app.createUser({ name: 'Gwen Guest' });
});

interface Ground {
  readonly project: string;
  readonly columns: Awaited<ReturnType<typeof shared>>['columns'];
  readonly task: string;
  readonly part: string;
  /** Of the project, and not the guest's. */
  readonly other: string;
  readonly label: string;
}

/** A task with a part and a row of each kind, and another like it; the first is shared with the guest. */
async function sharedWithGuest(called: string, level: Level): Promise<Ground> {
  const { project, columns } = await shared(called);
  const { id: task } = await add(editor, 'tasks', { project_id: project, title: 'Shown' });
  const { id: part } = await add(editor, 'tasks', {
    project_id: project,
    parent_id: task,
    title: 'Part of what is shown',
  });
  const { id: other } = await add(editor, 'tasks', { project_id: project, title: 'Kept' });
  const label = await add(editor, 'task_labels', { project_id: project, name: 'Red' });
  for (const task_id of [task, other]) {
    const of = { project_id: project, task_id };
    await add(editor, 'task_label_links', { ...of, label_id: label.id });
    await add(editor, 'task_assignees', { ...of, user_id: editor.id });
    await add(editor, 'task_checklist_items', { ...of, title: 'A step' });
    await add(editor, 'task_comments', { ...of, body: 'A word' });
    const object_path = `${project}/${task_id}/plan.txt`;
    await one(editor.client.storage.from('attachments').upload(object_path, new Blob(['plan'])));
    await add(editor, 'task_attachments', {
      ...of,
      name: 'plan.txt',
      content_type: 'text/plain',
      size_bytes: 4,
      object_path,
    });
  }
  await add(owner, 'task_grants', { project_id: project, task_id: task, user_id: guest.id, level });
  return { project, columns, task, part, other, label: label.id };
}

const ofTasks = ['task_label_links', 'task_assignees', 'task_checklist_items', 'task_comments', 'task_attachments'];

describe('a guest', () => {
  it('finds the shared task and what is under it by title, description, comments, number and key, and nothing else', async () => {
    const { project, task, part, other } = await sharedWithGuest('Searched', 'see');
    const text = { description: 'A quagga in the text' };
    for (const id of [part, other]) await one(editor.client.from('tasks').update(text).eq('id', id).select());
    const tasks = await one(editor.client.from('tasks').select('id, number').eq('project_id', project));
    const numberOf = (id: string) => (tasks as { id: string; number: number }[]).find((row) => row.id === id)?.number;
    const [{ key }] = (await one(editor.client.from('projects').select('key').eq('id', project))) as [{ key: string }];
    const found = async (query: string, of: string | null = project): Promise<Set<string>> =>
      new Set(
        ((await one(guest.client.rpc('search_tasks', { query, project_id: of }))) as { id: string }[]).map(
          ({ id }) => id,
        ),
      );
    await expect.poll(() => found('shown')).toEqual(new Set([task, part]));
    expect(await found('quagga')).toEqual(new Set([part]));
    expect(await found('quagga', null)).toEqual(new Set([part]));
    expect(await found('word')).toEqual(new Set([task]));
    expect(await found(`${key}-${numberOf(task)}`, null)).toEqual(new Set([task]));
    for (const query of ['kept', `#${numberOf(other)}`, `${key}-${numberOf(other)}`])
      expect(await found(query), query).toEqual(new Set());
    await one(owner.client.from('task_grants').delete().eq('task_id', task).eq('user_id', guest.id).select());
    expect(await found('quagga', null)).toEqual(new Set());
    const refused = await guest.client.rpc('search_tasks', { query: 'quagga', project_id: project });
    expect(refused.error?.code).toBe('PT404');
  });

  it('sees the shared task, what is under it and its rows, with the project around them, and nothing else', async () => {
    const { project, task, part, other } = await sharedWithGuest('Sight', 'see');
    await expect.poll(() => ids(guest, 'tasks', project)).toHaveLength(2);
    expect(new Set(await ids(guest, 'tasks', project))).toEqual(new Set([task, part]));
    for (const table of ofTasks) expect(new Set(await ids(guest, table, project)), table).toEqual(new Set([task]));
    expect(await one(guest.client.from('projects').select('name').eq('id', project))).toEqual([{ name: 'Sight' }]);
    expect((await ids(guest, 'workflow_columns', project)).length).toBeGreaterThan(2);
    expect(await ids(guest, 'task_labels', project)).toHaveLength(1);
    for (const table of [
      'project_members',
      'task_activity',
      'task_dependencies',
      'saved_views',
      'project_invitations',
      'templates',
    ])
      expect(await ids(guest, table, project), table).toEqual([]);
    expect(await one(guest.client.rpc('current_project_role', { project_id: project }))).toBeNull();
    expect(await one(guest.client.from('profiles').select('display_name').eq('id', editor.id))).toHaveLength(1);
    expect(await one(owner.client.from('profiles').select('display_name').eq('id', guest.id))).toHaveLength(1);
    const { count } = await guest.client
      .from('tasks')
      .select('*', { count: 'exact', head: true })
      .eq('project_id', project);
    expect(count).toBe(2);
    const files = guest.client.storage.from('attachments');
    expect((await files.download(`${project}/${task}/plan.txt`)).error).toBeNull();
    expect((await files.download(`${project}/${other}/plan.txt`)).error).not.toBeNull();
    expect((await files.list(`${project}/${other}`)).data).toEqual([]);
    expect((await files.createSignedUrl(`${project}/${other}/plan.txt`, 60)).error).not.toBeNull();
  });

  it('sees by a key the same tasks', async () => {
    const { project, task, part } = await sharedWithGuest('Key', 'edit');
    const { token } = await one(guest.client.rpc('create_api_key', { name: 'Reader', scope: 'read' }));
    const program = { client: app.client({ token }) } as TestUser;
    expect(new Set(await ids(program, 'tasks', project))).toEqual(new Set([task, part]));
    expect(await ids(program, 'task_comments', project)).toEqual([task]);
    const changed = await program.client.from('tasks').update({ title: 'Mine' }).eq('id', task).select();
    expect(changed.error?.code).toBe('42501');
  });

  it('changes nothing where they only see', async () => {
    const { project, task, columns } = await sharedWithGuest('See', 'see');
    await expect.poll(() => ids(guest, 'tasks', project)).toHaveLength(2);
    const { client } = guest;
    for (const { error } of [
      await client.from('tasks').update({ title: 'Mine' }).eq('id', task).select(),
      await client.from('task_comments').insert({ project_id: project, task_id: task, body: 'Hello' }),
      await client.from('task_checklist_items').insert({ project_id: project, task_id: task, title: 'More' }),
      await client.from('tasks').insert({ project_id: project, title: 'Another' }),
      await client.from('tasks').delete().eq('id', task).select(),
      await client.from('task_grants').insert({ project_id: project, task_id: task, user_id: editor.id }),
      await client.rpc('move_task', { task_id: task, column_id: columns.done }),
    ])
      expect(error?.code).toBe('42501');
    expect(await one(client.from('task_grants').update({ level: 'edit' }).eq('task_id', task).select())).toEqual([]);
  });

  it('comments and reacts where they may comment, edits and deletes their own words alone', async () => {
    const { project, task, other } = await sharedWithGuest('Comment', 'comment');
    await expect.poll(() => ids(guest, 'tasks', project)).toHaveLength(2);
    const comment = await add(guest, 'task_comments', { task_id: task, body: 'From outside' });
    await add(guest, 'comment_reactions', { comment_id: comment.id, user_id: guest.id, emoji: '👍' });
    await one(
      guest.client.from('task_comments').update({ body: 'From abroad' }).eq('id', comment.id).select().single(),
    );
    const { client } = guest;
    const theirs = await client
      .from('task_comments')
      .update({ body: 'x' })
      .eq('task_id', task)
      .neq('id', comment.id)
      .select();
    expect(theirs.error?.code).toBe('42501');
    expect(
      (await client.from('task_comments').insert({ project_id: project, task_id: other, body: 'x' })).error?.code,
    ).toBe('42501');
    expect((await client.from('tasks').update({ title: 'x' }).eq('id', task).select()).error?.code).toBe('42501');
    expect((await client.from('task_comments').delete().eq('id', comment.id).select()).data).toHaveLength(1);
    // who works on it hears of them
    const heard = await one(
      editor.client.from('notifications').select('kind').eq('task_id', task).eq('actor_id', guest.id),
    );
    expect(heard).toEqual([{ kind: 'commented' }]);
  });

  it('changes the task where they may edit it, and not its place in the project', async () => {
    const { project, task, part, other, columns, label } = await sharedWithGuest('Edit', 'edit');
    await expect.poll(() => ids(guest, 'tasks', project)).toHaveLength(2);
    const { client } = guest;
    await one(client.from('tasks').update({ title: 'Ours', description: 'Together' }).eq('id', task).select().single());
    await one(client.rpc('move_task', { task_id: task, column_id: columns.in_progress }));
    const item = await add(guest, 'task_checklist_items', { task_id: part, title: 'A step of mine' });
    expect((await client.from('task_checklist_items').delete().eq('id', item.id).select()).data).toHaveLength(1);
    expect(
      (await client.from('task_label_links').delete().eq('task_id', task).eq('label_id', label).select()).data,
    ).toHaveLength(1);
    const object_path = `${project}/${task}/theirs.txt`;
    await one(client.storage.from('attachments').upload(object_path, new Blob(['mine'])));
    await add(guest, 'task_attachments', {
      task_id: task,
      name: 'theirs.txt',
      content_type: 'text/plain',
      size_bytes: 4,
      object_path,
    });
    for (const { error } of [
      await client.from('tasks').update({ is_restricted: true }).eq('id', task).select(),
      await client.from('tasks').update({ parent_id: null }).eq('id', part).select(),
      await client.from('tasks').update({ title: 'x' }).eq('id', other).select().single(),
      await client.from('tasks').delete().eq('id', task).select(),
      await client.from('task_assignees').insert({ task_id: task, user_id: owner.id }),
      await client.from('task_checklist_items').insert({ project_id: project, task_id: other, title: 'x' }),
      await client.storage.from('attachments').upload(`${project}/${other}/theirs.txt`, new Blob(['x'])),
      await client.from('workflow_columns').insert({ project_id: project, name: 'x' }),
    ])
      expect(error).not.toBeNull();
  });

  it('sees what comes under the task, no longer what leaves it, and nothing once it is shared no more', async () => {
    const { project, task, part, other } = await sharedWithGuest('Under', 'comment');
    await expect.poll(() => ids(guest, 'tasks', project)).toHaveLength(2);
    await one(editor.client.from('tasks').update({ parent_id: part }).eq('id', other).select());
    expect(await ids(guest, 'tasks', project)).toHaveLength(3);
    await add(guest, 'task_comments', { task_id: other, body: 'Here, too' });
    await one(editor.client.from('tasks').update({ parent_id: null }).eq('id', part).select());
    expect(await ids(guest, 'tasks', project)).toEqual([task]);
    const signed = await one(
      guest.client.storage.from('attachments').createSignedUrl(`${project}/${task}/plan.txt`, 600),
    );
    expect((await fetch(signed.signedUrl)).status).toBe(200);
    await one(owner.client.from('task_grants').delete().eq('task_id', task).eq('user_id', guest.id).select());
    expect(await ids(guest, 'tasks', project)).toEqual([]);
    expect(await one(guest.client.from('projects').select('id').eq('id', project))).toEqual([]);
    expect((await fetch(signed.signedUrl)).status).toBe(400);
  });

  it('works on a task they are assigned, until they are taken off it', async () => {
    const { project, other } = await sharedWithGuest('Work', 'see');
    await add(editor, 'task_assignees', { task_id: other, user_id: guest.id });
    await expect.poll(() => ids(guest, 'tasks', project)).toHaveLength(3);
    await one(guest.client.from('tasks').update({ title: 'Under way' }).eq('id', other).select().single());
    await one(editor.client.from('task_assignees').delete().eq('task_id', other).eq('user_id', guest.id).select());
    expect(await ids(guest, 'tasks', project)).toHaveLength(2);
    // only who has something to see there
    const stranger = await app.createUser({ name: 'Sten Stranger' });
    const { error } = await editor.client.from('task_assignees').insert({ task_id: other, user_id: stranger.id });
    expect(error?.code).toBe('23503');
  });

  it('is named by owners alone, and leaves or is removed with all that was shared', async () => {
    const { project, task, other } = await sharedWithGuest('Leaving', 'edit');
    const second = await app.createUser({ name: 'Siri Second' });
    const named = { project_id: project, task_id: task, user_id: second.id };
    expect((await editor.client.from('task_grants').insert(named)).error?.code).toBe('23503');
    expect(
      (await editor.client.from('task_grants').update({ level: 'comment' }).eq('task_id', task).select()).error?.code,
    ).toBe('23503');
    await add(owner, 'task_grants', named);
    await add(owner, 'task_assignees', { task_id: other, user_id: second.id });
    expect((await editor.client.rpc('remove_guest', { project_id: project, user_id: second.id })).error?.code).toBe(
      '42501',
    );
    const more = (await one(owner.client.rpc('invite_guest', { task_id: other, email: second.email }))) as Row;
    await one(owner.client.rpc('remove_guest', { project_id: project, user_id: second.id }));
    expect((await second.client.rpc('join_project', { invitation_id: more.id })).error?.code).toBe('PT404');
    expect(await ids(second, 'tasks', project)).toEqual([]);
    expect(
      await one(owner.client.from('task_assignees').select('user_id').eq('task_id', other).eq('user_id', second.id)),
    ).toEqual([]);
    await one(guest.client.rpc('leave_project', { project_id: project }));
    expect(await ids(guest, 'tasks', project)).toEqual([]);
    const { data } = await owner.client.rpc('access_log_page', { project_id: project });
    expect(JSON.stringify(data)).toContain('"level"');
  });

  it('has the level that something gives them, and no more once it is gone', async () => {
    const { task, part } = await sharedWithGuest('Levels', 'see');
    const levelOf = async (of: string) =>
      (
        await app.sql<{ level: string; named: boolean }>(
          'select level, is_named as named from public.task_grants where task_id = $1 and user_id = $2',
          [of, guest.id],
        )
      )[0];
    await add(editor, 'task_assignees', { task_id: part, user_id: guest.id });
    expect(await levelOf(part)).toEqual({ level: 'edit', named: false });
    // an editor makes nothing of it that stays
    const kept = await editor.client.from('task_grants').update({ is_named: true }).eq('task_id', part).select();
    expect(kept.error?.code).toBe('23503');
    await one(editor.client.from('task_assignees').delete().eq('task_id', part).eq('user_id', guest.id).select());
    expect(await levelOf(part)).toEqual({ level: 'see', named: false });
    await one(
      owner.client.from('task_grants').update({ level: 'edit' }).eq('task_id', task).eq('user_id', guest.id).select(),
    );
    expect(await levelOf(part)).toEqual({ level: 'edit', named: false });
    await one(
      owner.client
        .from('task_grants')
        .update({ level: 'comment' })
        .eq('task_id', part)
        .eq('user_id', guest.id)
        .select(),
    );
    expect(await levelOf(part)).toEqual({ level: 'comment', named: true });
    await one(
      owner.client.from('task_grants').update({ level: 'see' }).eq('task_id', task).eq('user_id', guest.id).select(),
    );
    await owner.client.from('task_grants').delete().eq('task_id', part).eq('user_id', guest.id);
    expect(await levelOf(part)).toEqual({ level: 'see', named: false });
  });

  it('sees neither rows nor files of a task that came under a restricted one', async () => {
    const { project, task, other } = await sharedWithGuest('Came under', 'edit');
    await one(owner.client.from('tasks').update({ is_restricted: true }).eq('id', other).select());
    await one(owner.client.from('tasks').update({ parent_id: other }).eq('id', task).select());
    expect(await ids(guest, 'tasks', project)).toEqual([]);
    const files = guest.client.storage.from('attachments');
    expect((await files.download(`${project}/${task}/plan.txt`)).error).not.toBeNull();
    expect((await files.list(`${project}/${task}`)).data).toEqual([]);
  });

  it('learns nothing of a restricted task, and sees one that is shared with them', async () => {
    const { project, task, part, other } = await sharedWithGuest('Restricted', 'comment');
    await one(owner.client.from('tasks').update({ is_restricted: true }).in('id', [task, other]).select());
    await expect.poll(() => ids(guest, 'tasks', project)).toHaveLength(2);
    expect(new Set(await ids(guest, 'tasks', project))).toEqual(new Set([task, part]));
    await add(guest, 'task_comments', { task_id: part, body: 'Between us' });
    await one(owner.client.from('tasks').update({ is_restricted: false }).eq('id', task).select());
    expect(await ids(guest, 'tasks', project)).toHaveLength(2);
  });

  it('sees nothing of a deleted project, and the same as before once it is back', async () => {
    const { project } = await sharedWithGuest('Deleted', 'see');
    await expect.poll(() => ids(guest, 'tasks', project)).toHaveLength(2);
    await one(owner.client.from('projects').delete().eq('id', project).select());
    expect(await ids(guest, 'tasks', project)).toEqual([]);
    await one(owner.client.rpc('restore_project', { project_id: project }));
    expect(await ids(guest, 'tasks', project)).toHaveLength(2);
  });

  it('is explained', async () => {
    const { project, task, part, other } = await sharedWithGuest('Explained', 'comment');
    const explain = async (object: string) =>
      (await one(owner.client.rpc('explain_access', { object, person: guest.id }))) as readonly Row[];
    expect(await explain(task)).toMatchObject([
      {
        sees: true,
        comments: true,
        changes: false,
        manages: false,
        role: null,
        reasons: [{ rule: 'guest', level: 'comment', by: owner.id }],
      },
    ]);
    expect(await explain(part)).toMatchObject([{ sees: true, comments: true, reasons: [{ rule: 'guest_of_part' }] }]);
    expect(await explain(other)).toMatchObject([{ sees: false, reasons: [] }]);
    // What is around the tasks they see.
    expect(await explain(project)).toMatchObject([
      { sees: true, comments: false, changes: false, reasons: [{ rule: 'guest', level: 'comment', tasks: 2 }] },
    ]);
    const { data: own } = await guest.client.rpc('explain_access', { object: project, person: guest.id });
    expect(own).toMatchObject([{ sees: true }]);
    const all = (await one(owner.client.rpc('explain_access', { object: task }))) as readonly Row[];
    expect(all.map(({ person_id }) => person_id)).toContain(guest.id);
  });
});

describe('an invitation to a task', () => {
  it('makes its address a guest, whom only owners invite', async () => {
    const { project, other } = await sharedWithGuest('Invited', 'see');
    const invited = await app.createUser({ name: 'Ivo Invited' });
    const asked = { task_id: other, email: invited.email, level: 'edit' };
    expect((await editor.client.rpc('invite_guest', asked)).error?.code).toBe('42501');
    expect((await invited.client.rpc('invite_guest', asked)).error?.code).toBe('PT404');
    const invitation = (await one(owner.client.rpc('invite_guest', asked))) as Row & { id: string; token: string };
    expect(invitation).toMatchObject({ role: null, task_id: other, level: 'edit' });
    // others learn of no task by it
    expect(await one(editor.client.from('project_invitations').select('id').eq('id', invitation.id))).toEqual([]);
    const details = await one(app.client().rpc('invitation_details', { token: invitation.token }));
    expect(details).toMatchObject({ role: null, level: 'edit', project_name: 'Invited' });
    const membership = await one(invited.client.rpc('accept_invitation', { token: invitation.token }));
    expect(membership).toMatchObject({ project_id: project, user_id: invited.id, role: null });
    await expect.poll(() => ids(invited, 'tasks', project)).toEqual([other]);
    expect((await invited.client.rpc('accept_invitation', { token: invitation.token })).error?.code).toBe('PT404');
  });

  it('goes to one who is not there yet, again with another level, beside one to the project', async () => {
    const { project, task } = await sharedWithGuest('Twice', 'see');
    const email = `twice-${randomUUID()}@example.test`;
    const first = (await one(owner.client.rpc('invite_guest', { task_id: task, email }))) as Row;
    const again = (await one(owner.client.rpc('invite_guest', { task_id: task, email, level: 'see' }))) as Row;
    expect(again).toMatchObject({ id: first.id, level: 'see' });
    await one(owner.client.rpc('invite_member', { project_id: project, email, role: 'viewer' }));
    expect(await one(owner.client.from('project_invitations').select('id').eq('email', email))).toHaveLength(2);
  });
});

describe('a group', () => {
  const groupOf = async (...people: readonly TestUser[]): Promise<string> => {
    const group = await makeGroup(app, owner);
    for (const { id } of people)
      await app.sql('insert into public.group_members (group_id, user_id) values ($1, $2)', [group, id]);
    return group;
  };

  it('that a task is shared with makes guests of its people, as long as they are in it', async () => {
    const { project, task, part, other } = await sharedWithGuest('Crew', 'see');
    const [early, late] = [await app.createUser({ name: 'Eva Early' }), await app.createUser({ name: 'Lars Late' })];
    const group = await groupOf(early);
    const named = { project_id: project, task_id: task, group_id: group, level: 'comment' };
    expect((await editor.client.from('task_grants').insert(named)).error?.code).toBe('23503');
    await add(owner, 'task_grants', named);
    await expect.poll(() => ids(early, 'tasks', project)).toHaveLength(2);
    await one(owner.client.from('group_members').insert({ group_id: group, user_id: late.id }).select());
    await expect.poll(async () => new Set(await ids(late, 'tasks', project))).toEqual(new Set([task, part]));
    await add(late, 'task_comments', { task_id: part, body: 'From the crew' });
    await add(editor, 'task_assignees', { task_id: other, user_id: late.id });
    expect(await ids(late, 'tasks', project)).toHaveLength(3);
    expect(await one(owner.client.rpc('explain_access', { object: task, person: early.id }))).toMatchObject([
      { sees: true, comments: true, changes: false, reasons: [{ rule: 'guest', group_id: group }] },
    ]);
    for (const subject of [early.id, group])
      expect(await one(owner.client.rpc('reach_of', { subject }))).toMatchObject([
        { project_id: project, role: null, reasons: [{ rule: 'guest', level: 'comment', tasks: 2 }] },
      ]);
    expect((await owner.client.rpc('remove_guest', { project_id: project, user_id: early.id })).error?.code).toBe(
      '42501',
    );
    await one(owner.client.from('group_members').delete().eq('group_id', group).eq('user_id', early.id).select());
    expect(await ids(early, 'tasks', project)).toEqual([]);
    await one(owner.client.from('groups').delete().eq('id', group).select());
    expect(await ids(late, 'tasks', project)).toEqual([other]);
  });

  it('and its grant are seen by its people, and by members as far as they see what it sees', async () => {
    const { project, task, part, other } = await sharedWithGuest('Seen crew', 'see');
    const [early, viewer] = [
      await app.createUser({ name: 'Eva Early' }),
      await app.createUser({ name: 'Vito Viewer' }),
    ];
    await addMember(app, project, viewer, 'viewer');
    const [group, secret] = [await groupOf(early), await groupOf(early)];
    await add(owner, 'task_grants', { project_id: project, task_id: task, group_id: group, level: 'comment' });
    await add(owner, 'task_grants', { project_id: project, task_id: other, group_id: secret });
    await one(owner.client.from('tasks').update({ is_restricted: true }).eq('id', other).select());
    const granted = async ({ client }: TestUser): Promise<unknown> =>
      new Set(
        ((await one(client.from('task_grants').select('task_id, group_id').not('group_id', 'is', null))) as Row[])
          .filter(({ group_id }) => group_id === group || group_id === secret)
          .map(({ task_id }) => task_id),
      );
    await expect.poll(() => granted(early)).toEqual(new Set([task, part, other]));
    expect(await granted(viewer)).toEqual(new Set([task, part]));
    // Guests by themselves learn of no group.
    expect(await granted(guest)).toEqual(new Set());
    expect(await one(guest.client.from('groups').select('id').eq('id', group))).toEqual([]);
    const groupsOf = ({ client }: TestUser) => one(client.rpc('project_groups', { project_id: project }));
    expect(await groupsOf(viewer)).toMatchObject([{ group_id: group, role: null, people: 2, manages: false }]);
    expect(new Set(((await groupsOf(owner)) as Row[]).map(({ group_id }) => group_id))).toEqual(
      new Set([group, secret]),
    );
    expect((await one(viewer.client.from('group_members').select('user_id').eq('group_id', secret))) as Row[]).toEqual(
      [],
    );
    expect((await guest.client.rpc('project_groups', { project_id: project })).error?.code).toBe('PT404');
  });

  it('that is named lets its members in the project see a restricted task, and who leaves it forgets it', async () => {
    const { project, other } = await sharedWithGuest('Named crew', 'see');
    const [insider, outsider] = [
      await app.createUser({ name: 'Ina Inside' }),
      await app.createUser({ name: 'Otto Outside' }),
    ];
    for (const one_ of [insider, outsider]) await addMember(app, project, one_, 'editor');
    const group = await groupOf(insider);
    await add(owner, 'task_grants', { project_id: project, task_id: other, group_id: group });
    await one(owner.client.from('tasks').update({ is_restricted: true }).eq('id', other).select());
    expect(await ids(insider, 'tasks', project)).toContain(other);
    expect(await ids(outsider, 'tasks', project)).not.toContain(other);
    await add(insider, 'task_comments', { task_id: other, body: 'Among us' });
    await one(owner.client.from('group_members').delete().eq('group_id', group).eq('user_id', insider.id).select());
    expect(await ids(insider, 'tasks', project)).not.toContain(other);
    expect(await ids(insider, 'task_comments', project)).not.toContain(other);
  });
});

it('a member who is named keeps their role, whatever level is written', async () => {
  const { project, task } = await sharedWithGuest('Members', 'edit');
  const viewer = await app.createUser({ name: 'Vito Viewer' });
  await addMember(app, project, viewer, 'viewer');
  await add(owner, 'task_grants', { project_id: project, task_id: task, user_id: viewer.id, level: 'edit' });
  expect((await viewer.client.from('tasks').update({ title: 'x' }).eq('id', task).select()).error?.code).toBe('42501');
});
