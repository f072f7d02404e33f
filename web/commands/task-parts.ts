// Commands on the parts of a task: people, labels, checklist, dependencies.

import { nameOf } from '../queries/people/people.ts';
import { t } from '../strings/messages.ts';
import type { Mutation } from '../sync/journal/entries.ts';
import { newId } from '../sync/rows/ids.ts';
import type { Reader } from '../sync/rows/store.ts';
import { type Checked, define, flag, list, number, record, some, text } from './define-command.ts';
import { deleteRows, insertRows, updateRows } from './send-changes.ts';
import { keyIn } from './task-commands.ts';
import { titleLength, truncate } from './text-limits.ts';

/** "WEB-12", or how many they are. */
function sayWhich(store: Reader, ids: readonly string[]): string {
  const task = ids.length === 1 ? store.get('tasks', ids[0] ?? '') : undefined;
  return task ? keyIn(store, task) : t('common.tasks', { n: ids.length });
}

// ── people ───────────────────────────────────────────────────────────────────

const person = record({ taskIds: list(text), userId: text });
const peopleRows = ({ taskIds, userId }: Checked<typeof person>) =>
  taskIds.map((task_id) => ({ task_id, user_id: userId }));

const link = define('assign', person, {
  changes: (args) => [insertRows('task_assignees', peopleRows(args))],
});

export function assign(store: Reader, ids: readonly string[], userId: string): Mutation {
  const taskIds = ids.filter((id) => store.get('task_assignees', `${id} ${userId}`) === undefined);
  return link(
    { taskIds, userId },
    t('task.did.assigned', { who: nameOf(store.get('profiles', userId)), what: sayWhich(store, taskIds) }),
  );
}

const unlink = define('unassign', person, {
  changes: (args) => [deleteRows('task_assignees', peopleRows(args))],
});

export function unassign(store: Reader, ids: readonly string[], userId: string): Mutation {
  const taskIds = ids.filter((id) => store.get('task_assignees', `${id} ${userId}`) !== undefined);
  return unlink(
    { taskIds, userId },
    t('task.did.unassigned', { who: nameOf(store.get('profiles', userId)), what: sayWhich(store, taskIds) }),
  );
}

// ── labels ───────────────────────────────────────────────────────────────────

const labelled = record({ taskIds: list(text), labelId: text });
const labelRows = ({ taskIds, labelId }: Checked<typeof labelled>) =>
  taskIds.map((task_id) => ({ task_id, label_id: labelId }));

const putLabel = define('addLabel', labelled, {
  changes: (args) => [insertRows('task_label_links', labelRows(args))],
});

export function addLabel(store: Reader, ids: readonly string[], labelId: string): Mutation {
  const taskIds = ids.filter((id) => store.get('task_label_links', `${id} ${labelId}`) === undefined);
  const name = store.get('task_labels', labelId)?.name ?? '';
  return putLabel({ taskIds, labelId }, t('task.did.labelled', { label: name, what: sayWhich(store, taskIds) }));
}

const takeLabel = define('removeLabel', labelled, {
  changes: (args) => [deleteRows('task_label_links', labelRows(args))],
});

export function removeLabel(store: Reader, ids: readonly string[], labelId: string): Mutation {
  const taskIds = ids.filter((id) => store.get('task_label_links', `${id} ${labelId}`) !== undefined);
  const name = store.get('task_labels', labelId)?.name ?? '';
  return takeLabel({ taskIds, labelId }, t('task.did.unlabelled', { label: name, what: sayWhich(store, taskIds) }));
}

// ── checklist ────────────────────────────────────────────────────────────────

const addItems = define(
  'addChecklistItems',
  record({ taskId: text, projectId: text, items: list(record({ id: text, title: text, position: number })) }),
  {
    changes: ({ taskId, projectId, items }) => [
      insertRows(
        'task_checklist_items',
        items.map((item) => ({ ...item, project_id: projectId, task_id: taskId })),
      ),
    ],
  },
);

export function addChecklistItems(store: Reader, taskId: string, titles: readonly string[]): Mutation {
  const last = Math.max(0, ...store.where('task_checklist_items', 'task_id', taskId).map((item) => item.position));
  const items = titles.map((title, at) => ({
    id: newId(),
    title: truncate(title.trim(), titleLength),
    position: last + 1024 * (at + 1),
  }));
  const projectId = store.get('tasks', taskId)?.project_id ?? '';
  return addItems({ taskId, projectId, items }, t('task.did.itemsAdded', { n: titles.length }));
}

const itemPatch = some({ title: text, is_done: flag, position: number });

const editItem = define('editChecklistItem', record({ id: text, patch: itemPatch }), {
  changes: ({ id, patch }) => [updateRows('task_checklist_items', [{ id, ...patch }])],
});

export function editChecklistItem(
  _: Reader,
  id: string,
  patch: { title?: string; is_done?: boolean; position?: number },
): Mutation {
  return editItem({ id, patch }, t('task.did.itemChanged'));
}

const removeItem = define('removeChecklistItem', record({ id: text }), {
  changes: ({ id }) => [deleteRows('task_checklist_items', [{ id }])],
});

export function removeChecklistItem(_: Reader, id: string): Mutation {
  return removeItem({ id }, t('task.did.itemRemoved'));
}

/** The position between two neighbours; null is the end on that side. */
function positionBetween(low: number | null, high: number | null): number {
  if (low === null) return high === null ? 1024 : high - 1024;
  return high === null ? low + 1024 : (low + high) / 2;
}

/** The position that puts one of these rows at a place among the others. */
export function positionAt(
  rows: readonly { readonly id: string; readonly position: number }[],
  id: string,
  index: number,
): number {
  const others = rows.filter((row) => row.id !== id);
  return positionBetween(others[index - 1]?.position ?? null, others[index]?.position ?? null);
}

// ── dependencies ─────────────────────────────────────────────────────────────

/** Which task waits for which. */
function endsOf(store: Reader, predecessorId: string, successorId: string): { key: string; waits: string } {
  const say = (id: string): string => {
    const task = store.get('tasks', id);
    return task ? keyIn(store, task) : '';
  };
  return { key: say(predecessorId), waits: say(successorId) };
}

const addDependencies = define(
  'linkManyTasks',
  record({ projectId: text, links: list(record({ id: text, predecessorId: text, successorId: text })) }),
  {
    changes: ({ projectId, links }) => [
      insertRows(
        'task_dependencies',
        links.map(({ id, predecessorId, successorId }) => ({
          ...{ id, project_id: projectId },
          ...{ predecessor_id: predecessorId, successor_id: successorId },
        })),
      ),
    ],
  },
);

/** All of them wait for that task, or it for them. */
export function linkManyTasks(
  store: Reader,
  taskIds: readonly string[],
  relation: 'blocked_by' | 'blocks',
  otherId: string,
): Mutation {
  const links = taskIds.map((id) =>
    relation === 'blocked_by'
      ? { predecessorId: otherId, successorId: id }
      : { predecessorId: id, successorId: otherId },
  );
  const [first] = links;
  return addDependencies(
    {
      projectId: store.get('tasks', otherId)?.project_id ?? '',
      links: links.map((link) => ({ id: newId(), ...link })),
    },
    first && links.length === 1
      ? t('task.did.linked', endsOf(store, first.predecessorId, first.successorId))
      : t('task.did.linkedMany', { n: links.length }),
  );
}

const removeDependency = define('unlinkTasks', record({ id: text }), {
  changes: ({ id }) => [deleteRows('task_dependencies', [{ id }])],
});

export function unlinkTasks(store: Reader, predecessorId: string, successorId: string): Mutation {
  const row = store
    .where('task_dependencies', 'successor_id', successorId)
    .find((candidate) => candidate.predecessor_id === predecessorId);
  return removeDependency({ id: row?.id ?? '' }, t('task.did.unlinked', endsOf(store, predecessorId, successorId)));
}
