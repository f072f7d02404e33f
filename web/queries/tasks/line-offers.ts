// Offers while a task's line is typed: people after "@", labels after "#", priorities after "!", days after "^".

import { localized, t } from '../../strings/messages.ts';
import { dayOf, daysAfter } from '../days/days.ts';
import { readDays } from '../days/read-day.ts';
import { type LinePart, type LineWords, priorities, readTaskLine } from './read-task-line.ts';
import { plain } from './search.ts';

export interface LineSign {
  readonly sign: '@' | '#' | '!' | '^';
  /** Letters between the sign and the caret. */
  readonly typed: string;
  /** Place of the sign in the text. */
  readonly from: number;
}

export interface LineOffer {
  readonly part: Pick<LinePart, 'kind' | 'is'>;
  readonly name: string;
  /** Replaces the sign and the letters after it. */
  readonly puts: string;
}

const most = 6;
const dayNames = localized(
  (locale) => new Intl.DateTimeFormat(locale, { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' }),
);

/** The sign that is being completed at the caret. */
export function signAt(text: string, caret: number): LineSign | null {
  const [, sign, typed = ''] = /(?:^|\s)([@#!^])([^\s@#!^]*)$/.exec(text.slice(0, caret)) ?? [];
  return sign === undefined ? null : { sign: sign as LineSign['sign'], typed, from: caret - typed.length - 1 };
}

export function offersFor({ sign, typed }: LineSign, words: LineWords): LineOffer[] {
  const begun = plain(typed);
  const begins = (name: string): boolean =>
    plain(name)
      .split(/[\s-]/)
      .some((_, at, all) => all.slice(at).join(' ').startsWith(begun));
  const named = (kind: LinePart['kind'], all: readonly (readonly [is: string, name: string])[]): LineOffer[] =>
    all
      .filter(([is, name]) => begins(name) || (kind === 'priority' && is.startsWith(begun)))
      .map(([is, name]) => ({ part: { kind, is }, name, puts: `${sign}${name}` }))
      // A name with a sign in it would be read as something else.
      .filter(({ part, puts }) => {
        const read = readTaskLine(`x ${puts}`, words);
        return read.title === 'x' && read.parts[0]?.is === part.is;
      })
      .slice(0, most);
  if (sign === '@')
    return named('assignee', [
      [words.userId, t('board.line.me')],
      ...words.people.map(({ userId, name }) => [userId, name] as const),
    ]);
  if (sign === '#')
    return named(
      'label',
      words.labels.map(({ id, name }) => [id, name] as const),
    );
  if (sign === '!')
    return named(
      'priority',
      priorities.map((one) => [one, t(`common.priorities.${one}`)] as const),
    );
  const days = begun === '' ? [0, 1, 7].map((ahead) => daysAfter(words.today, ahead)) : readDays(typed, words.today);
  return days.map((day) => ({ part: { kind: 'due', is: day }, name: dayNames().format(dayOf(day)), puts: `^${day}` }));
}

/** Name of the label that could be created: no label is called so. */
export function newLabelIn({ sign, typed }: LineSign, { labels }: LineWords): string | null {
  if (sign !== '#' || !/\p{L}/u.test(typed) || labels.some(({ name }) => plain(name) === plain(typed))) return null;
  return typed;
}
