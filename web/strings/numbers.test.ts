// Numbers as people and spreadsheets of two regions write them.

import { afterAll, expect, test } from 'vitest';
import { setCatalog } from './messages.ts';
import { estimateRange, readNumber, readNumberIn, writeNumber } from './numbers.ts';

afterAll(() => setCatalog({}, 'en'));

test.each([
  ['en', '1,234', 1234],
  ['en', '1,234.5', 1234.5],
  ['en', '1.234,5', 1234.5],
  ['en', '12,5', 12.5],
  ['en', '0.25', 0.25],
  ['en', '-3', -3],
  ['en', '$1,200.00', 1200],
  ['en', '1.234', 1.234],
  ['de', '1.234', 1234],
  ['de', '1.234,5', 1234.5],
  ['de', '12,5 €', 12.5],
  ['de', '1 234,5', 1234.5],
  ['de', '12.5', 12.5],
  ['fr', '1 234,5', 1234.5],
  ['fr', '12,5 €', 12.5],
  ['en', '1e3', 1000],
  ['en', 'abc', null],
  ['en', '', null],
  ['en', '1-2', null],
  ['en', '1.2.3', null],
  ['en', '1,23,456.5', 123_456.5],
  ['de', '12.05.2026', null],
  ['en', '1..5', null],
])('%s: %j is %j', (language, text, number) => {
  setCatalog({}, language);
  expect(readNumber(text)).toBe(number);
  if (number !== null) expect(readNumber(writeNumber(number))).toBe(number);
});

test.each([
  ['en', '1,500', 1500],
  ['en', '12,000', 12_000],
  ['de', '1.500', 1500],
  ['de', '1,5', 1.5],
  ['en', '999,999', 999_999],
  ['en', '1,000,000', null],
  ['en', '-1', null],
])('%s: the estimate %j is %j', (language, text, number) => {
  setCatalog({}, language);
  expect(readNumberIn(estimateRange, text)).toBe(number);
});
