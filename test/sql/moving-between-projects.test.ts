// Moving tasks to another project: the preview equals the result, rights, concurrent moves, and undo.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TestUser } from '../helpers/app.ts';
import { seed } from '../helpers/seed.ts';
import { addMember, addRow, addTask, makeBoard, makeProject, one } from './board.ts';
import { startTogether } from './start-together.ts';

const { app, owner, editor } = startTogether();

type Task = { id: string; project_id: string; column_id: string; number: number; order_rank: string };
const moveToProject = (
  user: TestUser,
  taskIds: readonly string[],
  project: string,
  more: object = {},
): Promise<Task[]> =>
  one(user.client.rpc('move_tasks_to_project', { task_ids: taskIds, project_id: project, ...more })) as Promise<Task[]>;
const foresee = (user: TestUser, taskIds: readonly string[], project: string) =>
  one(user.client.rpc('foresee_move_to_project', { task_ids: taskIds, project_id: project }));

/** Every table whose rows hang on a task, and in how many of them a task has rows. */
const hanging = [
  'public.task_comments',
  'public.comment_reactions',
  'public.comment_resolutions',
  'public.task_checklist_items',
  'public.task_attachments',
  'public.task_assignees',
  'public.task_label_links',
  'public.task_watchers',
  'public.task_activity',
  'public.notifications',
  'private.task_search',
] as const;

async function countsOf(taskIds: readonly string[], project: string): Promise<Record<string, number>> {
  const counts = await app.sql<{ name: string; n: number }>(
    hanging
      .map(
        (table) =>
          `select '${table}' as name, count(*)::int as n from ${table} where task_id = any ($1) and project_id = $2`,
      )
      .join(' union all '),
    [taskIds, project],
  );
  return Object.fromEntries(counts.map(({ name, n }) => [name, n]));
}

const figuresOf = (projects: readonly string[]) =>
  app.sql(
    `select project_id, figure, key, sum(amount)::int as amount from private.project_figures where project_id = any ($1)
     group by 1, 2, 3 having sum(amount) <> 0 order by 1, 2, 3`,
    [projects],
  );

async function expectTrueFigures(projects: readonly string[]): Promise<void> {
  const waits =
    'select task_id, is_open, open_predecessors from private.task_waits where project_id = any ($1) and open_predecessors > 0 order by 1';
  const [kept, waiting] = [await figuresOf(projects), await app.sql(waits, [projects])];
  await app.sql('select private.recount_figures($1)', [projects]);
  expect(kept).toEqual(await figuresOf(projects));
  expect(waiting).toEqual(await app.sql(waits, [projects]));
}

describe('a task', () => {
  it('goes with its comments, files, checklist, people and history, and is found under the key it had', async () => {
    const board = await makeBoard(app);
    const { owner: mover, editor: worker, viewer } = board.people;
    const [first, second] = board.tasks;
    const { project: target, columns } = await makeProject(app, mover, 'Target');
    await addMember(app, target, worker, 'viewer');
    await addRow(app, mover, 'task_assignees', { task_id: first, user_id: viewer.id });
    const spare = await addRow(app, mover, 'task_labels', { project_id: target, name: 'URGENT' });
    await addRow(app, mover, 'task_label_links', { task_id: first, label_id: board.spareLabel });
    await app.sql('update public.tasks set cover_attachment_id = $2 where id = $1', [first, board.attachment]);
    await app.sql(`insert into private.unclaimed_files values ('moved', now() + interval '1 day')`);
    await app.sql(`insert into storage.objects (bucket_id, name, version) values ('attachments', $1, 'moved')`, [
      `${board.project}/${first}/notes.txt`,
    ]);
    const before = await countsOf([first], board.project);

    expect(await foresee(mover, [first], target)).toEqual({
      tasks: 1,
      subtasks: 0,
      parents_left: 0,
      columns: [{ from: 'Backlog', to: 'Backlog', from_id: board.columns.backlog, to_id: columns.backlog }],
      labels_made: ['spare'],
      fields_left: ['Cost'],
      people_left: [{ user_id: viewer.id, name: 'Vito Viewer' }],
      guests_left: [],
      named_left: [],
      links_left: 0,
      watchers_left: 1,
      dependencies_left: 1,
      readers_left: 1,
    });
    const moved = await one(mover.client.rpc('move_task_to_project', { task_id: first, project_id: target }));
    expect(moved).toMatchObject({ id: first, project_id: target, column_id: columns.backlog, number: 1 });

    const gone = {
      'public.task_assignees': 1,
      'public.task_watchers': 1,
      'public.notifications': 1,
      'public.task_activity': -1,
    };
    expect(await countsOf([first], board.project)).toEqual(Object.fromEntries(hanging.map((table) => [table, 0])));
    expect(await countsOf([first], target)).toEqual(
      Object.fromEntries(
        hanging.map((table) => [table, (before[table] ?? 0) - (gone[table as keyof typeof gone] ?? 0)]),
      ),
    );
    const [file] = await app.sql<{ name: string; object_path: string }>(
      `select o.name, a.object_path from storage.objects o, public.task_attachments a where o.version = 'moved' and a.id = $1`,
      [board.attachment],
    );
    expect(file).toEqual({ name: `${target}/${first}/notes.txt`, object_path: `${target}/${first}/notes.txt` });
    const links = await app.sql<{ name: string; id: string }>(
      'select l.name, l.id from public.task_label_links k join public.task_labels l on l.id = k.label_id where k.task_id = $1 order by lower(l.name)',
      [first],
    );
    expect(links).toEqual([expect.objectContaining({ name: 'spare' }), { name: 'URGENT', id: spare }]);
    expect(await app.sql('select from public.task_dependencies where successor_id = $1', [second])).toEqual([]);

    const found = await one(worker.client.rpc('search_tasks', { query: 'WS-1' }));
    expect(found.map(({ id }: Task) => id)).toEqual([first]);
    expect(await one(worker.client.rpc('task_at', { project_id: board.project, number: 1 }))).toMatchObject([
      { id: first },
    ]);
    // who does not see the other project is told neither of the task nor what that project is called
    expect(await one(viewer.client.rpc('task_at', { project_id: board.project, number: 1 }))).toEqual([]);
    expect(await one(viewer.client.rpc('search_tasks', { query: 'WS-1' }))).toEqual([]);
    const [line] = await one(viewer.client.from('task_activity').select().eq('kind', 'moved_out'));
    expect(line).toMatchObject({ task_id: null, actor_id: mover.id, change: { number: 1, title: 'Draft the page' } });
    expect(JSON.stringify(line)).not.toContain('Target');
    expect(await one(worker.client.from('task_activity').select('change').eq('kind', 'moved_in'))).toMatchObject([
      { change: { key: { from: 'WS-1', to: 'TARG-1' } } },
    ]);
    await expectTrueFigures([board.project, target]);
  });

  it('comes back with what it left behind, under its old number and in its old place', async () => {
    const { project: here, columns } = await makeProject(app, owner, 'Here');
    const { project: there } = await makeProject(app, owner, 'There');
    await addMember(app, here, editor, 'editor');
    const ids: string[] = [];
    for (const title of ['One', 'Two', 'Three'])
      ids.push(await addTask(app, owner, { project_id: here, column_id: columns.todo, title }));
    const [one1 = '', two = '', three = ''] = ids;
    await addRow(app, owner, 'task_assignees', { task_id: two, user_id: editor.id });
    await addRow(app, owner, 'task_dependencies', { predecessor_id: one1, successor_id: two });
    await addRow(app, owner, 'task_dependencies', { predecessor_id: two, successor_id: three });
    const state = () =>
      app.sql(
        `select t.id, t.project_id, t.column_id, t.number, t.order_rank,
           (select array_agg(a.user_id) from public.task_assignees a where a.task_id = t.id) as people,
           (select array_agg(d.predecessor_id) from public.task_dependencies d where d.successor_id = t.id) as waits
         from public.tasks t where t.id = any ($1) order by t.number`,
        [ids],
      );
    const before = await state();
    await moveToProject(owner, [two], there);
    expect(await state()).not.toEqual(before);
    const [back] = await moveToProject(owner, [two], here, { brings_back: true });
    expect(back).toMatchObject({ number: 2, column_id: columns.todo });
    expect(await state()).toEqual(before);
    // an answer that was lost is asked for again
    expect(await moveToProject(owner, [two], here, { brings_back: true })).toMatchObject([{ id: two, number: 2 }]);
    expect(await one(owner.client.rpc('task_at', { project_id: there, number: 1 }))).toMatchObject([{ id: two }]);
    await expectTrueFigures([here, there]);
  });

  it('archived, done or one of several: the ones that wait for each other stay so', async () => {
    const { project: here, columns } = await makeProject(app, owner, 'From');
    const { project: there, columns: theirs } = await makeProject(app, owner, 'Into');
    const put = await addTask(app, owner, { project_id: here, title: 'Put away' });
    await app.sql('update public.tasks set archived_at = now() where id = $1', [put]);
    const done = await addTask(app, owner, { project_id: here, column_id: columns.done, title: 'Done' });
    const waits = await addTask(app, owner, { project_id: here, column_id: columns.todo, title: 'Waits' });
    await addRow(app, owner, 'task_dependencies', { predecessor_id: put, successor_id: waits });
    const rows = await moveToProject(owner, [waits, put, done], there);
    expect(rows).toHaveLength(3);
    expect(rows.find(({ id }) => id === done)).toMatchObject({
      column_id: theirs.done,
      completed_at: expect.any(String),
    });
    expect(rows.find(({ id }) => id === put)).toMatchObject({ archived_at: expect.any(String) });
    expect(await app.sql('select project_id from public.task_dependencies where successor_id = $1', [waits])).toEqual([
      { project_id: there },
    ]);
    await expectTrueFigures([here, there]);
  });
});

describe('subtasks', () => {
  it('go along with their parent; one that goes alone stands by itself, and under it again when it comes back', async () => {
    const { project: here } = await makeProject(app, owner, 'Above');
    const { project: there } = await makeProject(app, owner, 'Below');
    const top = await addTask(app, owner, { project_id: here, title: 'Top' });
    const middle = await addTask(app, owner, { project_id: here, title: 'Middle', parent_id: top });
    const leaf = await addTask(app, owner, { project_id: here, title: 'Leaf', parent_id: middle });
    const state = () =>
      app.sql('select id, project_id, parent_id, number from public.tasks where id = any ($1) order by number', [
        [top, middle, leaf],
      ]);
    const before = await state();
    expect(await foresee(owner, [middle], there)).toMatchObject({ tasks: 2, subtasks: 1, parents_left: 1 });
    expect(await moveToProject(owner, [middle], there)).toHaveLength(2);
    const gone = await state();
    expect(gone).toContainEqual(expect.objectContaining({ id: middle, project_id: there, parent_id: null }));
    expect(gone).toContainEqual(expect.objectContaining({ id: leaf, project_id: there, parent_id: middle }));
    await moveToProject(owner, [middle], here, { brings_back: true });
    expect(await state()).toEqual(before);
    await expectTrueFigures([here, there]);
  });
});

describe('a caller who may move tasks', () => {
  const roles = ['owner', 'editor', 'viewer', 'outsider'] as const;
  it('writes in both projects; a caller who does not see one is told of neither', async () => {
    const { project: source } = await makeProject(app, owner, 'Source');
    const { project: target } = await makeProject(app, owner, 'Goal');
    for (const inSource of roles)
      for (const inTarget of roles) {
        const person = await app.createUser({ name: `${inSource} ${inTarget}` });
        if (inSource !== 'outsider') await addMember(app, source, person, inSource);
        if (inTarget !== 'outsider') await addMember(app, target, person, inTarget);
        const task = await addTask(app, owner, { project_id: source, title: 'Task' });
        const { status, error } = await person.client.rpc('move_task_to_project', {
          task_id: task,
          project_id: target,
        });
        const writes = (role: string) => role === 'owner' || role === 'editor';
        const expected =
          inSource === 'outsider' || inTarget === 'outsider' ? 404 : writes(inSource) && writes(inTarget) ? 200 : 403;
        expect([inSource, inTarget, status]).toEqual([inSource, inTarget, expected]);
        if (expected === 404) expect(error?.message).toMatch(/^no such (task|project)$/);
        const told = await person.client.rpc('foresee_move_to_project', { task_ids: [task], project_id: target });
        expect(told.status).toBe(inSource === 'outsider' || inTarget === 'outsider' ? 404 : 200);
      }
    expect((await app.client().rpc('move_task_to_project', { task_id: source, project_id: target })).status).toBe(401);
  });
});

describe('at once', () => {
  it('two who move the same tasks to two projects, and one who deletes: each task ends whole in one place', async () => {
    const { project: source } = await makeProject(app, owner, 'Wanted');
    await addMember(app, source, editor, 'editor');
    const [left, right] = [await makeProject(app, owner, 'Left'), await makeProject(app, owner, 'Right')];
    for (const { project } of [left, right]) await addMember(app, project, editor, 'editor');
    const tasks = await Promise.all(
      Array.from({ length: 12 }, (_, n) => addTask(app, owner, { project_id: source, title: `Task ${n}` })),
    );
    await Promise.all(tasks.map((task) => addRow(app, owner, 'task_comments', { task_id: task, body: 'Word' })));
    await Promise.all([
      ...tasks.map((task) => owner.client.rpc('move_task_to_project', { task_id: task, project_id: left.project })),
      ...tasks.map((task) => editor.client.rpc('move_task_to_project', { task_id: task, project_id: right.project })),
      ...tasks.slice(0, 4).map((task) => owner.client.from('tasks').delete().eq('id', task)),
      ...tasks.map((task) => editor.client.from('task_comments').insert({ task_id: task, body: 'Meanwhile' })),
      owner.client.rpc('move_tasks_to_project', { task_ids: tasks.slice(4), project_id: left.project }),
    ]);
    const rows = await app.sql<Task>('select * from public.tasks where id = any ($1)', [tasks]);
    expect(rows).toHaveLength(8);
    for (const { id, project_id } of rows)
      expect((await countsOf([id], project_id))['public.task_comments']).toBeGreaterThan(0);
    expect(
      await app.sql(
        'select from public.task_comments c join public.tasks t on t.id = c.task_id where c.project_id <> t.project_id',
      ),
    ).toEqual([]);
    await expectTrueFigures([source, left.project, right.project]);
  });
});

describe(`random moves (SEED=${seed})`, () => {
  it('lose nothing but what the preview told', async () => {
    const { project: here, columns } = await makeProject(app, owner, 'Drawn');
    const { project: there } = await makeProject(app, owner, 'Picked');
    const people = [owner, editor, await app.createUser({ name: 'Away' })];
    for (const person of people.slice(1)) await addMember(app, here, person, 'editor');
    await addMember(app, there, editor, 'viewer');
    const labels = await Promise.all(
      ['a', 'b', 'c'].map((name) => addRow(app, owner, 'task_labels', { project_id: here, name })),
    );
    const task = fc.record({
      column: fc.constantFrom('backlog', 'todo', 'in_progress', 'done'),
      people: fc.subarray([0, 1, 2]),
      labels: fc.subarray([0, 1, 2]),
      comments: fc.nat(2),
      goes: fc.boolean(),
      waitsForLast: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(task, { minLength: 1, maxLength: 5 }), async (drawn) => {
        const ids: string[] = [];
        for (const { column, people: on, labels: worn, comments } of drawn) {
          const id = await addTask(app, owner, {
            project_id: here,
            column_id: columns[column as keyof typeof columns],
            title: 'Drawn',
          });
          for (const at of on) await addRow(app, owner, 'task_assignees', { task_id: id, user_id: people[at]?.id });
          for (const at of worn) await addRow(app, owner, 'task_label_links', { task_id: id, label_id: labels[at] });
          for (let n = 0; n < comments; n++)
            await addRow(app, owner, 'task_comments', { task_id: id, body: `Said ${n}` });
          ids.push(id);
        }
        for (const [at, { waitsForLast }] of drawn.entries())
          if (at > 0 && waitsForLast)
            await addRow(app, owner, 'task_dependencies', { predecessor_id: ids[at - 1], successor_id: ids[at] });
        const going = ids.filter((_, at) => drawn[at]?.goes);
        const before = await countsOf(going, here);
        const ties = async () =>
          (await app.sql('select from public.task_dependencies where predecessor_id = any ($1)', [ids])).length;
        const tied = await ties();
        const told = await foresee(owner, going, there);
        await moveToProject(owner, going, there);
        const after = await countsOf(going, there);
        const dropped = drawn.filter(({ goes, people: on }) => goes && on.includes(2)).length;
        expect(told.people_left).toHaveLength(dropped > 0 ? 1 : 0);
        expect(tied - (await ties())).toBe(told.dependencies_left);
        expect(after).toEqual({
          ...before,
          'public.task_assignees': (before['public.task_assignees'] ?? 0) - dropped,
          'public.task_watchers': (before['public.task_watchers'] ?? 0) - dropped,
          'public.task_activity': (before['public.task_activity'] ?? 0) + going.length,
          'public.notifications': after['public.notifications'],
        });
        await expectTrueFigures([here, there]);
      }),
      { seed, numRuns: 8 },
    );
  });
});

describe('every key', () => {
  it('to a task or a comment follows it, and what points at something else of the project is let go of', async () => {
    const names = async (text: string) => (await app.sql<{ name: string }>(text)).map(({ name }) => name);
    expect(
      await names(`select conname as name from pg_constraint
        where contype = 'f' and confrelid in ('public.tasks'::regclass, 'public.task_comments'::regclass) and confupdtype <> 'c'`),
    ).toEqual([]);
    // Columns of a project, its labels and its fields: all are chosen anew by move_tasks_between_projects.
    expect(
      await names(`select f.conname as name from pg_constraint f
        where f.contype = 'f' and f.conrelid in (
            select conrelid from pg_constraint where contype = 'f' and confrelid = 'public.tasks'::regclass union select 'public.tasks'::regclass
          )
          and f.confrelid not in ('public.tasks'::regclass, 'public.task_comments'::regclass, 'public.projects'::regclass)
          and exists (select from pg_attribute a where a.attrelid = f.conrelid and a.attnum = any (f.conkey) and a.attname = 'project_id')
        order by 1`),
    ).toEqual([
      'task_field_values_field_of_same_project',
      'task_label_links_label_of_same_project',
      // another column is found for it
      'task_recurrences_column_of_same_project',
      'tasks_column_of_same_project',
    ]);
  });
});
