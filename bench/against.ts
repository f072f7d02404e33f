// `npm run bench -- --against DIR`: this version and another one, built in the checkout DIR, asked the same by turns. Each has a database of its
// own with the same tasks in it, since versions differ in their tables. What counts is how one round of this one stands to the round of the
// other beside it (`--case=list,move` chooses, `--count=61` makes more rounds): such ratios hold where speeds do not, on a machine that others use.

import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { asCaller, ask } from './ask.ts';
import { flag, isQuick } from './flag.ts';
import { familyOf, processorTime } from './process-figures.ts';
import { at } from './quantile.ts';
import { type Dice, seeded } from './seeded.ts';
import { type StartedServer, startServer, stopServer } from './start-server.ts';

const rounds = Number(flag('count') ?? (isQuick() ? 3 : 11));
const manyTasks = 2000;
const manyFiles = 1000;

interface Task {
  readonly id: string;
  column_id: string;
}

interface Side {
  readonly server: StartedServer;
  readonly directory: string;
  readonly project: string;
  readonly columns: readonly string[];
  readonly tasks: readonly Task[];
  /** Paths of files in `attachments`, and a link to each. */
  readonly files: readonly string[];
  readonly links: readonly string[];
  /** Both sides draw the same. */
  readonly dice: Dice;
  ask<T>(method: string, path: string, body?: unknown, prefer?: string): Promise<T>;
}

interface Case {
  readonly name: string;
  readonly times: number;
  readonly lanes: number;
  readonly work: (side: Side) => Promise<unknown>;
}

const list =
  'select=id,number,title,priority,column_id,order_rank,due_date,completed_at&order=column_id,order_rank&limit=200';
const move = (side: Side, body: Record<string, unknown>) => side.ask('POST', '/rest/v1/rpc/move_task', body);

const cases: readonly Case[] = [
  { name: 'one task by id', times: 2000, lanes: 4, work: (s) => s.ask('GET', `/rest/v1/tasks?id=eq.${some(s).id}`) },
  {
    name: 'a list of 200 tasks',
    times: 300,
    lanes: 4,
    work: (s) => s.ask('GET', `/rest/v1/tasks?project_id=eq.${s.project}&${list}`),
  },
  {
    name: 'change a title',
    times: 600,
    lanes: 4,
    work: (s) => s.ask('PATCH', `/rest/v1/tasks?id=eq.${some(s).id}`, { title: `Renamed ${s.dice.below(1e9)}` }),
  },
  {
    name: 'insert a task',
    times: 400,
    lanes: 4,
    work: (s) =>
      s.ask('POST', '/rest/v1/tasks', {
        project_id: s.project,
        column_id: s.dice.pick(s.columns),
        title: 'A new task',
      }),
  },
  {
    name: '`move_task` within a column',
    times: 400,
    lanes: 4,
    work(s) {
      const { id, column_id } = some(s);
      const others = s.tasks.filter((one) => one.column_id === column_id && one.id !== id);
      return move(s, { task_id: id, column_id, before_id: s.dice.pick(others).id });
    },
  },
  {
    name: '`move_task` to another column',
    times: 400,
    lanes: 4,
    async work(s) {
      const task = some(s);
      const column_id = s.dice.pick(s.columns.filter((one) => one !== task.column_id));
      await move(s, { task_id: task.id, column_id });
      task.column_id = column_id;
    },
  },
  {
    name: 'upsert 100 tasks',
    times: 24,
    lanes: 1,
    work(s) {
      const first = s.dice.below(manyTasks / 100 - 1) * 100;
      const rows = s.tasks.slice(first, first + 100).map(({ id, column_id }) => ({
        id,
        project_id: s.project,
        column_id,
        title: `Again ${s.dice.below(1e9)}`,
      }));
      return s.ask('POST', '/rest/v1/tasks', rows, 'resolution=merge-duplicates');
    },
  },
  { name: 'sign links to 1,000 files', times: 12, lanes: 1, work: (s) => signLinks(s, s.files) },
  { name: 'open a signed link', times: 400, lanes: 4, work: (s) => s.ask('GET', s.dice.pick(s.links)) },
];

const signLinks = (side: Side, paths: readonly string[]) =>
  side.ask<{ signedURL: string }[]>('POST', '/storage/v1/object/sign/attachments', { expiresIn: 3600, paths });
const some = (side: Side): Task => side.dice.pick(side.tasks);

export async function benchAgainst(say: (line: string) => void): Promise<void> {
  const given = process.argv[process.argv.indexOf('--against') + 1];
  if (given === undefined) throw new Error('--against wants the directory of another checkout, which is built');
  const sides: Side[] = [];
  try {
    for (const directory of [process.cwd(), resolve(given)]) {
      sides.push(await open(directory));
      say(`${directory} is filled`);
    }
    const rows = [];
    for (const one of cases.filter(({ name }) => (flag('case') ?? '').split(',').some((part) => name.includes(part)))) {
      const row = await compare(one, sides);
      say(row);
      rows.push(row);
    }
    console.log(`This version beside ${given}: how many requests a second, and how many a second of processor time,`);
    console.log(`here for each there; median, least and most of ${rounds} pairs.\n`);
    console.log(
      ['| request | rate | least | most | by processor | least | most |', `|---|${'---:|'.repeat(6)}`, ...rows].join(
        '\n',
      ),
    );
  } finally {
    for (const { server, directory } of sides) {
      await stopServer(server);
      rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
    }
  }
}

async function compare(one: Case, sides: readonly Side[]): Promise<string> {
  const [here, there] = sides as [Side, Side];
  for (const side of sides) await rate(one, side);
  const rates: number[] = [];
  const costs: number[] = [];
  for (let round = 0; round < rounds; round++) {
    // Whoever is second finds the machine as the first has left it: by turns.
    const [first, second] = round % 2 === 0 ? [here, there] : [there, here];
    const [a, b] = [await rate(one, first), await rate(one, second)];
    const [ours, theirs] = first === here ? [a, b] : [b, a];
    rates.push(ours.bySecond / theirs.bySecond);
    costs.push(ours.byProcessor / theirs.byProcessor);
  }
  const figures = [rates, costs].flatMap((all) => [at(all, 0.5), Math.min(...all), Math.max(...all)]);
  return `| ${one.name} | ${figures.map((figure) => figure.toFixed(3)).join(' | ')} |`;
}

async function rate({ times, lanes, work }: Case, side: Side): Promise<{ bySecond: number; byProcessor: number }> {
  const pids = familyOf(side.server.process.pid as number);
  const [used, began] = [processorTime(pids), performance.now()];
  let left = times;
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      while (left-- > 0) await work(side);
    }),
  );
  return {
    bySecond: (times * 1000) / (performance.now() - began),
    byProcessor: times / (processorTime(pids) - used),
  };
}

async function open(checkout: string): Promise<Side> {
  const directory = mkdtempSync(join(tmpdir(), 'kanbase-against-'));
  chmodSync(directory, 0o755);
  const server = await startServer({ DATA_DIR: directory, WORK_BUDGET_SECONDS: '0' }, [], checkout);
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  let caller = {};
  const send = async <T>(method: string, path: string, body?: unknown, prefer = ''): Promise<T> => {
    const answer = await ask(agent, server.url, {
      method,
      path,
      headers: { 'content-type': 'application/json', ...caller, ...(prefer === '' ? {} : { prefer }) },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const text = answer.body.toString();
    // Two that want the same gap between two tasks: one of them may be asked to come again.
    if (answer.status >= 400 && answer.status !== 409)
      throw new Error(`${checkout}: ${method} ${path}: ${answer.status} ${text}`);
    return (text === '' ? null : JSON.parse(text)) as T;
  };
  const { anonKey } = await send<{ anonKey: string }>('GET', '/api/settings');
  caller = asCaller(anonKey, anonKey);
  const account = { email: 'ada@bench.test', password: 'correct horse battery', data: { name: 'Ada' } };
  caller = asCaller(anonKey, (await send<{ access_token: string }>('POST', '/auth/v1/signup', account)).access_token);
  const { id: project } = await send<{ id: string }>('POST', '/rest/v1/rpc/create_project_with_defaults', {
    name: 'Pairs',
  });
  const columns = (
    await send<{ id: string }[]>('GET', `/rest/v1/workflow_columns?select=id&project_id=eq.${project}&order=position`)
  ).map(({ id }) => id);
  const tasks: Task[] = [];
  while (tasks.length < manyTasks) {
    const rows = Array.from({ length: 500 }, (_, n) => ({
      project_id: project,
      column_id: columns[n % columns.length],
      title: `Task ${tasks.length + n}`,
    }));
    tasks.push(...(await send<Task[]>('POST', '/rest/v1/tasks?select=id,column_id', rows, 'return=representation')));
  }
  await analyze(directory);
  const files = tasks.slice(0, manyFiles).map(({ id }) => `${project}/${id}/notes.json`);
  for (const path of files) await send('POST', `/storage/v1/object/attachments/${path}`, {});
  const side = { server, directory, project, columns, tasks, files, dice: seeded(1), ask: send };
  const signed = await signLinks({ ...side, links: [] }, files);
  return { ...side, links: signed.map(({ signedURL }) => `/storage/v1${signedURL}`) };
}

/** Postgres does so by itself within a minute; until then it sorts all tasks for a list of the first ones. */
async function analyze(directory: string): Promise<void> {
  const owner = new pg.Client({ host: join(directory, 'postgres'), user: 'postgres', database: 'kanbase' });
  await owner.connect();
  await owner.query('analyze');
  await owner.end();
}
