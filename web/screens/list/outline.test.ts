// An outline of tasks in a list: what stands under what, where a part or its parent is not shown, and what Tab would make of a line.

import { expect, test } from 'vitest';
import type { TaskRow } from '../../queries.ts';
import { outlined, parentAbove } from './outline.ts';

const task = (id: string, parent_id: string | null = null, subtask_position: number | null = null) =>
  ({ id, parent_id, subtask_position }) as TaskRow;
const titles = (tasks: readonly TaskRow[], own = true) =>
  outlined(tasks, own).map((line) => `${'-'.repeat(line.depth)}${line.task.id}`);

test('parts stand under their parent, in their own order or as they are sorted', () => {
  const tasks = [
    task('hull'),
    task('paint', 'hull', 2),
    task('mast'),
    task('sand', 'hull', 1),
    task('rope', 'mast', 1),
  ];
  expect(titles(tasks)).toEqual(['hull', '-sand', '-paint', 'mast', '-rope']);
  expect(titles(tasks, false)).toEqual(['hull', '-paint', '-sand', 'mast', '-rope']);
});

test('a part whose parent is not shown stands by itself, with what is under it', () => {
  expect(titles([task('paint', 'hull', 1), task('brush', 'paint', 1)])).toEqual(['paint', '-brush']);
});

test('a line goes under the one above it that is as deep', () => {
  const items = outlined([task('hull'), task('sand', 'hull', 1), task('paint', 'hull', 2), task('mast')], true).map(
    ({ task: one, depth }) => ({ kind: 'task', key: one.id, task: one, depth }) as const,
  );
  expect([0, 1, 2, 3].map((at) => parentAbove(items, at)?.id ?? null)).toEqual([null, null, 'sand', 'hull']);
  expect(
    parentAbove([{ kind: 'head', key: 'group', group: { id: 'g', name: '', tasks: [] } }, ...items], 1),
  ).toBeNull();
});
