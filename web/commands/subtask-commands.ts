// Commands on subtasks: nesting, order, and turning checklist items into tasks and back.

import { readColumns } from '../queries/projects/projects.ts';
import { readColumnTasks } from '../queries/tasks/column-tasks.ts';
import { readSubtasks } from '../queries/tasks/subtasks.ts';
import { t } from '../strings/messages.ts';
import { dataOf } from '../sync/door.ts';
import type { Mutation } from '../sync/journal/entries.ts';
import { insert, remove, update } from '../sync/rows/diff.ts';
import { newId } from '../sync/rows/ids.ts';
import { rankBetween } from '../sync/rows/rank.ts';
import type { ColumnRow, TaskRow } from '../sync/rows/rows.ts';
import type { Reader } from '../sync/rows/store.ts';
import { define, flag, list, number, only, orNull, record, text } from './define-command.ts';
import { updateRows } from './send-changes.ts';
import { insertTask } from './show-changes.ts';
import { createTasks, deleteDelay, keyIn, type TaskDraft } from './task-commands.ts';
import { positionAt } from './task-parts.ts';

/** The column in which a task of this project is done, or open: its own if that says so already. */
export function columnFor(
  store: Reader,
  task: Pick<TaskRow, 'project_id' | 'column_id'>,
  done: boolean,
): ColumnRow | undefined {
  const fits = (column: ColumnRow): boolean => (column.kind === 'done') === done;
  const columns = readColumns(store, task.project_id).filter(fits);
  const own = columns.find((column) => column.id === task.column_id);
  return own ?? columns.find((column) => column.kind === 'todo') ?? columns[0];
}

/** At the end of its parts, in their order; they stand in its column, or where tasks are begun if it is done. */
export function addSubtasks(store: Reader, parentId: string, drafts: readonly TaskDraft[]): Mutation {
  const parent = store.get('tasks', parentId);
  const columnId = (parent && columnFor(store, parent, false)?.id) ?? parent?.column_id ?? '';
  const last = readSubtasks(store, parentId).at(-1)?.subtask_position ?? 0;
  return createTasks(
    store,
    { projectId: parent?.project_id ?? '', columnId },
    drafts.map((draft, at) => ({ ...draft, parentId, place: last + 1024 * (at + 1) })),
  );
}

const nest = define(
  'nestTasks',
  record({ tasks: list(record({ id: text, place: orNull(number) })), parentId: orNull(text) }),
  {
    changes: ({ tasks, parentId }) => [
      updateRows(
        'tasks',
        tasks.map(({ id, place }) => ({ id, parent_id: parentId, subtask_position: place })),
      ),
    ],
  },
);

/** Among the parts of that task, from a place among the others on, or at their end; null: tasks of their own. */
export function nestTasks(
  store: Reader,
  taskIds: readonly string[],
  parentId: string | null,
  index?: number,
): Mutation {
  const n = taskIds.length;
  const keyOf = (id: string | null | undefined): string => {
    const task = store.get('tasks', id ?? '');
    return task ? keyIn(store, task) : '';
  };
  const key = keyOf(taskIds[0]);
  if (parentId === null) {
    const label = n === 1 ? t('task.did.unnested', { key }) : t('task.did.unnestedMany', { n });
    return nest({ tasks: taskIds.map((id) => ({ id, place: null })), parentId }, label);
  }
  const siblings = readSubtasks(store, parentId)
    .filter(({ id }) => !taskIds.includes(id))
    .map((one) => ({ id: one.id, position: one.subtask_position ?? 0 }));
  const first = positionAt(siblings, '', index ?? siblings.length);
  const parent = keyOf(parentId);
  const label = n === 1 ? t('task.did.nested', { key, parent }) : t('task.did.nestedMany', { n, parent });
  return nest({ tasks: taskIds.map((id, at) => ({ id, place: first + 1024 * at })), parentId }, label);
}

const fromItem = define('itemToTask', record({ itemId: text, id: text, asSubtask: flag }), {
  apply(store, { itemId, id, asSubtask }) {
    const item = store.get('task_checklist_items', itemId);
    const task = item && store.get('tasks', item.task_id);
    const column = task && columnFor(store, task, item?.is_done ?? false);
    if (!item || !task || !column) return [];
    const last = readColumnTasks(store, column.id).at(-1)?.order_rank ?? null;
    const made = insertTask({
      id,
      project_id: item.project_id,
      column_id: column.id,
      title: item.title,
      order_rank: rankBetween(last, null),
      completed_at: item.is_done ? new Date().toISOString() : null,
      parent_id: asSubtask ? task.id : null,
      subtask_position: asSubtask ? (readSubtasks(store, task.id).at(-1)?.subtask_position ?? 0) + 1 : null,
    });
    return [remove('task_checklist_items', item), made];
  },
  async send(door, { itemId, id, asSubtask }) {
    const row = dataOf(
      await door.rpc('checklist_item_to_task', { item_id: itemId, new_id: id, as_subtask: asSubtask }),
    );
    return [
      { table: 'task_checklist_items', gone: itemId },
      { table: 'tasks', row },
    ];
  },
});

/** A part of the task whose step it was, or a task beside it. */
export function itemToTask(store: Reader, itemId: string, asSubtask: boolean): Mutation {
  const title = store.get('task_checklist_items', itemId)?.title ?? '';
  return fromItem({ itemId, id: newId(), asSubtask }, t('task.did.itemToTask', { title }));
}

const toItem = define('taskToItem', record({ taskId: text, id: text }), {
  delay: deleteDelay,
  apply(store, { taskId, id }) {
    const task = store.get('tasks', taskId);
    if (!task?.parent_id) return [];
    const task_id = task.parent_id;
    const position =
      Math.max(0, ...store.where('task_checklist_items', 'task_id', task_id).map((one) => one.position)) + 1;
    const steps = store
      .where('task_checklist_items', 'task_id', taskId)
      .sort((one, other) => one.position - other.position);
    const is_done = task.completed_at !== null;
    return only(
      insert('task_checklist_items', {
        id,
        project_id: task.project_id,
        task_id,
        title: task.title,
        is_done,
        position,
      }),
      ...steps.map((one, at) => update('task_checklist_items', one, { task_id }, { position: position + at + 1 })),
      ...store.where('tasks', 'parent_id', taskId).map((one) => update('tasks', one, { parent_id: task_id })),
      remove('tasks', task),
    );
  },
  async send(door, { taskId, id }) {
    const row = dataOf(await door.rpc('task_to_checklist_item', { task_id: taskId, new_id: id }));
    return [
      { table: 'task_checklist_items', row },
      { table: 'tasks', gone: taskId },
    ];
  },
});

/** A step of its parent; sent when the time for undoing is over, since all else about it is lost. */
export function taskToItem(store: Reader, taskId: string): Mutation {
  const task = store.get('tasks', taskId);
  return toItem({ taskId, id: newId() }, t('task.did.taskToItem', { key: task ? keyIn(store, task) : '' }));
}
