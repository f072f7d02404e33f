// Kind for several people.

import { compareWords } from '../../strings/compare-words.ts';
import type { Kind } from '../property.ts';
import { choices } from './choices.ts';
import { noSuchPerson } from './person.ts';
import { readNames } from './read-names.ts';

export const people: Kind<readonly string[]> = {
  ...choices,
  name: 'people',
  // Also those who are no members any more.
  say: (ids, { choice }) =>
    ids
      .map((id) => choice(id).name)
      .sort(compareWords)
      .join(', '),
  read: (typed, source) => readNames(source.choices(), typed, noSuchPerson),
};
