// Rules of a board: numbers, completion, dependencies, and the history of every task.

import { describe, expect, it } from 'vitest';
import type { TestUser } from '../helpers/app.ts';
import { addRow, addTask, makeProject, one } from './board.ts';
import { startTogether } from './start-together.ts';

const { app, owner, editor, shared } = startTogether();

describe('profiles', () => {
  it('are made at sign-up, with the name a person or their provider gave', async () => {
    for (const [metadata, name, picture] of [
      [{ name: 'Ada Lovelace' }, 'Ada Lovelace', null],
      [{ full_name: 'Grace', avatar_url: 'https://example.test/g.png' }, 'Grace', 'https://example.test/g.png'],
      [{ name: '  ', picture: 'javascript:alert(1)' }, null, null],
      [{ name: 'Eve', avatar_url: '//evil.test/track.png' }, 'Eve', null],
      [{ name: 'Eve', avatar_url: 'http://evil.test/track.png' }, 'Eve', null],
      [{}, null, null],
    ] as const) {
      const [user] = await app.sql<{ id: string }>(
        'insert into auth.users (raw_user_meta_data) values ($1) returning id',
        [JSON.stringify(metadata)],
      );
      expect(await app.sql('select display_name, avatar_url from public.profiles where id = $1', [user?.id])).toEqual([
        { display_name: name, avatar_url: picture },
      ]);
    }
  });
});

it.each([
  ['https://pictures.test/a.png?size=2', true],
  ['https://pictures.test:8443/a', true],
  ['/storage/v1/object/public/avatars/a.png', true],
  ['//evil.test/a.png', false],
  ['/\\\\evil.test/a.png', false],
  ['\\\\evil.test/a.png', false],
  ['http://pictures.test/a.png', false],
  ['https://', false],
  ['https://user@evil.test/a.png', false],
  ['data:image/png;base64,AAAA', false],
])('a picture at %s is taken: %s', async (address, taken) => {
  const change = app.asUser(owner.id, 'update public.profiles set avatar_url = $1 where id = $2', [address, owner.id]);
  if (taken) await change;
  else await expect(change).rejects.toMatchObject({ sqlstate: '23514' });
});

describe('a project', () => {
  const begin = async (person: TestUser, name: string) =>
    (await one(person.client.rpc('create_project_with_defaults', { name }).select().single())) as {
      id: string;
      key: string;
    };

  it('begins with its owner, four columns and a key made from its name', async () => {
    const project = await begin(owner, 'Launch of the rocket');
    expect(project).toMatchObject({
      name: 'Launch of the rocket',
      key: 'LOTR',
      description: '',
      created_by: owner.id,
      enforce_dependencies: true,
    });
    expect(await one(owner.client.rpc('current_project_role', { project_id: project.id }))).toBe('owner');
    expect(
      await one(
        owner.client.from('workflow_columns').select('name, kind').eq('project_id', project.id).order('position'),
      ),
    ).toEqual([
      { name: 'Backlog', kind: 'backlog' },
      { name: 'To do', kind: 'todo' },
      { name: 'In progress', kind: 'in_progress' },
      { name: 'Done', kind: 'done' },
    ]);
    expect((await begin(owner, 'Launch of the rocket')).key).toBe('LOTR2');
    const keys: [name: string, key: string][] = [
      ['Web', 'WEB'],
      ['x', 'XP'],
      ['Überflieger', 'BERF'],
      ['日本', 'PR'],
    ];
    for (const [name, key] of keys) expect((await begin(editor, name)).key).toBe(key);
  });

  it('takes a key and a description, and says what is wrong with them', async () => {
    expect(
      await one(
        owner.client
          .rpc('create_project_with_defaults', { name: 'A', description: 'About', key: 'web' })
          .select()
          .single(),
      ),
    ).toMatchObject({ key: 'WEB', description: 'About' });
    const long = await owner.client.rpc('create_project_with_defaults', { name: 'A', key: 'TOOLONG' });
    expect(long).toMatchObject({
      status: 400,
      error: { code: '23514', message: expect.stringContaining('2_to_6_capitals') },
    });
    expect(await owner.client.rpc('create_project_with_defaults', { name: ' ' })).toMatchObject({ status: 400 });
  });

  it('can be left, and deleted with all that is in it', async () => {
    const { project } = await shared('Short-lived');
    const task = await addTask(app, editor, { project_id: project, title: 'A' });
    await addRow(app, editor, 'task_comments', { task_id: task, body: 'Hm' });
    await addRow(app, editor, 'task_assignees', { task_id: task, user_id: owner.id });
    expect(await editor.client.rpc('leave_project', { project_id: project })).toMatchObject({ error: null });
    expect(await editor.client.rpc('leave_project', { project_id: project })).toMatchObject({ status: 404 });
    expect(await owner.client.from('projects').delete().eq('id', project)).toMatchObject({ status: 204, error: null });
    // Once its thirty days are over.
    await app.sql('delete from projects where id = $1', [project]);
    for (const table of [
      'public.tasks',
      'public.task_activity',
      'private.project_figures',
      'private.column_flow',
      'private.task_search',
    ])
      expect(await app.sql(`select from ${table} where project_id = $1`, [project])).toEqual([]);
  });
});

describe('the days of a task', () => {
  it('are those that calendars write', async () => {
    const { project } = await makeProject(app, owner, 'Days');
    const task = await addTask(app, owner, { project_id: project, title: 'Some day' });
    for (const column of ['start_date', 'due_date'])
      for (const day of ['infinity', '-infinity', '0044-03-15 BC', '10000-01-01', '9999-12-31'])
        await expect(
          app.asUser(owner.id, `update public.tasks set ${column} = $2 where id = $1`, [task, day]),
        ).rejects.toMatchObject({ sqlstate: '23514' });
    await app.asUser(owner.id, `update public.tasks set due_date = '9999-12-30' where id = $1`, [task]);
  });
});

describe('numbers', () => {
  it('have no gaps when thirty callers make tasks at once and some fail', async () => {
    const { project } = await shared('Numbers');
    await Promise.all(
      Array.from({ length: 120 }, (_, index) =>
        (index % 2 ? owner : editor).client
          .from('tasks')
          // every third violates a check after its number was drawn
          .insert({ project_id: project, title: 'T', estimate: index % 3 === 0 ? -1 : 1 }),
      ),
    );
    const rows = await one(owner.client.from('tasks').select('number').eq('project_id', project).order('number'));
    expect(rows.map((row) => row.number)).toEqual(Array.from({ length: 80 }, (_, index) => index + 1));
  });

  it('are never given twice, deleted tasks included', async () => {
    const { project } = await shared('Deleted');
    const task = await addTask(app, owner, { project_id: project, title: 'First' });
    await owner.client.from('tasks').delete().eq('id', task);
    const next = await one(
      owner.client.from('tasks').insert({ project_id: project, title: 'Second' }).select('number').single(),
    );
    expect(next.number).toBe(2);
  });
});

describe('columns', () => {
  it('complete the tasks in them when they are done, by whatever way they get there', async () => {
    const { project, columns } = await shared('Completion');
    const state = async (id: string) =>
      one(owner.client.from('tasks').select('completed_at, started_at').eq('id', id).single());
    const born = await addTask(app, owner, { project_id: project, column_id: columns.done, title: 'Born done' });
    expect((await state(born)).completed_at).not.toBeNull();
    const task = await addTask(app, owner, { project_id: project, title: 'Walks' });
    expect(await state(task)).toEqual({ completed_at: null, started_at: null });
    await owner.client.rpc('move_task', { task_id: task, column_id: columns.in_progress });
    const started = await state(task);
    expect(started).toMatchObject({ completed_at: null, started_at: expect.any(String) });
    await owner.client.from('tasks').update({ column_id: columns.done }).eq('id', task);
    expect(await state(task)).toEqual({ completed_at: expect.any(String), started_at: started.started_at });
    await owner.client.rpc('move_task', { task_id: task, column_id: columns.todo });
    expect((await state(task)).completed_at).toBeNull();
    // a column that becomes done takes its tasks along, and gives them back
    await owner.client.from('workflow_columns').update({ kind: 'done' }).eq('id', columns.todo);
    expect((await state(task)).completed_at).not.toBeNull();
    await owner.client.from('workflow_columns').update({ kind: 'custom' }).eq('id', columns.todo);
    expect((await state(task)).completed_at).toBeNull();
  });

  it('that hold tasks cannot be deleted, empty ones can, and new ones go to the right end', async () => {
    const { project, columns } = await shared('Columns');
    await addTask(app, owner, { project_id: project, title: 'In the way' });
    expect(await owner.client.from('workflow_columns').delete().eq('id', columns.backlog)).toMatchObject({
      status: 409,
      error: { code: '23503', message: expect.stringContaining('tasks_column_of_same_project') },
    });
    expect((await owner.client.from('workflow_columns').delete().eq('id', columns.todo)).error).toBeNull();
    const added = await one(
      owner.client.from('workflow_columns').insert({ project_id: project, name: 'Review' }).select().single(),
    );
    expect(added).toMatchObject({ position: 5, kind: 'custom' });
  });
});

describe('dependencies', () => {
  it('keep a task out of done until its predecessors are, when the project says so', async () => {
    const { project, columns } = await shared('Waiting');
    const first = await addTask(app, owner, { project_id: project, title: 'First' });
    const second = await addTask(app, owner, { project_id: project, title: 'Second' });
    await addRow(app, editor, 'task_dependencies', { predecessor_id: first, successor_id: second });
    const finish = () => editor.client.rpc('move_task', { task_id: second, column_id: columns.done });
    const refusal = { status: 409, error: { code: 'KB001', details: expect.stringContaining('-1') } };
    expect(await finish()).toMatchObject(refusal);
    expect(await editor.client.from('tasks').update({ column_id: columns.done }).eq('id', second)).toMatchObject(
      refusal,
    );
    await owner.client.from('projects').update({ enforce_dependencies: false }).eq('id', project);
    expect((await finish()).error).toBeNull();
    await editor.client.rpc('move_task', { task_id: second, column_id: columns.todo });
    await owner.client.from('projects').update({ enforce_dependencies: true }).eq('id', project);
    expect(await finish()).toMatchObject(refusal);
    // deleting the predecessor frees its successor
    await owner.client.from('tasks').delete().eq('id', first);
    expect((await finish()).error).toBeNull();
  });

  it('never close a circle, short or long', async () => {
    const { project } = await shared('Circles');
    const tasks: string[] = [];
    for (let n = 0; n < 5; n++) tasks.push(await addTask(app, owner, { project_id: project, title: `T${n}` }));
    const link = (from: number, to: number) =>
      owner.client.from('task_dependencies').insert({ predecessor_id: tasks[from], successor_id: tasks[to] });
    for (let n = 0; n < 4; n++) expect((await link(n, n + 1)).error).toBeNull();
    for (const [from, to] of [
      [4, 0],
      [1, 0],
      [3, 1],
    ] as const)
      expect(await link(from, to)).toMatchObject({ status: 409, error: { code: 'KB002' } });
    expect(await link(2, 2)).toMatchObject({
      status: 400,
      error: { code: '23514', message: expect.stringContaining('not_on_itself') },
    });
    expect((await link(0, 4)).error).toBeNull();
    expect(await link(0, 4)).toMatchObject({ status: 409, error: { code: '23505' } });
  });

  it('nor do two requests that race to close one', async () => {
    const { project } = await shared('Racing circles');
    for (let round = 0; round < 20; round++) {
      const [a, b, c] = await Promise.all(
        ['a', 'b', 'c'].map((title) => addTask(app, owner, { project_id: project, title })),
      );
      const answers = await Promise.all(
        [
          { predecessor_id: a, successor_id: b },
          { predecessor_id: b, successor_id: c },
          { predecessor_id: c, successor_id: a },
        ].map((row) => owner.client.from('task_dependencies').insert(row)),
      );
      expect(answers.map((answer) => answer.error?.code ?? 'in').sort()).toEqual(['KB002', 'in', 'in']);
    }
  });
});

describe('the story of a task', () => {
  it('is written once per change, with from and to, in the transaction of the change', async () => {
    const { project, columns } = await shared('Story');
    const task = await addTask(app, editor, { project_id: project, title: 'Old' });
    const activity = async () =>
      one(editor.client.from('task_activity').select('kind, change, actor_id').eq('task_id', task).order('created_at'));
    await editor.client.from('tasks').update({ title: 'Old' }).eq('id', task);
    await editor.client.from('tasks').update({ title: 'New', priority: 'p0', due_date: '2030-01-02' }).eq('id', task);
    await editor.client.rpc('move_task', { task_id: task });
    await editor.client.rpc('move_task', { task_id: task, column_id: columns.todo });
    await editor.client.from('task_assignees').insert({ task_id: task, user_id: owner.id });
    await editor.client.from('task_assignees').delete().eq('task_id', task);
    await editor.client.from('tasks').update({ archived_at: new Date().toISOString() }).eq('id', task);
    await editor.client.from('tasks').update({ archived_at: null }).eq('id', task);
    // refused as a whole: neither the change nor its story
    await editor.client.from('tasks').update({ title: 'Newer', estimate: -1 }).eq('id', task);
    expect(await activity()).toEqual([
      { kind: 'created', actor_id: editor.id, change: expect.objectContaining({ title: 'Old' }) },
      {
        kind: 'updated',
        actor_id: editor.id,
        change: {
          title: { from: 'Old', to: 'New' },
          priority: { from: 'p2', to: 'p0' },
          due_date: { from: null, to: '2030-01-02' },
        },
      },
      {
        kind: 'moved',
        actor_id: editor.id,
        change: {
          column_id: { from: columns.backlog, to: columns.todo, from_name: 'Backlog', to_name: 'To do' },
        },
      },
      { kind: 'assigned', actor_id: editor.id, change: { user_id: { from: null, to: owner.id } } },
      { kind: 'unassigned', actor_id: editor.id, change: { user_id: { from: owner.id, to: null } } },
      { kind: 'archived', actor_id: editor.id, change: expect.anything() },
      { kind: 'restored', actor_id: editor.id, change: expect.anything() },
    ]);
  });

  it('covers labels, steps, attachments, dependencies and comments, and outlives the task', async () => {
    const { project } = await shared('Full story');
    const [task, other] = [
      await addTask(app, editor, { project_id: project, title: 'A' }),
      await addTask(app, editor, { project_id: project, title: 'B' }),
    ];
    const label = await addRow(app, editor, 'task_labels', { project_id: project, name: 'red' });
    await addRow(app, editor, 'task_label_links', { task_id: task, label_id: label });
    await editor.client.from('task_label_links').delete().eq('task_id', task);
    const item = await addRow(app, editor, 'task_checklist_items', { task_id: task, title: 'Step' });
    await editor.client.from('task_checklist_items').update({ is_done: true }).eq('id', item);
    await editor.client.from('task_checklist_items').update({ position: 7 }).eq('id', item);
    await editor.client.from('task_checklist_items').delete().eq('id', item);
    const file = await addRow(app, editor, 'task_attachments', {
      task_id: task,
      name: 'f',
      object_path: `${project}/${task}/f`,
    });
    await editor.client.from('task_attachments').update({ name: 'g' }).eq('id', file);
    await editor.client.from('task_attachments').delete().eq('id', file);
    const link = await addRow(app, editor, 'task_dependencies', { predecessor_id: other, successor_id: task });
    await editor.client.from('task_dependencies').update({ lag_days: 1 }).eq('id', link);
    await editor.client.from('task_dependencies').delete().eq('id', link);
    const comment = await addRow(app, editor, 'task_comments', { task_id: task, body: 'Hm' });
    const edited = await one(
      editor.client.from('task_comments').update({ body: 'Aha' }).eq('id', comment).select().single(),
    );
    expect(edited.edited_at).not.toBeNull();
    await editor.client.from('task_comments').delete().eq('id', comment);
    const kinds = async (filter: string) =>
      (
        await app.sql<{ kind: string }>(
          `select kind from public.task_activity where project_id = $1 and ${filter} order by created_at`,
          [project],
        )
      ).map((row) => row.kind);
    expect(await kinds(`task_id = '${task}'`)).toEqual([
      ...[
        'created',
        'labeled',
        'unlabeled',
        'checklist_item_added',
        'checklist_item_changed',
        'checklist_item_removed',
      ],
      ...['attached', 'attachment_renamed', 'detached', 'dependency_added', 'dependency_changed', 'dependency_removed'],
      ...['commented', 'comment_edited', 'comment_deleted'],
    ]);
    await editor.client.from('tasks').delete().eq('id', task);
    expect(await kinds(`task_id is null`)).toHaveLength(16);
    const [last] = await one(
      owner.client
        .from('task_activity')
        .select('kind, change')
        .eq('project_id', project)
        .order('created_at', { ascending: false })
        .limit(1),
    );
    expect(last).toEqual({ kind: 'deleted', change: { id: task, title: 'A', number: 1 } });
  });
});
