import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sayAgo, sayDay } from './days.ts';

test.each(['infinity', '-infinity', '0044-03-15 BC', '10000-01-01', ''])('%s is no day, and said as it is', (day) => {
  expect(sayDay(day)).toBe(day);
});

test('elapsed time is given in the largest unit that fits', () => {
  const most = { min: 59, hr: 23, day: 6, wk: 4, mo: 11 };
  fc.assert(
    fc.property(fc.nat(400 * 86_400), (seconds) => {
      const [, count, unit] = /^(\d+) (min|hr|day|wk|mo)/.exec(sayAgo(new Date(0).toISOString(), seconds * 1000)) ?? [];
      if (unit !== undefined) expect(Number(count)).toBeLessThanOrEqual(most[unit as keyof typeof most]);
    }),
    { examples: [[3599], [86_399], [604_799], [2_627_999], [31_200_000]] },
  );
});
