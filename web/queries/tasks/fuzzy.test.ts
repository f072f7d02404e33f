// Tests for matching: beginnings come first, letters left out last, and scattered letters never match.

import { expect, test } from 'vitest';
import { matchWords } from './fuzzy.ts';

const points = (text: string, typed: string) => matchWords(text, typed.split(' '));

test.each([
  ['assign to bob kahn', 'assign bob'],
  ['assign to bob kahn', 'bob as'],
  ['assign to bob kahn', 'asgn bob'],
  ['assign to bob kahn', 'atb'],
  ['deploy the new gateway', 'dply'],
  ['deploy the new gateway', 'gway'],
  ['move to in progress', 'mip'],
])('“%s” is found by “%s”', (text, typed) => {
  expect(points(text, typed)).toBeGreaterThan(0);
});

test.each([
  ['assign to bob kahn', 'assign ada'],
  ['deploy the new gateway', 'dyw'],
  ['paint the crane', 'ance'],
  ['paint the crane', 'xyz'],
])('“%s” is not found by “%s”', (text, typed) => {
  expect(points(text, typed)).toBe(0);
});

test('beginnings come before middles, middles before letters, short texts before long ones', () => {
  const texts = ['a list of settings', 'settings', 'go to settings', 'resettle', 'sort every task'];
  const order = texts
    .filter((text) => points(text, 'set') > 0)
    .sort((one, other) => points(other, 'set') - points(one, 'set'));
  expect(order).toEqual(['settings', 'go to settings', 'a list of settings', 'resettle', 'sort every task']);
});
