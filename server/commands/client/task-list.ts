// `kanbase task list` and `kanbase task next`.

import { UsageError } from '../command.ts';
import { type ClientCall, type ClientCommand, one } from './client-command.ts';
import type { Instance } from './instance.ts';
import { projectFlag, requireProject } from './projects.ts';
import { claimFlags, claimNext, plainClaim, sayTime } from './task-claim.ts';
import {
  addressOf,
  beginningWith,
  findNamed,
  findPerson,
  keyOf,
  listColumns,
  type Named,
  plainTask,
  projectFilter,
  quoted,
  readColumns,
  readPriority,
  readTasks,
  type Task,
} from './tasks.ts';
import { cleanLine, paint, sayJson, sayTable } from './write-output.ts';

const usualLimit = 30;
const mostRows = 1000;

export const taskList: ClientCommand = {
  name: 'task list',
  summary: 'List open tasks of the project; without a usual one, those of all your projects.',
  flags: [
    projectFlag,
    { name: 'mine', short: 'm', meaning: 'Assigned to you.' },
    { name: 'assignee', short: 'a', value: 'person', meaning: 'Assigned to this member.' },
    { name: 'column', short: 'c', value: 'column', meaning: 'In this column; done ones too.' },
    { name: 'label', short: 'l', value: 'label', meaning: 'With this label.' },
    { name: 'priority', value: 'priority', meaning: 'p0, p1 or p2.' },
    { name: 'search', short: 's', value: 'words', meaning: 'That have these words in title, description or comments.' },
    { name: 'all', meaning: 'Done ones too.' },
    { name: 'limit', value: 'number', meaning: `At most so many; ${usualLimit} when left out.` },
  ],
  examples: ['npx kanbase task list --mine', 'npx kanbase task list -p WEB --column "In progress" --json'],
  run: list,
};

export const taskNext: ClientCommand = {
  name: 'task next',
  summary: 'Show the task to do next: assigned to you, most urgent, waiting for nothing.',
  about:
    'By priority, then due date. Tasks that wait for open ones are passed over. Nothing is changed, unless you claim one: then further task commands here are refused once its time has run out.',
  flags: [projectFlag, ...claimFlags],
  examples: ['npx kanbase task next', 'npx kanbase task next --claim --view "Ready" --seconds 3600'],
  run: next,
};

type Filter = readonly [name: string, value: string];

async function list(call: ClientCall): Promise<void> {
  const instance = await call.instance();
  const limit = readLimit(one(call, 'limit'));
  const { filters, more } = await readFilters(call);
  const found = await readTasks(
    instance,
    [...filters, ['order', 'project_id,priority,due_date.asc.nullslast,number'], ['limit', String(limit + 1)]],
    more,
  );
  const tasks = found.slice(0, limit);
  if (call.flags.has('json'))
    return sayJson(
      call.screen,
      tasks.map((task) => plainTask(instance, task)),
    );
  if (tasks.length === 0) return call.screen.note('No tasks match.');
  sayTable(call.screen, listColumns, tasks);
  if (found.length > limit) call.screen.note(`The first ${limit} are shown. --limit shows more`);
}

function readLimit(text: string | null): number {
  if (text === null) return usualLimit;
  const limit = Number(text);
  if (Number.isInteger(limit) && limit >= 1 && limit < mostRows) return limit;
  throw new UsageError(`--limit must be a whole number from 1 to ${mostRows - 1}, not ${JSON.stringify(text)}`);
}

async function readFilters(call: ClientCall): Promise<{ readonly filters: readonly Filter[]; readonly more: string }> {
  const instance = await call.instance();
  const within = await projectFilter(call);
  const filters: Filter[] = [...within, ['archived_at', 'is.null'], ['project.archived_at', 'is.null']];
  const [column, label, words] = [one(call, 'column'), one(call, 'label'), one(call, 'search')];
  const priority = one(call, 'priority');
  const person = call.flags.has('mine') ? 'me' : one(call, 'assignee');
  let more = '';
  if (column === null && !call.flags.has('all')) filters.push(['completed_at', 'is.null']);
  if (priority !== null) filters.push(['priority', `eq.${readPriority(priority)}`]);
  if (column !== null) {
    const project = await requireProject(call);
    filters.push(['column_id', `eq.${findNamed('column', await readColumns(instance, project.id), column).id}`]);
  }
  if (person !== null) {
    more += ',asked:task_assignees!inner(user_id)';
    filters.push(['asked.user_id', `eq.${await findPerson(instance, person)}`]);
  }
  if (label !== null) {
    more += ',marked:task_label_links!inner(label:task_labels!inner(name))';
    const { name } = await findLabel(instance, within, label);
    filters.push(['marked.label.name', `ilike.${name.replaceAll(/[\\%_*]/g, '_')}`]);
  }
  if (words !== null) {
    const [, project] = within[0] ?? [];
    const found = await instance.call<readonly { id: string }[]>('search_tasks', {
      query: words,
      max_rows: 200,
      ...(project === undefined ? {} : { project_id: project.slice('eq.'.length) }),
    });
    filters.push(['id', `in.(${found.map(({ id }) => quoted(id)).join(',')})`]);
  }
  return { filters, more };
}

/** Labels of several projects with the same name are one. */
async function findLabel(instance: Instance, within: readonly Filter[], named: string): Promise<Named> {
  const labels = await instance.read<readonly Named[]>('task_labels', [
    ['select', 'id,name'],
    ...(within.length > 0 ? within : [['name', `ilike.${beginningWith(named)}`] as const]),
    ['order', 'name,id'],
  ]);
  return findNamed('label', [...new Map(labels.map((label) => [label.name.toLowerCase(), label])).values()], named);
}

interface Waiting extends Task {
  readonly waits: readonly { readonly predecessor: Predecessor | null }[];
}
export interface Predecessor {
  readonly number: number;
  readonly completed_at: string | null;
  readonly archived_at: string | null;
}

export const waitsColumn =
  ',waits:task_dependencies!task_dependencies_successor_of_same_project(predecessor:tasks!task_dependencies_predecessor_of_same_project(number,completed_at,archived_at))';

export const openPredecessors = ({ waits }: Pick<Waiting, 'waits'>): number[] =>
  waits.flatMap(({ predecessor }) =>
    predecessor === null || predecessor.completed_at !== null || predecessor.archived_at !== null
      ? []
      : [predecessor.number],
  );

async function next(call: ClientCall): Promise<void> {
  if (call.flags.has('claim')) return claim(call);
  const flag = claimFlags.find(({ name }) => call.flags.has(name));
  if (flag !== undefined) throw new UsageError(`--${flag.name} goes with --claim`);
  const instance = await call.instance();
  const me = await instance.me();
  const tasks = (await readTasks(
    instance,
    [
      ...(await projectFilter(call)),
      ['asked.user_id', `eq.${me}`],
      ['completed_at', 'is.null'],
      ['archived_at', 'is.null'],
      ['project.archived_at', 'is.null'],
      ['order', 'priority,due_date.asc.nullslast,created_at,id'],
      ['limit', '200'],
    ],
    `,asked:task_assignees!inner(user_id)${waitsColumn}`,
  )) as readonly Waiting[];
  const found = tasks.find((task) => openPredecessors(task).length === 0) ?? null;
  if (call.flags.has('json')) return sayJson(call.screen, found === null ? null : plainTask(instance, found));
  if (found === null)
    return call.screen.note(
      tasks.length === 0 ? 'Nothing is assigned to you.' : `All ${tasks.length} tasks assigned to you wait for others.`,
    );
  sayNext(call, instance, found);
}

async function claim(call: ClientCall): Promise<void> {
  const instance = await call.instance();
  const found = await claimNext(call);
  if (call.flags.has('json')) return sayJson(call.screen, found === null ? null : plainClaim(instance, found));
  if (found === null) return call.screen.note('Nothing is left to claim.');
  sayNext(call, instance, found);
  call.screen.note(`Yours until ${sayTime(found.claim.expires_at)}`);
}

function sayNext({ screen }: ClientCall, instance: Instance, task: Task): void {
  if (!screen.isTerminal) {
    sayTable(screen, listColumns, [task]);
    return;
  }
  const due = task.due_date === null ? '' : `, due ${task.due_date}`;
  const facts = `${task.column?.name ?? ''}, ${task.priority.toUpperCase()}${due}`;
  screen.say(`${paint(screen, 'bold', keyOf(task))}  ${cleanLine(task.title)}`);
  screen.say(paint(screen, 'dim', cleanLine(facts)));
  screen.say(paint(screen, 'dim', addressOf(instance, task)));
}
