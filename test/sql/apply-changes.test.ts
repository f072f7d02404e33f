// Several changes in one transaction: the same rules as one by one, all of them or none, and columns that stay in order.

import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestUser } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { addMember, type Board, makeBoard, makeProject, one } from './board.ts';

let board: Board;
const app = forSuite(() => startApp({ settings: { DB_POOL_SIZE: '16' } }));
beforeAll(async () => {
  board = await makeBoard(app);
});

type Changes = readonly { change: string; table: string; rows: readonly object[] }[];
const apply = (user: TestUser, changes: Changes) => user.client.rpc('apply_changes', { changes });
const titles = async (ids: readonly string[]) =>
  (
    await app.sql<{ title: string }>('select title from public.tasks where id = any ($1::uuid[]) order by number', [
      ids,
    ])
  ).map(({ title }) => title);

async function project(amount: number) {
  const { owner, editor, viewer } = board.people;
  const made = await makeProject(app, owner, 'Batch');
  await addMember(app, made.project, editor, 'editor');
  await addMember(app, made.project, viewer, 'viewer');
  const rows = Array.from({ length: amount }, (_, at) => ({
    project_id: made.project,
    column_id: made.columns.todo,
    title: `Task ${at + 1}`,
  }));
  const tasks: { id: string; order_rank: string }[] = await one(owner.client.from('tasks').insert(rows).select());
  const order = async (column: string) =>
    (
      await app.sql<{ id: string }>('select id from public.tasks where column_id = $1 order by order_rank', [column])
    ).map(({ id }) => id);
  return { ...made, tasks, ids: tasks.map(({ id }) => id), order };
}

describe('a batch', () => {
  it('holds whole: rows of several tables, as they are now', async () => {
    const { ids, project: id } = await project(3);
    const label = await one(
      board.people.editor.client.from('task_labels').insert({ project_id: id, name: 'Later' }).select().single(),
    );
    const answer = await one(
      apply(board.people.editor, [
        { change: 'update', table: 'tasks', rows: ids.map((task) => ({ id: task, priority: 'p0', title: 'Same' })) },
        {
          change: 'insert',
          table: 'task_label_links',
          rows: ids.map((task_id) => ({ project_id: id, task_id, label_id: label.id })),
        },
      ]),
    );
    expect(answer).toMatchObject([
      { table: 'tasks', rows: [{ priority: 'p0', title: 'Same' }, {}, {}] },
      { table: 'task_label_links', rows: [{ label_id: label.id }, {}, {}] },
    ]);
    expect((answer as [{ rows: object[] }])[0].rows[0]).not.toHaveProperty('description');
    expect(await titles(ids)).toEqual(['Same', 'Same', 'Same']);
  });

  it('sent twice arrives once', async () => {
    const { ids, project: id } = await project(2);
    const changes = [
      {
        change: 'insert',
        table: 'task_assignees',
        rows: ids.map((task_id) => ({ project_id: id, task_id, user_id: board.people.editor.id })),
      },
      { change: 'delete', table: 'tasks', rows: [{ id: ids[1] }] },
    ];
    expect((await apply(board.people.owner, changes.slice(0, 1))).error).toBeNull();
    expect((await apply(board.people.owner, changes)).error).toBeNull();
    expect((await apply(board.people.owner, changes.slice(1))).error).toBeNull();
    expect(await app.sql('select task_id from public.task_assignees where project_id = $1', [id])).toHaveLength(1);
  });

  it('refused in the middle leaves nothing behind, and says which task it was', async () => {
    const { ids, project: id, columns } = await project(4);
    await app.sql(
      'insert into public.task_dependencies (project_id, predecessor_id, successor_id) values ($1, $2, $3)',
      [id, ids[0], ids[2]],
    );
    const { error } = await apply(board.people.editor, [
      { change: 'update', table: 'tasks', rows: ids.map((task) => ({ id: task, title: 'Changed' })) },
      { change: 'move', table: 'tasks', rows: ids.slice(1).map((task) => ({ id: task, column_id: columns.done })) },
    ]);
    expect(error).toMatchObject({ code: 'KB001', details: expect.stringMatching(/^Open predecessors: \w+-1$/) });
    expect(error?.message).toMatch(/^\w+-3: /);
    expect(await titles(ids)).toEqual(['Task 1', 'Task 2', 'Task 3', 'Task 4']);
  });

  it('finishes a task and the one that waits for it together', async () => {
    const { ids, project: id, columns, order } = await project(2);
    await app.sql(
      'insert into public.task_dependencies (project_id, predecessor_id, successor_id) values ($1, $2, $3)',
      [id, ids[0], ids[1]],
    );
    await one(
      apply(board.people.editor, [
        { change: 'move', table: 'tasks', rows: ids.map((task) => ({ id: task, column_id: columns.done })) },
      ]),
    );
    expect(await order(columns.done)).toEqual(ids);
  });
});

describe('permissions', () => {
  const all = (ids: readonly string[], column: string): Record<string, Changes> => ({
    update: [{ change: 'update', table: 'tasks', rows: ids.map((id) => ({ id, title: 'Theirs' })) }],
    move: [{ change: 'move', table: 'tasks', rows: ids.map((id) => ({ id, column_id: column })) }],
    delete: [{ change: 'delete', table: 'tasks', rows: ids.map((id) => ({ id })) }],
  });

  it.each([
    ['viewer', '42501'],
    ['outsider', 'PT404'],
  ] as const)('%s: %s', async (role, code) => {
    const { ids, columns, order } = await project(2);
    for (const [what, changes] of Object.entries(all(ids, columns.done))) {
      const { error } = await apply(board.people[role], changes);
      // What one cannot see is not there, and that is what a deletion wants.
      if (role === 'outsider' && what === 'delete') expect(error).toBeNull();
      else expect(error?.code).toBe(code);
    }
    expect(await order(columns.todo)).toEqual(ids);
    expect(await titles(ids)).toEqual(['Task 1', 'Task 2']);
  });

  it('an anonymous caller is refused', async () => {
    const { error } = await app.client().rpc('apply_changes', { changes: [] });
    expect(error?.code).toBe('42501');
  });

  it('a comment of another person cannot be changed, though it is seen', async () => {
    const { error } = await apply(board.people.owner, [
      { change: 'update', table: 'task_comments', rows: [{ id: board.comment, body: 'Mine now' }] },
    ]);
    expect(error?.code).toBe('42501');
  });
});

describe('a batch that makes no sense', () => {
  it.each<[string, unknown]>([
    ['no list', {}],
    ['no rows', [{ change: 'update', table: 'tasks' }]],
    ['empty rows', [{ change: 'update', table: 'tasks', rows: [] }]],
    [
      'an unknown verb',
      [{ change: 'truncate', table: 'tasks', rows: [{ id: '00000000-0000-0000-0000-000000000000' }] }],
    ],
    ['a table that is not there', [{ change: 'update', table: 'pg_class', rows: [{ id: 1 }] }]],
    ['a private table', [{ change: 'update', table: 'outbox', rows: [{ id: 1 }] }]],
    ['no key', [{ change: 'update', table: 'tasks', rows: [{ title: 'All' }] }]],
    ['unlike rows', [{ change: 'insert', table: 'task_labels', rows: [{ name: 'a' }, { color: 'b' }] }]],
    [
      'moved labels',
      [{ change: 'move', table: 'task_labels', rows: [{ id: '00000000-0000-0000-0000-000000000000' }] }],
    ],
    ['too many', [{ change: 'delete', table: 'tasks', rows: Array.from({ length: 1001 }, () => ({ id: null })) }]],
  ])('%s', async (_, changes) => {
    const { error } = await board.people.owner.client.rpc('apply_changes', { changes });
    expect(error).toMatchObject({ code: '22023' });
    expect(error?.hint).toBeTruthy();
  });

  it('a rank that nobody may write, at once', async () => {
    const { tasks } = await project(3);
    const [first, second, third] = tasks;
    const { error } = await apply(board.people.owner, [
      {
        change: 'move',
        table: 'tasks',
        rows: [
          { id: first?.id, order_rank: third?.order_rank },
          { id: second?.id, order_rank: `${third?.order_rank}\u0001` },
        ],
      },
    ]);
    expect(error).toMatchObject({ code: '22023', hint: expect.stringMatching(/printable/) });
  });

  it('a column that is not there', async () => {
    const { error } = await apply(board.people.owner, [
      { change: 'update', table: 'tasks', rows: [{ id: board.tasks[0], 'title" = null --': 'x' }] },
    ]);
    expect(error?.code).toBe('42703');
  });
});

describe('moving together', () => {
  it('goes to the end in its order, and back to the very places', async () => {
    const { ids, tasks, columns, order } = await project(120);
    const { editor } = board.people;
    const moved = ids.filter((_, at) => at % 3 !== 1);
    const rows = (of: readonly string[], column: string) => of.map((id) => ({ id, column_id: column }));
    await one(apply(editor, [{ change: 'move', table: 'tasks', rows: rows(ids.slice(1, 2), columns.in_progress) }]));
    await one(apply(editor, [{ change: 'move', table: 'tasks', rows: rows(moved, columns.in_progress) }]));
    expect(await order(columns.in_progress)).toEqual([ids[1], ...moved]);
    const rankOf = new Map(tasks.map((task) => [task.id, task.order_rank]));
    const back = [ids[1] ?? '', ...moved].reverse().map((id) => ({
      id,
      column_id: columns.todo,
      order_rank: rankOf.get(id),
    }));
    await one(apply(editor, [{ change: 'move', table: 'tasks', rows: back }]));
    expect(await order(columns.todo)).toEqual(ids);
  });

  it('keeps its order also where others took the places meanwhile', async () => {
    const { ids, tasks, columns, order } = await project(6);
    const { editor } = board.people;
    const away = [ids[1], ids[2], ids[3]];
    await one(
      apply(editor, [
        { change: 'move', table: 'tasks', rows: away.map((id) => ({ id, column_id: columns.in_progress })) },
      ]),
    );
    await one(
      editor.client
        .from('tasks')
        .insert({
          project_id: board.project,
          column_id: board.columns.todo,
          title: 'Elsewhere',
        })
        .select(),
    );
    for (const at of [1, 2])
      await app.sql('update public.tasks set order_rank = $2 where id = $1', [
        ids[at === 1 ? 0 : 5],
        tasks[at]?.order_rank,
      ]);
    await one(
      apply(editor, [
        {
          change: 'move',
          table: 'tasks',
          rows: [1, 2, 3].map((at) => ({ id: ids[at], column_id: columns.todo, order_rank: tasks[at]?.order_rank })),
        },
      ]),
    );
    expect((await order(columns.todo)).filter((id) => away.includes(id))).toEqual(away);
  });

  it('leaves a total order and loses nothing when batches and single moves meet', async () => {
    const { ids, columns, project: id } = await project(60);
    const places = [columns.backlog, columns.todo, columns.in_progress];
    const people = [board.people.owner, board.people.editor];
    const move = fc.record({
      who: fc.constantFrom(...people),
      tasks: fc.uniqueArray(fc.constantFrom(...ids), { minLength: 1, maxLength: 25 }),
      to: fc.constantFrom(...places),
      rank: fc.option(fc.constantFrom('a0', 'a1', 'a1V', 'Zz', 'b00')),
      alone: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(move, { minLength: 8, maxLength: 12 }), async (moves) => {
        const answers = await Promise.all(
          moves.map(({ who, tasks, to, rank, alone }) =>
            alone
              ? who.client.rpc('move_task', { task_id: tasks[0], column_id: to })
              : apply(who, [
                  {
                    change: 'move',
                    table: 'tasks',
                    rows: tasks.map((task) => ({
                      id: task,
                      column_id: to,
                      ...(rank === null ? {} : { order_rank: rank }),
                    })),
                  },
                ]),
          ),
        );
        expect(answers.map(({ error }) => error).filter((error) => error !== null)).toEqual([]);
        const rows = await app.sql<{ column_id: string; order_rank: string }>(
          'select column_id, order_rank from public.tasks where project_id = $1',
          [id],
        );
        expect(rows).toHaveLength(ids.length);
        expect(new Set(rows.map((row) => `${row.column_id} ${row.order_rank}`)).size).toBe(ids.length);
      }),
      { numRuns: 4, endOnFailure: true },
    );
  });
});
