// A condition as a sentence, and what it takes to be whole: which properties and operators are offered, and with which value one begins.

import { operatorsFor, readFilter, settleFilter, WrongView } from '../../../../contract/read-view.ts';
import {
  type Condition,
  type Group,
  isGroup,
  kindOf,
  type Operator,
  type Property,
  type PropertyKind,
  partsOf,
  type Value,
} from '../../../../contract/views.ts';
import { propertyNamed } from '../../../properties/properties.ts';
import { sayDay } from '../../../queries/days/days.ts';
import { localized, t } from '../../../strings/messages.ts';
import { writeNumber } from '../../../strings/numbers.ts';
import type { FilterNames } from './names.tsx';

/** What a menu offers. With choices, "is" is left out: "is any of" with one choice says the same. */
export function offeredOperators(property: Property): readonly Operator[] {
  const several = forms[kindOf(property)] === 'list';
  const { always } = propertyNamed(property);
  return operatorsFor(property).filter((is) => {
    if (several && (is === 'is' || is === 'is_not')) return false;
    return !(always && (is === 'empty' || is === 'not_empty'));
  });
}

type Form = 'none' | 'days' | 'day' | 'list' | 'one' | 'number' | 'words';

/** In which form a value is given, by the kind of the property. */
const forms: Readonly<Record<PropertyKind, Form>> = {
  words: 'words',
  choice: 'list',
  choices: 'list',
  day: 'day',
  moment: 'day',
  number: 'number',
  flag: 'one',
};

/** What one begins with: nothing is chosen yet where there is something to choose. */
const beginnings: Readonly<Record<PropertyKind, Pick<Condition, 'is' | 'value'>>> = {
  words: { is: 'contains', value: '' },
  choice: { is: 'any_of', value: [] },
  choices: { is: 'any_of', value: [] },
  day: { is: 'in_next', value: 7 },
  moment: { is: 'in_last', value: 7 },
  number: { is: 'at_least' },
  flag: { is: 'is', value: 'yes' },
};

export function firstOf(property: Property): Condition {
  return { property, ...beginnings[kindOf(property)] };
}

export function formOf({ property, is }: Pick<Condition, 'property' | 'is'>): Form {
  if (is === 'empty' || is === 'not_empty') return 'none';
  if (is === 'in_next' || is === 'in_last') return 'days';
  return forms[kindOf(property)];
}

/** Asked otherwise; the value stays where it fits. */
export function askedAs(condition: Condition, is: Operator): Condition {
  const { property, value } = condition;
  const form = formOf({ property, is });
  const beginning: Partial<Record<Form, Value>> = { day: 'today', days: 7, list: [], words: '' };
  const remaining = form === formOf(condition) ? value : beginning[form];
  return remaining === undefined ? { property, is } : { property, is, value: remaining };
}

/** As the editor has it: one chosen thing is a list of one. */
export function asList(condition: Condition): Condition {
  const { property, is, value } = condition;
  if (formOf(condition) !== 'list' || typeof value !== 'string') return condition;
  return { property, is: is === 'is_not' ? 'none_of' : 'any_of', value: [value] };
}

export function isWhole(condition: Condition): boolean {
  try {
    readFilter({ all: [condition] });
    return true;
  } catch (thrown) {
    if (thrown instanceof WrongView) return false;
    throw thrown;
  }
}

const relative = localized((locale) => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }));
const anyOf = localized((locale) => new Intl.ListFormat(locale, { type: 'disjunction' }));
const allOf = localized((locale) => new Intl.ListFormat(locale, { type: 'conjunction' }));

/** A day of a condition: "today", "in 7 days", "15 May". */
export function sayFilterDay(value: string): string {
  if (/^\d{4}/.test(value)) return sayDay(value);
  return relative().format(value === 'today' ? 0 : Number(value), 'day');
}

/** The day of the calendar that is meant. */
export function dayMeant(value: string, today: string): string {
  const [part] = partsOf(settleFilter({ all: [{ property: 'due_date', is: 'is', value }] }, today, ''));
  return part && !isGroup(part) ? String(part.value) : today;
}

type Names = Pick<FilterNames, 'nameOf' | 'named'>;

/** `most`: how many of a list are named. */
export function sayCondition(written: Condition, names: Names, most = 3): string {
  const condition = asList(written);
  const { property, is, value } = condition;
  const what = names.nameOf(property);
  switch (formOf(condition)) {
    case 'none':
      return is === 'empty' ? t('views.operators.empty', { what }) : t('views.operators.not_empty', { what });
    case 'days':
      return is === 'in_next'
        ? t('views.says.in_next', { what, n: Number(value) })
        : t('views.says.in_last', { what, n: Number(value) });
    case 'one':
      return t('views.says.flag', { what, value: names.named(condition).join() });
    case 'list': {
      const some = names.named(condition);
      const shown =
        some.length > most ? [...some.slice(0, most - 1), t('views.more', { n: some.length - most + 1 })] : some;
      return t(is === 'none_of' ? 'views.says.is_not' : 'views.says.is', { what, value: anyOf().format(shown) });
    }
    default: {
      const words =
        formOf(condition) === 'day'
          ? sayFilterDay(String(value))
          : formOf(condition) === 'words'
            ? `“${value}”`
            : writeNumber(Number(value));
      return t(`views.says.${is as SaidWithValue}`, { what, value: words });
    }
  }
}

/** A whole filter, with all that it names; groups in it stand in brackets. Empty: it lets all tasks pass. */
export function sayFilter(filter: Group, names: Names): string {
  const parts = partsOf(filter).map((part) =>
    isGroup(part) ? `(${sayFilter(part, names)})` : sayCondition(part, names, Number.POSITIVE_INFINITY),
  );
  return ('all' in filter ? allOf : anyOf)().format(parts);
}

type SaidWithValue =
  | 'is'
  | 'is_not'
  | 'before'
  | 'after'
  | 'on_or_before'
  | 'on_or_after'
  | 'contains'
  | 'at_least'
  | 'at_most';
