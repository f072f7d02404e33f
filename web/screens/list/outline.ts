// The list as an outline: tasks under those they are parts of, as far as both are in it, and what Tab makes of one.

import type { TaskRow } from '../../queries.ts';
import type { Item } from './list-item.ts';

export interface OutlinedTask {
  readonly task: TaskRow;
  readonly depth: number;
}

/** `own`: parts stand in the order of their outline; otherwise all as they are sorted. */
export function outlined(tasks: readonly TaskRow[], own: boolean): readonly OutlinedTask[] {
  const here = new Set(tasks.map(({ id }) => id));
  const parts = new Map<string, TaskRow[]>();
  const tops: TaskRow[] = [];
  for (const task of tasks) {
    const { parent_id: parent } = task;
    if (!parent || !here.has(parent)) tops.push(task);
    else parts.set(parent, [...(parts.get(parent) ?? []), task]);
  }
  const lines: OutlinedTask[] = [];
  const walk = (task: TaskRow, depth: number): void => {
    lines.push({ task, depth });
    const under = parts.get(task.id) ?? [];
    if (own) under.sort((one, other) => (one.subtask_position ?? 0) - (other.subtask_position ?? 0));
    for (const part of under) walk(part, depth + 1);
  };
  for (const top of tops) walk(top, 0);
  return lines;
}

/** The task it becomes a part of: the one above it that is as deep. */
export function parentAbove(items: readonly Item[], at: number): TaskRow | null {
  const moved = items[at];
  if (moved?.kind !== 'task') return null;
  for (let above = at - 1; above >= 0; above--) {
    const item = items[above];
    if (item?.kind !== 'task' || item.depth < moved.depth) return null;
    if (item.depth === moved.depth) return item.task;
  }
  return null;
}
