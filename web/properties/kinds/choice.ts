// Kind for one choice: priority, column, single-choice field, task.

import { t } from '../../strings/messages.ts';
import type { Counted, Kind, Measure, Source } from '../property.ts';
import { readName } from './read-names.ts';
import { testOne } from './test-one.ts';
import { takeText } from './words.ts';

/** By the order in which they are offered. */
export function placesOf({ choices, choice }: Source): (id: string) => Measure {
  const places = new Map(choices().map(({ id }, at) => [id, at]));
  return (id) => places.get(id) ?? choice(id).place ?? null;
}

export const noSuchChoice = (text: string): string => t('table.faults.choice', { text });

/** How many have chosen each of those that are offered. */
export function countChoices(chosen: readonly string[], { choices }: Source): Counted {
  const counts = countEach(chosen);
  return { options: choices().map(({ id, name }) => ({ option_id: id, name, count: counts.get(id) ?? 0 })) };
}

export function countEach(chosen: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const id of chosen) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
}

export const choice: Kind<string> = {
  name: 'choice',
  width: 140,
  take: takeText,
  test: testOne,
  measure: placesOf,
  idsIn: (id) => [id],
  of: (id) => id,
  count: countChoices,
  say: (id, source) => source.choice(id).name,
  read: (typed, source) => readName(source.choices(), typed, noSuchChoice),
  picked: true,
};
