// Tests for the place of a dropped line of an outline.

import { expect, test } from 'vitest';
import { taskRow } from '../../../test/helpers/task-row.ts';
import type { OutlineLine } from '../../queries.ts';
import { placeInOutline } from './outline-places.ts';

/** a, b (b1, b2 (b21)), c */
const outline: readonly (readonly [id: string, parent: string, depth: number])[] = [
  ['a', 'top', 0],
  ['b', 'top', 0],
  ['b1', 'b', 1],
  ['b2', 'b', 1],
  ['b21', 'b2', 2],
  ['c', 'top', 0],
];
const lines = outline.map(
  ([id, parent_id, depth]): OutlineLine => ({ task: taskRow(id, { parent_id }), depth, place: 0, of: 0 }),
);

test.each([
  ['c', 0, 'top', 0],
  ['c', 1, 'top', 1],
  ['c', 2, 'b', 0],
  ['c', 3, 'b', 1],
  ['c', 4, 'b2', 0],
  ['a', 1, 'b', 0],
  ['a', 4, 'top', 1],
  ['a', 5, 'top', 2],
  ['b1', 0, 'top', 0],
  ['b1', 3, 'b2', 0],
  ['b21', 1, 'top', 1],
  ['b2', 2, 'b', 0],
  ['b2', 5, 'top', 3],
  ['b', 5, 'top', 2],
  ['b', 0, 'top', 0],
  ['b21', 5, 'top', 3],
])('%s, dropped at %i, is a part of %s at %i', (id, index, parentId, place) => {
  expect(placeInOutline(lines, 'top', id, index)).toEqual({ parentId, index: place });
});

test('a task cannot land among its own subtasks', () => {
  expect(placeInOutline(lines, 'top', 'b', 3)).toBeNull();
});
