// Kind for one person.

import { t } from '../../strings/messages.ts';
import type { Choice, Kind } from '../property.ts';
import { choice, countEach } from './choice.ts';
import { readName } from './read-names.ts';

export const noSuchPerson = (text: string): string => t('table.faults.person', { text });

const nameOf = ({ name, unnamed }: Choice): string => (unnamed ? '' : name);

export const person: Kind<string> = {
  ...choice,
  name: 'person',
  width: 150,
  measure: (source) => (id) => nameOf(source.choice(id)) || null,
  say: (id, source) => nameOf(source.choice(id)),
  ordersWords: true,
  count: (values, source) => ({
    people: [...countEach(values)]
      .map(([user_id, count]) => ({ user_id, display_name: source.choice(user_id).name, count }))
      .sort((one, other) => other.count - one.count || (one.user_id < other.user_id ? -1 : 1)),
  }),
  read: (typed, source) => readName(source.choices(), typed, noSuchPerson),
};
