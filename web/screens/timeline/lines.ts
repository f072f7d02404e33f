// The lines of the chart: tasks, and the heads of their groups, each with the days it lies on.

import { type Span, spanOf } from '../../queries/views/spans.ts';
import type { TaskGroup, TaskRow } from '../../queries.ts';

export interface HeadLine {
  readonly kind: 'head';
  readonly key: string;
  readonly group: TaskGroup;
  /** From the first day of its tasks to the last. */
  readonly span: Span | null;
  readonly open: boolean;
}

export interface TaskLine {
  readonly kind: 'task';
  readonly key: string;
  readonly task: TaskRow;
  readonly span: Span;
  /** 1: in no group. */
  readonly level: 1 | 2;
}

export type Line = HeadLine | TaskLine;

export function linesOf(groups: readonly TaskGroup[], folded: ReadonlySet<string>): Line[] {
  const bare = groups.length === 1 && groups[0]?.id === 'all';
  const lines: Line[] = [];
  for (const group of groups) {
    const own: TaskLine[] = [];
    let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (const task of group.tasks) {
      const span = spanOf(task);
      if (span === null) continue;
      if (span.from < from) from = span.from;
      if (span.to > to) to = span.to;
      own.push({ kind: 'task', key: `${group.id} ${task.id}`, task, span, level: bare ? 1 : 2 });
    }
    const open = !folded.has(group.id);
    if (!bare)
      lines.push({ kind: 'head', key: `group ${group.id}`, group, span: own.length > 0 ? { from, to } : null, open });
    if (open) lines.push(...own);
  }
  return lines;
}
