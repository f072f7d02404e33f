// `--growth`: what the main requests cost as an instance grows: more tasks and people in all, a larger project, more projects a person, more
// people in a project, a longer past. The data door's own statements, one at a time, by turns; the quickest of several rounds counts, so that a passing load hurts no side alone.
// Into docs/figures.md and its plot. `--quick` stops at 30,000 tasks and writes nothing.

import { type Case, projectId } from './cases.ts';
import { isQuick } from './flag.ts';
import { type Instance, openInstances } from './growth-instances.ts';
import { type AxisFigures, writeGrowth } from './growth-page.ts';
import { rawRequest, taskId, writeStatement } from './statements.ts';

/** Where on an axis something is measured. */
interface Point {
  readonly size: number;
  readonly instance: Instance;
  readonly person: number;
  readonly project: number;
  /** Tasks of that project. */
  readonly tasks: number;
}

interface Ask {
  readonly name: string;
  readonly method?: 'POST' | 'PATCH';
  /** Below /rest/v1; `{id}` is a random task of the project, `{n}` in a body its number. Several: the pages of one answer. */
  path(point: Point): string | readonly string[];
  body?(point: Point): object;
  /** The answer is as long as the axis: what one row of it costs is what counts. */
  readonly perRow?: boolean;
}

interface Axis {
  readonly name: string;
  /** What its sizes count. */
  readonly unit: string;
  readonly points: readonly Point[];
  readonly asks: readonly Ask[];
}

const quick = isQuick();
const most = 1.5;
const rounds = quick ? 9 : 15;
/** Quick questions are asked several times a round, slow ones in fewer rounds. */
const roundMs = 12;
const leastRounds = 3;
const mostMs = 4000;
const pageSize = 1000;
const pagesAtOnce = 3;
const cards =
  'id,project_id,column_id,number,title,priority,order_rank,start_date,due_date,estimate,completed_at,archived_at,cover_attachment_id,parent_id,subtask_position,created_by,created_at,updated_at';
/** Of a project that was filled: see fill.sql. */
const columnId = (project: number, column: number): string =>
  `00000000-0000-4000-a${String(column).padStart(3, '0')}-${String(project).padStart(12, '0')}`;
const personId = (person: number): string => `00000000-0000-4000-8000-${String(person).padStart(12, '0')}`;

const inOrder = new Map<string, string[]>();
/** The ids of a project's tasks as Postgres sorts them. */
function idsInOrder(project: number, tasks: number): string[] {
  const name = `${project} ${tasks}`;
  const known = inOrder.get(name);
  if (known) return known;
  const ids = Array.from({ length: tasks }, (_, at) => taskId(project, at + 1)).sort();
  inOrder.set(name, ids);
  return ids;
}

const oneTask: Ask = { name: 'one task', path: () => '/tasks?id=eq.{id}' };
const board: Ask = {
  name: 'a board',
  // As the app asks (web/sync/rows/scopes.ts): a page, then three at a time behind the last row of those before.
  path: ({ project, tasks }) =>
    Array.from({ length: Math.ceil(tasks / pageSize) }, (_, page) => {
      const all = `/tasks?select=${cards}&project_id=eq.${projectId(project)}&order=id&limit=${pageSize}`;
      if (page === 0) return `${all}&offset=0`;
      const before = page - ((page - 1) % pagesAtOnce);
      const behind = idsInOrder(project, tasks)[before * pageSize - 1];
      return `${all}&id=gte.${behind}&or=(id.gt.${behind})&offset=${(page - before) * pageSize}`;
    }),
};
const firstPage: Ask = {
  name: 'the first 50 of a list',
  path: ({ project }) =>
    `/tasks?select=${cards}&project_id=eq.${projectId(project)}&order=column_id,order_rank&limit=50`,
};
/** Each task has a word of its own. */
const search: Ask = {
  name: 'a search for a rare word',
  method: 'POST',
  path: () => '/rpc/search_tasks',
  body: ({ project }) => ({ query: 'no{n}', project_id: projectId(project), max_rows: 20 }),
};
/** Every thirteenth task has it. */
const searchMany: Ask = {
  name: 'a search for a common word',
  method: 'POST',
  path: () => '/rpc/search_tasks',
  body: ({ project }) => ({ query: 'velv', project_id: projectId(project), max_rows: 20 }),
};
const searchAll: Ask = {
  name: 'a search in all projects',
  method: 'POST',
  path: () => '/rpc/search_tasks',
  body: () => ({ query: 'no{n}', max_rows: 20 }),
};
const dashboard: Ask = {
  name: 'the dashboard of a project',
  method: 'POST',
  path: () => '/rpc/dashboard_metrics',
  body: ({ project }) => ({ project_id: projectId(project) }),
};
const dashboardAll: Ask = {
  name: 'the dashboard of all projects',
  method: 'POST',
  path: () => '/rpc/dashboard_metrics',
  body: () => ({}),
};
const story: Ask = {
  name: 'the latest 50 of its story',
  path: ({ project }) => `/task_activity?project_id=eq.${projectId(project)}&order=created_at.desc&limit=50`,
};
const members: Ask = {
  name: 'members with their names',
  path: ({ project }) => `/project_members?select=role,profiles(display_name)&project_id=eq.${projectId(project)}`,
};
const mine: Ask = {
  name: 'tasks of one’s own',
  path: ({ person }) =>
    `/tasks?select=${cards},task_assignees!inner()&task_assignees.user_id=eq.${personId(person)}&order=id&limit=50`,
};
const inbox: Ask = {
  name: 'the inbox',
  path: ({ person }) =>
    `/notifications?select=id,user_id,kind,project_id,task_id,actor_id,data,read_at,snoozed_until,done_at,created_at&user_id=eq.${personId(person)}&done_at=is.null&order=id`,
};
const projects: Ask = { name: 'the list of projects', path: () => '/projects?order=id' };
const insert: Ask = {
  name: 'insert a task',
  method: 'POST',
  path: () => '/tasks',
  body: ({ project }) => ({ project_id: projectId(project), column_id: columnId(project, 1), title: 'A new task' }),
};
const rename: Ask = {
  name: 'rename a task',
  method: 'PATCH',
  path: () => '/tasks?id=eq.{id}',
  body: () => ({ title: 'Another name' }),
};
const move: Ask = {
  name: 'move a task',
  method: 'POST',
  path: () => '/rpc/move_task',
  body: ({ project }) => ({ task_id: '{id}', column_id: columnId(project, 2) }),
};
/** From the first column into the second, anywhere: of four tasks in a row each stands in another column (fill-tasks.sql). */
const drop: Ask = {
  name: 'drop a card beside another',
  method: 'POST',
  path: () => '/rpc/move_task',
  body: ({ project, tasks }) => {
    const four = 4 * Math.floor(Math.random() * Math.floor(tasks / 4));
    const inColumn = (column: number): string => taskId(project, four + 1 + ((project + 4 - column) % 4));
    return { task_id: inColumn(1), column_id: columnId(project, 2), before_id: inColumn(2) };
  },
};

/** The first five projects are measured; all others share what is left. */
const measured = 5;
const measuredSizes = [200, 1000, 10_000, 100_000] as const;
function sizesOf(tasks: number, count: number, largest: number): number[] {
  const first = [...measuredSizes.filter((size) => size <= largest), ...Array<number>(measured).fill(10)].slice(
    0,
    measured,
  );
  const rest = tasks - first.reduce((sum, size) => sum + size, 0);
  return [...first, ...Array<number>(count).fill(Math.max(1, Math.floor(rest / count)))];
}

export async function benchGrowth(say: (line: string) => void): Promise<void> {
  const small = { name: 'small', measured, people: 10, projects: sizesOf(1000, 10, 200) };
  const middle = { name: 'middle', measured, people: 300, projects: sizesOf(30_000, 100, 10_000) };
  const large = { name: 'large', measured, people: 10_000, projects: sizesOf(1_000_000, 1000, 100_000) };
  const instances = await openInstances(quick ? [small, middle] : [small, middle, large], say);
  try {
    const figures: AxisFigures[] = [];
    for (const axis of axesOf(instances.all)) figures.push(await measureAxis(axis, say));
    writeGrowth(figures, { rounds, most });
  } finally {
    await instances.close();
  }
}

function axesOf(instances: readonly Instance[]): Axis[] {
  const last = instances.at(-1) as Instance;
  const at = (instance: Instance, size: number, person: number, project: number): Point => ({
    size,
    instance,
    person,
    project,
    tasks: instance.size.projects[project - 1] ?? 0,
  });
  const largest = last.size.projects.slice(0, 4).filter((size) => size > 10);
  const ofPerson = [1, 10, 100, 1000].filter((count) => count <= last.size.projects.length - 5);
  const ofProject = [10, 100, 1000, 10_000].filter((count) => count <= last.size.people);
  return [
    {
      name: 'The whole instance',
      unit: 'tasks in all',
      points: instances.map((instance) => at(instance, instance.tasks, 1, 1)),
      asks: [
        oneTask,
        board,
        firstPage,
        search,
        searchMany,
        dashboard,
        story,
        members,
        projects,
        inbox,
        insert,
        rename,
        move,
        drop,
      ],
    },
    {
      name: 'One project',
      unit: 'tasks in the project',
      points: largest.map((size, index) => at(last, size, 1, index + 1)),
      asks: [
        oneTask,
        { ...board, perRow: true, name: 'a board, for each card' },
        firstPage,
        search,
        searchMany,
        dashboard,
        story,
        insert,
        rename,
        move,
        drop,
      ],
    },
    {
      name: 'One person',
      unit: 'projects of the person',
      points: ofPerson.map((count, index) => at(last, count, 3 + index, 6)),
      asks: [
        oneTask,
        board,
        search,
        // Answers of 20 and 50 rows, however many projects there are.
        searchAll,
        dashboard,
        { ...dashboardAll, perRow: true, name: 'the dashboard of all projects, for each' },
        mine,
        { ...projects, perRow: true, name: 'the list of projects, for each' },
        insert,
        move,
        drop,
      ],
    },
    {
      name: 'The people of one project',
      unit: 'people in the project',
      // Asked by somebody who is in ten projects, these among them.
      points: ofProject.map((count, index) => at(last, count, 4, 7 + index)),
      asks: [
        oneTask,
        board,
        search,
        dashboard,
        story,
        { ...members, perRow: true, name: 'members with their names, for each' },
        insert,
        rename,
        move,
      ],
    },
    {
      name: 'A long past',
      unit: 'entries done with',
      points: [at(last, 10, 1, 1), at(last, 10_000, 2, 6)],
      asks: [inbox],
    },
  ];
}

async function measureAxis({ name, unit, points, asks }: Axis, say: (line: string) => void): Promise<AxisFigures> {
  const rows = [];
  for (const ask of asks) {
    const times: number[][] = points.map(() => []);
    // Until statements are prepared on every connection, and what they read is in memory.
    for (const point of points) await timed(ask, point, 8, mostMs / 8);
    const until = performance.now() + mostMs;
    for (let round = 0; round < rounds && (round < leastRounds || performance.now() < until); round += 1)
      for (const [index, point] of points.entries()) times[index]?.push(await timed(ask, point, 1));
    const quickest = times.map((all, index) => Math.min(...all) / (ask.perRow ? (points[index]?.size ?? 1) : 1));
    const ratios = quickest.map((time) => time / (quickest[0] ?? time));
    rows.push({ name: ask.name, micros: quickest, ratios });
    const over = Math.max(...ratios) > most ? '  <<' : '';
    say(
      `${name}, ${ask.name}: ${quickest.map((time) => time.toFixed(1)).join(' → ')} µs, ${ratios.at(-1)?.toFixed(2)}${over}`,
    );
  }
  return { name, unit, sizes: points.map(({ size }) => size), rows };
}

/** Microseconds a request takes: so many times, or as many as fit into a round. */
async function timed(ask: Ask, point: Point, least: number, limitMs = Number.POSITIVE_INFINITY): Promise<number> {
  const all: number[] = [];
  const started = performance.now();
  const spentMs = (): number => performance.now() - started;
  while ((all.length < least && spentMs() < limitMs) || spentMs() < roundMs) {
    const path = ask.path(point);
    let spent = 0;
    for (const page of typeof path === 'string' ? [path] : path) spent += await timedOnce(ask, point, page);
    all.push(spent);
  }
  return median(all);
}

async function timedOnce(ask: Ask, point: Point, path: string): Promise<number> {
  const number = 1 + Math.floor(Math.random() * point.tasks);
  const id = taskId(point.project, number);
  const body = (ask.body === undefined ? '' : JSON.stringify(ask.body(point)))
    .replace('{id}', id)
    .replace('{n}', String(number).padStart(6, '0'));
  const { project, tasks } = point;
  const one: Case = {
    name: ask.name,
    method: ask.method ?? 'GET',
    path: path.replace('{id}', id),
    project,
    tasks,
    writes: false,
  };
  const raw = rawRequest(one, { anonKey: 'key', token: 'token' }, body);
  const { statement, readOnly, settings } = writeStatement(raw, point.instance.catalog);
  // What is written is taken back, so that all are asked of the same instance.
  const options = { readOnly, settings, rollback: !readOnly };
  const claims = JSON.stringify({ sub: personId(point.person), role: 'authenticated' });
  const started = performance.now();
  const result = await point.instance.database.runAs({ role: 'authenticated', claims }, statement, options);
  const spent = performance.now() - started;
  if (readOnly && result.rows[0]?.every((cell) => (cell?.length ?? 0) <= 2))
    throw new Error(`${ask.name} at ${point.size}: nothing was found`);
  return spent * 1000;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}
