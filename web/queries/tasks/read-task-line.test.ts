// Quick add line: recognised parts leave the title, unknown ones stay in it, and dismissed ones return to it.

import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { speakEnglish } from '../../../test/helpers/english.ts';
import { type LineWords, readTaskLine } from './read-task-line.ts';

const person = (userId: string, name: string) => ({ userId, name, avatarUrl: null });
const label = (id: string, name: string) => ({ id, project_id: 'p', name, color: null });
const words: LineWords = {
  people: [person('ada', 'Ada Lovelace'), person('bob', 'Bob Kahn'), person('bea', 'Bea van Dyk')],
  labels: [label('urgent', 'Urgent'), label('review', 'Needs review'), label('n', 'Needs')],
  userId: 'ada',
  // A Wednesday.
  today: '2026-11-25',
};
const read = (line: string, takenBack: readonly string[] = []) => {
  const { title, parts } = readTaskLine(line, words, new Set(takenBack));
  return [title, ...parts.map(({ kind, is }) => `${kind} ${is}`)];
};
const all = ['assignee bob', 'label urgent', 'priority p1', 'due 2026-11-27'];

afterEach(() => speakEnglish());

test.each([
  ['Order rope @bob #urgent !high due friday', ['Order rope', ...all]],
  ['Order rope @b #u !h ^f', ['Order rope', ...all]],
  ['Order rope @b#u!^f', ['Order rope', ...all]],
  ['@bob Order #urgent rope !high due fri', ['Order rope', ...all]],
  ['Order rope due: next tue', ['Order rope', 'due 2026-12-01']],
  ['Order rope due in 2 weeks @me', ['Order rope', 'due 2026-12-09', 'assignee ada']],
  ['Pay ^15 may rent', ['Pay rent', 'due 2027-05-15']],
  ['Order rope @Bob Kahn today', ['Order rope', 'assignee bob', 'due 2026-11-25']],
  ['Order rope tomorrow p1', ['Order rope', 'due 2026-11-26', 'priority p1']],
  ['Order rope P0 next friday', ['Order rope', 'priority p0', 'due 2026-12-04']],
  ['Order rope in 2 weeks @bob', ['Order rope', 'due 2026-12-09', 'assignee bob']],
  ['Order rope on 15 march #urgent', ['Order rope', 'due 2027-03-15', 'label urgent']],
  ['Order rope 2027-05-15', ['Order rope', 'due 2027-05-15']],
  ['!! Order rope', ['Order rope', 'priority p0']],
  ['Order !! rope', ['Order rope', 'priority p0']],
  ['Order rope @kahn', ['Order rope', 'assignee bob']],
  ['Order rope #needs review soon', ['Order rope soon', 'label review']],
  ['Order rope #needs a knife', ['Order rope a knife', 'label n']],
  ['Order rope !!', ['Order rope', 'priority p0']],
  ['Order rope !2', ['Order rope', 'priority p1']],
  ['Order rope @b !p1 tomorrow', ['Order rope', 'assignee bob', 'priority p1', 'due 2026-11-26']],
  ['Order rope !low !crit', ['Order rope !low', 'priority p0']],
  ['Order rope @bob @bob @bea', ['Order rope', 'assignee bob', 'assignee bea']],
  ['Order rope due today due tomorrow', ['Order rope', 'due 2026-11-26']],
])('“%s”', (line, expected) => {
  expect(read(line)).toEqual(expected);
});

test.each([
  'Ask bob@example.test',
  'Fix issue #42',
  'Learn C# and F#',
  'The rent is due to the landlord',
  'Find what is due',
  'Stop ! Now',
  'Meet @nobody',
  'x^2 + 1',
  'Two  blanks  stay',
  'due friday',
  'tomorrow p1',
  'Friday of all days',
  'Talk about tomorrow with Bob',
  'Wait 2 weeks',
  'Plan the weekend',
  'Look at the sun',
  'Chapter 15',
  'Wait!! Now',
  '@bob',
  '#urgent !high',
])('“%s” is all title', (line) => {
  expect(read(line)).toEqual([line]);
});

test('a rejected part of the line is title again', () => {
  expect(read('Order rope @bob due friday', ['due friday'])).toEqual(['Order rope due friday', 'assignee bob']);
  expect(read('Order rope tomorrow p1', ['tomorrow'])).toEqual(['Order rope tomorrow', 'priority p1']);
  expect(read('Order rope @b#u', ['#u'])).toEqual(['Order rope #u', 'assignee bob']);
});

test('no word is lost: it is in the title or in a part', () => {
  const word = fc.constantFrom(
    'rope',
    '@bob',
    '#urgent',
    '!high',
    '!',
    '^f',
    'due',
    'fri',
    '@x',
    '#',
    '@b#u',
    'in',
    '2',
    'weeks',
    'tomorrow',
    'p1',
  );
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 8 }), (some) => {
      const { title, parts } = readTaskLine(some.join(' '), words);
      const kept = [title, ...parts.map(({ typed }) => typed)].join(' ').replaceAll(' ', '').length;
      const single = new Set(
        parts.map(({ kind, is }) => (kind === 'due' || kind === 'priority' ? kind : `${kind} ${is}`)),
      );
      expect(single.size).toBe(parts.length);
      expect(title).not.toBe('');
      expect(kept).toBeLessThanOrEqual(some.join('').length);
    }),
  );
});
