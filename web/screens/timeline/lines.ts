// The lines of the chart: tasks, and the heads of their groups, each with the days it lies on. Finished tasks are folded below a head of their
// own, as is a group of which all are finished.

import { type Span, spanOf } from '../../queries/views/spans.ts';
import type { TaskGroup, TaskRow } from '../../queries.ts';
import { t } from '../../strings/messages.ts';

export interface HeadLine {
  readonly kind: 'head';
  readonly key: string;
  readonly group: TaskGroup;
  /** From the first day of its tasks to the last. */
  readonly span: Span | null;
  readonly open: boolean;
  readonly level: number;
}

export interface TaskLine {
  readonly kind: 'task';
  readonly key: string;
  readonly task: TaskRow;
  readonly span: Span;
  /** 1: below no head. */
  readonly level: number;
}

export type Line = HeadLine | TaskLine;

/** `turned`: heads that are open instead of folded, or folded instead of open. */
export function linesOf(groups: readonly TaskGroup[], turned: ReadonlySet<string>): Line[] {
  const lines: Line[] = [];
  function addTasks({ id, tasks }: TaskGroup, level: number): void {
    for (const task of tasks) {
      const span = spanOf(task);
      if (span !== null) lines.push({ kind: 'task', key: `${id} ${task.id}`, task, span, level });
    }
  }
  function addGroup(group: TaskGroup, level: number, folds: boolean, add: typeof addTasks): void {
    const open = turned.has(group.id) === folds;
    lines.push({ kind: 'head', key: `group ${group.id}`, group, span: spanAround(group.tasks), open, level });
    if (open) add(group, level + 1);
  }
  function addOpenAndFinished(group: TaskGroup, level: number): void {
    const tasks = group.tasks.filter(isFinished);
    const finished = { ...group, id: `${group.id} finished`, name: t('timeline.finished'), tasks };
    if (tasks.length > 0) addGroup(finished, level, true, addTasks);
    addTasks({ ...group, tasks: group.tasks.filter((task) => !isFinished(task)) }, level);
  }
  const areFinished = ({ tasks }: TaskGroup): boolean => tasks.every(isFinished);
  const folds = !groups.every(areFinished);
  for (const group of groups) {
    const add = folds && !areFinished(group) ? addOpenAndFinished : addTasks;
    if (groups.length === 1 && group.id === 'all') add(group, 1);
    else addGroup(group, 1, folds && areFinished(group), add);
  }
  return lines;
}

const isFinished = (task: TaskRow): boolean => task.completed_at !== null;

function spanAround(tasks: readonly TaskRow[]): Span | null {
  let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const task of tasks) {
    const span = spanOf(task);
    if (span === null) continue;
    from = Math.min(from, span.from);
    to = Math.max(to, span.to);
  }
  return from <= to ? { from, to } : null;
}
