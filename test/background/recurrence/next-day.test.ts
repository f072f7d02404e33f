// The days of rules as the server reads them, held against a reading of our own (reference-days.ts) over ten years.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { nextDay } from '../../../server/background/recurrence/next-day.ts';
import { referenceDays } from './reference-days.ts';

const weekday = fc.constantFrom('MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU');
const few = <T>(one: fc.Arbitrary<T>, most: number) => fc.uniqueArray(one, { minLength: 1, maxLength: most });
const maybe = <T>(one: fc.Arbitrary<T>) => fc.option(one, { nil: undefined });

const rules = fc
  .record({
    freq: fc.constantFrom('DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'),
    interval: maybe(fc.integer({ min: 1, max: 5 })),
    months: maybe(few(fc.integer({ min: 1, max: 12 }), 3)),
    monthDays: maybe(few(fc.constantFrom(1, 2, 13, 15, 28, 29, 30, 31, -1, -2, -3), 3)),
    days: maybe(few(fc.tuple(fc.constantFrom('1', '2', '3', '4', '5', '-1', '-2'), weekday), 3)),
    numbered: fc.boolean(),
    places: maybe(few(fc.constantFrom(1, 2, 3, -1), 2)),
    weekStart: maybe(weekday),
    until: maybe(fc.integer({ min: 2027, max: 2034 })),
  })
  .map(({ freq, interval, months, monthDays, days, places, weekStart, until, ...more }) => {
    const long = freq === 'MONTHLY' || freq === 'YEARLY';
    const numbered = more.numbered && long && monthDays === undefined;
    const parts = [`FREQ=${freq}`];
    if (interval) parts.push(`INTERVAL=${interval}`);
    if (months) parts.push(`BYMONTH=${months.join(',')}`);
    if (monthDays && freq !== 'WEEKLY') parts.push(`BYMONTHDAY=${monthDays.join(',')}`);
    if (days) parts.push(`BYDAY=${days.map(([place, day]) => (numbered ? place + day : day)).join(',')}`);
    if (places && long && (monthDays || days)) parts.push(`BYSETPOS=${places.join(',')}`);
    if (weekStart) parts.push(`WKST=${weekStart}`);
    if (until) parts.push(`UNTIL=${until}0620`);
    return parts.join(';');
  });
const starts = fc
  .integer({ min: 0, max: 1500 })
  .map((days) => new Date(Date.UTC(2024, 0, 1) + days * 86_400_000).toISOString().slice(0, 10));

it('names the same days as a reading of every single day, over ten years', () => {
  fc.assert(
    fc.property(rules, starts, (rule, start) => {
      const last = `${Number(start.slice(0, 4)) + 10}-12-31`;
      const expected = referenceDays(rule, start, last).filter((day) => day > start);
      // All of a rare rule; of a frequent one the first, and some on the way, each asked for by itself.
      const step = Math.max(1, Math.floor(expected.length / 12));
      expected.forEach((day, i) => {
        if (i < 4 || i % step === 0 || i === expected.length - 1)
          expect(nextDay(rule, start, expected[i - 1] ?? start), `${rule} from ${start}`).toBe(day);
      });
      const next = nextDay(rule, start, expected.at(-1) ?? start);
      if (next !== null) expect(next > last, `${rule} from ${start}: ${next}`).toBe(true);
    }),
    { numRuns: 120 },
  );
}, 120_000);

it('gives up on a day that never comes', () => {
  expect(nextDay('FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30', '2026-01-01', '2026-01-01')).toBeNull();
  expect(nextDay('FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30', '2026-01-01', '2026-01-01')).toBeNull();
  expect(nextDay('FREQ=DAILY;INTERVAL=366;BYMONTH=2;BYDAY=MO;UNTIL=20261231', '2026-01-01', '2026-01-01')).toBeNull();
});

it('counts of a series are left to the database, ends are not', () => {
  expect(nextDay('FREQ=DAILY;COUNT=2', '2026-11-01', '2026-11-05')).toBe('2026-11-06');
  expect(nextDay('FREQ=DAILY;UNTIL=20261105', '2026-11-01', '2026-11-04')).toBe('2026-11-05');
  expect(nextDay('FREQ=DAILY;UNTIL=20261105', '2026-11-01', '2026-11-05')).toBeNull();
});
