// Kind for several choices: labels, multiple-choice field, predecessors.

import type { Condition } from '../../../contract/views.ts';
import type { Kind, TaskTest, ValueIn } from '../property.ts';
import { countChoices, noSuchChoice, placesOf } from './choice.ts';
import { readNames } from './read-names.ts';

function testSome({ is, value }: Condition, valueIn: ValueIn<readonly string[]>): TaskTest {
  if (is === 'empty') return (task) => valueIn(task) === null;
  if (is === 'not_empty') return (task) => valueIn(task) !== null;
  const wanted = new Set<string>(typeof value === 'object' ? value : [String(value)]);
  const wants = is === 'is' || is === 'any_of';
  return (task) => (valueIn(task) ?? []).some((id) => wanted.has(id)) === wants;
}

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
