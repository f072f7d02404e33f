// Kind for several choices: labels, multiple-choice field, predecessors.

import type { Kind } from '../property.ts';
import { countChoices, noSuchChoice, placesOf } from './choice.ts';
import { readNames } from './read-names.ts';
import { testSome } from './test-some.ts';

export const choices: Kind<readonly string[]> = {
  name: 'choices',
  width: 190,
  take: (held) => {
    const ids = Array.isArray(held) ? held.filter((one) => typeof one === 'string') : [];
    return ids.length === 0 ? null : ids;
  },
  test: testSome,
  // The first that was chosen stands for all.
  measure(source) {
    const placeOf = placesOf(source);
    return ([first = '']) => placeOf(first);
  },
  idsIn: (ids) => ids,
  of: (id) => [id],
  count: (values, source) => countChoices(values.flat(), source),
  say: (ids, source) =>
    source
      .choices()
      .flatMap(({ id, name }) => (ids.includes(id) ? [name] : []))
      .join(', '),
  read: (typed, source) => readNames(source.choices(), typed, noSuchChoice),
  picked: true,
};
