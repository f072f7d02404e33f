// Days as people type them: "fri", "next tue", "in 2 weeks", "15 may". Names of days and months, and which of day and month comes
// first, are the language's own; the few words beside them stand in the catalog, several for one meaning set apart by "|".

import { localized, t } from '../../strings/messages.ts';
import { plain } from '../tasks/search.ts';
import { dayOf, daysAfter, localDay, monthsAfter } from './days.ts';

interface Words {
  /** Sunday first; long and short. */
  readonly weekdays: readonly (readonly string[])[];
  readonly months: readonly (readonly string[])[];
  readonly dayFirst: boolean;
  /** 0: Sunday. */
  readonly weekStart: number;
}

interface Typed {
  /** Without accents and capitals, and without what only leads up to a day. */
  readonly tokens: readonly string[];
  readonly today: string;
  /** How many letters of a word are enough for it. */
  readonly least: number;
}

/** What is offered for a few letters. */
const most = 4;

/** The days that a text may mean, the likeliest first; a whole word always counts, a part of one from `least` letters on. */
export function readDays(text: string, today: string, least = 1): readonly string[] {
  const tokens = plain(text).replaceAll(',', ' ').split(/\s+/).filter(Boolean);
  while (tokens.length > 1 && meanings('leading').includes(tokens[0] ?? '')) tokens.shift();
  if (tokens.length === 0) return [];
  const typed: Typed = { tokens, today, least };
  const found = [...readDate(typed), ...readMonthDay(typed), ...readDistance(typed), ...readNamed(typed)];
  return [...new Set(found.filter((day) => day !== null))].slice(0, most);
}

/**
 * The day of a text that is written out: "tomorrow", "next friday", "15 march", "in 2 weeks". Amounts without "in" are none ("wait 2 weeks"),
 * nor are weekends ("plan the weekend"), bare numbers and names of three letters ("Jan", "Sun").
 */
export function readWholeDay(text: string, today: string): string | undefined {
  const whole = plain(text);
  if (!/\p{L}{4}|^\d{4}-/u.test(whole)) return undefined;
  const isIn = meanings('in').some((word) => whole.startsWith(`${word} `));
  const isAmount = !isIn && readDistance({ tokens: whole.split(' '), today, least: written }).length > 0;
  const isWeekend = meanings('weekend').some((word) => whole.endsWith(word));
  return isAmount || isWeekend ? undefined : readDays(whole, today, written)[0];
}

/** No part of a word is enough. */
const written = 99;

const words = localized((locale): Words => {
  const partOf = (options: Intl.DateTimeFormatOptions, type: 'weekday' | 'month', day: Date): string => {
    const parts = new Intl.DateTimeFormat(locale, options).formatToParts(day);
    return plain(parts.find((part) => part.type === type)?.value ?? '').replace(/\.$/, '');
  };
  const bothStyles = (say: (style: 'long' | 'short') => string): string[] => [say('long'), say('short')];
  const order = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'numeric' }).formatToParts(
    new Date(2023, 0, 1),
  );
  return {
    // The first of January 2023 was a Sunday.
    weekdays: Array.from({ length: 7 }, (_, at) =>
      bothStyles((weekday) => partOf({ weekday }, 'weekday', new Date(2023, 0, at + 1))),
    ),
    // With a day beside it a month has the form it has in a date.
    months: Array.from({ length: 12 }, (_, at) =>
      bothStyles((month) => partOf({ day: 'numeric', month }, 'month', new Date(2023, at, 1))),
    ),
    dayFirst: order.find(({ type }) => type === 'day' || type === 'month')?.type === 'day',
    weekStart: firstWeekday(locale),
  };
});

/** The weekday that weeks begin with where the reader is; 0 is Sunday. */
export function weekStart(): number {
  return words().weekStart;
}

function firstWeekday(tag: string): number {
  const locale = new Intl.Locale(tag) as Intl.Locale & {
    getWeekInfo?: () => { firstDay: number };
    weekInfo?: { firstDay: number };
  };
  // Not every browser tells; most of the world begins on Monday.
  return ((locale.getWeekInfo?.() ?? locale.weekInfo)?.firstDay ?? 1) % 7;
}

type Meaning =
  | 'leading'
  | 'today'
  | 'tomorrow'
  | 'afterTomorrow'
  | 'yesterday'
  | 'next'
  | 'this'
  | 'weekend'
  | 'monthEnd'
  | 'in'
  | 'day'
  | 'week'
  | 'month'
  | 'year'
  | 'numbers';

function meanings(name: Meaning, apart = '|'): string[] {
  return t(`days.words.${name}`).split(apart).map(plain);
}

/** The whole of it, or its words up to the last and enough letters of that one. */
function means({ least }: Typed, typed: string, name: string): boolean {
  const whole = name.lastIndexOf(' ', typed.length) + 1;
  return typed === name || (name.startsWith(typed) && typed.length - whole >= (whole > 0 && least === 1 ? 0 : least));
}

/** Null where the calendar has no such day: the 31st of February. */
function dateOf(year: number, month: number, day: number): string | null {
  const date = new Date(year, month - 1, day);
  return date.getMonth() === month - 1 && date.getDate() === day ? localDay(date) : null;
}

/** Without a year it is the next one to come. */
function comingDate({ today }: Typed, month: number, day: number, year?: string): string | null {
  if (year !== undefined) return dateOf(year.length === 2 ? 2000 + Number(year) : Number(year), month, day);
  const thisYear = Number(today.slice(0, 4));
  for (let ahead = 0; ahead <= 8; ahead++) {
    const date = dateOf(thisYear + ahead, month, day);
    if (date !== null && date >= today) return date;
  }
  return null;
}

/** "2026-05-15", "15.5.", "5/15/27". */
function readDate(typed: Typed): (string | null)[] {
  const text = typed.tokens.join('');
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(text);
  if (iso) return [dateOf(Number(iso[1]), Number(iso[2]), Number(iso[3]))];
  const [, one = '', other = '', year] = /^(\d{1,2})[./-](\d{1,2})(?:[./-](\d{4}|\d{2})?)?$/.exec(text) ?? [];
  if (one === '') return [];
  const [first, second] = [Number(one), Number(other)];
  const { dayFirst } = words();
  const usual = dayFirst ? comingDate(typed, second, first, year) : comingDate(typed, first, second, year);
  // The other way round only where this one is no day.
  return [usual ?? (dayFirst ? comingDate(typed, first, second, year) : comingDate(typed, second, first, year))];
}

/** "15 may", "May 15th 2027", and "15" alone: the next one. */
function readMonthDay(typed: Typed): (string | null)[] {
  const { tokens, today } = typed;
  const [first = '', second = '', year, more] = tokens;
  if (more !== undefined || (year !== undefined && !/^\d{4}$/.test(year))) return [];
  if (tokens.length === 1) return [nextWithNumber(numberIn(first), today)];
  const isFirst = !Number.isNaN(numberIn(first));
  const day = numberIn(isFirst ? first : second);
  const month = monthNamed(isFirst ? second : first);
  return month === 0 || Number.isNaN(day) ? [] : [comingDate(typed, month, day, year)];
}

/** "15", "15.", "15th", "1er". */
function numberIn(word: string): number {
  return Number(/^(\d{1,2})(?:st|nd|rd|th|er|\.)?$/.exec(word)?.[1] ?? Number.NaN);
}

function monthNamed(word: string): number {
  const bare = word.replace(/\.$/, '');
  const isIt = (name: string): boolean => name === bare || (bare.length >= 3 && name.startsWith(bare));
  return 1 + words().months.findIndex((names) => names.some(isIt));
}

function nextWithNumber(day: number, today: string): string | null {
  if (!(day >= 1)) return null;
  const [year = 0, month = 1] = today.split('-').map(Number);
  for (let ahead = 0; ahead <= 2; ahead++) {
    const first = new Date(year, month - 1 + ahead, 1);
    const date = dateOf(first.getFullYear(), first.getMonth() + 1, day);
    if (date !== null && date >= today) return date;
  }
  return null;
}

/** "in 2 weeks", "3d", "+10", "in a month". */
function readDistance(typed: Typed): string[] {
  const { tokens, today } = typed;
  const [amount = '', ...after] = meanings('in').includes(tokens[0] ?? '') ? tokens.slice(1) : tokens;
  const [, sign = '', digits, glued = ''] = /^(\+?)(\d{1,3})(\D*)$/.exec(amount) ?? [];
  const count = digits === undefined ? numberNamed(amount) : Number(digits);
  if (count === 0) return [];
  const unit = [glued, ...after].filter(Boolean).join(' ');
  const units: readonly (readonly [Meaning, () => string])[] = [
    ['day', () => daysAfter(today, count)],
    ['week', () => daysAfter(today, 7 * count)],
    ['month', () => monthsAfter(today, count)],
    ['year', () => monthsAfter(today, 12 * count)],
  ];
  if (unit !== '')
    return units.flatMap(([name, day]) => (meanings(name).some((one) => means(typed, unit, one)) ? [day()] : []));
  if (sign !== '') return [daysAfter(today, count)];
  // Half a text is completed while it is being typed: "in 2" may go on in three ways.
  return typed.least > 1 ? [] : units.slice(0, 3).map(([, day]) => day());
}

/** "two": 2; 0 where it is no number. */
function numberNamed(word: string): number {
  return 1 + meanings('numbers', ',').findIndex((names) => names.split('|').includes(word));
}

/** Marks where the name goes beside a word: "next …", "… prochain". */
const gap = plain('…');

/** All days that have a name: "today", "fri", "next tue", "weekend", "end of month". */
function namedDays(today: string): (readonly [name: string, day: string])[] {
  const { weekdays, weekStart: first } = words();
  const now = dayOf(today);
  const sinceStart = (now.getDay() - first + 7) % 7;
  const nextWeek = daysAfter(today, 7 - sinceStart);
  const upcoming = Array.from({ length: 7 }, (_, at) => {
    const weekday = (now.getDay() + 1 + at) % 7;
    return { names: weekdays[weekday] ?? [], day: daysAfter(today, at + 1), weekday };
  });
  const each = (names: readonly string[], day: string) => names.map((name) => [name, day] as const);
  const saturday = upcoming.find(({ weekday }) => weekday === 6)?.day ?? today;
  const monday = daysAfter(nextWeek, (1 - first + 7) % 7);
  const beside = (word: Meaning, names: readonly string[], day: string) =>
    meanings(word).flatMap((one) =>
      each(
        names.map((name) => one.replace(gap, name)),
        day,
      ),
    );
  return [
    ...each(meanings('today'), today),
    ...each(meanings('tomorrow'), daysAfter(today, 1)),
    ...upcoming.flatMap(({ names, day }) => each(names, day)),
    ...beside('next', meanings('week'), monday),
    ...beside('next', meanings('month'), `${monthsAfter(today, 1).slice(0, 8)}01`),
    ...beside('next', meanings('year'), `${Number(today.slice(0, 4)) + 1}-01-01`),
    ...Array.from({ length: 7 }, (_, at) => weekdays[(first + at) % 7] ?? []).flatMap((names, at) =>
      beside('next', names, daysAfter(nextWeek, at)),
    ),
    ...upcoming.flatMap(({ names, day }) => beside('this', names, day)),
    ...each(meanings('weekend'), saturday),
    ...each(meanings('monthEnd'), localDay(new Date(now.getFullYear(), now.getMonth() + 1, 0))),
    ...each(meanings('afterTomorrow'), daysAfter(today, 2)),
    ...each(meanings('yesterday'), daysAfter(today, -1)),
  ];
}

function readNamed(typed: Typed): string[] {
  const text = typed.tokens.join(' ').replace(/\.$/, '');
  const named = namedDays(typed.today);
  const exact = named.filter(([name]) => name === text);
  const begun = named.filter(([name]) => means(typed, text, name));
  return [...exact, ...begun].map(([, day]) => day);
}
