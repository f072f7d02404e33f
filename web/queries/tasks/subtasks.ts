// Subtasks of a task, and its parents.

import type { Query } from '../../sync/react.tsx';
import type { TaskRow } from '../../sync/rows/rows.ts';
import type { Reader } from '../../sync/rows/store.ts';

/** The parts of a task, in their order. */
export function readSubtasks(store: Reader, taskId: string): TaskRow[] {
  return store
    .where('tasks', 'parent_id', taskId)
    .filter((task) => task.archived_at === null)
    .sort((one, other) => (one.subtask_position ?? 0) - (other.subtask_position ?? 0) || (one.id < other.id ? -1 : 1));
}

/** These tasks and all that is under them, each once; what was put away too. */
export function readWithSubtasks(store: Reader, ids: readonly string[]): TaskRow[] {
  const found = new Map<string, TaskRow>();
  const waiting = [...ids].reverse();
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    const task = store.get('tasks', id);
    if (task === undefined || found.has(id)) continue;
    found.set(id, task);
    waiting.push(...store.where('tasks', 'parent_id', id).map((one) => one.id));
  }
  return [...found.values()];
}

/** A task in the outline of another one. */
export interface OutlineLine {
  readonly task: TaskRow;
  /** 0: a part of the task itself. */
  readonly depth: number;
  /** Its place among the parts of its parent. */
  readonly place: number;
  /** How many they are. */
  readonly of: number;
}

/** Levels of tasks, the uppermost with them. */
export const deepest = 8;

export const outlineOf: Query<[taskId: string], OutlineLine[]> = {
  read(store, taskId) {
    const lines: OutlineLine[] = [];
    const walk = (parentId: string, depth: number): void => {
      // Rows of two moments may close a circle for an instant.
      if (depth >= deepest) return;
      const parts = readSubtasks(store, parentId);
      parts.forEach((task, place) => {
        lines.push({ task, depth, place, of: parts.length });
        walk(task.id, depth + 1);
      });
    };
    walk(taskId, 0);
    return lines;
  },
};

export const parentOf: Query<[taskId: string], TaskRow | undefined> = {
  read: (store, taskId) => store.get('tasks', store.get('tasks', taskId)?.parent_id ?? ''),
};

/** How many others go with these tasks, at all depths, when they are deleted, or put away: what is away already is not put away again. */
export const countAffectedSubtasks: Query<[taskIds: readonly string[], how: 'deleted' | 'archived'], number> = {
  read(store, taskIds, how) {
    const named = new Set(taskIds);
    const goes = ({ id, archived_at }: TaskRow) => !named.has(id) && (how === 'deleted' || archived_at === null);
    return readWithSubtasks(store, taskIds).filter(goes).length;
  },
};

/** The tasks of a project that have parts. */
export const parentsIn: Query<[projectId: string], TaskRow[]> = {
  read: (store, projectId) =>
    store
      .where('tasks', 'project_id', projectId)
      .filter(({ id, archived_at }) => archived_at === null && store.count('tasks', 'parent_id', id) > 0)
      .sort((one, other) => (one.number ?? 0) - (other.number ?? 0)),
};
