// Figures of the dashboard after a random history: every figure equals a plain count of the rows, and the cumulative flow equals a record of each
// step.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { startApp, type TestUser } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { person } from '../helpers/person.ts';
import { draws, seed } from '../helpers/seed.ts';
import { addMember, addTask, makeProject } from './board.ts';

const app = forSuite(() => startApp({ settings: { DB_POOL_SIZE: '8' } }));
const owner = person(app, 'Olga');
const editor = person(app, 'Edda');

interface Metrics {
  tasks: Record<string, number>;
  by_kind: Record<string, number>;
  by_priority: Record<string, number>;
  by_column: { column_id: string; name: string; kind: string; count: number; wip_limit: number | null }[];
  by_assignee: { user_id: string; display_name: string | null; open: number; completed: number }[];
  throughput: { week: string; created: number; completed: number }[];
  cumulative_flow: Record<string, string | number>[];
  cycle_time_days: { p50: number | null; p90: number | null };
  lead_time_days: { p50: number | null; p90: number | null };
}

async function metricsOf(project: string | null): Promise<Metrics> {
  const { data, error } = await owner.client.rpc('dashboard_metrics', project === null ? {} : { project_id: project });
  if (error) throw error;
  return data;
}

/** How long what is done took, asked of all of it at once. */
const times = ['started_at', 'created_at']
  .map((since) => {
    const share = (of: number) =>
      `percentile_cont(${of}) within group (order by date_part('epoch', completed_at - ${since})) / 86400`;
    const name = since === 'started_at' ? 'cycle_time_days' : 'lead_time_days';
    return `'${name}', jsonb_build_object('p50', ${share(0.5)}, 'p90', ${share(0.9)})`;
  })
  .join(', ');

/** The same figures, counted plainly. */
async function countPlainly(project: string) {
  const [row] = await app.sql<{ counted: Record<string, unknown> }>(
    `with t as (
       select t.*, c.kind, exists (select from public.task_assignees a where a.task_id = t.id) as assigned,
         exists (select from public.task_dependencies d join public.tasks p on p.id = d.predecessor_id
           where d.successor_id = t.id and p.completed_at is null and p.archived_at is null) as waits
       from public.tasks t join public.workflow_columns c on c.id = t.column_id
       where t.project_id = $1 and t.archived_at is null
     )
     select jsonb_build_object(
       'tasks', jsonb_build_object('total', count(*), 'open', count(*) filter (where kind <> 'done'),
         'completed', count(completed_at), 'overdue', count(*) filter (where completed_at is null and due_date < current_date),
         'due_this_week', count(*) filter (where completed_at is null and due_date between current_date and current_date + 6),
         'unassigned', count(*) filter (where completed_at is null and not assigned),
         'blocked', count(*) filter (where completed_at is null and waits)),
       'by_priority', jsonb_build_object('p0', count(*) filter (where priority = 'p0'), 'p1', count(*) filter (where priority = 'p1'),
         'p2', count(*) filter (where priority = 'p2')),
       'by_kind', jsonb_build_object('backlog', count(*) filter (where kind = 'backlog'), 'todo', count(*) filter (where kind = 'todo'),
         'in_progress', count(*) filter (where kind = 'in_progress'), 'done', count(*) filter (where kind = 'done'),
         'custom', count(*) filter (where kind = 'custom')),
       'by_assignee', (select coalesce(jsonb_agg(s), '[]') from (
         select a.user_id, p.display_name, count(*) filter (where t.completed_at is null) as open, count(t.completed_at) as completed
         from t join public.task_assignees a on a.task_id = t.id join public.profiles p on p.id = a.user_id
         group by 1, 2 order by 3 desc, 4 desc, 1) as s),
       'created', count(*) filter (where created_at >= date_trunc('week', now())),
       'finished', count(*) filter (where completed_at >= date_trunc('week', now())),
       ${times}
     ) as counted from t`,
    [project],
  );
  return row?.counted ?? {};
}

async function expectExact(project: string) {
  const metrics = await metricsOf(project);
  const counted = await countPlainly(project);
  const week = metrics.throughput.at(-1);
  expect({
    tasks: metrics.tasks,
    by_priority: metrics.by_priority,
    by_kind: metrics.by_kind,
    by_assignee: metrics.by_assignee,
    created: week?.created,
    finished: week?.completed,
    cycle_time_days: metrics.cycle_time_days,
    lead_time_days: metrics.lead_time_days,
  }).toEqual(counted);
  const { day: _, ...today } = metrics.cumulative_flow.at(-1) ?? {};
  expect(today).toEqual(metrics.by_kind);
  return metrics;
}

type Step =
  | { do: 'add'; column: number; priority: number; due: number | null; assign: number }
  | { do: 'move' | 'archive' | 'restore' | 'remove' | 'priority'; task: number; to: number }
  | { do: 'assign' | 'unassign'; task: number; person: number }
  | { do: 'link' | 'unlink'; task: number; other: number }
  | { do: 'kind'; column: number; kind: number }
  | { do: 'took'; task: number; seconds: number; waited: number | null };

const small = fc.nat(30);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('add' as const),
      column: small,
      priority: small,
      due: fc.option(fc.integer({ min: -3, max: 9 })),
      assign: fc.nat(2),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constantFrom(
        'move' as const,
        'move' as const,
        'archive' as const,
        'restore' as const,
        'remove' as const,
        'priority' as const,
      ),
      task: small,
      to: small,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom('assign' as const, 'unassign' as const),
      task: small,
      person: fc.nat(1),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constantFrom('link' as const, 'unlink' as const), task: small, other: small }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('kind' as const), column: small, kind: small }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('took' as const),
      task: small,
      seconds: fc.integer({ min: -9, max: 999_999 }),
      waited: fc.option(fc.integer({ min: 0, max: 9999 })),
    }),
  },
);
const kinds = ['backlog', 'todo', 'in_progress', 'done', 'custom'];

async function live(project: string, columns: string[], tasks: string[], step: Step, person: TestUser): Promise<void> {
  const at = <T>(list: readonly T[], index: number) => list[index % Math.max(list.length, 1)];
  const { client } = person;
  switch (step.do) {
    case 'add': {
      const due = step.due === null ? null : new Date(Date.now() + step.due * 86_400_000).toISOString().slice(0, 10);
      const { data } = await client
        .from('tasks')
        .insert({
          project_id: project,
          column_id: at(columns, step.column),
          title: 'T',
          priority: `p${step.priority % 3}`,
          due_date: due,
        })
        .select('id')
        .single();
      if (data) tasks.push(data.id);
      const people = [owner.id, editor.id].slice(0, step.assign);
      if (data && people.length > 0)
        await client.from('task_assignees').insert(people.map((user_id) => ({ task_id: data.id, user_id })));
      break;
    }
    case 'move':
      await client.rpc('move_task', { task_id: at(tasks, step.task), column_id: at(columns, step.to) });
      break;
    case 'archive':
    case 'restore':
      await client
        .from('tasks')
        .update({ archived_at: step.do === 'archive' ? 'now' : null })
        .eq('id', at(tasks, step.task) ?? project);
      break;
    case 'remove':
      await client
        .from('tasks')
        .delete()
        .eq('id', at(tasks, step.task) ?? project);
      break;
    case 'priority':
      await client
        .from('tasks')
        .update({ priority: `p${step.to % 3}` })
        .eq('id', at(tasks, step.task) ?? project);
      break;
    case 'assign':
      await client
        .from('task_assignees')
        .insert({ task_id: at(tasks, step.task), user_id: step.person ? owner.id : editor.id });
      break;
    case 'unassign':
      await client
        .from('task_assignees')
        .delete()
        .eq('task_id', at(tasks, step.task) ?? project);
      break;
    case 'link':
      await client
        .from('task_dependencies')
        .insert({ predecessor_id: at(tasks, step.task), successor_id: at(tasks, step.other) });
      break;
    case 'unlink':
      await client
        .from('task_dependencies')
        .delete()
        .eq('successor_id', at(tasks, step.other) ?? project);
      break;
    case 'kind':
      await client
        .from('workflow_columns')
        .update({ kind: at(kinds, step.kind) })
        .eq('id', at(columns, step.column) ?? project);
      break;
    case 'took':
      // As only an import or the service key could say.
      await app.sql(
        `update public.tasks set started_at = completed_at - make_interval(secs => $2),
           created_at = case when $3::integer is null then created_at else completed_at - make_interval(secs => $2 + $3::integer) end
         where id = $1 and completed_at is not null`,
        [at(tasks, step.task) ?? project, step.seconds, step.waited],
      );
  }
}

describe('dashboard_metrics', () => {
  it('is exact after any history', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 60, size: 'max' }), async (steps) => {
        const { project, columns } = await makeProject(app, owner, 'Any history');
        await addMember(app, project, editor, 'editor');
        const tasks: string[] = [];
        for (const one of steps) await live(project, Object.values(columns), tasks, one, owner);
        await expectExact(project);
      }),
      { numRuns: draws(16) },
    );
  });

  it(`also when two people live it at once (SEED=${seed})`, async () => {
    const { project, columns } = await makeProject(app, owner, 'Together');
    await addMember(app, project, editor, 'editor');
    await owner.client.from('projects').update({ enforce_dependencies: false }).eq('id', project);
    const tasks: string[] = [];
    const steps = fc.sample(step, { numRuns: draws(600), seed });
    const adds: Step[] = Array.from({ length: 20 }, (_, n) => ({
      do: 'add',
      column: n,
      priority: n,
      due: n - 5,
      assign: n % 3,
    }));
    for (const one of adds) await live(project, Object.values(columns), tasks, one, owner);
    await Promise.all(
      Array.from({ length: 8 }, async (_, lane) => {
        for (let n = lane; n < steps.length; n += 8)
          await live(project, Object.values(columns), tasks, steps[n] as Step, n % 2 ? owner : editor);
      }),
    );
    await expectExact(project);
  });

  it('tells the flow of past days from what was recorded then', async () => {
    const { project, columns } = await makeProject(app, owner, 'History');
    // two days ago: one task in Backlog; yesterday it went to Done and Backlog was renamed a custom column; today a new one came
    const task = await owner.client.from('tasks').insert({ project_id: project, title: 'Old' }).select('id').single();
    await app.sql(`update private.column_flow set day = day - 2 where project_id = $1`, [project]);
    await app.sql(`update private.column_kinds set since = since - interval '2 days' where project_id = $1`, [project]);
    await owner.client.rpc('move_task', { task_id: task.data?.id, column_id: columns.done });
    await owner.client.from('workflow_columns').update({ kind: 'custom' }).eq('id', columns.backlog);
    await app.sql(`update private.column_flow set day = day - 1 where project_id = $1 and day > current_date - 2`, [
      project,
    ]);
    await app.sql(
      `update private.column_kinds set since = since - interval '1 day' where project_id = $1 and since > now() - interval '1 day'`,
      [project],
    );
    await owner.client.from('tasks').insert({ project_id: project, title: 'New' });
    const flow = (await metricsOf(project)).cumulative_flow;
    const none = { backlog: 0, todo: 0, in_progress: 0, done: 0, custom: 0 };
    expect(flow).toHaveLength(30);
    expect(flow.slice(-4).map(({ day: _, ...held }) => held)).toEqual([
      none,
      { ...none, backlog: 1 },
      { ...none, done: 1 },
      { ...none, done: 1, custom: 1 },
    ]);
  });

  it('measures what is due by the day it is where the caller is', async () => {
    const { project } = await makeProject(app, owner, 'Round the world');
    // The two lie 25 hours apart: it is never the same day in both.
    await app.sql(
      "insert into public.tasks (project_id, title, due_date) values ($1, 'T', (now() at time zone 'Pacific/Pago_Pago')::date)",
      [project],
    );
    const dueIn = async (timezone: string) => {
      const { data } = await owner.client
        .rpc('dashboard_metrics', { project_id: project })
        .setHeader('Prefer', `timezone=${timezone}`);
      const { overdue, due_this_week } = (data as Metrics).tasks;
      return { overdue, due_this_week };
    };
    expect(await dueIn('Pacific/Pago_Pago')).toEqual({ overdue: 0, due_this_week: 1 });
    expect(await dueIn('Pacific/Kiritimati')).toEqual({ overdue: 1, due_this_week: 0 });
  });

  it('measures how long things took', async () => {
    const { project, columns } = await makeProject(app, owner, 'Times');
    expect(await metricsOf(project)).toMatchObject({
      cycle_time_days: { p50: null, p90: null },
      lead_time_days: { p50: null, p90: null },
    });
    for (let n = 1; n <= 3; n++)
      await app.sql(
        `insert into public.tasks (project_id, column_id, title, created_at, started_at, completed_at)
         values ($1, $2, 'T', now() - make_interval(days => 10 * $3::int), now() - make_interval(days => $3::int), now())`,
        [project, columns.done, n],
      );
    const metrics = await metricsOf(project);
    expect(metrics.cycle_time_days).toEqual({ p50: 2, p90: 2.8 });
    expect(metrics.lead_time_days).toEqual({ p50: 20, p90: 28 });
    expect(metrics.throughput).toHaveLength(12);
    expect(metrics.throughput.reduce((sum, week) => sum + week.created, 0)).toBe(3);
  });

  it('measures exactly how long many things took, in one project and in all', async () => {
    const person = await app.createUser({ name: 'Tilda' });
    const told = async (project_id?: string) => {
      const { data } = await person.client.rpc('dashboard_metrics', project_id === undefined ? {} : { project_id });
      const { cycle_time_days, lead_time_days } = data as Metrics;
      return { cycle_time_days, lead_time_days };
    };
    const plain = async (projects: string[]) => {
      const [row] = await app.sql<{ took: unknown }>(
        `select jsonb_build_object(${times}) as took from public.tasks where project_id = any ($1) and isfinite(completed_at)`,
        [projects],
      );
      return row?.took;
    };
    const projects: string[] = [];
    for (const count of [1, 2, 40, 301]) {
      const { project, columns } = await makeProject(app, person, `${count} things`);
      projects.push(project);
      // From a second to some years. Not all of them were ever begun, and one will never be done.
      await app.sql(
        `insert into public.tasks (project_id, column_id, title, created_at, started_at, completed_at)
         select $1, $2, 'T', now() - make_interval(secs => 2 * took), case when n % 7 > 0 then now() - make_interval(secs => took) end,
           case when n = 39 then 'infinity' else now() end
         from generate_series(1, $3::integer) n cross join lateral (select exp((hashtext($4::text || n) & 65535) / 3500.0) as took) t`,
        [project, columns.done, count, String(seed)],
      );
      expect(await told(project)).toEqual(await plain([project]));
    }
    expect(await told()).toEqual(await plain(projects));
  });

  it('says what the tasks of a project hold in its fields, and nothing of a project that has none', async () => {
    const { project } = await makeProject(app, owner, 'Fields');
    await addMember(app, project, editor, 'editor');
    const byField = async () => ((await metricsOf(project)) as unknown as { by_field: unknown[] }).by_field;
    expect(await byField()).toEqual([]);
    const options = ['red', 'blue', 'green'].map((id) => ({ id, name: id.toUpperCase() }));
    const make = async (name: string, kind: string, more: Record<string, unknown> = {}) => {
      const row = { project_id: project, name, kind, ...more };
      const { data, error } = await owner.client.from('custom_fields').insert(row).select('id').single();
      expect(error).toBeNull();
      return String(data?.id);
    };
    const cost = await make('Cost', 'number', { unit: '€' });
    const colour = await make('Colour', 'select', { options });
    const colours = await make('Colours', 'multi_select', { options });
    const who = await make('Who', 'person');
    const seen = await make('Seen', 'checkbox');
    const empty = await make('Empty', 'number');
    // Words and days are not added up.
    await make('Words', 'text', { default_value: 'some' });
    const held: Record<string, unknown>[] = [
      { [cost]: 10.5, [colour]: 'red', [colours]: ['red', 'blue'], [who]: editor.id, [seen]: true },
      { [cost]: 4, [colour]: 'red', [colours]: ['blue'], [who]: owner.id, [seen]: false },
      { [cost]: 4, [colour]: 'green', [who]: editor.id, [seen]: true },
      { [cost]: 1000, [colour]: 'blue', [colours]: ['green'], [who]: owner.id, [seen]: true },
      {},
    ];
    for (const [place, values] of held.entries()) {
      const task_id = await addTask(app, owner, { project_id: project, title: `T${place}` });
      const rows = Object.entries(values).map(([field_id, value]) => ({ task_id, field_id, value }));
      if (rows.length > 0) expect((await owner.client.from('task_field_values').insert(rows)).error).toBeNull();
      // Archived tasks count nowhere.
      if (place === 3) await owner.client.from('tasks').update({ archived_at: 'now' }).eq('id', task_id);
    }
    const counts = (...all: number[]) => options.map(({ id, name }, at) => ({ option_id: id, name, count: all[at] }));
    expect(await byField()).toEqual([
      { field_id: cost, name: 'Cost', kind: 'number', unit: '€', filled: 3, sum: 18.5, average: 6.166667 },
      { field_id: colour, name: 'Colour', kind: 'select', options: counts(2, 0, 1) },
      { field_id: colours, name: 'Colours', kind: 'multi_select', options: counts(1, 2, 0) },
      {
        field_id: who,
        name: 'Who',
        kind: 'person',
        people: [
          { user_id: editor.id, display_name: 'Edda', count: 2 },
          { user_id: owner.id, display_name: 'Olga', count: 1 },
        ],
      },
      { field_id: seen, name: 'Seen', kind: 'checkbox', ticked: 2 },
      { field_id: empty, name: 'Empty', kind: 'number', unit: null, filled: 0, sum: 0, average: null },
    ]);
  });

  it('without a project adds up all of the caller’s, archived ones apart', async () => {
    const person = await app.createUser({ name: 'Paul' });
    const first = await makeProject(app, person, 'One');
    const second = await makeProject(app, person, 'Two');
    for (const { project } of [first, second])
      await person.client.from('tasks').insert({ project_id: project, title: 'T' });
    const all = async () => (await person.client.rpc('dashboard_metrics')).data;
    expect(await all()).toMatchObject({ project_id: null, tasks: { total: 2, open: 2 }, by_kind: { backlog: 2 } });
    await person.client.from('projects').update({ archived_at: 'now' }).eq('id', second.project);
    expect((await all()).tasks.total).toBe(1);
    expect((await all()).by_column).toHaveLength(4);
    const nobody = await app.createUser({ name: 'Newcomer' });
    expect((await nobody.client.rpc('dashboard_metrics')).data).toMatchObject({
      tasks: { total: 0, blocked: 0 },
      by_column: [],
    });
  });
});
