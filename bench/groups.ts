// `npm run bench -- --groups`: 1,000 groups of 1,000 people, and a person whom 200 of them bring into 200 projects, asked by turns with one who is a
// member of the same projects by themselves. What counts is how the one stands to the other, request by request.

import { randomUUID } from 'node:crypto';
import { Agent } from 'node:http';
import pg from 'pg';
import { connectionOptions } from '../server/database/connection-options.ts';
import { asCaller, ask } from './ask.ts';
import { isQuick } from './flag.ts';
import { at } from './quantile.ts';
import { type Dice, seeded } from './seeded.ts';
import { openStage, type Stage } from './stage.ts';

const [groups, peopleOfEach, groupsOfOne] = isQuick() ? [100, 100, 50] : [1000, 1000, 200];
const tasksOfFirst = 2000;
const tasksOfOthers = 50;
const times = isQuick() ? 200 : 2000;

interface Ground {
  readonly project: string;
  readonly columns: readonly string[];
  readonly tasks: readonly string[];
  readonly people: Readonly<Record<'grouped' | 'alone', string>>;
}

export async function benchGroups(say: (line: string) => void): Promise<void> {
  const stage = await openStage(say, { filled: false });
  try {
    say(`filling ${groups} groups of ${peopleOfEach} people …`);
    const ground = await fill(stage);
    const grouped = await callerOf(stage, ground.people.grouped);
    const alone = await callerOf(stage, ground.people.alone);
    const list =
      'select=id,number,title,priority,column_id,order_rank,due_date,completed_at&order=column_id,order_rank&limit=200';
    const cases: Readonly<Record<string, (caller: Caller) => Promise<void>>> = {
      'one task by id': (caller) => caller.ask('GET', `/rest/v1/tasks?id=eq.${caller.dice.pick(ground.tasks)}`),
      'a list of 200 tasks': (caller) => caller.ask('GET', `/rest/v1/tasks?project_id=eq.${ground.project}&${list}`),
      '`move_task` to a column': (caller) =>
        caller.ask('POST', '/rest/v1/rpc/move_task', {
          task_id: caller.dice.pick(ground.tasks),
          column_id: caller.dice.pick(ground.columns),
        }),
      'change a title': (caller) =>
        caller.ask('PATCH', `/rest/v1/tasks?id=eq.${caller.dice.pick(ground.tasks)}`, {
          title: `Renamed ${caller.dice.below(1e9)}`,
        }),
    };
    console.log(
      `A member by ${groupsOfOne} groups beside one by themselves, of the same ${groupsOfOne} projects; ${times} pairs.\n`,
    );
    console.log('| request | ms by groups | ms by themselves | ratio of speeds |\n|---|---:|---:|---:|');
    for (const [name, work] of Object.entries(cases)) {
      const [by, without] = await compare(work, grouped, alone);
      console.log(`| ${name} | ${by.toFixed(3)} | ${without.toFixed(3)} | ${(without / by).toFixed(3)} |`);
    }
  } finally {
    await stage.close();
  }
}

interface Caller {
  readonly dice: Dice;
  ask(method: string, path: string, body?: unknown): Promise<void>;
}

async function callerOf(stage: Stage, id: string): Promise<Caller> {
  const headers = asCaller(stage.anonKey, await stage.tokenFor(id));
  const agent = new Agent({ keepAlive: true });
  return {
    dice: seeded(1),
    async ask(method, path, body) {
      const sent = body === undefined ? null : JSON.stringify(body);
      const answer = await ask(agent, stage.url, { method, path, headers, body: sent });
      if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.body}`);
    },
  };
}

/** Medians of both, each request beside one of the other. */
async function compare(work: (caller: Caller) => Promise<void>, one: Caller, other: Caller): Promise<[number, number]> {
  const took: [number[], number[]] = [[], []];
  for (let round = -times / 10; round < times; round++)
    for (const place of round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      const began = performance.now();
      await work(place === 0 ? one : other);
      if (round >= 0) took[place].push(performance.now() - began);
    }
  return [at(took[0], 0.5), at(took[1], 0.5)];
}

/** Past the triggers of groups, which would settle a membership at a time. */
async function fill(stage: Stage): Promise<Ground> {
  const owner = new pg.Client(connectionOptions(stage.ownerUrl));
  await owner.connect();
  const [founder, grouped, alone] = [randomUUID(), randomUUID(), randomUUID()];
  const triggers = (what: 'disable' | 'enable') =>
    owner.query(
      `alter table public.group_members ${what} trigger user; alter table public.project_members ${what} trigger user`,
    );
  await owner.query('set synchronous_commit = off');
  await owner.query(
    `insert into auth.users (id, email, email_confirmed_at)
     select p, p || '@bench.test', now() from unnest($1::uuid[] || array(select md5('person ' || n)::uuid from generate_series(1, $2::int) n)) p`,
    [[founder, grouped, alone], groups * 2],
  );
  await owner.query(`select set_config('request.jwt.claims', $1, false)`, [JSON.stringify({ sub: founder })]);
  for (let n = 0; n < groupsOfOne; n++)
    await owner.query('select public.create_project_with_defaults($1)', [`Project ${n}`]);
  const { rows: projects } = await owner.query<{ id: string }>(
    'select id from public.projects order by created_at, id',
  );
  await triggers('disable');
  await owner.query(
    `insert into public.groups (id, name) select md5('group ' || n)::uuid, 'Group ' || n from generate_series(1, $1::int) n`,
    [groups],
  );
  await owner.query(
    `insert into public.group_members (group_id, user_id)
     select md5('group ' || g)::uuid, md5('person ' || 1 + (g * 7 + p) % $3::int)::uuid from generate_series(1, $1::int) g, generate_series(1, $2::int) p`,
    [groups, peopleOfEach - 1, groups * 2],
  );
  await owner.query(
    `insert into public.group_members (group_id, user_id) select md5('group ' || g)::uuid, $2 from generate_series(1, $1::int) g`,
    [groupsOfOne, grouped],
  );
  // The group, and a row of their own for each of its people.
  await owner.query(
    `with brought as (
       insert into public.project_members (project_id, group_id, role)
       select p.id, md5('group ' || p.place)::uuid, 'editor' from unnest($1::uuid[]) with ordinality p (id, place)
       returning project_id, group_id)
     insert into public.project_members (project_id, user_id, role)
     select b.project_id, m.user_id, 'editor' from brought b join public.group_members m using (group_id)
     on conflict do nothing`,
    [projects.map(({ id }) => id)],
  );
  await owner.query(
    `insert into public.project_members (project_id, user_id, role, own_role) select p, $2, 'editor', 'editor' from unnest($1::uuid[]) p`,
    [projects.map(({ id }) => id), alone],
  );
  await triggers('enable');
  const project = projects[0]?.id ?? '';
  await owner.query(
    `insert into public.tasks (project_id, column_id, title)
     select c.project_id, c.id, 'Task ' || n
     from (select distinct on (project_id) project_id, id from public.workflow_columns order by project_id, position) c,
       generate_series(1, case when c.project_id = $1 then $2::int else $3::int end) n`,
    [project, tasksOfFirst, tasksOfOthers],
  );
  const ids = async (text: string): Promise<readonly string[]> =>
    (await owner.query<{ id: string }>(text, [project])).rows.map(({ id }) => id);
  const columns = await ids(`select id from public.workflow_columns where project_id = $1 and kind <> 'done'`);
  const tasks = await ids('select id from public.tasks where project_id = $1');
  await owner.query('vacuum analyze');
  await owner.end();
  return { project, columns, tasks, people: { grouped, alone } };
}
