// Look of each kind of property.

import type { Kind, PropertyValue } from '../../properties/property.ts';
import { day, moment } from './day.tsx';
import { flag } from './flag.tsx';
import type { Look } from './look.ts';
import { choice, choices } from './options.tsx';
import { person } from './people.tsx';
import { link, number, words } from './written.tsx';

const looks = { words, number, link, day, moment, choice, choices, person, people: choices, flag };

/** The values it is given are those of its kind. */
export const lookOf = (kind: Kind<never>['name']): Look<PropertyValue> => looks[kind] as unknown as Look<PropertyValue>;
