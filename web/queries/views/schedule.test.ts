// Tests for schedules: the longest critical path, no endless circles, and the tasks that move along.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { criticalPath, daysTooEarly, type Link, waitingFor } from './schedule.ts';
import type { Span } from './spans.ts';

const link = (predecessor_id: string, successor_id: string, lag_days = 0): Link => ({
  id: `${predecessor_id} ${successor_id}`,
  predecessor_id,
  successor_id,
  lag_days,
});
const spans = (given: Readonly<Record<string, readonly [number, number]>>): Map<string, Span> =>
  new Map(Object.entries(given).map(([id, [from, to]]) => [id, { from, to }]));
const path = (...args: Parameters<typeof criticalPath>) => [...criticalPath(...args)].sort();

test('a task begins the day after, or as many days later as the lag says', () => {
  expect(daysTooEarly({ from: 1, to: 5 }, { from: 6, to: 9 }, 0)).toBe(0);
  expect(daysTooEarly({ from: 1, to: 5 }, { from: 5, to: 9 }, 0)).toBe(1);
  expect(daysTooEarly({ from: 1, to: 5 }, { from: 6, to: 9 }, 2)).toBe(2);
  expect(daysTooEarly({ from: 1, to: 5 }, { from: 4, to: 9 }, -2)).toBe(0);
});

test('the longest way to the end is critical, a shorter one beside it is not', () => {
  const plan = spans({ a: [0, 4], b: [5, 9], c: [5, 6], d: [10, 11], alone: [2, 3] });
  expect(path(plan, [link('a', 'b'), link('a', 'c'), link('b', 'd'), link('c', 'd')])).toEqual(['a', 'b', 'd']);
});

test('a gap before a task is room for those before it; a lag takes the room away', () => {
  const plan = spans({ a: [0, 4], b: [8, 9] });
  expect(path(plan, [link('a', 'b')])).toEqual(['b']);
  expect(path(plan, [link('a', 'b', 3)])).toEqual(['a', 'b']);
});

test('a plan that breaks a link is followed as the link says', () => {
  expect(path(spans({ a: [0, 9], b: [2, 4], c: [6, 11] }), [link('a', 'b')])).toEqual(['a', 'b']);
});

test('without links what ends last is critical; without tasks nothing is', () => {
  expect(path(spans({ a: [0, 4], b: [0, 9] }), [])).toEqual(['b']);
  expect(path(new Map(), [])).toEqual([]);
});

test('a circle is passed over', () => {
  const plan = spans({ a: [0, 1], b: [2, 3], c: [4, 5], d: [0, 9] });
  expect(path(plan, [link('a', 'b'), link('b', 'c'), link('c', 'a')])).toEqual(['d']);
  expect(waitingFor([link('a', 'b'), link('b', 'c'), link('c', 'a')], 'a').sort()).toEqual(['b', 'c']);
});

test('a day more for a critical task is a day more for the whole, for another one it is not', () => {
  const graph = fc.record({
    tasks: fc.array(fc.tuple(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 0, max: 10 })), {
      minLength: 1,
      maxLength: 12,
    }),
    pairs: fc.array(fc.tuple(fc.nat(11), fc.nat(11), fc.integer({ min: 0, max: 3 })), { maxLength: 20 }),
  });
  fc.assert(
    fc.property(graph, ({ tasks, pairs }) => {
      const plan = new Map(tasks.map(([from, days], at): [string, Span] => [`t${at}`, { from, to: from + days }]));
      const links = pairs
        .filter(([one, other]) => one < other && other < tasks.length)
        .map(([one, other, lag]) => link(`t${one}`, `t${other}`, lag));
      const critical = criticalPath(plan, links);
      const end = endOf(plan, links);
      for (const [id, { from, to }] of plan)
        expect(endOf(new Map([...plan, [id, { from, to: to + 1 }]]), links) > end).toBe(critical.has(id));
    }),
  );
});

/** By asking for each task what it waits for, again and again: slow, and nothing to get wrong. */
function endOf(plan: ReadonlyMap<string, Span>, links: readonly Link[]): number {
  const end = (id: string): number => {
    const { from, to } = plan.get(id) ?? { from: 0, to: 0 };
    const earliest = links
      .filter(({ successor_id }) => successor_id === id)
      .map(({ predecessor_id, lag_days }) => end(predecessor_id) + 1 + lag_days);
    return Math.max(from, ...earliest) + to - from;
  };
  return Math.max(...[...plan.keys()].map(end));
}
