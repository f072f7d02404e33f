import { expect, test } from 'vitest';
import { sayDay } from './days.ts';

test.each(['infinity', '-infinity', '0044-03-15 BC', '10000-01-01', ''])('%s is no day, and said as it is', (day) => {
  expect(sayDay(day)).toBe(day);
});
