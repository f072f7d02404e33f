// Finds the day that a rule (RFC 5545, in days without zone or hour) names next. Bounded search: forty years, month by month, each day
// looked at once, in some milliseconds, so a rule that never comes costs no more than one that comes rarely.

/** How far is looked ahead: a rule that names no day until then (the 30th of February) names none. */
const yearsAhead = 40;

const dayMs = 86_400_000;
const weekdays = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];
const lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Days are numbered since 1970-01-01, which was a Thursday. */
interface Month {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  /** The number of its first day. */
  readonly first: number;
  readonly length: number;
}

interface Rule {
  readonly freq: string;
  readonly interval: number;
  /** Empty lists say nothing. */
  readonly months: readonly number[];
  readonly monthDays: readonly number[];
  readonly byDay: readonly { readonly weekday: number; readonly place: number }[];
  readonly places: readonly number[];
  readonly weekStart: number;
  readonly until: number;
}

interface Start {
  readonly number: number;
  readonly month: number;
  readonly day: number;
  readonly period: number;
}

/**
 * The first day of the rule after the one given, both as `2026-11-24`; null when there is none. Counted from its start, whether or not the
 * rule names that one. How many tasks there are in all (COUNT) is counted by the database.
 */
export function nextDay(text: string, startsOn: string, after: string): string | null {
  const rule = readRule(text);
  const start = startOf(rule, startsOn);
  const from = Math.max(start.number, numberOf(after) + 1);
  const last = Math.min(rule.until, numberOf(`${Number(after.slice(0, 4)) + yearsAhead}-12-31`));
  // The days of a period that the rule names, those before its start as well: places (BYSETPOS) count from its beginning.
  let days: number[] = [];
  for (let month = firstMonth(rule, from); ; month = monthAfter(month)) {
    addDays(days, rule, start, month);
    if (rule.freq !== 'YEARLY' || rule.places.length === 0 || month.month === 12) {
      const found = chosenOf(rule, days).find((number) => number >= from && isDue(rule, start, number));
      if (found !== undefined) return found > last ? null : nameOf(found);
      if (month.first + month.length > last) return null;
      days = [];
    }
  }
}

function readRule(text: string): Rule {
  const parts = new Map(text.split(';').map((part) => part.split('=', 2) as [string, string]));
  const list = (name: string): string[] => parts.get(name)?.split(',') ?? [];
  const until = parts.get('UNTIL');
  return {
    freq: parts.get('FREQ') ?? 'DAILY',
    interval: Number(parts.get('INTERVAL') ?? 1),
    months: list('BYMONTH').map(Number),
    monthDays: list('BYMONTHDAY').map(Number),
    byDay: list('BYDAY').map((one) => ({
      weekday: weekdays.indexOf(one.slice(-2)),
      place: Number(one.slice(0, -2) || 0),
    })),
    places: list('BYSETPOS').map(Number),
    weekStart: weekdays.indexOf(parts.get('WKST') ?? 'MO'),
    until:
      until === undefined
        ? Number.POSITIVE_INFINITY
        : numberOf(`${until.slice(0, 4)}-${until.slice(4, 6)}-${until.slice(6, 8)}`),
  };
}

function startOf(rule: Rule, name: string): Start {
  const [year = 0, month = 0, day = 0] = name.split('-').map(Number);
  const number = numberOf(name);
  const period = { MONTHLY: year * 12 + month, YEARLY: year }[rule.freq] ?? periodOfDay(rule, number);
  return { number, month, day, period };
}

/** Of rules that count days or weeks. */
function periodOfDay({ freq, weekStart }: Rule, number: number): number {
  return freq === 'WEEKLY' ? Math.floor((number + 4 - weekStart) / 7) : number;
}

const isStep = (rule: Rule, start: Start, period: number): boolean => (period - start.period) % rule.interval === 0;

/** Where weeks or days are left out between two, whether the day lies in one that is not. */
function isDue(rule: Rule, start: Start, number: number): boolean {
  return rule.freq === 'MONTHLY' || rule.freq === 'YEARLY' || isStep(rule, start, periodOfDay(rule, number));
}

function addDays(days: number[], rule: Rule, start: Start, { year, month, first, length }: Month): void {
  const { freq, months, monthDays } = rule;
  if (months.length > 0 && !months.includes(month)) return;
  if (freq === 'MONTHLY' && !isStep(rule, start, year * 12 + month)) return;
  if (freq === 'YEARLY' && !isStep(rule, start, year)) return;
  for (let day = 1; day <= length; day++) {
    if (monthDays.length > 0 && !monthDays.includes(day) && !monthDays.includes(day - length - 1)) continue;
    if (isNamed(rule, start, { year, month, first, length }, day)) days.push(first + day - 1);
  }
}

/** What is left to ask once month and day of the month fit. */
function isNamed({ freq, months, monthDays, byDay }: Rule, start: Start, month: Month, day: number): boolean {
  const number = month.first + day - 1;
  if (byDay.length > 0) {
    const weekday = weekdayOf(number);
    const inYear = freq === 'YEARLY' && months.length === 0;
    return byDay.some((one) => one.weekday === weekday && (one.place === 0 || isPlace(one.place, month, day, inYear)));
  }
  if (monthDays.length > 0 || freq === 'DAILY') return true;
  if (freq === 'WEEKLY') return weekdayOf(number) === weekdayOf(start.number);
  return day === start.day && (freq === 'MONTHLY' || months.length > 0 || month.month === start.month);
}

/** Whether it is that one of its weekday, from the first or from the last, in its month or in its year. */
function isPlace(place: number, { year, first, length }: Month, day: number, inYear: boolean): boolean {
  const number = first + day - 1;
  const before = inYear ? number - firstOf(year, 1) : day - 1;
  const behind = inYear ? firstOf(year + 1, 1) - 1 - number : length - day;
  return place === Math.floor(before / 7) + 1 || place === -(Math.floor(behind / 7) + 1);
}

function chosenOf({ places }: Rule, days: readonly number[]): readonly number[] {
  if (places.length === 0) return days;
  return days.filter((_, at) => places.some((place) => at === (place > 0 ? place - 1 : days.length + place)));
}

/** Where a period begins that the day lies in. */
function firstMonth({ freq, places }: Rule, number: number): Month {
  const date = new Date(number * dayMs);
  const isWhole = freq === 'YEARLY' && places.length > 0;
  return monthOf(date.getUTCFullYear(), isWhole ? 1 : date.getUTCMonth() + 1);
}

function monthAfter({ year, month, first, length }: Month): Month {
  const next = month === 12 ? { year: year + 1, month: 1 } : { year, month: month + 1 };
  return { ...next, first: first + length, length: lengthOf(next.year, next.month) };
}

function monthOf(year: number, month: number): Month {
  return { year, month, first: firstOf(year, month), length: lengthOf(year, month) };
}

const numberOf = (name: string): number => Date.parse(`${name}T00:00:00Z`) / dayMs;
const nameOf = (number: number): string => new Date(number * dayMs).toISOString().slice(0, 10);
const weekdayOf = (number: number): number => (((number + 4) % 7) + 7) % 7;
const firstOf = (year: number, month: number): number => Date.UTC(year, month - 1, 1) / dayMs;

function lengthOf(year: number, month: number): number {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return month === 2 && isLeap ? 29 : (lengths[month - 1] ?? 0);
}
