// Ticks over a timeline: each stands where the one before it ends, and all days are under one.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dayNamed, dayNumber, weekdayOf } from '../../queries/views/spans.ts';
import { rangeAround, ticksBetween, zooms } from './scale.ts';

test('ticks cover all days without a gap, at every zoom', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...zooms),
      fc.integer({ min: -20_000, max: 60_000 }),
      fc.integer({ min: 0, max: 900 }),
      fc.constantFrom(0, 1, 6),
      (zoom, first, days, weekStart) => {
        const last = first + days;
        const { major, minor } = ticksBetween(zoom, { first, last }, weekStart);
        for (const ticks of [major, minor]) {
          expect(ticks[0]?.day).toBeLessThanOrEqual(first);
          ticks.forEach((tick, at) => {
            const next = ticks[at + 1];
            if (next) expect(tick.day + tick.days).toBe(next.day);
            expect(tick.day).toBeLessThanOrEqual(last);
          });
          const end = ticks.at(-1);
          expect((end?.day ?? 0) + (end?.days ?? 0)).toBeGreaterThan(last);
        }
        if (zoom === 'week') expect(minor.every(({ day }) => weekdayOf(day) === weekStart)).toBe(true);
        if (zoom === 'quarter') expect(major.every(({ day }) => /-(?:01|04|07|10)-01$/.test(dayNamed(day)))).toBe(true);
      },
    ),
  );
});

test('the range holds today and the tasks, whole months, and no date far off', () => {
  const today = dayNumber('2030-05-15');
  const range = rangeAround([{ first: today - 10, last: today + 400 }], today, 'day');
  expect(dayNamed(range.first)).toBe('2030-03-01');
  expect(range.last).toBeGreaterThan(today + 400);
  const far = rangeAround([{ first: dayNumber('0001-01-01'), last: dayNumber('9999-12-31') }], today, 'day');
  expect(far.last - far.first).toBeLessThan(15_000);
});
