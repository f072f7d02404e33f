// Order of cards under load: fifty people move tasks at once, a thousand drops into one gap, hand-written ranks. Every column stays a total order
// that everyone reads the same, no rank occurs twice, and no task is lost.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { startApp, type TestUser } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { person } from '../helpers/person.ts';
import { draws, seed } from '../helpers/seed.ts';
import { addMember, makeProject } from './board.ts';

const app = forSuite(() => startApp({ settings: { DB_POOL_SIZE: '16' } }));
const owner = person(app, 'Olga');

async function fill(project: string, column: string, amount: number): Promise<string[]> {
  const { data, error } = await owner.client
    .from('tasks')
    .insert(
      Array.from({ length: amount }, (_, index) => ({
        project_id: project,
        column_id: column,
        title: `Task ${index}`,
      })),
    )
    .select('id');
  if (error) throw error;
  return data.map((row) => row.id as string);
}

const ranksOf = (project: string) =>
  app.sql<{ id: string; column_id: string; order_rank: string; number: number }>(
    'select id, column_id, order_rank, number from public.tasks where project_id = $1 order by column_id, order_rank',
    [project],
  );

/** A move in numbers, so that it can be drawn before there are tasks: where to, beside which, and by which way. */
const move = fc.record({
  task: fc.nat(79),
  place: fc.nat(3),
  before: fc.nat(79),
  after: fc.nat(79),
  way: fc.oneof(
    { weight: 1, arbitrary: fc.constant('rank by hand' as const) },
    { weight: 3, arbitrary: fc.constant('between' as const) },
    { weight: 2, arbitrary: fc.constant('behind' as const) },
    { weight: 1, arbitrary: fc.constant('to a rank' as const) },
    { weight: 3, arbitrary: fc.constant('to the end' as const) },
  ),
  written: fc.constantFrom('a0', 'a1', 'a1V', 'b00', 'Zz'),
  rank: fc.constantFrom('a0', 'a5', 'm'),
});

describe('fifty callers, moving over four columns', () => {
  it(`leave a total order (SEED=${seed})`, async () => {
    const { project, columns } = await makeProject(app, owner, 'Busy');
    const people = await Promise.all(Array.from({ length: 50 }, (_, n) => app.createUser({ name: `Person ${n}` })));
    for (const person of people) await addMember(app, project, person, 'editor');
    const tasks = await fill(project, columns.backlog, 80);
    const places = Object.values(columns);
    const each = draws(40);
    const moves = fc.sample(move, { numRuns: people.length * each, seed });

    const answers = new Map<string, number>();
    await Promise.all(
      people.map(async (person, at) => {
        for (const { task, place, before, after, way, written, rank } of moves.slice(each * at, each * (at + 1))) {
          const { error } =
            way === 'rank by hand'
              ? await person.client.from('tasks').update({ order_rank: written }).eq('id', tasks[task])
              : await person.client.rpc('move_task', {
                  task_id: tasks[task],
                  column_id: places[place],
                  ...(way === 'between' ? { before_id: tasks[before], after_id: tasks[after] } : {}),
                  ...(way === 'behind' ? { after_id: tasks[after] } : {}),
                  ...(way === 'to a rank' ? { order_rank: rank } : {}),
                });
          const answer = error?.code ?? 'done';
          answers.set(answer, (answers.get(answer) ?? 0) + 1);
        }
      }),
    );

    // a neighbour may have moved on (KB004), or be the task itself (PT404); nothing else may go wrong
    expect([...answers.keys()].filter((answer) => !['done', 'KB004', 'PT404'].includes(answer))).toEqual([]);
    expect(answers.get('done')).toBeGreaterThan(moves.length / 2);
    const rows = await ranksOf(project);
    expect(rows.map((row) => row.id).sort()).toEqual([...tasks].sort());
    expect(new Set(rows.map((row) => `${row.column_id} ${row.order_rank}`)).size).toBe(tasks.length);
    const read = async (person: TestUser) =>
      (await person.client.from('tasks').select('id').eq('project_id', project).order('column_id').order('order_rank'))
        .data;
    const [first, ...others] = await Promise.all([owner, ...people.slice(0, 5)].map(read));
    for (const other of others) expect(other).toEqual(first);
    expect(first).toEqual(rows.map((row) => ({ id: row.id })));
    // the dashboard kept count through all of it
    const kept = await figures(project);
    await app.sql('select private.recount_figures(array[$1::uuid])', [project]);
    expect(kept).toEqual(await figures(project));
  });
});

describe('one task', () => {
  it('can be pulled at from all sides: nobody gets stuck', async () => {
    const { project, columns } = await makeProject(app, owner, 'Pulled');
    const [task = ''] = await fill(project, columns.todo, 1);
    const answers = await Promise.all(
      Array.from({ length: 12 }, async (_, lane) => {
        const codes = new Set<string>();
        for (let pull = 0; pull < 40; pull++) {
          const column_id = pull % 2 ? columns.todo : columns.in_progress;
          const { error } =
            lane % 3 === 0
              ? await owner.client.rpc('move_task', { task_id: task, column_id })
              : await owner.client
                  .from('tasks')
                  .update(lane % 3 === 1 ? { column_id } : { order_rank: `b${lane}${pull}` })
                  .eq('id', task);
          codes.add(error?.code ?? 'done');
        }
        return [...codes];
      }),
    );
    expect(new Set(answers.flat())).toEqual(new Set(['done']));
  });
});

const figures = (project: string) =>
  app.sql(
    `select figure, key, sum(amount)::int as amount from private.project_figures where project_id = $1
     group by 1, 2 having sum(amount) <> 0 order by 1, 2`,
    [project],
  );

describe('one gap', () => {
  it('takes a thousand drops right behind the same task, and ranks stay short', async () => {
    const { project, columns } = await makeProject(app, owner, 'Gap');
    const [top = '', bottom = ''] = await fill(project, columns.todo, 2);
    const dropped = await fill(project, columns.backlog, 1000);
    // A few at a time: a statement of a member may take eight seconds, also on a busy machine.
    for (let start = 0; start < dropped.length; start += 20)
      await app.asUser(
        owner.id,
        `select count(public.move_task(task_id => id::uuid, column_id => $2::uuid, after_id => $3::uuid))
         from jsonb_array_elements_text($1::jsonb) as id`,
        [JSON.stringify(dropped.slice(start, start + 20)), columns.todo, top],
      );
    const rows = (await ranksOf(project)).filter((row) => row.column_id === columns.todo);
    expect(rows.map((row) => row.id)).toEqual([top, ...dropped.toReversed(), bottom]);
    expect(Math.max(...rows.map((row) => row.order_rank.length))).toBeLessThanOrEqual(24);
  });

  it('also when they race for it', async () => {
    const { project, columns } = await makeProject(app, owner, 'Race');
    const [top = '', bottom = ''] = await fill(project, columns.todo, 2);
    const dropped = await fill(project, columns.backlog, 60);
    await Promise.all(
      dropped.map((task) =>
        owner.client.rpc('move_task', { task_id: task, column_id: columns.todo, before_id: bottom }),
      ),
    );
    const rows = (await ranksOf(project)).filter((row) => row.column_id === columns.todo);
    expect(rows).toHaveLength(62);
    expect(new Set(rows.map((row) => row.order_rank)).size).toBe(62);
    expect([rows[0]?.id, rows.at(-1)?.id]).toEqual([top, bottom]);
  });
});

describe('ranks written by clients', () => {
  it('a rank that is taken becomes the next free one behind it', async () => {
    const { project, columns } = await makeProject(app, owner, 'Taken');
    const [first = '', second = '', third = ''] = await fill(project, columns.todo, 3);
    const rows = await ranksOf(project);
    await owner.client.from('tasks').update({ order_rank: rows[0]?.order_rank }).eq('id', third);
    expect((await ranksOf(project)).map((row) => row.id)).toEqual([first, third, second]);
    const made = await owner.client
      .from('tasks')
      .insert({ project_id: project, column_id: columns.todo, title: 'New', order_rank: rows[0]?.order_rank })
      .select('id')
      .single();
    expect((await ranksOf(project)).map((row) => row.id)).toEqual([first, made.data?.id, third, second]);
  });

  it('a single statement may trade places', async () => {
    const { project, columns } = await makeProject(app, owner, 'Trade');
    const [first = '', second = ''] = await fill(project, columns.todo, 2);
    const [low, high] = await ranksOf(project);
    const swap = await owner.client.from('tasks').upsert([
      { id: first, project_id: project, column_id: columns.todo, title: 'one', order_rank: high?.order_rank },
      { id: second, project_id: project, column_id: columns.todo, title: 'two', order_rank: low?.order_rank },
    ]);
    expect(swap.error).toBeNull();
    expect((await ranksOf(project)).map((row) => row.id)).toEqual([second, first]);
  });

  it('naming the column alone puts the task at its end', async () => {
    const { project, columns } = await makeProject(app, owner, 'End');
    const [first = ''] = await fill(project, columns.backlog, 1);
    const others = await fill(project, columns.todo, 3);
    await owner.client.from('tasks').update({ column_id: columns.todo }).eq('id', first);
    expect((await ranksOf(project)).map((row) => row.id)).toEqual([...others, first]);
  });

  it('an invalid rank is refused with the name of its constraint', async () => {
    const { project, columns } = await makeProject(app, owner, 'Words');
    const [first = ''] = await fill(project, columns.todo, 1);
    for (const order_rank of ['', 'a b', 'ä', 'a!', 'x'.repeat(1001)])
      expect(await owner.client.from('tasks').update({ order_rank }).eq('id', first)).toMatchObject({
        status: 400,
        error: { code: '23514', message: expect.stringContaining('order_rank_is_printable') },
      });
  });
});

describe('arithmetic of ranks', () => {
  const printable = fc
    .string({
      unit: fc.integer({ min: 33, max: 126 }).map((code) => String.fromCharCode(code)),
      minLength: 1,
      maxLength: 12,
    })
    .filter((text) => !text.endsWith('!'));
  const near = fc.tuple(printable, fc.constantFrom('', '"', '0', '-', 'V', '!"', '!!0')).map(([a, b]) => [a, a + b]);
  const pairs = fc.oneof(fc.tuple(printable, printable), near).filter(([a, b]) => a !== b) as fc.Arbitrary<
    [string, string]
  >;

  it('there is always room between two different ranks, and before the first, and behind the last', async () => {
    const sample = fc.sample(pairs, 3000).map(([a, b]) => (a < b ? [a, b] : [b, a]));
    const wrong = await app.sql(
      `select low, high from (
         select (pair ->> 0) collate "C" as low, (pair ->> 1) collate "C" as high from jsonb_array_elements($1::jsonb) as pair
       ) as pairs
       where not coalesce(
         private.rank_between(low, high) > low and private.rank_between(low, high) < high
         and private.rank_after(high) > high and private.rank_before(low) < low
         and private.rank_between(high, null) > high and private.rank_between(null, low) < low
         and private.rank_between(low, high) ~ '^[!-~]*["-~]$'
         and (select bool_and(r > low and r < high) and count(distinct r) = 9 and array_agg(r order by n) = array_agg(r order by r collate "C")
              from unnest(private.ranks_between(low, high, 9)) with ordinality as u (r, n)), false)`,
      [JSON.stringify(sample)],
    );
    expect(wrong).toEqual([]);
  });

  it('appending and prepending ten thousand tasks takes four characters', async () => {
    const [result] = await app.sql<{ ends: number; sorted: boolean }>(
      `with ends as (
         select r, n from unnest(private.ranks_between(null, 'a0', 10000) || private.ranks_between('a0', null, 10000)) with ordinality as u (r, n)
       )
       select max(length(r)) as ends, bool_and(r > coalesce(before, '') collate "C") as sorted
       from (select r collate "C" as r, lag(r) over (order by n) as before from ends) as steps`,
    );
    expect(result).toEqual({ ends: 4, sorted: true });
  });
});
