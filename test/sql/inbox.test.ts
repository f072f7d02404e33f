// Recipients of notifications: watching, kinds, one entry per person and minute, settings, and lost access.

import { describe, expect, it } from 'vitest';
import { startApp, type TestUser } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { person } from '../helpers/person.ts';
import { addMember, addRow, addTask, makeProject, one } from './board.ts';

const app = forSuite(startApp);
const owner = person(app, 'Olga');
const editor = person(app, 'Edda');
const viewer = person(app, 'Vito');

async function shared(name: string) {
  const made = await makeProject(app, owner, name);
  await addMember(app, made.project, editor, 'editor');
  await addMember(app, made.project, viewer, 'viewer');
  await app.sql('delete from public.notifications where project_id = $1', [made.project]);
  return made;
}

interface Entry {
  readonly kind: string;
  readonly task_id: string | null;
  readonly data: Record<string, unknown>;
  readonly done_at: string | null;
}

async function inbox(person: TestUser, project: string): Promise<readonly Entry[]> {
  return (await one(
    person.client
      .from('notifications')
      .select('kind, task_id, data, done_at')
      .eq('project_id', project)
      .order('created_at')
      .order('id'),
  )) as Entry[];
}
const kinds = async (person: TestUser, project: string) => (await inbox(person, project)).map((entry) => entry.kind);

async function watchers(task: string): Promise<Record<string, string>> {
  const rows = await app.sql<{ user_id: string; reason: string }>(
    'select user_id, reason from public.task_watchers where task_id = $1 and is_watching',
    [task],
  );
  return Object.fromEntries(
    rows.map((row) => [[owner, editor, viewer].find(({ id }) => id === row.user_id)?.name, row.reason]),
  );
}

const move = (person: TestUser, task: string, column: string) =>
  one(person.client.rpc('move_task', { task_id: task, column_id: column }));

const minutePasses = (project: string) =>
  app.sql(`update public.notifications set created_at = created_at - interval '61 seconds' where project_id = $1`, [
    project,
  ]);

describe('watching', () => {
  it('begins with making, being assigned, commenting and being mentioned', async () => {
    const { project } = await shared('Watching');
    const task = await addTask(app, editor, { project_id: project, title: 'T' });
    expect(await watchers(task)).toEqual({ Edda: 'creator' });
    await addRow(app, owner, 'task_comments', { task_id: task, body: 'Hello @Vito' });
    expect(await watchers(task)).toEqual({ Edda: 'creator', Olga: 'commenter', Vito: 'mentioned' });
    const other = await addTask(app, owner, { project_id: project, title: 'Other', description: 'for @Edda' });
    await one(owner.client.from('task_assignees').insert({ task_id: other, user_id: viewer.id }).select());
    expect(await watchers(other)).toEqual({ Olga: 'creator', Edda: 'mentioned', Vito: 'assignee' });
  });

  it('is not begun by being named in a quote, nor is that a mention: who was named heard of it when it was written', async () => {
    const { project } = await shared('Quotes');
    const task = await addTask(app, owner, { project_id: project, title: 'T' });
    const said = `> @Vito, look\n> - @[Edda](${editor.id})\n\nYes`;
    await addRow(app, owner, 'task_comments', { task_id: task, body: said });
    expect(await watchers(task)).toEqual({ Olga: 'creator' });
    expect(await kinds(viewer, project)).toEqual([]);
    await addRow(app, owner, 'task_comments', { task_id: task, body: `${said} and > @Vito` });
    expect(await kinds(viewer, project)).toEqual(['mentioned']);
    expect(await kinds(editor, project)).toEqual([]);
  });

  it('that was stopped stays so, whatever others do', async () => {
    const { project, columns } = await shared('Stopped');
    const task = await addTask(app, editor, { project_id: project, title: 'T' });
    const watch = (is_watching: boolean) =>
      one(
        editor.client
          .from('task_watchers')
          .update({ is_watching })
          .match({ task_id: task, user_id: editor.id })
          .select()
          .single(),
      );
    await watch(false);
    await addRow(app, owner, 'task_comments', { task_id: task, body: 'Anyone?' });
    await move(owner, task, columns.todo);
    expect(await kinds(editor, project)).toEqual([]);
    // who is spoken to hears it all the same, and watches no more than before
    await addRow(app, owner, 'task_comments', { task_id: task, body: '@Edda?' });
    expect(await kinds(editor, project)).toEqual(['mentioned']);
    expect(await watchers(task)).toEqual({ Olga: 'commenter' });
    await watch(true);
    await minutePasses(project);
    await addRow(app, owner, 'task_comments', { task_id: task, body: 'Thanks' });
    expect(await kinds(editor, project)).toEqual(['mentioned', 'commented']);
  });

  it('or not, who is answered hears it', async () => {
    const { project } = await shared('Answered');
    const task = await addTask(app, owner, { project_id: project, title: 'T' });
    const asked = await addRow(app, editor, 'task_comments', { task_id: task, body: 'Which red?' });
    const watched = editor.client.from('task_watchers').update({ is_watching: false }).eq('task_id', task);
    await one(watched.eq('user_id', editor.id).select());
    await addRow(app, owner, 'task_comments', { task_id: task, body: 'By the way' });
    expect(await inbox(editor, project)).toEqual([]);
    const reply = await addRow(app, owner, 'task_comments', { task_id: task, parent_id: asked, body: 'The dark one' });
    expect(await inbox(editor, project)).toMatchObject([
      { kind: 'commented', data: { comment_id: reply, answers_id: asked, excerpt: 'The dark one' } },
    ]);
    // a reply to a reply joins the thread, and reaches whose thread it is
    await minutePasses(project);
    await addRow(app, owner, 'task_comments', { task_id: task, parent_id: reply, body: 'Or so' });
    expect(await kinds(editor, project)).toEqual(['commented', 'commented']);
  });

  it('a project is watching its tasks, but those one has stopped watching', async () => {
    const { project, columns } = await shared('Whole project');
    await one(viewer.client.from('project_watchers').insert({ project_id: project }).select());
    const task = await addTask(app, owner, { project_id: project, title: 'T' });
    const quiet = await addTask(app, owner, { project_id: project, title: 'Quiet' });
    await one(viewer.client.from('task_watchers').insert({ task_id: quiet, is_watching: false }).select());
    await move(owner, task, columns.todo);
    await move(owner, quiet, columns.todo);
    await addRow(app, owner, 'task_comments', { task_id: quiet, body: 'Hm' });
    expect(await inbox(viewer, project)).toMatchObject([{ kind: 'state_changed', task_id: task }]);
  });

  it('is everybody’s own: nobody makes others watch, and the reason is the database’s', async () => {
    const { project } = await shared('Own');
    const task = await addTask(app, owner, { project_id: project, title: 'T' });
    expect((await editor.client.from('task_watchers').insert({ task_id: task, user_id: viewer.id })).error?.code).toBe(
      '42501',
    );
    const mine = await one(
      editor.client.from('task_watchers').insert({ task_id: task, reason: 'creator' }).select('reason').single(),
    );
    expect(mine.reason).toBe('asked');
  });
});

describe('kinds', () => {
  it('unassigned, state changed and unblocked reach those who watch, and never who did it', async () => {
    const { project, columns } = await shared('Kinds');
    const first = await addTask(app, owner, { project_id: project, title: 'First' });
    const second = await addTask(app, editor, { project_id: project, title: 'Second' });
    const third = await addTask(app, owner, { project_id: project, title: 'Third' });
    for (const predecessor of [first, third])
      await addRow(app, owner, 'task_dependencies', { predecessor_id: predecessor, successor_id: second });
    await one(owner.client.from('task_assignees').insert({ task_id: first, user_id: editor.id }).select());
    await minutePasses(project);
    await one(owner.client.from('task_assignees').delete().eq('task_id', first).select());
    await minutePasses(project);
    await move(owner, first, columns.done);
    expect(await inbox(editor, project)).toMatchObject([
      { kind: 'assigned', task_id: first },
      { kind: 'unassigned', task_id: first },
      { kind: 'state_changed', task_id: first, data: { from: 'Backlog', to: 'Done', task_title: 'First' } },
    ]);
    await move(owner, third, columns.done);
    expect((await inbox(editor, project)).at(-1)).toMatchObject({ kind: 'unblocked', task_id: second });
    expect(await inbox(owner, project)).toEqual([]);
    // done by who waits for it: nothing new for them
    const own = await addTask(app, editor, { project_id: project, title: 'Own' });
    const waits = await addTask(app, editor, { project_id: project, title: 'Waits' });
    await addRow(app, editor, 'task_dependencies', { predecessor_id: own, successor_id: waits });
    await move(editor, own, columns.done);
    expect((await inbox(editor, project)).filter((entry) => entry.task_id === waits)).toEqual([]);
  });

  it('added: by somebody else, not by accepting an invitation or founding a project', async () => {
    const { project } = await makeProject(app, owner, 'Added');
    const guest = await app.createUser({ name: 'Guest' });
    await one(
      owner.client.from('project_members').insert({ project_id: project, user_id: viewer.id, role: 'viewer' }).select(),
    );
    expect(await inbox(viewer, project)).toMatchObject([
      { kind: 'added', task_id: null, data: { project_name: 'Added', role: 'viewer' } },
    ]);
    const { token } = await one(
      owner.client.rpc('invite_member', { project_id: project, email: guest.email, role: 'viewer' }),
    );
    expect(await kinds(guest, project)).toEqual(['invited']);
    await one(guest.client.rpc('accept_invitation', { token }));
    expect(await kinds(guest, project)).toEqual([]);
    expect(await kinds(owner, project)).toEqual([]);
  });

  it('due soon and overdue go by the day of whoever is reminded', async () => {
    const { project } = await shared('Days');
    const [{ far } = { far: '' }] = await app.sql<{ far: string }>(
      `select (now() at time zone 'Pacific/Kiritimati')::date::text as far`,
    );
    await app.sql(
      `insert into public.notification_schedules (user_id, time_zone) values ($1, 'Pacific/Kiritimati'), ($2, 'Etc/GMT+12')`,
      [editor.id, viewer.id],
    );
    // Fourteen hours ahead and twelve behind never share a day: yesterday to the one is not yet over for the other.
    const task = await addTask(app, owner, { project_id: project, title: 'T' });
    await app.sql(`update public.tasks set due_date = $2::date - 1 where id = $1`, [task, far]);
    await app.sql(
      'insert into public.task_assignees (project_id, task_id, user_id) select $1, $2, unnest($3::uuid[])',
      [project, task, [editor.id, viewer.id]],
    );
    for (let time = 0; time < 2; time++) await app.sql('select private.notify_of_due_dates()');
    expect(await kinds(editor, project)).toEqual(['assigned', 'overdue']);
    expect(await kinds(viewer, project)).toEqual(['assigned', 'due_soon']);
    expect(
      (await viewer.client.from('notification_schedules').update({ time_zone: 'Moon/Base' }).eq('user_id', viewer.id))
        .error,
    ).toMatchObject({ code: '22023', message: "there is no time zone 'Moon/Base'" });
    await app.sql('delete from public.notification_schedules');
  });
});

describe('one entry', () => {
  it('holds what one person did to a task within a minute, of the weightiest kind', async () => {
    const { project, columns } = await shared('Burst');
    const task = await addTask(app, editor, { project_id: project, title: 'T' });
    await move(owner, task, columns.todo);
    await move(owner, task, columns.in_progress);
    await addRow(app, owner, 'task_comments', { task_id: task, body: 'On it' });
    const [entry, ...more] = await inbox(editor, project);
    expect(more).toEqual([]);
    expect(entry).toMatchObject({
      kind: 'commented',
      data: { also: ['state_changed'], from: 'Backlog', to: 'In progress', excerpt: 'On it' },
    });
    // somebody else is another entry, and so is what comes later, or after it was read
    await app.sql(`update public.project_members set role = 'editor' where user_id = $1 and project_id = $2`, [
      viewer.id,
      project,
    ]);
    await addRow(app, viewer, 'task_comments', { task_id: task, body: 'Me too' });
    expect(await kinds(editor, project)).toEqual(['commented', 'commented']);
    await one(
      editor.client.from('notifications').update({ done_at: 'now' }).eq('project_id', project).select('read_at'),
    );
    await move(owner, task, columns.done);
    expect(await kinds(editor, project)).toEqual(['commented', 'commented', 'state_changed']);
  });

  it('is none when a task goes there and back again', async () => {
    const { project, columns } = await shared('There and back');
    const task = await addTask(app, editor, { project_id: project, title: 'T' });
    await move(owner, task, columns.todo);
    await move(owner, task, columns.backlog);
    expect(await inbox(editor, project)).toEqual([]);
  });

  it('counts tasks that were moved together, in however many batches', async () => {
    const { project, columns } = await shared('Many');
    const ids = (
      await one(
        editor.client
          .from('tasks')
          .insert(Array.from({ length: 30 }, (_, at) => ({ project_id: project, title: `T${at}` })))
          .select('id'),
      )
    ).map((row) => row.id as string);
    for (const batch of [ids.slice(0, 15), ids.slice(15)])
      await one(
        owner.client.rpc('apply_changes', {
          changes: [{ change: 'move', table: 'tasks', rows: batch.map((id) => ({ id, column_id: columns.todo })) }],
        }),
      );
    expect(await inbox(editor, project)).toMatchObject([
      { kind: 'state_changed', task_id: null, data: { count: 30, to: 'To do' } },
    ]);
  });
});

describe('settings', () => {
  it('of a project go before those of all; off in every way is no entry, off in the inbox is one that is done', async () => {
    const { project } = await shared('Settings');
    const elsewhere = await shared('Elsewhere');
    const task = await addTask(app, editor, { project_id: project, title: 'T' });
    const other = await addTask(app, editor, { project_id: elsewhere.project, title: 'T' });
    const person = await app.createUser({ name: 'Petra' });
    for (const at of [project, elsewhere.project]) await addMember(app, at, person, 'viewer');
    await one(
      person.client
        .from('task_watchers')
        .insert([{ task_id: task }, { task_id: other }])
        .select(),
    );
    await one(
      person.client
        .from('notification_settings')
        .insert([
          { kind: 'commented', project_id: null, inbox: false, mail: 'now', push: false },
          { kind: 'commented', project_id: project, inbox: false, mail: 'off', push: false },
        ])
        .select(),
    );
    await addRow(app, owner, 'task_comments', { task_id: task, body: 'Here' });
    await addRow(app, owner, 'task_comments', { task_id: other, body: 'There' });
    expect(await kinds(person, project)).toEqual(['added']);
    expect((await inbox(person, elsewhere.project)).at(-1)).toMatchObject({
      kind: 'commented',
      done_at: expect.any(String),
    });
  });

  it('say what holds by themselves', async () => {
    const all = await one(owner.client.rpc('notification_kinds'));
    expect(all).toHaveLength(10);
    expect(all).toContainEqual({ kind: 'mentioned', weight: 10, inbox: true, mail: 'now', push: true });
    const known = await app.sql<{ kind: string }>('select kind from public.notification_kinds()');
    // Nobody chooses these in their settings.
    const unchosen = {
      notifications: ['backup_failed', 'transfer', 'webhook_off'],
      notification_settings: [] as string[],
    };
    for (const [table, more] of Object.entries(unchosen)) {
      const [row] = await app.sql<{ check: string }>(
        'select pg_get_constraintdef(oid) as check from pg_constraint where conname = $1',
        [`${table}_kind_known`],
      );
      expect([...(row?.check ?? '').matchAll(/'(\w+)'/g)].map(([, kind]) => kind).sort()).toEqual(
        [...known.map(({ kind }) => kind), ...more].sort(),
      );
    }
  });
});

it('entries of a project are out of sight without access to it, and gone after leaving', async () => {
  const { project } = await shared('Lost');
  const task = await addTask(app, editor, { project_id: project, title: 'T' });
  await addRow(app, owner, 'task_comments', { task_id: task, body: 'Hello' });
  await one(editor.client.from('project_watchers').insert({ project_id: project }).select());
  expect(await kinds(editor, project)).toEqual(['commented']);
  // An entry that was left behind, as by a restored backup, is not to be seen either.
  await app.sql('delete from public.project_members where project_id = $1 and user_id = $2', [project, editor.id]);
  await app.sql(`insert into public.notifications (user_id, kind, project_id) values ($1, 'commented', $2)`, [
    editor.id,
    project,
  ]);
  expect(await kinds(editor, project)).toEqual([]);
  expect((await editor.client.from('notifications').delete().eq('project_id', project).select()).data).toEqual([]);
  const left = await app.sql(
    `select 'task' as what from public.task_watchers where project_id = $1 and user_id = $2
     union all select 'project' from public.project_watchers where project_id = $1 and user_id = $2`,
    [project, editor.id],
  );
  expect(left).toEqual([]);
});

it('open notifications are found without reading those that are done', async () => {
  const keeper = await app.createUser({ name: 'Kim' });
  await app.sql(
    `insert into public.notifications (user_id, kind, created_at, read_at, done_at)
     select $1, 'mentioned', now(), now(), case when n > 5 then now() end from generate_series(1, 3000) n`,
    [keeper.id],
  );
  await app.sql('analyze public.notifications');
  const [plan] = await app.asUser<{ 'QUERY PLAN': string }>(
    keeper.id,
    `explain (analyze, format json) select id from public.notifications where user_id = $1 and done_at is null order by id`,
    [keeper.id],
  );
  expect(JSON.stringify(plan)).toContain('"Actual Rows"');
  expect(JSON.stringify(plan)).not.toMatch(/"Rows Removed by Filter":\s*[1-9]/);
});
