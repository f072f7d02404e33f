// Days as numbers, and what becomes of a task's dates: in every zone the same, also where a clock change makes a day of 23 hours.

import { expect, test } from 'vitest';
import { dayNamed, dayNumber, dueOn, endedOn, moved, spanOf, startedOn, weekdayOf, withoutDates } from './spans.ts';

const task = (start_date: string | null, due_date: string | null) => ({ start_date, due_date });
const nth = dayNumber('2030-05-15');

test('a task moves with the dates it has', () => {
  expect(moved(task('2030-03-30', '2030-04-01'), 1)).toEqual({ start_date: '2030-03-31', due_date: '2030-04-02' });
  expect(moved(task(null, '2028-02-28'), 1)).toEqual({ due_date: '2028-02-29' });
  expect(moved(task('2030-12-31', null), 7)).toEqual({ start_date: '2031-01-07' });
  expect(moved(task('2030-05-15', '2030-05-16'), 0)).toBeNull();
});

test('an edge goes no further than the other one, and one day alone becomes a span when it is drawn out', () => {
  const both = task('2030-05-13', '2030-05-17');
  expect(endedOn(both, nth)).toEqual({ due_date: '2030-05-15' });
  expect(endedOn(both, nth - 10)).toEqual({ due_date: '2030-05-13' });
  expect(startedOn(both, nth + 10)).toEqual({ start_date: '2030-05-17' });
  expect(endedOn(task(null, '2030-05-15'), nth + 3)).toEqual({ start_date: '2030-05-15', due_date: '2030-05-18' });
  expect(startedOn(task(null, '2030-05-15'), nth - 3)).toEqual({ start_date: '2030-05-12' });
  expect(endedOn(task('2030-05-15', null), nth + 3)).toEqual({ due_date: '2030-05-18' });
  expect(endedOn(task(null, '2030-05-15'), nth)).toBeNull();
});

test('a task without dates comes to be due, and loses them again', () => {
  expect(dueOn(task(null, null), nth)).toEqual({ due_date: '2030-05-15' });
  expect(withoutDates(task('2030-05-13', '2030-05-17'))).toEqual({ start_date: null, due_date: null });
  expect(withoutDates(task(null, null))).toBeNull();
  expect(spanOf(task(null, null))).toBeNull();
});

test('a day has the same number and the same weekday in every zone', () => {
  const { TZ } = process.env;
  try {
    for (const zone of ['Europe/Berlin', 'America/Santiago', 'Pacific/Auckland', 'Asia/Kathmandu']) {
      process.env.TZ = zone;
      const wrong = Array.from({ length: 20_000 }, (_, day) => day + 4000).filter((day) => {
        const [year = 0, month = 0, date = 0] = dayNamed(day).split('-').map(Number);
        return dayNumber(dayNamed(day)) !== day || weekdayOf(day) !== new Date(year, month - 1, date, 12).getDay();
      });
      expect([zone, wrong]).toEqual([zone, []]);
    }
  } finally {
    if (TZ === undefined) delete process.env.TZ;
    else process.env.TZ = TZ;
  }
  expect([weekdayOf(0), dayNamed(0)]).toEqual([4, '1970-01-01']);
});
