// Commands on tasks themselves: make, change, archive, delete; one or many at once.

import { readWithSubtasks } from '../queries/tasks/subtasks.ts';
import { readColumnTasks, taskKey } from '../queries/tasks/tasks.ts';
import { t } from '../strings/messages.ts';
import { type Door, dataOf } from '../sync/door.ts';
import type { Mutation } from '../sync/journal/mutation.ts';
import { insert, remove, update } from '../sync/rows/diff.ts';
import { newId } from '../sync/rows/ids.ts';
import { rankBetween } from '../sync/rows/rank.ts';
import type { Priority, TaskRow } from '../sync/rows/rows.ts';
import type { Reader, RowChange } from '../sync/rows/store.ts';
import { type Checked, fieldValue, list, maybe, number, orNull, priority, record, some, text } from './args.ts';
import { define, only } from './define.ts';
import { cut, titleLength } from './limits.ts';
import { deleteRows, insertRows, rowsPerBatch, sendChanges, updateRows } from './send-changes.ts';

/** Deleting waits this long before it is sent; undo within it brings everything back. */
export const deleteHold = 8000;

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

/** A task nobody else knows of yet. */
export function newTaskRow(
  known: Pick<TaskRow, 'id' | 'project_id' | 'column_id' | 'title' | 'order_rank'> & Partial<TaskRow>,
): TaskRow {
  const now = new Date().toISOString();
  return {
    number: null,
    priority: 'p2',
    start_date: null,
    due_date: null,
    estimate: null,
    completed_at: null,
    archived_at: null,
    parent_id: null,
    subtask_position: null,
    created_by: null,
    created_at: now,
    updated_at: now,
    ...known,
  };
}

const ids = record({ taskIds: list(text) });

const made = record({
  id: text,
  title: text,
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
  apply(store, { projectId, columnId, priority, tasks }) {
    const column = store.get('workflow_columns', columnId);
    if (column === undefined) return [];
    let last = readColumnTasks(store, columnId).at(-1)?.order_rank ?? null;
    const now = new Date().toISOString();
    return tasks.flatMap((task) => {
      if (task.rank === undefined) last = rankBetween(last, null);
      const row = newTaskRow({
        id: task.id,
        project_id: projectId,
        column_id: columnId,
        title: task.title,
        priority: task.priority ?? priority,
        order_rank: task.rank ?? last ?? '',
        due_date: task.due ?? null,
        completed_at: column.kind === 'done' ? now : null,
        parent_id: task.parent ?? null,
        subtask_position: task.place ?? null,
      });
      return [
        insert('tasks', row, ['number', 'order_rank', 'completed_at', 'created_by', 'created_at', 'updated_at']),
        ...linksOf(task).assignees.map((link) => insert('task_assignees', { project_id: projectId, ...link })),
        ...linksOf(task).labels.map((link) => insert('task_label_links', { project_id: projectId, ...link })),
        ...linksOf(task).values.map((held) => insert('task_field_values', { project_id: projectId, ...held })),
      ];
    });
  },
  async send(door, { projectId, columnId, priority, tasks }) {
    const rows: RowChange[] = [];
    for (let at = 0; at < tasks.length; at += rowsPerBatch) {
      const some = tasks.slice(at, at + rowsPerBatch);
      const inserts = some.map((task) => ({
        id: task.id,
        title: task.title,
        priority: task.priority ?? priority,
        due_date: task.due ?? null,
        project_id: projectId,
        column_id: columnId,
        ...(task.rank === undefined ? {} : { order_rank: task.rank }),
        ...(task.parent === undefined ? {} : { parent_id: task.parent, subtask_position: task.place ?? null }),
      }));
      const assignees = some.flatMap((task) => linksOf(task).assignees);
      const labels = some.flatMap((task) => linksOf(task).labels);
      const values = some.flatMap((task) => linksOf(task).values);
      // With people and labels, in batches: the tasks first, so that each link finds its task.
      if (assignees.length + labels.length + values.length > 0) {
        rows.push(
          ...(await sendChanges(door, [
            insertRows('tasks', inserts),
            ...(assignees.length > 0 ? [insertRows('task_assignees', assignees)] : []),
            ...(labels.length > 0 ? [insertRows('task_label_links', labels)] : []),
            // One that a new task begins with is there already.
            ...(values.length > 0
              ? [insertRows('task_field_values', values), updateRows('task_field_values', values)]
              : []),
          ])),
        );
        continue;
      }
      const result = await door.from('tasks').upsert(inserts, { ignoreDuplicates: true }).select();
      for (const row of dataOf(result)) rows.push({ table: 'tasks', row });
    }
    return [...rows, ...(await readPassedOver(door, tasks, rows))];
  },
});

/** Those that existed already were sent before, and the answer was lost: they are read, since their numbers come from the database. */
async function readPassedOver(door: Door, tasks: readonly Made[], rows: readonly RowChange[]): Promise<RowChange[]> {
  const answered = new Set(
    rows.map((change) => (change.table === 'tasks' && 'row' in change ? change.row.id : undefined)),
  );
  const missing = tasks.map(({ id }) => id).filter((id) => !answered.has(id));
  const read: RowChange[] = [];
  // So many go into an address.
  for (let at = 0; at < missing.length; at += 100) {
    const result = await door
      .from('tasks')
      .select()
      .in('id', missing.slice(at, at + 100));
    read.push(...dataOf(result).map((row): RowChange => ({ table: 'tasks', row })));
  }
  return read;
}

function linksOf({ id, assignees = [], labels = [], values = [] }: Made) {
  return {
    assignees: assignees.map((user_id) => ({ task_id: id, user_id })),
    labels: labels.map((label_id) => ({ task_id: id, label_id })),
    values: values.map(({ fieldId, value }) => ({
      task_id: id,
      field_id: fieldId,
      value: typeof value === 'string' ? value : [...value],
    })),
  };
}

export interface NewTask {
  readonly id?: string;
  readonly projectId: string;
  readonly columnId: string;
  readonly title: string;
  readonly priority?: Priority;
}

/** One of several that are made at once. */
export interface TaskDraft {
  readonly id?: string;
  readonly title: string;
  readonly priority?: Priority | undefined;
  readonly due?: string | undefined;
  readonly parentId?: string | undefined;
  readonly place?: number | undefined;
  readonly assignees?: readonly string[];
  readonly labels?: readonly string[];
  readonly values?: readonly { readonly fieldId: string; readonly value: string | readonly string[] }[] | undefined;
}

export function createTask(store: Reader, { projectId, columnId, ...draft }: NewTask): Mutation {
  return createTasks(store, { projectId, columnId }, [draft]);
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
    ({ id = newId(), title, priority, due, parentId, place, assignees, labels, values }): Made => {
      if (atTop) above = rankBetween(above, first);
      return {
        id,
        title: cut(title.trim(), titleLength),
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

const taskPatch = some({
  title: text,
  description: text,
  priority,
  start_date: orNull(text),
  due_date: orNull(text),
  estimate: orNull(number),
});

const edit = define('editTasks', record({ taskIds: list(text), patch: taskPatch }), {
  yields: true,
  apply: (store, { taskIds, patch }) => only(...tasksOf(store, taskIds).map((task) => update('tasks', task, patch))),
  send: (door, { taskIds, patch }) =>
    sendChanges(door, [
      updateRows(
        'tasks',
        taskIds.map((id) => ({ id, ...patch })),
      ),
    ]),
});

export type TaskPatch = Partial<
  Pick<TaskRow, 'title' | 'description' | 'priority' | 'start_date' | 'due_date' | 'estimate'>
>;

export function editTasks(store: Reader, ids: readonly string[], patch: TaskPatch): Mutation {
  const differing = tasksOf(store, ids).filter((task) => update('tasks', task, patch) !== null);
  const taskIds = differing.map((task) => task.id);
  return edit({ taskIds, patch }, sayTasks(store, taskIds, 'edited'));
}

const archive = define('archiveTasks', ids, {
  announced: true,
  apply(store, { taskIds }) {
    const archived_at = new Date().toISOString();
    const tasks = tasksOf(store, taskIds).filter((task) => task.archived_at === null);
    return only(...tasks.map((task) => update('tasks', task, { archived_at })));
  },
  send(door, { taskIds }) {
    const archived_at = new Date().toISOString();
    return sendChanges(door, [
      updateRows(
        'tasks',
        taskIds.map((id) => ({ id, archived_at })),
      ),
    ]);
  },
});

export function archiveTasks(store: Reader, ids: readonly string[]): Mutation {
  const taskIds = readWithSubtasks(store, ids)
    .filter((task) => task.archived_at === null)
    .map((task) => task.id);
  return archive({ taskIds }, sayTasks(store, taskIds, 'archived'));
}

const unarchive = define('unarchiveTask', record({ taskId: text }), {
  apply(store, { taskId }) {
    const [task, ...under] = readWithSubtasks(store, [taskId]);
    if (task === undefined) return [];
    // What was put away with it comes back with it.
    const back = under.filter((one) => one.archived_at === task.archived_at);
    return only(...[task, ...back].map((one) => update('tasks', one, { archived_at: null })));
  },
  send: (door, { taskId }) => sendChanges(door, [updateRows('tasks', [{ id: taskId, archived_at: null }])]),
});

export function unarchiveTask(store: Reader, taskId: string): Mutation {
  const task = store.get('tasks', taskId);
  return unarchive({ taskId }, task ? t('task.did.unarchived', { key: keyIn(store, task) }) : '');
}

const copy = define('duplicateTask', record({ taskId: text, id: text }), {
  announced: true,
  apply(store, { taskId, id }) {
    const task = store.get('tasks', taskId);
    if (task === undefined) return [];
    const now = new Date().toISOString();
    const next = readColumnTasks(store, task.column_id).find((one) => one.order_rank > task.order_rank);
    const row: TaskRow = {
      ...task,
      id,
      number: null,
      order_rank: rankBetween(task.order_rank, next?.order_rank ?? null),
      cover_attachment_id: null,
      archived_at: null,
      created_by: null,
      created_at: now,
      updated_at: now,
    };
    return [
      insert('tasks', row, ['number', 'order_rank', 'completed_at', 'created_by', 'created_at', 'updated_at']),
      ...store
        .where('task_assignees', 'task_id', taskId)
        .map((one) => insert('task_assignees', { ...one, task_id: id })),
      ...store
        .where('task_label_links', 'task_id', taskId)
        .map((one) => insert('task_label_links', { ...one, task_id: id })),
    ];
  },
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

const destroy = define('deleteTasks', ids, {
  hold: deleteHold,
  apply: (store, { taskIds }) => tasksOf(store, taskIds).map((task) => remove('tasks', task)),
  send: (door, { taskIds }) =>
    sendChanges(door, [
      deleteRows(
        'tasks',
        taskIds.map((id) => ({ id })),
      ),
    ]),
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
