// Recurrence rules in words, and rules meant by typed words. Names of days and months come from Intl, other words from the catalog; the server says
// which days a rule names.

import { localized, t } from '../../strings/messages.ts';
import { dayOf, sayDay } from '../days/days.ts';
import { plain } from './search.ts';

export type RuleMode = 'calendar' | 'after_completion';
export interface Repeat {
  readonly rule: string;
  readonly mode: RuleMode;
}

const codes = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];
const workdays = 'MO,TU,WE,TH,FR';
const units = { DAILY: 'day', WEEKLY: 'week', MONTHLY: 'month', YEARLY: 'year' } as const;
type Frequency = keyof typeof units;

const names = localized((locale) => {
  const weekday = (style: 'long' | 'short', at: number): string =>
    new Intl.DateTimeFormat(locale, { weekday: style }).format(new Date(2023, 0, at + 1));
  return {
    // The first of January 2023 was a Sunday.
    weekdays: codes.map((_, at) => weekday('long', at)),
    typed: codes.map((_, at) =>
      [weekday('long', at), weekday('short', at)].map((one) => plain(one).replace(/\.$/, '')),
    ),
    month: (at: number): string => new Intl.DateTimeFormat(locale, { month: 'long' }).format(new Date(2023, at - 1, 1)),
    dayOfYear: new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'long' }),
    list: new Intl.ListFormat(locale),
  };
});

function partsOf(rule: string): ReadonlyMap<string, string> {
  return new Map(rule.split(';').map((part) => part.split('=', 2) as [string, string]));
}

/** "Every second Tuesday", as a sentence of its own; `start` is the day it is counted from. */
export function sayRepeat({ rule, mode }: Repeat, start: string): string {
  const parts = partsOf(rule);
  const said = sayDays(parts, mode, start) ?? t('recur.other', { rule });
  const until = parts.get('UNTIL');
  const count = parts.get('COUNT');
  if (until !== undefined)
    return t('recur.until', { said, day: sayDay(`${until.slice(0, 4)}-${until.slice(4, 6)}-${until.slice(6, 8)}`) });
  return count === undefined ? said : t('recur.count', { said, n: Number(count) });
}

function sayDays(parts: ReadonlyMap<string, string>, mode: RuleMode, start: string): string | null {
  const freq = parts.get('FREQ') as Frequency;
  const n = Number(parts.get('INTERVAL') ?? 1);
  const days = parts.get('BYDAY');
  const monthDay = parts.get('BYMONTHDAY');
  const months = parts.get('BYMONTH');
  if (parts.has('BYSETPOS') || (months !== undefined && freq !== 'YEARLY')) return null;
  if (mode === 'after_completion') return days || monthDay || months ? null : t(`recur.after.${units[freq]}`, { n });
  if (freq === 'DAILY') return days || monthDay ? null : t('recur.daily', { n });
  if (freq === 'WEEKLY') {
    if (days === workdays && n === 1) return t('recur.workdays');
    return t('recur.weekly', { n, days: sayWeekdays(days ?? codes[dayOf(start).getDay()] ?? '') });
  }
  if (freq === 'MONTHLY') {
    if (monthDay === '-1') return t('recur.monthEnd', { n });
    const placed = /^(-1|[1-5])(\w\w)$/.exec(days ?? '');
    if (placed && !monthDay)
      return t('recur.monthlyPlace', { n, place: `p${placed[1]}`, day: sayWeekdays(placed[2] ?? '') });
    if (days || (monthDay && !/^\d+$/.test(monthDay))) return null;
    return t('recur.monthly', { n, day: Number(monthDay ?? dayOf(start).getDate()) });
  }
  return days || monthDay || months ? null : t('recur.yearly', { n, day: names().dayOfYear.format(dayOf(start)) });
}

function sayWeekdays(list: string): string {
  return names().list.format(list.split(',').map((code) => names().weekdays[codes.indexOf(code)] ?? code));
}

/** The rules that are picked most, for a task whose day is this. */
export function usualRepeats(start: string): readonly Repeat[] {
  const day = dayOf(start);
  const code = codes[day.getDay()] ?? 'MO';
  const nextMonth = new Date(day.getFullYear(), day.getMonth(), day.getDate() + 7).getMonth();
  const place = nextMonth === day.getMonth() ? Math.ceil(day.getDate() / 7) : -1;
  const calendar = (rule: string): Repeat => ({ rule, mode: 'calendar' });
  return [
    calendar('FREQ=DAILY'),
    calendar(`FREQ=WEEKLY;BYDAY=${workdays}`),
    calendar(`FREQ=WEEKLY;BYDAY=${code}`),
    calendar(`FREQ=WEEKLY;INTERVAL=2;BYDAY=${code}`),
    calendar(`FREQ=MONTHLY;BYMONTHDAY=${day.getDate()}`),
    calendar(`FREQ=MONTHLY;BYDAY=${place}${code}`),
    calendar('FREQ=YEARLY'),
    { rule: 'FREQ=DAILY;INTERVAL=3', mode: 'after_completion' },
  ];
}

const wordsOf = (name: 'day' | 'week' | 'month' | 'year' | 'workday' | 'last' | 'after' | 'other'): string[] =>
  t(`recur.words.${name}`).split('|');
const numbers = (name: 'numbers' | 'places'): string[][] =>
  t(`recur.words.${name}`)
    .split(',')
    .map((one) => one.split('|'));

/** What is typed: "every 2 weeks on mon and thu", "monthly on the last friday", "3 days after". Null: it means no rule. */
export function readRepeat(text: string): Repeat | null {
  const typed = plain(text);
  if (/freq=/.test(typed))
    return {
      rule: text
        .trim()
        .replace(/^rrule:/i, '')
        .toUpperCase(),
      mode: 'calendar',
    };
  const tokens = typed.replaceAll(/[,.]/g, ' ').split(/\s+/).filter(Boolean);
  const among = (list: readonly string[]): boolean => tokens.some((token) => list.includes(token));
  const mode = among(wordsOf('after')) ? 'after_completion' : 'calendar';
  const weekdays = codes.filter((_, at) => tokens.some((token) => isWeekday(token, at)));
  const found = numberIn(tokens);
  const every = (freq: Frequency, n: number, rest = ''): Repeat => ({
    rule: `FREQ=${freq}${n > 1 ? `;INTERVAL=${n}` : ''}${rest}`,
    mode,
  });
  if (among(wordsOf('workday'))) return every('WEEKLY', 1, `;BYDAY=${workdays}`);
  const unit = (['day', 'week', 'month', 'year'] as const).filter((one) => among(wordsOf(one)));
  const last = among(wordsOf('last'));
  if (unit.includes('month') && weekdays.length === 1 && (last || found.place !== null))
    return every('MONTHLY', found.count ?? 1, `;BYDAY=${last ? -1 : found.place}${weekdays[0]}`);
  if (unit.includes('month') && last) return every('MONTHLY', found.count ?? 1, ';BYMONTHDAY=-1');
  if (unit.includes('month')) {
    const day = found.day !== null && found.day <= 31 ? `;BYMONTHDAY=${found.day}` : '';
    return every('MONTHLY', found.count ?? 1, day);
  }
  if (weekdays.length > 0)
    return every(
      'WEEKLY',
      found.count ?? found.place ?? (among(wordsOf('other')) ? 2 : 1),
      `;BYDAY=${weekdays.join(',')}`,
    );
  const n = found.count ?? found.place ?? (among(wordsOf('other')) ? 2 : 1);
  if (unit.includes('year')) return every('YEARLY', n);
  if (unit.includes('week')) return every('WEEKLY', n);
  return unit.includes('day') ? every('DAILY', n) : null;
}

/** At least two letters of its name, in whatever form it is bent. */
function isWeekday(token: string, at: number): boolean {
  return (names().typed[at] ?? []).some(
    (name) =>
      name === token || (token.length >= 3 && name.startsWith(token)) || (name.length > 3 && token.startsWith(name)),
  );
}

/** A number before a unit counts units; an ordinal is a place, or a day of the month. */
function numberIn(tokens: readonly string[]): { count: number | null; place: number | null; day: number | null } {
  let count: number | null = null;
  let place: number | null = null;
  let day: number | null = null;
  tokens.forEach((token, at) => {
    const named = numbers('numbers').findIndex((one) => one.includes(token)) + 1;
    const ordinal = numbers('places').findIndex((one) => one.includes(token)) + 1;
    const digits = /^(\d{1,3})(st|nd|rd|th|er|e)?$/.exec(token);
    const next = tokens[at + 1] ?? '';
    const beforeUnit = (['day', 'week', 'month', 'year'] as const).some((unit) => wordsOf(unit).includes(next));
    if (ordinal > 0) place = ordinal;
    else if (digits && !digits[2] && beforeUnit) count = Number(digits[1]);
    else if (digits) {
      day = Number(digits[1]);
      if (day <= 5) place = day;
    } else if (named > 0 && beforeUnit) count = named;
  });
  return { count, place, day };
}
