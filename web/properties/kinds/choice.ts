// Kind for one choice: priority, column, single-choice field, task.

import { t } from '../../strings/messages.ts';
import type { Kind, Measure, Source } from '../property.ts';
import { readName } from './read-names.ts';
import { testOne } from './test-one.ts';
import { takeText } from './words.ts';

/** By the order in which they are offered. */
export function placesOf({ choices, choice }: Source): (id: string) => Measure {
  const places = new Map(choices().map(({ id }, at) => [id, at]));
  return (id) => places.get(id) ?? choice(id).place ?? null;
}

export const noSuchChoice = (text: string): string => t('table.faults.choice', { text });

export const choice: Kind<string> = {
  name: 'choice',
  width: 140,
  take: takeText,
  test: testOne,
  measure: placesOf,
  idsIn: (id) => [id],
  say: (id, source) => source.choice(id).name,
  read: (typed, source) => readName(source.choices(), typed, noSuchChoice),
  picked: true,
};
