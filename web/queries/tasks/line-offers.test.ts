// Offers of the quick line: what each sign offers for the letters after it, and that what an offer puts there is read as it.

import { expect, test } from 'vitest';
import { newLabelIn, offersFor, signAt } from './line-offers.ts';
import { type LineWords, readTaskLine } from './read-task-line.ts';

const person = (userId: string, name: string) => ({ userId, name, avatarUrl: null });
const label = (id: string, name: string) => ({ id, project_id: 'p', name, color: null });
const words: LineWords = {
  people: [person('ada', 'Ada Lovelace'), person('bob', 'Bob Kahn'), person('bea', 'Bea van Dyk')],
  labels: [label('urgent', 'Urgent'), label('review', 'Needs review'), label('c', 'C#')],
  userId: 'ada',
  // A Wednesday.
  today: '2026-11-25',
};
const offers = (text: string) => {
  const sign = signAt(text, text.length);
  return sign === null ? null : offersFor(sign, words).map(({ puts }) => puts);
};

test.each([
  ['Order @b', ['@Bob Kahn', '@Bea van Dyk']],
  ['Order @dyk', ['@Bea van Dyk']],
  ['Order @me', ['@me']],
  ['Order #re', ['#Needs review']],
  ['Order #', ['#Urgent', '#Needs review']],
  ['Order !', ['!Critical', '!High', '!Normal']],
  ['Order !p1', ['!High']],
  ['Order ^fri', ['^2026-11-27']],
  ['Order ^', ['^2026-11-25', '^2026-11-26', '^2026-12-02']],
  ['@b', ['@Bob Kahn', '@Bea van Dyk']],
  ['bob@b', null],
  ['Order @bob ', null],
  ['Order', null],
])('“%s”', (text, expected) => {
  expect(offers(text)).toEqual(expected);
});

test('each offer is read as what it offers', () => {
  for (const text of ['@', '#', '!', '^', '^next']) {
    const sign = signAt(text, text.length);
    for (const { part, puts } of sign ? offersFor(sign, words) : [])
      expect(readTaskLine(`Order rope ${puts} soon`, words).parts).toEqual([{ ...part, typed: puts }]);
  }
});

test('a label can be created where none is called so', () => {
  const newLabel = (text: string) => {
    const sign = signAt(text, text.length);
    return sign && newLabelIn(sign, words);
  };
  expect(newLabel('Order #ropes')).toBe('ropes');
  expect(newLabel('Order #urgent')).toBeNull();
  expect(newLabel('Issue #42')).toBeNull();
  expect(newLabel('Order @ropes')).toBeNull();
});
