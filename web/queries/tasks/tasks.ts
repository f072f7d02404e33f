// Tasks: on the board, in the list, one by one, and all their parts.

import type { Group } from '../../../contract/views.ts';
import { compareWords } from '../../strings/compare-words.ts';
import type { Query } from '../../sync/react.tsx';
import type { ActivityRow, ChecklistItemRow, LabelRow, TaskRow } from '../../sync/rows/rows.ts';
import type { Reader } from '../../sync/rows/store.ts';
import { readGuestNames } from '../people/guests-on-tasks.ts';
import { nameOf, type Person } from '../people/people.ts';
import { testOf } from '../views/filtering.ts';
import { readCover } from './attachments.ts';
import { audienceOf } from './audience.ts';
import { readSubtasks } from './subtasks.ts';
import { taskKey } from './task-key.ts';

export { taskKey };

/** Whose tasks: those of a project, or, across projects, these by their ids, in this order. */
export type TasksOf = string | readonly string[];

/** The project they are of; empty: of several. */
export const onlyProject = (of: TasksOf): string => (typeof of === 'string' ? of : '');

function readTasks(store: Reader, of: TasksOf): TaskRow[] {
  const tasks =
    typeof of === 'string' ? store.where('tasks', 'project_id', of) : of.map((id) => store.get('tasks', id));
  return tasks.filter((task): task is TaskRow => task !== undefined && task.archived_at === null);
}

export const listOf: Query<[of: TasksOf, filter: Group], TaskRow[]> = {
  shared: 8,
  read(store, of, filter) {
    const passes = testOf(store, filter);
    const tasks = readTasks(store, of);
    return passes ? tasks.filter(passes) : tasks;
  },
};

/** All that a card shows beside the task itself. */
export interface CardFacts {
  readonly key: string;
  readonly labels: readonly LabelRow[];
  readonly people: readonly Person[];
  readonly itemsDone: number;
  readonly items: number;
  readonly subtasksDone: number;
  readonly subtasks: number;
  readonly comments: number;
  readonly attachments: number;
  /** The path of the picture. */
  readonly cover: string | null;
  /** Keys of open predecessors. */
  readonly blockedBy: readonly string[];
  readonly repeats: boolean;
  readonly restricted: boolean;
  readonly claimed: boolean;
  /** One is at work on it. */
  readonly agent: boolean;
  /** Names of guests it is shared with, as far as they are known here; for members. Null: none. */
  readonly sharedWith: string | null;
  /** The title of the task it is part of. */
  readonly parent: string | null;
}

export const cardFactsOf: Query<[taskId: string], CardFacts | null> = {
  read(store, taskId) {
    const task = store.get('tasks', taskId);
    if (task === undefined) return null;
    const project = store.get('projects', task.project_id);
    const items = store.where('task_checklist_items', 'task_id', taskId);
    const subtasks = readSubtasks(store, taskId);
    return {
      key: taskKey(project, task),
      labels: readLabels(store, taskId),
      people: readAssignees(store, taskId),
      itemsDone: items.filter((item) => item.is_done).length,
      items: items.length,
      subtasksDone: subtasks.filter((one) => one.completed_at !== null).length,
      subtasks: subtasks.length,
      comments: store.count('task_comments', 'task_id', taskId),
      attachments: store.count('task_attachments', 'task_id', taskId),
      repeats: store.count('task_recurrences', 'task_id', taskId) > 0,
      restricted: audienceOf(task) !== null,
      claimed: store.where('task_claims', 'task_id', taskId).some((one) => one.ended_at === null),
      agent: store.where('agent_sessions', 'task_id', taskId).some((one) => one.ended_at === null),
      sharedWith: readGuestNames(store, task),
      parent: store.get('tasks', task.parent_id ?? '')?.title ?? null,
      cover: readCover(store, task.cover_attachment_id),
      blockedBy: task.completed_at ? [] : readOpenPredecessors(store, taskId).map((one) => taskKey(project, one)),
    };
  },
};

export function readAssignees(store: Reader, taskId: string): Person[] {
  return store
    .where('task_assignees', 'task_id', taskId)
    .map((link) => {
      const profile = store.get('profiles', link.user_id);
      return { userId: link.user_id, name: nameOf(profile), avatarUrl: profile?.avatar_url ?? null };
    })
    .sort((one, other) => compareWords(one.name, other.name));
}

export function readLabels(store: Reader, taskId: string): LabelRow[] {
  return store
    .where('task_label_links', 'task_id', taskId)
    .map((link) => store.get('task_labels', link.label_id))
    .filter((label) => label !== undefined)
    .sort((one, other) => compareWords(one.name, other.name));
}

export function readOpenPredecessors(store: Reader, taskId: string): TaskRow[] {
  return store
    .where('task_dependencies', 'successor_id', taskId)
    .map((link) => store.get('tasks', link.predecessor_id))
    .filter((one) => one !== undefined && one.completed_at === null && one.archived_at === null) as TaskRow[];
}

/** By number when the address has one ("12"), else by id: a task just made has no number yet. */
export const taskAt: Query<[projectId: string, address: string], TaskRow | undefined> = {
  read(store, projectId, address) {
    if (!/^\d+$/.test(address)) return store.get('tasks', address);
    const number = Number(address);
    return store.where('tasks', 'project_id', projectId).find((task) => task.number === number);
  },
};

export const assigneesOf: Query<[taskId: string], Person[]> = {
  read: readAssignees,
};

export const taskLabelsOf: Query<[taskId: string], LabelRow[]> = {
  read: readLabels,
};

export const checklistOf: Query<[taskId: string], ChecklistItemRow[]> = {
  read: (store, taskId) =>
    store
      .where('task_checklist_items', 'task_id', taskId)
      .sort((one, other) => one.position - other.position || (one.id < other.id ? -1 : 1)),
};

export const activityOf: Query<[taskId: string], ActivityRow[]> = {
  read: (store, taskId) =>
    store
      .where('task_activity', 'task_id', taskId)
      .sort((one, other) => other.created_at.localeCompare(one.created_at) || (one.id < other.id ? 1 : -1)),
};

/** Who changed a column of a task last, as far as its history is known here. */
export const lastEditorOf: Query<[taskId: string, column: string], Person | null> = {
  read(store, taskId, column) {
    let last: ActivityRow | null = null;
    for (const line of store.where('task_activity', 'task_id', taskId)) {
      const isChange = line.kind === 'updated' && typeof line.change === 'object' && column in (line.change ?? {});
      if (isChange && (last === null || line.created_at > last.created_at)) last = line;
    }
    if (!last?.actor_id) return null;
    const profile = store.get('profiles', last.actor_id);
    return { userId: last.actor_id, name: nameOf(profile), avatarUrl: profile?.avatar_url ?? null };
  },
};

/** Tasks this one waits for, and tasks that wait for it. */
export const predecessorsOf: Query<[taskId: string], TaskRow[]> = {
  read: (store, taskId) => linked(store, store.where('task_dependencies', 'successor_id', taskId), 'predecessor_id'),
};

export const successorsOf: Query<[taskId: string], TaskRow[]> = {
  read: (store, taskId) => linked(store, store.where('task_dependencies', 'predecessor_id', taskId), 'successor_id'),
};

/** The tasks of a project that others wait for. */
export const predecessorsIn: Query<[projectId: string], TaskRow[]> = {
  read: (store, projectId) => {
    const links = store.where('task_dependencies', 'project_id', projectId);
    return [...new Set(linked(store, links, 'predecessor_id'))];
  },
};

function linked(
  store: Reader,
  links: readonly { readonly predecessor_id: string; readonly successor_id: string }[],
  side: 'predecessor_id' | 'successor_id',
): TaskRow[] {
  return links
    .map((link) => store.get('tasks', link[side]))
    .filter((one) => one !== undefined)
    .sort((one, other) => (one.number ?? 0) - (other.number ?? 0));
}

/** Whether `taskId` is reached from `fromId` by following who waits for whom; a link back would close a cycle. */
export function leadsTo(store: Reader, fromId: string, taskId: string): boolean {
  const seen = new Set<string>();
  const waiting = [fromId];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (at === taskId) return true;
    if (seen.has(at)) continue;
    seen.add(at);
    for (const link of store.where('task_dependencies', 'predecessor_id', at)) waiting.push(link.successor_id);
  }
  return false;
}
