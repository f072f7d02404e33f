import { expect, test } from 'vitest';
import { JsonList, readDocument } from './json-document.ts';
import { MemoryCounter } from './memory-limits.ts';

const read = (text: string): unknown => readDocument(Buffer.from(text), null);

test.each([
  '{}',
  '[]',
  '[ ]',
  '"words"',
  '12.5e3',
  'null',
  '{"cards":[]}',
  '{"cards": [ ] , "lists":[1,2]}',
  '[{"a":1},{"b":[1,[2],{"c":"]}"}]}]',
  '[[1,2],[3,[4]],[]]',
  '{"lists":[{"name":"a\\"],[b\\\\"},"\\\\",null,true,-1.5],"cards":[[1,"}"],{}],"more":{"of":[1,{"x":[]}]}}',
  '{"__proto__":[1],"a":{"__proto__":[2]}}',
  '{"twice":[1],"twice":[2,3]}',
  ' \n{"a" : [ 1 , 2 ] }\n ',
])('%s reads as JSON.parse reads it', (text) => {
  expect(read(text)).toEqual(JSON.parse(text));
});

test.each([
  '',
  '{',
  '[',
  '[1,]',
  '[,1]',
  '[1,,2]',
  '[1 2]',
  '{"a":[1,]}',
  '{"a":[1}',
  '{"a":[1}]',
  '{"a":[1]]',
  '{"a":[1],}',
  '{"a":[{]}',
  '[1]]',
  '[1}',
  '[1] 2',
  '{"a":["b]}',
  '{"a":[1]"b":[2]}',
])('%s is refused as no JSON', (text) => {
  expect(() => read(text)).toThrow('The file is no JSON');
});

test('a long list is read value by value, and in the order of a number', () => {
  const cards = Array.from({ length: 5000 }, (_, n) => ({
    n,
    title: `Task ${n} “quoted” \\ " ⚓`,
    pos: (n * 7919) % 1000,
  }));
  const value = read(JSON.stringify({ name: 'Board', cards, labels: [1, 2] })) as { cards: JsonList };
  expect(value).toMatchObject({ name: 'Board', labels: [1, 2] });
  expect(value.cards).toBeInstanceOf(JsonList);
  expect([...value.cards]).toEqual(cards);
  expect(value.cards.flatMap((card) => [card, card])).toEqual(cards.flatMap((card) => [card, card]));
  expect([value.cards.length, value.cards.at(17), value.cards.at(-1), value.cards.at(5000)]).toEqual([
    5000,
    cards[17],
    cards[4999],
    undefined,
  ]);
  const place = (one: unknown): number => (one as { pos: number }).pos;
  expect([...value.cards.sortedBy(place)]).toEqual(cards.toSorted((one, other) => place(one) - place(other)));
  expect([...(read(JSON.stringify(cards)) as JsonList)]).toEqual(cards);
});

test('a broken value of a long list is refused in words when it is read', () => {
  const broken = read(`{"cards":[${'1,'.repeat(5000)}{"a":}]}`) as { cards: JsonList };
  expect(() => [...broken.cards]).toThrow('The file is no JSON');
});

test('values and objects are counted before any of them is parsed', () => {
  const most = { bytes: 1000, values: 100, objects: 10, rows: 0 };
  const all = (count: number): Buffer => Buffer.from(`{"cards":[${'{"id":1},'.repeat(count)}{}]}`);
  expect(() => readDocument(all(5), new MemoryCounter(most))).not.toThrow();
  expect(() => readDocument(all(20), new MemoryCounter(most))).toThrow('The file has more than 10 objects');
  expect(() => readDocument(Buffer.from(`[${'[1],'.repeat(200)}1]`), new MemoryCounter(most))).toThrow(
    'more than 100 values',
  );
});

test('a text of the file is never taken for a list', () => {
  expect(read('{"a":"list 0","b":[1]}')).toEqual({ a: 'list 0', b: [1] });
});
