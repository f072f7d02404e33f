import { expect, test } from 'vitest';
import { seriesOf } from './series.ts';

const many = Array.from({ length: 25_000 }, (_, n) => ({ n, title: `Task ${n} ⚓ \ud83d`, labels: [] as string[] }));
const packed = seriesOf(many);

test('a long series reads as the list it was made of', () => {
  expect(Array.isArray(packed)).toBe(false);
  expect([...packed]).toEqual(many);
  expect([packed.length, packed.at(0), packed.at(-1), packed.at(12_345), packed.at(25_000)]).toEqual([
    25_000,
    many[0],
    many[24_999],
    many[12_345],
    undefined,
  ]);
  expect(packed.slice(0, 3)).toEqual(many.slice(0, 3));
  expect(packed.find(({ n }) => n === 24_000)).toEqual(many[24_000]);
  expect([packed.some(({ n }) => n === 24_000), packed.some(({ n }) => n < 0)]).toEqual([true, false]);
  expect(packed.reduce((sum, { n }) => sum + n, 0)).toBe((25_000 * 24_999) / 2);
  expect(packed.flatMap(({ n }) => (n % 10_000 === 0 ? [n, n] : []))).toEqual([0, 0, 10_000, 10_000, 20_000, 20_000]);
});

test('values of any shape come back as they were', () => {
  const shapes = [
    { a: 1, b: [], c: null, d: { e: [] } },
    { a: 1, b: [], c: null, d: { e: [] } },
    { a: 2, b: ['x'], c: null },
    { b: [], a: 1, c: undefined, d: null, more: 0 },
    {},
    [],
    [[1]],
    'words',
    null,
    7,
    JSON.parse('{"__proto__":1,"a":2}'),
  ];
  const all = Array.from({ length: 22_000 }, (_, n) => shapes[n % shapes.length]);
  expect([...seriesOf(all)]).toEqual(JSON.parse(JSON.stringify(all)));
  const turned = all.toReversed();
  expect([...seriesOf(turned)]).toEqual(JSON.parse(JSON.stringify(turned)));
});

test('a short series stays the array of its values', () => {
  const few = many.slice(0, 100);
  expect(seriesOf(few)).toEqual(few);
});

test('changing some values leaves the others as they are', () => {
  const change = (one: (typeof many)[number], at: number): (typeof many)[number] =>
    at === 17 || at > 24_990 ? { ...one, title: `${at}` } : one;
  expect([...packed.map(change)]).toEqual(many.map(change));
  expect([...packed.map((one) => one)]).toEqual(many);
});
