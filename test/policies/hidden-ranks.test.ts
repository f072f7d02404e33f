// Ranks, to who doesn't see all tasks of a column: at every door that takes or hands out a place, the answer is the one given without the hidden tasks,
// while no two tasks of the column ever share a rank.

import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startApp, type TestUser } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { addMember, addTask, type Board, makeBoard, one } from '../sql/board.ts';
import { asTrial } from './cells.ts';

let board: Board;
let unnamed: TestUser;
const app = forSuite(() => startApp({ settings: { DATA_TX_OVERRIDE: 'true' } }));

interface Column {
  readonly id: string;
  /** Two that everybody sees, around or before the hidden ones. */
  readonly first: string;
  readonly second: string;
  readonly hidden: readonly string[];
}
/** Hidden tasks at whole ranks of their own: between two others, and behind the last. */
async function makeColumn(): Promise<Column> {
  const { owner, editor } = board.people;
  const project_id = board.project;
  const { id } = (await one(
    owner.client
      .from('workflow_columns')
      .insert({ project_id, name: 'Placed', kind: 'custom', position: 9 })
      .select()
      .single(),
  )) as { id: string };
  const put = (who: TestUser, title: string, order_rank: string, more: object = {}): Promise<string> =>
    addTask(app, who, { project_id, column_id: id, title, order_rank, ...more });
  const first = await put(editor, 'First', 'a0');
  const second = await put(editor, 'Second', 'a2');
  const hidden = [];
  for (const order_rank of ['Zz', 'a1', 'a3', 'a4', 'a4V'])
    hidden.push(await put(owner, 'Hidden', order_rank, { is_restricted: true }));
  return { id, first, second, hidden };
}

beforeAll(async () => {
  board = await makeBoard(app);
  unnamed = await app.createUser({ name: 'Ulf Unnamed' });
  await addMember(app, board.project, unnamed, 'editor');
});

let column: Column;
/** Of who asks, in another column. */
let mine: string;
beforeEach(async () => {
  column = await makeColumn();
  mine = await addTask(app, unnamed, { project_id: board.project, column_id: board.columns.todo, title: 'Mine' });
});

const ranksIn = async (id: string): Promise<string[]> =>
  (
    await app.sql<{ order_rank: string }>(
      'select order_rank from public.tasks where column_id = $1 order by order_rank',
      [id],
    )
  ).map(({ order_rank }) => order_rank);
const distinct = async (id: string): Promise<void> => {
  const ranks = await ranksIn(id);
  expect(new Set(ranks).size).toBe(ranks.length);
};

type Door = readonly [method: string, path: string, body: object];
/** Each way to a place in the column. */
function doors(of: string, { id: column_id, first, second }: Column): Record<string, Door> {
  const project_id = board.project;
  const task = `tasks?id=eq.${of}`;
  const move = (more: object): Door => ['POST', 'rpc/move_task', { task_id: of, column_id, ...more }];
  const change = (more: object): Door => [
    'POST',
    'rpc/apply_changes',
    { changes: [{ change: 'move', table: 'tasks', rows: [{ id: of, column_id, ...more }] }] },
  ];
  const all: Record<string, Door> = {
    'a change of the column': ['PATCH', task, { column_id }],
    'a move to the end': move({}),
    'a move before one': move({ before_id: second }),
    'a move before the first': move({ before_id: first }),
    'a move after one': move({ after_id: first }),
    'a move after the last': move({ after_id: second }),
    'a batch to the end': change({}),
    'a new task': ['POST', 'tasks', { project_id, column_id, title: 'New' }],
  };
  for (const order_rank of ['Zz', 'a0', 'a1', 'a2', 'a3', 'a4', 'a4V', 'm']) {
    all[`a change to ${order_rank}`] = ['PATCH', task, { column_id, order_rank }];
    all[`a move to ${order_rank}`] = move({ order_rank });
    all[`a batch to ${order_rank}`] = change({ order_rank });
    all[`a new task at ${order_rank}`] = ['POST', 'tasks', { project_id, column_id, title: 'New', order_rank }];
    all[`an upsert at ${order_rank}`] = ['POST', 'tasks', { id: of, project_id, column_id, title: 'Mine', order_rank }];
  }
  return all;
}

async function answers(who: TestUser, asked: Record<string, Door>): Promise<Record<string, string>> {
  const told: Record<string, string> = {};
  for (const [name, [method, path, body]] of Object.entries(asked)) {
    const answer = await app.request(`/rest/v1/${path}`, {
      method,
      token: who.token,
      headers: { ...asTrial, prefer: `${asTrial.prefer}, resolution=merge-duplicates` },
      body: JSON.stringify(body),
    });
    const text = await answer.text();
    told[name] = `${answer.status} ${answer.ok ? /"order_rank": ?"([^"]*)"/.exec(text)?.[1] : text}`;
  }
  return told;
}

describe('ranks', () => {
  test('handed out to an editor are the same with hidden tasks and without', async () => {
    const asked = doors(mine, column);
    const among = await answers(unnamed, asked);
    await app.sql('delete from public.tasks where id = any ($1)', [column.hidden]);
    expect(among).toEqual(await answers(unnamed, asked));
    expect(among['a change to a1']).toBe('200 a1');
    expect(among['a move to the end']).toBe('200 a3');
  });

  test('handed out to a guest are the same with tasks of others and without, but for digits by chance', async () => {
    const { guest } = board.people;
    const asked = Object.fromEntries(
      Object.entries(doors(board.shared, column)).filter(([name]) => !/before|after|new task|upsert/.test(name)),
    );
    const withoutChance = async () =>
      Object.fromEntries(
        Object.entries(await answers(guest, asked)).map(([name, told]) => [
          name,
          told.replace(/0[0-9a-f]{8}V$/, ' and more'),
        ]),
      );
    const among = await withoutChance();
    await app.sql('delete from public.tasks where column_id = $1', [column.id]);
    expect(among).toEqual(await withoutChance());
    for (const rank of ['a0', 'a1', 'm']) expect(among[`a change to ${rank}`]).toBe(`200 ${rank} and more`);
    expect(among['a move to the end']).toBe('200 a0 and more');
  });

  test('named by a guest change no task of the team', async () => {
    const { client } = board.people.guest;
    const team = () =>
      app.sql(
        'select id, order_rank, version, updated_at from public.tasks where column_id = $1 and id <> $2 order by 2',
        [column.id, board.shared],
      );
    const before = await team();
    const put = async (change: object) =>
      (
        (await one(client.from('tasks').update(change).eq('id', board.shared).select('order_rank').single())) as {
          order_rank: string;
        }
      ).order_rank;
    await put({ column_id: column.id });
    for (const order_rank of ['a0', 'a1', 'a4V', `a1${'V'.repeat(40)}`, 'a2'.padEnd(1000, 'V')]) {
      const given = await put({ order_rank });
      expect(given.startsWith(order_rank.slice(0, 990))).toBe(true);
      const ranks = await ranksIn(column.id);
      expect(ranks.indexOf(given)).toBe(ranks.filter((rank) => rank <= order_rank && rank !== given).length);
    }
    expect(await team()).toEqual(before);
    await one(client.from('tasks').update({ column_id: board.columns.todo }).eq('id', board.shared).select());
  });

  test('stay distinct, and who gives way stands right behind', async () => {
    for (const order_rank of ['a1', 'a3', 'a4'])
      await one(unnamed.client.from('tasks').update({ column_id: column.id, order_rank }).eq('id', mine).select());
    await distinct(column.id);
    const { data } = await board.people.owner.client
      .from('tasks')
      .select('id')
      .eq('column_id', column.id)
      .order('order_rank');
    const ids = (data as { id: string }[]).map(({ id }) => id);
    const [before, between, third, fourth, last] = column.hidden;
    expect(ids).toEqual([before, column.first, between, column.second, third, mine, fourth, last]);
  });

  test('stay distinct as many people write at once', async () => {
    const { owner, editor } = board.people;
    const moved = await Promise.all(
      [unnamed, editor, owner, unnamed, editor, owner].map((who) =>
        addTask(app, who, { project_id: board.project, title: 'At once' }),
      ),
    );
    for (const order_rank of ['a1', 'a3', 'a4V']) {
      const people = [unnamed, editor, owner];
      const done = await Promise.all(
        moved.map((id, at) =>
          (people[at % 3] as TestUser).client
            .from('tasks')
            .update({ column_id: column.id, order_rank })
            .eq('id', id)
            .select('order_rank'),
        ),
      );
      for (const { error } of done) expect(error).toBeNull();
      await distinct(column.id);
    }
  });

  test('of tasks that owners add after hidden ones skip nothing', async () => {
    const { owner } = board.people;
    const put = (title: string, more: object = {}): Promise<string> =>
      addTask(app, owner, { project_id: board.project, column_id: board.columns.in_progress, title, ...more });
    const rankOf = async (id: string): Promise<string> =>
      ((await one(owner.client.from('tasks').select('order_rank').eq('id', id).single())) as { order_rank: string })
        .order_rank;
    const open = [await put('One')];
    const closed = [await put('Hidden', { is_restricted: true }), await put('Hidden', { is_restricted: true })];
    open.push(await put('Two'));
    await one(owner.client.rpc('move_task', { task_id: closed[0], column_id: board.columns.todo }));
    await one(owner.client.rpc('move_task', { task_id: closed[0], column_id: board.columns.in_progress }));
    open.push(await put('Three'));
    const [one_, two, three] = await Promise.all(open.map(rankOf));
    expect([one_, two, three]).toEqual(['a0', 'a1', 'a2']);
    const inOrder = (
      await owner.client.from('tasks').select('id').eq('column_id', board.columns.in_progress).order('order_rank')
    ).data as { id: string }[];
    expect(inOrder.map(({ id }) => id)).toEqual([open[0], closed[1], open[1], closed[0], open[2]]);
  });

  test('that have grown long are spread as if there were no hidden tasks', async () => {
    const long = `a1${'V'.repeat(24)}`;
    const spread = async (): Promise<unknown> => {
      const { data, error } = await unnamed.client
        .from('tasks')
        .insert(
          ['V', 'VV', 'VVV', 'VVVVVVVVVV'].map((end, at) => ({
            id: randomUUID(),
            project_id: board.project,
            column_id: column.id,
            title: `Crowd ${at}`,
            order_rank: `a1VVVVVVVV${end}`,
          })),
        )
        .select('id');
      expect(error).toBeNull();
      await one(
        unnamed.client.from('tasks').update({ column_id: column.id, order_rank: long }).eq('id', mine).select(),
      );
      const { data: rows } = await unnamed.client
        .from('tasks')
        .select('title,order_rank')
        .eq('column_id', column.id)
        .order('order_rank');
      await distinct(column.id);
      await one(
        unnamed.client
          .from('tasks')
          .delete()
          .in(
            'id',
            (data as { id: string }[]).map(({ id }) => id),
          )
          .select(),
      );
      await one(unnamed.client.from('tasks').update({ column_id: board.columns.todo }).eq('id', mine).select());
      return rows;
    };
    const { owner } = board.people;
    await one(owner.client.from('tasks').update({ order_rank: 'a1VVVVVVVVV5' }).eq('id', column.hidden[1]).select());
    const among = await spread();
    await app.sql('delete from public.tasks where id = any ($1)', [column.hidden]);
    expect(among).toEqual(await spread());
  });

  test('leave no gap in versions', async () => {
    const { client } = unnamed;
    await one(client.from('tasks').update({ column_id: column.id, order_rank: 'a4' }).eq('id', mine).select());
    const version = async (change: object): Promise<number> =>
      Number(
        (
          (await one(client.from('tasks').update(change).eq('id', mine).select('version').single())) as {
            version: string;
          }
        ).version,
      );
    const before = await version({ title: 'Before' });
    expect(await version({ order_rank: 'a3' })).toBe(before + 1);
    expect(await version({ title: 'After' })).toBe(before + 2);
    expect(await ranksIn(column.id)).toContain('a3U');
  });
});
