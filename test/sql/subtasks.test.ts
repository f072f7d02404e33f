// Tasks under tasks: one project, no circle and no deeper than eight, also when many change the outline at once; what becomes of
// subtasks when their parent goes, is put away, done or made twice; and steps of a checklist that become tasks and back.

import { describe, expect, it } from 'vitest';
import { addMember, addRow, addTask, makeProject, one } from './board.ts';
import { startTogether } from './start-together.ts';

const { app, owner, editor, shared } = startTogether();

interface Task {
  readonly id: string;
  readonly title: string;
  readonly parent_id: string | null;
  readonly subtask_position: number | null;
  readonly column_id: string;
  readonly completed_at: string | null;
  readonly archived_at: string | null;
  readonly created_at: string;
}

const read = async (id: string): Promise<Task | undefined> =>
  ((await one(editor.client.from('tasks').select().eq('id', id))) as unknown as Task[])[0];

const childrenOf = async (id: string): Promise<Task[]> =>
  (await one(editor.client.from('tasks').select().eq('parent_id', id).order('subtask_position'))) as unknown as Task[];

const put = (id: string, patch: Record<string, unknown>) =>
  editor.client.from('tasks').update(patch).eq('id', id).select().single();

async function family(name: string) {
  const { project, columns } = await shared(name);
  const parent = await addTask(app, owner, { project_id: project, title: 'Move house' });
  const [boxes, van] = [
    await addTask(app, editor, { project_id: project, title: 'Pack boxes', parent_id: parent }),
    await addTask(app, editor, { project_id: project, title: 'Hire a van', parent_id: parent }),
  ];
  return { project, columns, parent, boxes, van };
}

describe('a subtask', () => {
  it('needs no project, stands at the end of its parent’s, and is embedded both ways', async () => {
    const { parent, boxes } = await family('Outline');
    const made = (await one(
      editor.client.from('tasks').insert({ title: 'Tell the bank', parent_id: parent }).select().single(),
    )) as unknown as Task;
    expect((await childrenOf(parent)).map((task) => [task.title, task.subtask_position])).toEqual([
      ['Pack boxes', 1],
      ['Hire a van', 2],
      ['Tell the bank', 3],
    ]);
    await one(put(made.id, { subtask_position: 1.5 }));
    expect((await childrenOf(parent)).map((task) => task.title)).toEqual(['Pack boxes', 'Tell the bank', 'Hire a van']);
    expect(
      await one(editor.client.from('tasks').select('title, parent(title), subtasks(title)').eq('id', boxes)),
    ).toEqual([{ title: 'Pack boxes', parent: { title: 'Move house' }, subtasks: [] }]);
    expect(await one(editor.client.from('tasks').select('subtasks(title)').eq('id', parent).single())).toEqual({
      subtasks: expect.arrayContaining([{ title: 'Pack boxes' }]),
    });
  });

  it('forgets its place with its parent, and goes to the end under another', async () => {
    const { boxes, van } = await family('Out and in');
    expect(await one(put(boxes, { parent_id: null }))).toMatchObject({ parent_id: null, subtask_position: null });
    expect(await one(put(boxes, { parent_id: van }))).toMatchObject({ parent_id: van, subtask_position: 1 });
  });

  it('is of the same project as its parent, and a foreign one is like none', async () => {
    const { project } = await family('Ours');
    const other = await makeProject(app, owner, 'Theirs');
    const secret = await addTask(app, owner, { project_id: other.project, title: 'Secret' });
    for (const parent_id of [secret, '0190a000-0000-7000-8000-000000000000']) {
      const named = await editor.client.from('tasks').insert({ project_id: project, title: 'x', parent_id });
      expect(named.error).toMatchObject({ code: '23503' });
      const unnamed = await editor.client.from('tasks').insert({ title: 'x', parent_id });
      expect(unnamed).toMatchObject({ status: 403, error: { code: '42501' } });
    }
  });

  it('tells its story and its parent’s', async () => {
    const { parent, boxes, van } = await family('Stories');
    await one(put(boxes, { parent_id: van }));
    await one(editor.client.from('tasks').delete().eq('id', boxes).select());
    const story = async (task: string) =>
      (
        (await one(
          editor.client.from('task_activity').select('kind, change').eq('task_id', task).order('created_at'),
        )) as { change: Record<string, { from: unknown; to: unknown; name: string }> }[]
      )
        .map(({ change }) => change.subtask)
        .filter((line) => line !== undefined);
    expect(await story(parent)).toEqual([
      { from: null, to: boxes, name: 'Pack boxes' },
      { from: null, to: van, name: 'Hire a van' },
      { from: boxes, to: null, name: 'Pack boxes' },
    ]);
    expect(await story(van)).toEqual([
      { from: null, to: boxes, name: 'Pack boxes' },
      { from: boxes, to: null, name: 'Pack boxes' },
    ]);
  });
});

describe('the outline', () => {
  const chain = async (project: string, length: number): Promise<string[]> => {
    const ids: string[] = [];
    for (let at = 0; at < length; at++)
      ids.push(
        await addTask(app, owner, { project_id: project, title: `Level ${at + 1}`, parent_id: ids.at(-1) ?? null }),
      );
    return ids;
  };

  it('has no circle', async () => {
    const { project } = await shared('Circles');
    const [top, middle, bottom] = await chain(project, 3);
    for (const under of [top, middle, bottom])
      expect(await put(top ?? '', { parent_id: under })).toMatchObject({ status: 409, error: { code: 'KB008' } });
    const together = await editor.client.rpc('apply_changes', {
      changes: [{ change: 'update', table: 'tasks', rows: [{ id: top, parent_id: bottom }] }],
    });
    expect(together).toMatchObject({ status: 409, error: { code: 'KB008' } });
  });

  it('is eight levels deep and no deeper, whatever hangs below what is moved', async () => {
    const { project } = await shared('Depths');
    const long = await chain(project, 8);
    const below = await editor.client.from('tasks').insert({ title: 'Ninth', parent_id: long[7] });
    expect(below).toMatchObject({ status: 409, error: { code: 'KB009' } });
    const short = await chain(project, 3);
    expect(await put(short[0] ?? '', { parent_id: long[5] })).toMatchObject({ error: { code: 'KB009' } });
    expect(await put(short[0] ?? '', { parent_id: long[4] })).toMatchObject({ error: null });
  });

  it('stays whole when two tasks become each other’s part at once, again and again', async () => {
    const { project } = await shared('Each other');
    const [one, other] = [
      await addTask(app, owner, { project_id: project, title: 'One' }),
      await addTask(app, owner, { project_id: project, title: 'Other' }),
    ];
    for (let round = 0; round < 60; round++) {
      const answers = await Promise.all([put(one, { parent_id: other }), put(other, { parent_id: one })]);
      expect(answers.map(({ error }) => error?.code ?? 'done').sort()).toEqual(['KB008', 'done']);
      await app.sql('update public.tasks set parent_id = null where project_id = $1', [project]);
    }
  });

  it('stays whole while many rebuild it, and nobody waits for somebody who waits', async () => {
    const { project, columns } = await shared('Storm');
    const ids: string[] = [];
    for (let at = 0; at < 10; at++) ids.push(await addTask(app, owner, { project_id: project, title: `Task ${at}` }));
    let seed = 7;
    const random = (below: number): number => {
      seed = (seed * 1103515245 + 12345) % 2147483648;
      return Math.floor((seed / 2147483648) * below);
    };
    const some = (): string => ids[random(ids.length)] ?? '';
    const codes = new Set<string>();
    await Promise.all(
      Array.from({ length: 6 }, async () => {
        for (let turn = 0; turn < 25; turn++) {
          const what = random(4);
          const { error } =
            what === 0
              ? await editor.client.from('tasks').insert({ title: 'New', parent_id: some(), column_id: columns.todo })
              : what === 1
                ? await editor.client.rpc('apply_changes', {
                    changes: [
                      { change: 'move', table: 'tasks', rows: [{ id: some(), column_id: columns.todo }] },
                      { change: 'update', table: 'tasks', rows: [{ id: some(), parent_id: some() }] },
                    ],
                  })
                : await put(some(), { parent_id: random(3) === 0 ? null : some() });
          codes.add(error?.code ?? 'done');
        }
      }),
    );
    expect([...codes].filter((code) => !['done', 'KB008', 'KB009'].includes(code))).toEqual([]);
    const deepest = await app.sql(
      `with recursive down (id, level, seen) as (
         select id, 1, array[id] from public.tasks where project_id = $1 and parent_id is null
         union all
         select t.id, level + 1, seen || t.id from down join public.tasks t on t.parent_id = down.id where t.id <> all (seen)
       ) select count(distinct id)::int as reached, (select count(*)::int from public.tasks where project_id = $1) as all, max(level) <= 8 as fits from down`,
      [project],
    );
    expect(deepest[0]).toMatchObject({ fits: true, reached: deepest[0]?.all });
  });
});

describe('when the parent', () => {
  it('is deleted, what is under it goes with it', async () => {
    const { parent, boxes } = await family('Deleted');
    const tape = await addTask(app, editor, { title: 'Buy tape', parent_id: boxes });
    await one(editor.client.from('tasks').delete().eq('id', parent).select());
    expect(await read(tape)).toBeUndefined();
  });

  it('is archived, they are too, and come back with it; one put away before stays away', async () => {
    const { parent, boxes, van } = await family('Archived');
    const tape = await addTask(app, editor, { title: 'Buy tape', parent_id: boxes });
    await one(put(van, { archived_at: '2020-01-01T00:00:00Z' }));
    await one(put(parent, { archived_at: '2020-01-01T00:00:00Z' }));
    expect((await read(tape))?.archived_at).toBe((await read(parent))?.archived_at);
    await one(put(parent, { archived_at: null }));
    expect([(await read(tape))?.archived_at, (await read(boxes))?.archived_at]).toEqual([null, null]);
    expect((await read(van))?.archived_at).not.toBeNull();
  });

  it('would be done before them, it waits where the project says so, and all may be done together', async () => {
    const { project, columns, parent, boxes, van } = await family('Waiting');
    const finish = (...ids: string[]) =>
      editor.client.rpc('apply_changes', {
        changes: [{ change: 'move', table: 'tasks', rows: ids.map((id) => ({ id, column_id: columns.done })) }],
      });
    expect((await finish(parent)).error).toBeNull();
    await one(put(parent, { column_id: columns.todo }));
    const rule = { parents_wait_for_subtasks: true };
    expect(await editor.client.from('projects').update(rule).eq('id', project).select()).toMatchObject({ status: 403 });
    await one(owner.client.from('projects').update(rule).eq('id', project).select());
    expect(await editor.client.rpc('move_task', { task_id: parent, column_id: columns.done })).toMatchObject({
      status: 409,
      error: { code: 'KB010', details: expect.stringMatching(/^Open subtasks: \w+-2, \w+-3$/) },
    });
    await one(put(van, { archived_at: '2020-01-01T00:00:00Z' }));
    expect((await finish(parent, boxes)).error).toBeNull();
    expect((await read(parent))?.completed_at).not.toBeNull();
  });

  it('is made twice, so are they', async () => {
    const { parent, boxes } = await family('Twice');
    await addTask(app, editor, { title: 'Buy tape', parent_id: boxes });
    await addRow(app, editor, 'task_checklist_items', { task_id: boxes, title: 'Books' });
    const second = (await one(
      editor.client.rpc('duplicate_task', { task_id: parent }).select().single(),
    )) as unknown as Task;
    const [again, van] = await childrenOf(second.id);
    expect([second.parent_id, again?.title, van?.title]).toEqual([null, 'Pack boxes', 'Hire a van']);
    expect((await childrenOf(again?.id ?? '')).map((task) => task.title)).toEqual(['Buy tape']);
    expect(
      await one(
        editor.client
          .from('task_checklist_items')
          .select('title')
          .eq('task_id', again?.id ?? ''),
      ),
    ).toEqual([{ title: 'Books' }]);
    const beside = (await one(
      editor.client.rpc('duplicate_task', { task_id: boxes }).select().single(),
    )) as unknown as Task;
    expect((await childrenOf(parent)).map((task) => task.id)).toEqual([boxes, beside.id, expect.any(String)]);
  });
});

describe('a step of a checklist', () => {
  const stepsOf = async (task: string) =>
    (await one(
      editor.client
        .from('task_checklist_items')
        .select('id, title, is_done, created_at')
        .eq('task_id', task)
        .order('position'),
    )) as { id: string; title: string; is_done: boolean; created_at: string }[];

  it.each([true, false])(
    'becomes a task, as a part or beside it (%s), and keeps its tick and its day',
    async (as_subtask) => {
      const { columns, parent } = await family(`Steps ${as_subtask}`);
      const [open, done] = [
        await addRow(app, editor, 'task_checklist_items', { task_id: parent, title: 'Ask a friend' }),
        await addRow(app, editor, 'task_checklist_items', { task_id: parent, title: 'Give notice', is_done: 'true' }),
      ];
      await app.sql(`update public.task_checklist_items set created_at = '2024-05-06T07:08:09Z' where id = $1`, [done]);
      const become = async (item_id: string): Promise<Task> =>
        (await one(
          editor.client.rpc('checklist_item_to_task', { item_id, as_subtask, new_id: item_id }).select().single(),
        )) as unknown as Task;
      expect(await become(open)).toMatchObject({
        title: 'Ask a friend',
        parent_id: as_subtask ? parent : null,
        column_id: columns.backlog,
        completed_at: null,
      });
      expect(await become(done)).toMatchObject({ column_id: columns.done, created_at: '2024-05-06T07:08:09+00:00' });
      expect((await read(done))?.completed_at).not.toBeNull();
      expect(await stepsOf(parent)).toEqual([]);
      // Asked again.
      expect(await become(done)).toMatchObject({ id: done });
      const back = await one(
        editor.client.rpc('task_to_checklist_item', { task_id: done, new_id: done, of_task_id: parent }),
      );
      expect(back).toMatchObject({ title: 'Give notice', is_done: true, created_at: '2024-05-06T07:08:09+00:00' });
      expect(await read(done)).toBeUndefined();
    },
  );

  it('that was a task has its steps behind it, and what was under it moves up', async () => {
    const { parent, boxes } = await family('Back');
    const tape = await addTask(app, editor, { title: 'Buy tape', parent_id: boxes });
    for (const title of ['Books', 'Plates'])
      await addRow(app, editor, 'task_checklist_items', { task_id: boxes, title });
    await one(editor.client.rpc('task_to_checklist_item', { task_id: boxes }));
    expect((await stepsOf(parent)).map(({ title }) => title)).toEqual(['Pack boxes', 'Books', 'Plates']);
    expect((await read(tape))?.parent_id).toBe(parent);
    expect(await editor.client.rpc('task_to_checklist_item', { task_id: parent })).toMatchObject({ status: 400 });
  });

  it('is made a task by those who may write, and is nothing to strangers', async () => {
    const { project, parent, boxes } = await family('Rights');
    const item = await addRow(app, editor, 'task_checklist_items', { task_id: parent, title: 'Ask' });
    const viewer = await app.createUser({ name: 'Vito' });
    await addMember(app, project, viewer, 'viewer');
    const stranger = await app.createUser({ name: 'Otto' });
    for (const [who, status] of [
      [viewer, 403],
      [stranger, 404],
    ] as const) {
      expect(await who.client.rpc('checklist_item_to_task', { item_id: item })).toMatchObject({ status });
      expect(await who.client.rpc('task_to_checklist_item', { task_id: boxes })).toMatchObject({ status });
    }
  });
});
