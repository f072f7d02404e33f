// Commands on tasks themselves: make, change, archive, delete; one or many at once.

import type { TaskPatch } from '../properties/cell-value.ts';
import { readColumnTasks } from '../queries/tasks/column-tasks.ts';
import { deepest, readWithSubtasks } from '../queries/tasks/subtasks.ts';
import { taskKey } from '../queries/tasks/task-key.ts';
import { t } from '../strings/messages.ts';
import { dataOf } from '../sync/door.ts';
import type { Mutation } from '../sync/journal/entries.ts';
import type { Change } from '../sync/procedures.ts';
import { type Diff, insert, update } from '../sync/rows/diff.ts';
import { newId } from '../sync/rows/ids.ts';
import { rankBetween } from '../sync/rows/rank.ts';
import type { Priority, TaskRow } from '../sync/rows/rows.ts';
import type { Reader } from '../sync/rows/store.ts';
import { type TaskColumn, taskColumns } from '../sync/tables.ts';
import {
  type Check,
  type Checked,
  define,
  fieldValue,
  list,
  maybe,
  number,
  priority,
  record,
  some,
  text,
} from './define-command.ts';
import { deleteRows, insertRows, putRows, updateRows } from './send-changes.ts';
import { insertTask } from './show-changes.ts';
import { titleLength, truncate } from './text-limits.ts';

/** Deleting waits this long before it is sent; undo within it brings everything back. */
export const deleteDelay = 8000;

export function keyIn(store: Reader, task: TaskRow): string {
  return taskKey(store.get('projects', task.project_id), task);
}

/** What was done: to one, which is named, or to so many. */
function sayTasks(store: Reader, ids: readonly string[], did: 'edited' | 'archived' | 'deleted'): string {
  const task = ids.length === 1 ? store.get('tasks', ids[0] ?? '') : undefined;
  return task ? t(`task.did.${did}`, { key: keyIn(store, task) }) : t(`task.did.${did}Many`, { n: ids.length });
}

function tasksOf(store: Reader, ids: readonly string[]): TaskRow[] {
  return ids.map((id) => store.get('tasks', id)).filter((task) => task !== undefined);
}

const ids = record({ taskIds: list(text) });

const made = record({
  id: text,
  title: text,
  description: maybe(text),
  priority: maybe(priority),
  due: maybe(text),
  /** Where it is not the end of the column. */
  rank: maybe(text),
  /** What it is a part of, and where among its parts. */
  parent: maybe(text),
  place: maybe(number),
  assignees: maybe(list(text)),
  labels: maybe(list(text)),
  values: maybe(list(fieldValue)),
});
type Made = Checked<typeof made>;

const create = define('createTasks', record({ projectId: text, columnId: text, priority, tasks: list(made) }), {
  // The tasks first, so that each link finds its task.
  changes: ({ projectId, columnId, priority, tasks }) => [
    insertRows(
      'tasks',
      tasks.map(({ id, title, description, due, rank, parent, place, ...task }) => ({
        ...{ id, title, project_id: projectId, column_id: columnId },
        ...{ priority: task.priority ?? priority, due_date: due ?? null },
        ...(description === undefined ? {} : { description }),
        ...(rank === undefined ? {} : { order_rank: rank }),
        ...(parent === undefined ? {} : { parent_id: parent, subtask_position: place ?? null }),
      })),
    ),
    ...linksOf(tasks),
  ],
});

/** Whom and what new tasks begin with; some values are there with the task already. */
export function linksOf(tasks: readonly Pick<Made, 'id' | 'assignees' | 'labels' | 'values'>[]): Change[] {
  return [
    insertRows(
      'task_assignees',
      tasks.flatMap(({ id, assignees = [] }) => assignees.map((user_id) => ({ task_id: id, user_id }))),
    ),
    insertRows(
      'task_label_links',
      tasks.flatMap(({ id, labels = [] }) => labels.map((label_id) => ({ task_id: id, label_id }))),
    ),
    ...putRows(
      'task_field_values',
      tasks.flatMap(({ id, values = [] }) =>
        values.map(({ fieldId, value }) => ({
          ...{ task_id: id, field_id: fieldId },
          value: typeof value === 'string' ? value : [...value],
        })),
      ),
      ['value'],
    ),
  ];
}

/** One of several that are made at once. */
export interface TaskDraft {
  readonly id?: string;
  readonly title: string;
  readonly description?: string | undefined;
  readonly priority?: Priority | undefined;
  readonly due?: string | undefined;
  readonly parentId?: string | undefined;
  readonly place?: number | undefined;
  readonly assignees?: readonly string[];
  readonly labels?: readonly string[];
  readonly values?: readonly { readonly fieldId: string; readonly value: string | readonly string[] }[] | undefined;
}

export interface NewPlace {
  readonly projectId: string;
  readonly columnId: string;
  /** Else at the end of the column. */
  readonly atTop?: boolean;
}

/** In their order. */
export function createTasks(store: Reader, place: NewPlace, drafts: readonly TaskDraft[]): Mutation {
  const { projectId, columnId, atTop = false } = place;
  const first = readColumnTasks(store, columnId)[0]?.order_rank ?? null;
  let above: string | null = null;
  const tasks = drafts.map(
    ({ id = newId(), title, description, priority, due, parentId, place, assignees, labels, values }): Made => {
      if (atTop) above = rankBetween(above, first);
      return {
        id,
        title: truncate(title.trim(), titleLength),
        description,
        priority,
        due,
        rank: above ?? undefined,
        parent: parentId,
        place,
        assignees,
        labels,
        values,
      };
    },
  );
  const [only] = drafts;
  return create(
    { projectId, columnId, priority: 'p2', tasks },
    drafts.length === 1
      ? t('task.did.created', { title: shortened((only?.title ?? '').trim()) })
      : t('task.did.createdMany', { n: drafts.length }),
  );
}

const plain: Check<string | number | null> = (value) => value === null || text(value) || number(value);
const taskPatch = some<Record<keyof TaskPatch, Check<unknown>>>({
  ...(Object.fromEntries(taskColumns.map((column) => [column, plain])) as Record<TaskColumn, typeof plain>),
  ...{ title: text, description: text, priority },
}) as Check<TaskPatch>;

const edit = define('editTasks', record({ taskIds: list(text), patch: taskPatch }), {
  changes: ({ taskIds, patch }) => [
    updateRows(
      'tasks',
      taskIds.map((id) => ({ id, ...patch })),
    ),
  ],
});

export function editTasks(store: Reader, ids: readonly string[], patch: TaskPatch): Mutation {
  const differing = tasksOf(store, ids).filter((task) => update('tasks', task, patch) !== null);
  const taskIds = differing.map((task) => task.id);
  return edit({ taskIds, patch }, sayTasks(store, taskIds, 'edited'));
}

const restoreText = define('restoreDescription', record({ taskId: text, description: text }), {
  announced: true,
  changes: ({ taskId, description }) => [updateRows('tasks', [{ id: taskId, description }])],
});

/** A text that stood there before. */
export function restoreDescription(store: Reader, taskId: string, description: string): Mutation {
  const task = store.get('tasks', taskId);
  return restoreText({ taskId, description }, task ? t('task.did.described', { key: keyIn(store, task) }) : '');
}

const archive = define('archiveTasks', ids, {
  announced: true,
  changes({ taskIds }) {
    const archived_at = new Date().toISOString();
    return [
      updateRows(
        'tasks',
        taskIds.map((id) => ({ id, archived_at })),
      ),
    ];
  },
});

export function archiveTasks(store: Reader, ids: readonly string[]): Mutation {
  const taskIds = readWithSubtasks(store, ids)
    .filter((task) => task.archived_at === null)
    .map((task) => task.id);
  return archive({ taskIds }, sayTasks(store, taskIds, 'archived'));
}

const unarchive = define('unarchiveTask', record({ taskId: text, under: maybe(list(text)) }), {
  changes: ({ taskId, under = [] }) => [
    updateRows(
      'tasks',
      [taskId, ...under].map((id) => ({ id, archived_at: null })),
    ),
  ],
});

export function unarchiveTask(store: Reader, taskId: string): Mutation {
  const [task, ...under] = readWithSubtasks(store, [taskId]);
  // What was put away with it comes back with it.
  const back = under.filter((one) => one.archived_at === task?.archived_at).map(({ id }) => id);
  return unarchive({ taskId, under: back }, task ? t('task.did.unarchived', { key: keyIn(store, task) }) : '');
}

/** What is seen of a copy until the server has answered. */
function copyHere(store: Reader, taskId: string, id: string): Diff {
  const task = store.get('tasks', taskId);
  if (task === undefined) return [];
  const next = readColumnTasks(store, task.column_id).find((one) => one.order_rank > task.order_rank);
  const { created_at: _, updated_at: __, ...same } = task;
  const own = { id, number: null, cover_attachment_id: null, archived_at: null, created_by: null };
  const order_rank = rankBetween(task.order_rank, next?.order_rank ?? null);
  return [
    insertTask({ ...same, ...own, order_rank }),
    ...store.where('task_assignees', 'task_id', taskId).map((one) => insert('task_assignees', { ...one, task_id: id })),
    ...store
      .where('task_label_links', 'task_id', taskId)
      .map((one) => insert('task_label_links', { ...one, task_id: id })),
  ];
}

const copy = define('duplicateTask', record({ taskId: text, id: text }), {
  announced: true,
  apply: (store, { taskId, id }) => copyHere(store, taskId, id),
  async send(door, { taskId, id }) {
    const row = dataOf(await door.rpc('duplicate_task', { task_id: taskId, new_id: id }));
    return [{ table: 'tasks', row }];
  },
});

/** Right below the first; its checklist comes from the server. */
export function duplicateTask(store: Reader, taskId: string, id = newId()): Mutation {
  const task = store.get('tasks', taskId);
  return copy({ taskId, id }, task ? t('task.did.duplicated', { key: keyIn(store, task) }) : '');
}

const copies = define('duplicateTasks', record({ taskIds: list(text), ids: list(text) }), {
  announced: true,
  apply: (store, { taskIds, ids }) => taskIds.flatMap((taskId, at) => copyHere(store, taskId, ids[at] ?? '')),
  async send(door, { taskIds, ids }) {
    const rows = dataOf(await door.rpc('duplicate_tasks', { task_ids: [...taskIds], new_ids: [...ids] }));
    return rows.map((row) => ({ table: 'tasks', row }) as const);
  },
});

/** Each right below its own. One whose parent is copied too comes with that. */
export function duplicateTasks(store: Reader, taskIds: readonly string[]): Mutation {
  const named = new Set(taskIds);
  const comesAlong = (id: string, depth = 1): boolean => {
    const parent = store.get('tasks', id)?.parent_id ?? null;
    return parent !== null && depth < deepest && (named.has(parent) || comesAlong(parent, depth + 1));
  };
  const own = tasksOf(store, taskIds)
    .map(({ id }) => id)
    .filter((id) => !comesAlong(id));
  return copies({ taskIds: own, ids: own.map(() => newId()) }, t('task.did.duplicatedMany', { n: taskIds.length }));
}

const destroy = define('deleteTasks', ids, {
  delay: deleteDelay,
  changes: ({ taskIds }) => [
    deleteRows(
      'tasks',
      taskIds.map((id) => ({ id })),
    ),
  ],
});

/** Shown at once, sent when the time for undoing is over: a deleted task's history cannot be made again. */
export function deleteTasks(store: Reader, ids: readonly string[]): Mutation {
  // What is under them goes with them.
  const taskIds = readWithSubtasks(store, ids).map((task) => task.id);
  return destroy({ taskIds }, sayTasks(store, taskIds, 'deleted'));
}

/** A title as a short sentence can name it. */
function shortened(title: string): string {
  const letters = [...title];
  return letters.length > 60 ? `${letters.slice(0, 60).join('')}…` : title;
}
