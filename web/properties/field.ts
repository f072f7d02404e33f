// Fields of a project in the shape of properties. The kind stands in the name, so that a view can be read before the field is here.

import type { Json } from '../../contract/database.ts';
import { type FieldKind, type FieldProperty, fieldIn } from '../../contract/field-properties.ts';
import { optionsOf, readFieldValue } from '../queries/projects/fields.ts';
import type { Reader } from '../sync/rows/store.ts';
import { choice } from './kinds/choice.ts';
import { choices } from './kinds/choices.ts';
import { day } from './kinds/day.ts';
import { flag } from './kinds/flag.ts';
import { link } from './kinds/link.ts';
import { number } from './kinds/number.ts';
import { person } from './kinds/person.ts';
import { words } from './kinds/words.ts';
import { makeProperty } from './make-property.ts';
import { memberChoices, personChoice } from './person-choice.ts';
import type { Choice, Entry, Kind, Property } from './property.ts';

type Options = Pick<Entry<unknown>, 'choices' | 'choice' | 'onlyKnown'>;

const optionsIn = (store: Reader, id: string): readonly Choice[] => {
  const row = store.get('custom_fields', id);
  return row ? optionsOf(row).map(({ id, name, color = null }) => ({ id, name, color })) : [];
};

const ofOptions = (id: string): Options => ({ choices: (store) => optionsIn(store, id), onlyKnown: true });

const ofMembers = (id: string): Options => ({
  choices: (store, projectId) => (store.get('custom_fields', id) ? memberChoices(store, projectId) : []),
  choice: personChoice,
});

function make<V extends boolean | number | string | readonly string[]>(
  id: string,
  kind: Kind<V>,
  options: Options = {},
): Property {
  return makeProperty<V>({
    kind,
    ofProject: true,
    valueIn: (store, task) => kind.take(readFieldValue(store, task, id)),
    write: (value) => ({ cell: { of: 'field', fieldId: id, value: value as Json } }),
    unit: (store) => store.get('custom_fields', id)?.unit ?? null,
    ...options,
  });
}

const makers: Readonly<Record<FieldKind, (id: string) => Property>> = {
  text: (id) => make(id, words),
  number: (id) => make(id, number),
  date: (id) => make(id, day),
  select: (id) => make(id, choice, ofOptions(id)),
  multi_select: (id) => make(id, choices, ofOptions(id)),
  person: (id) => make(id, person, ofMembers(id)),
  url: (id) => make(id, link),
  checkbox: (id) => make(id, flag),
};

/** A field of which the kind alone is known, as in a task's history. */
export const fieldOfKind = (kind: FieldKind): Property => makers[kind]('');

const made = new Map<FieldProperty, Property>();

export function fieldNamed(name: FieldProperty): Property {
  const known = made.get(name);
  if (known) return known;
  const { kind, id } = fieldIn(name) ?? { kind: 'text', id: '' };
  const property = makers[kind](id);
  made.set(name, property);
  return property;
}
