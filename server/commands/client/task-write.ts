// `kanbase task new`, `comment`, `move` and `done`.

import { randomUUID } from 'node:crypto';
import { CommandError, UsageError } from '../command.ts';
import { dropClaim, underClaim } from './claims.ts';
import { type ClientCall, type ClientCommand, one } from './client-command.ts';
import type { Instance } from './instance.ts';
import { projectFlag, requireProject } from './projects.ts';
import {
  addressOf,
  findNamed,
  findPerson,
  findTask,
  keyOf,
  type Named,
  plainTask,
  readColumns,
  readDay,
  readPriority,
  readTasks,
  type Task,
} from './tasks.ts';
import { cleanLine, paint, sayJson } from './write-output.ts';

const taskWord = { name: 'TASK', meaning: 'WEB-12, or 12 in the usual project.' };

export const taskNew: ClientCommand = {
  name: 'task new',
  summary: 'Create a task.',
  words: [{ name: 'TITLE', meaning: 'Up to 500 characters.', takesRest: true }],
  flags: [
    projectFlag,
    { name: 'description', short: 'd', value: 'text', meaning: 'Markdown; - reads standard input.' },
    { name: 'column', short: 'c', value: 'column', meaning: 'Left out: the leftmost.' },
    { name: 'priority', value: 'priority', meaning: 'p0, p1 or p2; p2 when left out.' },
    { name: 'due', value: 'day', meaning: '2026-12-24, today, tomorrow, or +3 for in three days.' },
    { name: 'assign', short: 'a', value: 'person', meaning: 'A member, or me; may be repeated.', several: true },
    { name: 'label', short: 'l', value: 'label', meaning: 'A label of the project; may be repeated.', several: true },
    { name: 'parent', value: 'task', meaning: 'Create it as a subtask of this one.' },
  ],
  examples: [
    'npx kanbase task new "Paint the crane" --assign me --due tomorrow',
    'git log -1 --format=%b | npx kanbase task new Review -d -',
  ],
  run: create,
};

export const taskComment: ClientCommand = {
  name: 'task comment',
  summary: 'Comment on a task.',
  words: [
    taskWord,
    { name: 'TEXT', meaning: 'Markdown; - or nothing reads standard input.', isOptional: true, takesRest: true },
  ],
  flags: [projectFlag],
  examples: ['npx kanbase task comment WEB-12 "The red one"', 'make test 2>&1 | npx kanbase task comment 12 -'],
  run: comment,
};

export const taskMove: ClientCommand = {
  name: 'task move',
  summary: 'Move a task to another column, at its end.',
  words: [taskWord, { name: 'COLUMN', meaning: 'Its name, or how it begins.', takesRest: true }],
  flags: [projectFlag, { name: 'top', meaning: 'To the top of the column.' }],
  examples: ['npx kanbase task move WEB-12 In progress'],
  run: move,
};

export const taskDone: ClientCommand = {
  name: 'task done',
  summary: 'Move tasks to the column in which they are done.',
  words: [{ name: 'TASK…', meaning: taskWord.meaning, takesRest: true }],
  flags: [projectFlag],
  examples: ['npx kanbase task done WEB-12 WEB-13'],
  run: finish,
};

async function create(call: ClientCall): Promise<void> {
  const instance = await call.instance();
  const title = (call.words[0] ?? '').trim();
  if (title === '') throw new UsageError('the title is empty');
  const [priority, due, column] = [one(call, 'priority'), one(call, 'due'), one(call, 'column')];
  const fields = {
    ...(priority === null ? {} : { priority: readPriority(priority) }),
    ...(due === null ? {} : { due_date: readDay(due, '--due') }),
  };
  const description = await readText(call, one(call, 'description'));
  const project = await requireProject(call);
  // All names are looked up before anything is written.
  const parent = one(call, 'parent') === null ? null : await findTask(call, one(call, 'parent') ?? '');
  const place = column === null ? null : findNamed('column', await readColumns(instance, project.id), column).id;
  const people = await Promise.all((call.flags.get('assign') ?? []).map((name) => findPerson(instance, name)));
  const labels = await findLabels(instance, project.id, call.flags.get('label') ?? []);
  const task = {
    id: randomUUID(),
    project_id: project.id,
    title,
    ...fields,
    ...(description === null ? {} : { description }),
    ...(place === null ? {} : { column_id: place }),
    ...(parent === null ? {} : { parent_id: parent.id }),
  };
  const link = { project_id: project.id, task_id: task.id };
  const insert = (table: string, rows: readonly object[]): object[] =>
    rows.length === 0 ? [] : [{ change: 'insert', table, rows }];
  // A subtask of a claimed task is part of the work on it.
  const writing = parent === null ? instance : underClaim(call, instance, parent.id);
  await writing.call('apply_changes', {
    changes: [
      ...insert('tasks', [task]),
      ...insert(
        'task_assignees',
        people.map((user_id) => ({ ...link, user_id })),
      ),
      ...insert(
        'task_label_links',
        labels.map((label_id) => ({ ...link, label_id })),
      ),
    ],
  });
  await sayTask(call, task.id, (created) => `Created ${keyOf(created)}`);
}

async function findLabels(instance: Instance, projectId: string, names: readonly string[]): Promise<readonly string[]> {
  if (names.length === 0) return [];
  const labels = await instance.read<readonly Named[]>('task_labels', [
    ['select', 'id,name'],
    ['project_id', `eq.${projectId}`],
    ['order', 'name'],
  ]);
  return [...new Set(names.map((name) => findNamed('label', labels, name).id))];
}

async function readText(call: ClientCall, given: string | null): Promise<string | null> {
  return given === '-' ? (await call.input()).trimEnd() : given;
}

async function comment(call: ClientCall): Promise<void> {
  const instance = await call.instance();
  const body = ((await readText(call, call.words[1] ?? '-')) ?? '').trim();
  if (body === '') throw new UsageError('the comment is empty');
  const task = await findTask(call, call.words[0] ?? '');
  const [created] = await underClaim(call, instance, task.id).write<
    readonly { id: string; body: string; created_at: string }[]
  >('POST', 'task_comments', { task_id: task.id, project_id: task.project.id, body }, [
    ['select', 'id,body,created_at'],
  ]);
  if (call.flags.has('json')) return sayJson(call.screen, { key: keyOf(task), ...created });
  call.screen.say(`Commented on ${keyOf(task)} ${cleanLine(task.title)}`);
}

async function move(call: ClientCall): Promise<void> {
  const instance = await call.instance();
  const task = await findTask(call, call.words[0] ?? '');
  const column = findNamed('column', await readColumns(instance, task.project.id), call.words[1] ?? '');
  const before = call.flags.has('top') ? await firstIn(instance, column.id, task.id) : null;
  await underClaim(call, instance, task.id).call('move_task', {
    task_id: task.id,
    column_id: column.id,
    ...(before === null ? {} : { before_id: before }),
  });
  if (column.kind === 'done') await dropClaim(call, instance, task.id);
  await sayTask(call, task.id, (moved) => `Moved ${keyOf(moved)} to ${cleanLine(column.name)}`);
}

async function firstIn(instance: Instance, columnId: string, except: string): Promise<string | null> {
  const [first] = await instance.read<readonly { id: string }[]>('tasks', [
    ['select', 'id'],
    ['column_id', `eq.${columnId}`],
    ['archived_at', 'is.null'],
    ['id', `neq.${except}`],
    ['order', 'order_rank'],
    ['limit', '1'],
  ]);
  return first?.id ?? null;
}

async function finish(call: ClientCall): Promise<void> {
  const instance = await call.instance();
  const names = (call.words[0] ?? '').split(/[\s,]+/).filter((name) => name !== '');
  const tasks: Task[] = [];
  for (const name of names) tasks.push(await findTask(call, name));
  const done: Task[] = [];
  try {
    for (const task of tasks) {
      if (task.completed_at === null) await moveToDone(underClaim(call, instance, task.id), task);
      await dropClaim(call, instance, task.id);
      const [now] = await readTasks(instance, [['id', `eq.${task.id}`]]);
      done.push(now ?? task);
      if (!call.flags.has('json')) sayLine(call, instance, now ?? task, `${keyOf(task)} is done`);
    }
  } finally {
    // Also those before one that stays open.
    const plain = done.map((task) => plainTask(instance, task));
    if (call.flags.has('json') && plain.length > 0) sayJson(call.screen, tasks.length === 1 ? plain[0] : plain);
  }
}

async function moveToDone(instance: Instance, task: Task): Promise<void> {
  const columns = await readColumns(instance, task.project.id);
  const column = columns.find(({ kind }) => kind === 'done');
  if (column === undefined)
    throw new CommandError(
      `${task.project.key} has no column of the kind “done”: add one, or use npx kanbase task move`,
    );
  try {
    await instance.call('move_task', { task_id: task.id, column_id: column.id });
  } catch (error) {
    if (error instanceof CommandError) throw new CommandError(`${keyOf(task)} stays open: ${error.message}`);
    throw error;
  }
}

async function sayTask(call: ClientCall, id: string, say: (task: Task) => string): Promise<void> {
  const instance = await call.instance();
  const [task] = await readTasks(instance, [['id', `eq.${id}`]]);
  if (task === undefined) throw new CommandError('the task is saved, but you can no longer see it');
  if (call.flags.has('json')) return sayJson(call.screen, plainTask(instance, task));
  sayLine(call, instance, task, say(task));
}

/** For people in a terminal; for programs key, title and address. */
function sayLine({ screen }: ClientCall, instance: Instance, task: Task, words: string): void {
  const address = addressOf(instance, task);
  const lines = screen.isTerminal
    ? [`${paint(screen, 'green', words)}  ${cleanLine(task.title)}`, paint(screen, 'dim', address)]
    : [[keyOf(task), cleanLine(task.title), address].join('\t')];
  for (const line of lines) screen.say(line);
}
