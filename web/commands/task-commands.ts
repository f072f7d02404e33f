// Commands on tasks themselves: make, change, move, archive, delete; one or many at once.

import { readColumnTasks, taskKey } from '../queries/tasks.ts';
import { words } from '../strings/words.ts';
import { newId } from '../sync/ids.ts';
import type { Deed } from '../sync/journal.ts';
import { rankBetween } from '../sync/rank.ts';
import type { Priority, TaskRow } from '../sync/rows.ts';
import type { Step, UpdateStep } from '../sync/step.ts';
import { insert, remove, update } from '../sync/step.ts';
import type { Store } from '../sync/store.ts';
import { cut, titleLength } from './limits.ts';

/** Deleting waits this long before it is sent; undo within it brings everything back. */
export const deleteHold = 8000;

const nothing = (label: string): Deed => ({ label, steps: [], silent: true });

function tasksOf(store: Store, ids: readonly string[]): TaskRow[] {
  return ids.map((id) => store.get('tasks', id)).filter((task) => task !== undefined);
}

export function keyIn(store: Store, task: TaskRow): string {
  return taskKey(store.get('projects', task.project_id), task);
}

export interface NewTask {
  readonly id?: string;
  readonly projectId: string;
  readonly columnId: string;
  readonly title: string;
  readonly priority?: Priority;
}

export function createTask(store: Store, made: NewTask): Deed {
  return createTasks(store, made, [made.title]);
}

/** At the end of a column, in their order. */
export function createTasks(store: Store, made: Omit<NewTask, 'title'>, titles: readonly string[]): Deed {
  let rank = readColumnTasks(store, made.columnId).at(-1)?.order_rank ?? null;
  const column = store.get('workflow_columns', made.columnId);
  const now = new Date().toISOString();
  const steps = titles.map((title, at) => {
    rank = rankBetween(rank, null);
    return insert('tasks', {
      id: (at === 0 ? made.id : undefined) ?? newId(),
      project_id: made.projectId,
      column_id: made.columnId,
      number: null,
      title: cut(title.trim(), titleLength),
      priority: made.priority ?? 'p2',
      order_rank: rank,
      start_date: null,
      due_date: null,
      estimate: null,
      completed_at: column?.kind === 'done' ? now : null,
      archived_at: null,
      created_by: null,
      created_at: now,
      updated_at: now,
    });
  });
  const [only = ''] = titles;
  return {
    label: titles.length === 1 ? words.task.did.created(only.trim()) : words.task.did.createdMany(titles.length),
    steps,
  };
}

export type TaskPatch = Partial<
  Pick<TaskRow, 'title' | 'description' | 'priority' | 'start_date' | 'due_date' | 'estimate'>
>;

export function editTasks(store: Store, ids: readonly string[], patch: TaskPatch): Deed {
  const tasks = tasksOf(store, ids);
  const steps = tasks.map((task) => update('tasks', task, patch)).filter((step) => step !== null);
  const only = tasks.length === 1 ? tasks[0] : undefined;
  return { label: only ? words.task.did.edited(keyIn(store, only)) : words.task.did.editedMany(steps.length), steps };
}

export interface Place {
  readonly columnId: string;
  /** The task that will follow it; null puts it at the end. */
  readonly beforeId: string | null;
}

/** `archived_at` and completion follow the server's rules, so that the card looks right before it answers. */
export function moveTask(store: Store, id: string, place: Place): Deed {
  const task = store.get('tasks', id);
  if (task === undefined) return nothing('');
  const others = readColumnTasks(store, place.columnId).filter((one) => one.id !== id);
  const found = place.beforeId === null ? -1 : others.findIndex((one) => one.id === place.beforeId);
  const at = found < 0 ? others.length : found;
  const previous = others[at - 1];
  const following = others[at];
  const stays =
    task.column_id === place.columnId &&
    (previous === undefined || previous.order_rank < task.order_rank) &&
    (following === undefined || task.order_rank < following.order_rank);
  if (stays) return nothing('');
  const step = moveStep(
    store,
    task,
    place.columnId,
    rankBetween(previous?.order_rank ?? null, following?.order_rank ?? null),
  );
  const beside = following ? { before_id: following.id } : previous ? { after_id: previous.id } : {};
  const column = store.get('workflow_columns', place.columnId);
  const key = keyIn(store, task);
  return {
    label:
      task.column_id === place.columnId
        ? words.board.done.reordered(key)
        : words.board.done.moved(key, column?.name ?? ''),
    steps: step ? [{ ...step, beside } as Step] : [],
  };
}

export function moveTasks(store: Store, ids: readonly string[], columnId: string): Deed {
  const column = store.get('workflow_columns', columnId);
  let last = readColumnTasks(store, columnId).at(-1)?.order_rank ?? null;
  const steps: Step[] = [];
  for (const task of tasksOf(store, ids)) {
    if (task.column_id === columnId) continue;
    last = rankBetween(last, null);
    const step = moveStep(store, task, columnId, last);
    // No neighbours named: the server puts it at the end.
    if (step) steps.push({ ...step, beside: {} } as Step);
  }
  return { label: words.board.done.movedMany(steps.length, column?.name ?? ''), steps };
}

function moveStep(store: Store, task: TaskRow, columnId: string, rank: string): UpdateStep<'tasks'> | null {
  const done = store.get('workflow_columns', columnId)?.kind === 'done';
  const completed = done ? (task.completed_at ?? new Date().toISOString()) : null;
  const step = update('tasks', task, { column_id: columnId, order_rank: rank, completed_at: completed });
  // Column and rank are always named, also where one stays the same: the way back must know both.
  return step?.kind === 'update' && step.table === 'tasks'
    ? {
        ...step,
        before: { ...step.before, column_id: task.column_id, order_rank: task.order_rank },
        after: { ...step.after, column_id: columnId, order_rank: rank },
      }
    : null;
}

export function archiveTasks(store: Store, ids: readonly string[]): Deed {
  const tasks = tasksOf(store, ids).filter((task) => task.archived_at === null);
  const now = new Date().toISOString();
  const only = tasks.length === 1 ? tasks[0] : undefined;
  return {
    label: only ? words.task.did.archived(keyIn(store, only)) : words.task.did.archivedMany(tasks.length),
    steps: tasks.map((task) => update('tasks', task, { archived_at: now })).filter((step) => step !== null),
    told: true,
  };
}

export function unarchiveTask(store: Store, id: string): Deed {
  const task = store.get('tasks', id);
  const step = task && update('tasks', task, { archived_at: null });
  return { label: task ? words.task.did.unarchived(keyIn(store, task)) : '', steps: step ? [step] : [] };
}

/** Shown at once, sent when the time for undoing is over: a deleted task's history cannot be made again. */
export function deleteTasks(store: Store, ids: readonly string[]): Deed {
  const tasks = tasksOf(store, ids);
  const only = tasks.length === 1 ? tasks[0] : undefined;
  return {
    label: only ? words.task.did.deleted(keyIn(store, only)) : words.task.did.deletedMany(tasks.length),
    steps: tasks.map((task) => remove('tasks', task)),
    hold: deleteHold,
  };
}
