// Parts of a filter are put in, taken out and joined without leaving groups that say nothing.

import { expect, test } from 'vitest';
import type { Condition, Group } from '../../../../contract/views.ts';
import { addPart, partAt, putPart, putTyped, turnJoin, typedIn } from './edit-filter.ts';

const late: Condition = { property: 'due_date', is: 'before', value: 'today' };
const mine: Condition = { property: 'assignee', is: 'any_of', value: ['me'] };
const nobodys: Condition = { property: 'assignee', is: 'empty' };
const grouped: Group = { all: [late, { any: [mine, nobodys] }] };

test('a part is found and changed where it stands', () => {
  expect(partAt(grouped, [1, 0])).toBe(mine);
  expect(partAt(grouped, [2, 0])).toBeUndefined();
  expect(putPart(grouped, [1, 0], late)).toEqual({ all: [late, { any: [late, nobodys] }] });
});

test('a group that is left with one part is no group', () => {
  expect(putPart(grouped, [1, 0], null)).toEqual({ all: [late, nobodys] });
  expect(putPart(grouped, [0], null)).toEqual({ any: [mine, nobodys] });
  expect(putPart({ all: [late] }, [0], null)).toEqual({ all: [] });
});

test('an alternative makes a group of a part, and joins one that is there', () => {
  expect(addPart({ all: [late, mine] }, [1], nobodys, 'any')).toEqual(grouped);
  expect(addPart(grouped, [1], late)).toEqual({ all: [late, { any: [mine, nobodys, late] }] });
  expect(addPart({ all: [] }, [], late)).toEqual({ all: [late] });
});

test('and becomes or', () => {
  expect(turnJoin(grouped, [])).toEqual({ any: [late, { any: [mine, nobodys] }] });
  expect(turnJoin(grouped, [1])).toEqual({ all: [late, { all: [mine, nobodys] }] });
});

test('typed words stand beside the rest, and narrow all of it', () => {
  const either: Group = { any: [late, mine] };
  const typed = putTyped(either, 'rope');
  expect(typedIn(typed)).toBe('rope');
  expect(typed).toEqual({ all: [{ property: 'text', is: 'contains', value: 'rope' }, either] });
  expect(putTyped(typed, ' ')).toEqual(either);
});
