// Filters on rows that belong to a task: their table, and the column with the task. contract/view-query.ts tells the server the same.

import type { OwnProperty } from '../../../contract/views.ts';
import type { TableName, TaskRow } from '../../sync/rows/rows.ts';
import type { Reader } from '../../sync/rows/store.ts';

interface Hanging {
  readonly table: TableName;
  /** What a choice is made of; of what is there or not, anything that is there. */
  readonly idsOf: (store: Reader, task: TaskRow) => readonly (string | null)[];
}

export const hanging: Readonly<Partial<Record<OwnProperty, Hanging>>> = {
  assignee: {
    table: 'task_assignees',
    idsOf: (store, { id }) => store.where('task_assignees', 'task_id', id).map((one) => one.user_id),
  },
  label: {
    table: 'task_label_links',
    idsOf: (store, { id }) => store.where('task_label_links', 'task_id', id).map((one) => one.label_id),
  },
  waits_for: { table: 'task_dependencies', idsOf: predecessorsOf },
  blocked: {
    table: 'task_dependencies',
    idsOf: (store, task) =>
      predecessorsOf(store, task).filter((id) => {
        const before = task.completed_at === null ? store.get('tasks', id) : undefined;
        return before !== undefined && before.completed_at === null && before.archived_at === null;
      }),
  },
  has_subtasks: {
    table: 'tasks',
    idsOf: (store, { id }) =>
      store.where('tasks', 'parent_id', id).flatMap((one) => (one.archived_at === null ? one.id : [])),
  },
  has_checklist: {
    table: 'task_checklist_items',
    idsOf: (store, task) => store.where('task_checklist_items', 'task_id', task.id).map(({ id }) => id),
  },
  has_files: {
    table: 'task_attachments',
    idsOf: (store, task) => store.where('task_attachments', 'task_id', task.id).map(({ id }) => id),
  },
  recurring: {
    table: 'task_recurrences',
    idsOf: (store, task) => store.where('task_recurrences', 'task_id', task.id).map(({ id }) => id),
  },
  watcher: {
    table: 'task_watchers',
    idsOf: (store, { id }) =>
      store.where('task_watchers', 'task_id', id).flatMap((one) => (one.is_watching ? one.user_id : [])),
  },
  commenter: {
    table: 'task_comments',
    idsOf: (store, { id }) => store.where('task_comments', 'task_id', id).map((one) => one.author_id),
  },
};

function predecessorsOf(store: Reader, { id }: TaskRow): readonly string[] {
  return store.where('task_dependencies', 'successor_id', id).map((link) => link.predecessor_id);
}
