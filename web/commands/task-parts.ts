// Commands on what hangs on a task: people, labels, checklist, dependencies, comments.

import { nameOf } from '../queries/people.ts';
import { words } from '../strings/words.ts';
import { newId } from '../sync/ids.ts';
import type { Deed } from '../sync/journal.ts';
import type { Step } from '../sync/step.ts';
import { insert, remove, update } from '../sync/step.ts';
import type { Store } from '../sync/store.ts';
import { cut, titleLength } from './limits.ts';
import { deleteHold, keyIn } from './task-commands.ts';

const one = (label: string, step: Step | null | undefined): Deed => ({ label, steps: step ? [step] : [] });

function whatOf(store: Store, taskIds: readonly string[]): string {
  const task = taskIds.length === 1 ? store.get('tasks', taskIds[0] ?? '') : undefined;
  return task ? keyIn(store, task) : words.common.tasks(taskIds.length);
}

export function assign(store: Store, taskIds: readonly string[], userId: string): Deed {
  const steps = taskIds.flatMap((taskId) => {
    const task = store.get('tasks', taskId);
    if (task === undefined || store.get('task_assignees', `${taskId} ${userId}`)) return [];
    return [insert('task_assignees', { project_id: task.project_id, task_id: taskId, user_id: userId })];
  });
  return { label: words.task.did.assigned(nameOf(store.get('profiles', userId)), whatOf(store, taskIds)), steps };
}

export function unassign(store: Store, taskIds: readonly string[], userId: string): Deed {
  const steps = taskIds.flatMap((taskId) => {
    const link = store.get('task_assignees', `${taskId} ${userId}`);
    return link ? [remove('task_assignees', link)] : [];
  });
  return { label: words.task.did.unassigned(nameOf(store.get('profiles', userId)), whatOf(store, taskIds)), steps };
}

export function addLabel(store: Store, taskIds: readonly string[], labelId: string): Deed {
  const label = store.get('task_labels', labelId);
  const steps = taskIds.flatMap((taskId) => {
    const task = store.get('tasks', taskId);
    if (task === undefined || store.get('task_label_links', `${taskId} ${labelId}`)) return [];
    return [insert('task_label_links', { project_id: task.project_id, task_id: taskId, label_id: labelId })];
  });
  return { label: words.task.did.labelled(label?.name ?? '', whatOf(store, taskIds)), steps };
}

export function removeLabel(store: Store, taskIds: readonly string[], labelId: string): Deed {
  const label = store.get('task_labels', labelId);
  const steps = taskIds.flatMap((taskId) => {
    const link = store.get('task_label_links', `${taskId} ${labelId}`);
    return link ? [remove('task_label_links', link)] : [];
  });
  return { label: words.task.did.unlabelled(label?.name ?? '', whatOf(store, taskIds)), steps };
}

export function addChecklistItems(store: Store, taskId: string, titles: readonly string[]): Deed {
  const task = store.get('tasks', taskId);
  if (task === undefined) return one('', null);
  const last = Math.max(0, ...store.where('task_checklist_items', 'task_id', taskId).map((item) => item.position));
  return {
    label: words.task.did.itemsAdded(titles.length),
    steps: titles.map((title, at) =>
      insert('task_checklist_items', {
        id: newId(),
        project_id: task.project_id,
        task_id: taskId,
        title: cut(title.trim(), titleLength),
        is_done: false,
        position: last + 1024 * (at + 1),
      }),
    ),
  };
}

export function editChecklistItem(
  store: Store,
  id: string,
  patch: { title?: string; is_done?: boolean; position?: number },
): Deed {
  const item = store.get('task_checklist_items', id);
  return one(words.task.did.itemChanged, item && update('task_checklist_items', item, patch));
}

export function removeChecklistItem(store: Store, id: string): Deed {
  const item = store.get('task_checklist_items', id);
  return one(words.task.did.itemRemoved, item && remove('task_checklist_items', item));
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

export function linkTasks(store: Store, predecessorId: string, successorId: string, id = newId()): Deed {
  const before = store.get('tasks', predecessorId);
  const after = store.get('tasks', successorId);
  if (before === undefined || after === undefined) return one('', null);
  return one(
    words.task.did.linked(keyIn(store, before), keyIn(store, after)),
    insert('task_dependencies', {
      id,
      project_id: after.project_id,
      predecessor_id: predecessorId,
      successor_id: successorId,
      type: 'FS',
      lag_days: 0,
    }),
  );
}

export function unlinkTasks(store: Store, predecessorId: string, successorId: string): Deed {
  const before = store.get('tasks', predecessorId);
  const after = store.get('tasks', successorId);
  const link = store
    .where('task_dependencies', 'successor_id', successorId)
    .find((candidate) => candidate.predecessor_id === predecessorId);
  if (before === undefined || after === undefined) return one('', null);
  return one(
    words.task.did.unlinked(keyIn(store, before), keyIn(store, after)),
    link && remove('task_dependencies', link),
  );
}

export function addComment(store: Store, taskId: string, authorId: string, body: string, id = newId()): Deed {
  const task = store.get('tasks', taskId);
  if (task === undefined) return one('', null);
  return one(
    words.task.did.commented,
    insert('task_comments', {
      id,
      project_id: task.project_id,
      task_id: taskId,
      author_id: authorId,
      body: body.trim(),
      edited_at: null,
      created_at: new Date().toISOString(),
    }),
  );
}

export function editComment(store: Store, id: string, body: string): Deed {
  const comment = store.get('task_comments', id);
  return one(words.task.did.commentEdited, comment && update('task_comments', comment, { body: body.trim() }));
}

export function deleteComment(store: Store, id: string): Deed {
  const comment = store.get('task_comments', id);
  return { ...one(words.task.did.commentDeleted, comment && remove('task_comments', comment)), hold: deleteHold };
}
