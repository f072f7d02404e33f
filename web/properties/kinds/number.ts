// Kind for a number: estimate, or number field with its unit.

import { t } from '../../strings/messages.ts';
import { estimateRange, readNumberIn, writeNumber } from '../../strings/numbers.ts';
import { sayAmount } from '../../strings/say-amount.ts';
import type { Kind } from '../property.ts';
import { testOne } from './test-one.ts';

const rounded = (n: number): number => Math.round(n * 1e6) / 1e6;

export const number: Kind<number> = {
  name: 'number',
  take: (held) => (typeof held === 'number' ? held : null),
  test: testOne,
  measure: () => (n) => n,
  idsIn: () => [],
  count(values, { unit }) {
    const sum = rounded(values.reduce((all, n) => all + n, 0));
    return { unit, filled: values.length, sum, average: values.length === 0 ? null : rounded(sum / values.length) };
  },
  say: writeNumber,
  show: (n, { unit }) => sayAmount(n, unit),
  figures: true,
  read(typed, { range, unit }) {
    const value = readNumberIn(range, typed, unit);
    const fault = range === estimateRange ? 'table.faults.estimate' : 'table.faults.number';
    return value === null ? { fault: t(fault, { text: typed }) } : { value };
  },
  adds: true,
};
