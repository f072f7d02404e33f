// Weeks of a calendar: every task lies on its days, no two on the same lane of a day, and what has no lane is counted.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { taskRow } from '../../../test/helpers/task-row.ts';
import { dayNamed, dayNumber, spanOf } from '../../queries/views/spans.ts';
import { layOutWeeks } from './lay-out-weeks.ts';

const monday = '2030-04-29';
const first = dayNumber(monday);

const anyTask = fc
  .tuple(fc.integer({ min: -20, max: 50 }), fc.integer({ min: 0, max: 20 }), fc.constantFrom('both', 'start', 'due'))
  .map(([from, length, has]) => ({
    start_date: has === 'due' ? null : dayNamed(first + from),
    due_date: has === 'start' ? null : dayNamed(first + from + (has === 'both' ? length : 0)),
  }));

test('each task lies on its days in one lane, or is counted as hidden on each of them', () => {
  fc.assert(
    fc.property(fc.array(anyTask, { maxLength: 40 }), fc.integer({ min: 0, max: 5 }), (drawn, lanes) => {
      const tasks = drawn.map((dates, at) => taskRow(`t${at}`, { number: at + 1, ...dates }));
      const weeks = layOutWeeks(tasks, monday, 5, lanes);
      for (const [at, week] of weeks.entries()) {
        expect(week.first).toBe(first + 7 * at);
        for (let day = 0; day < 7; day++) {
          const here = week.segments.filter((one) => one.at <= day && day < one.at + one.days);
          expect(new Set(here.map((one) => one.lane)).size).toBe(here.length);
          expect(here.every((one) => one.lane < lanes)).toBe(true);
          const lying = tasks.filter((task) => {
            const span = spanOf(task);
            return span !== null && span.from <= week.first + day && week.first + day <= span.to;
          });
          expect(week.count[day]).toBe(lying.length);
          expect(here.length + (week.hidden[day] ?? 0)).toBe(lying.length);
          for (const { task, at: begin, days, began, goesOn } of here) {
            const span = spanOf(task) ?? { from: 0, to: 0 };
            expect(lying).toContain(task);
            expect(began).toBe(span.from < week.first);
            expect(goesOn).toBe(span.to > week.first + 6);
            if (!began) expect(span.from).toBe(week.first + begin);
            if (!goesOn) expect(span.to).toBe(week.first + begin + days - 1);
          }
        }
      }
    }),
  );
});

test('only tasks beyond the last lane are hidden', () => {
  const tasks = ['a', 'b', 'c'].map((id, at) => taskRow(id, { number: at, due_date: '2030-05-01' }));
  const [week] = layOutWeeks(tasks, monday, 1, 2);
  expect(week?.hidden).toEqual([0, 0, 1, 0, 0, 0, 0]);
  expect(week?.segments.map(({ task, at, lane }) => [task.id, at, lane])).toEqual([
    ['a', 2, 0],
    ['b', 2, 1],
  ]);
});
