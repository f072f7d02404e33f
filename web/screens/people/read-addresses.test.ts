import { expect, test } from 'vitest';
import { readAddresses } from './read-addresses.ts';

test.each([
  ['ada@example.test', ['ada@example.test']],
  ['ada@example.test, bob@example.test;cyd@example.test\ndan@example.test eve@example.test', 'abcde'],
  ['Ada Lovelace <ada@example.test>, "Babbage, Bob" <bob@example.test>', 'ab'],
  ['Ada\tada@example.test\r\nBob\tbob@example.test', 'ab'],
  ['ada@example.test ADA@example.test', 'a'],
  ['mailto:ada@example.test, (bob@example.test).', 'ab'],
  ['', ''],
  [' ,;\n ', ''],
])('%j', (typed, expected) => {
  const names = { a: 'ada', b: 'bob', c: 'cyd', d: 'dan', e: 'eve' };
  const { good, wrong } = readAddresses(typed);
  expect(wrong).toEqual([]);
  expect(good).toEqual(
    typeof expected === 'string'
      ? [...expected].map((letter) => `${names[letter as keyof typeof names]}@example.test`)
      : expected,
  );
});

test('invalid addresses are named, and keep out none of the others', () => {
  expect(readAddresses('ada@example.test, bob@, Carla, dan@@example.test')).toEqual({
    good: ['ada@example.test'],
    wrong: ['bob@', 'Carla', 'dan@@example.test'],
  });
});

test('an address longer than the server takes is wrong', () => {
  const long = `${'a'.repeat(250)}@example.test`;
  expect(readAddresses(long)).toEqual({ good: [], wrong: [long] });
});
