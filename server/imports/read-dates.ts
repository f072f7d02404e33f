// Days and moments as people and products write them. Whether 5/3 is a day in March or in May is learned from all values of a column.

export type DayOrder = 'dmy' | 'mdy';

export interface Dates {
  readonly order: DayOrder;
  /** No value told which it is, and some could be either. */
  readonly unclear: boolean;
  /** One of either kind, where some have the day first and others the month: what could be either is read by `order`. */
  readonly mixed: string | null;
  /** `2026-11-24`, or null where the value is none. */
  day(value: string): string | null;
  /** Whether a value says more than a day: midnight says nothing. */
  hasTime(value: string): boolean;
  /** ISO 8601, in UTC where the value names no zone. */
  moment(value: string): string | null;
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
/** Where German differs. */
const otherMonths: Readonly<Record<string, number>> = { mär: 3, mrz: 3, mai: 5, okt: 10, dez: 12 };
const ordered = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d{2})(?!\d)/;
const time = /(?:^|[T\s,])(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?\s*(am|pm)?\s*(Z|UTC|GMT)?([+-]\d{2}:?\d{2})?/i;

export function readDates(values: Iterable<string>, given: DayOrder | null = null): Dates {
  let dayFirst = 0;
  let monthFirst = 0;
  let either = 0;
  let dots = 0;
  const examples = { dmy: '', mdy: '' };
  for (const value of values) {
    const found = ordered.exec(value.trim());
    if (found === null) continue;
    if (Number(found[1]) > 12) {
      dayFirst++;
      examples.dmy ||= found[0];
    } else if (Number(found[3]) > 12) {
      monthFirst++;
      examples.mdy ||= found[0];
    } else if (found[1] !== found[3]) either++;
    if (found[2] === '.') dots++;
  }
  const order = given ?? (monthFirst > dayFirst ? 'mdy' : 'dmy');
  const day = (value: string): string | null => dayOf(value.trim(), order);
  return {
    order,
    unclear: given === null && either > 0 && dots === 0 && dayFirst + monthFirst === 0,
    mixed: dayFirst > 0 && monthFirst > 0 ? `${examples.dmy}, ${examples.mdy} (${order})` : null,
    day,
    hasTime: (value) => {
      const [, hour = '0', minute = '0', , half] = time.exec(value) ?? [];
      return Number(minute) > 0 || Number(hour) % (half === undefined ? 24 : 12) > 0 || half?.toLowerCase() === 'pm';
    },
    moment(value) {
      const date = day(value);
      if (date === null) return null;
      const [, hour = '0', minute = '0', second = '0', half, , zone] = time.exec(value) ?? [];
      const hours = (Number(hour) % (half === undefined ? 24 : 12)) + (half?.toLowerCase() === 'pm' ? 12 : 0);
      const clock = [hours, minute, second].map((part) => String(part).padStart(2, '0')).join(':');
      const at = new Date(`${date}T${clock}${zone === undefined ? 'Z' : zone.replace(/^(...)(\d\d)$/, '$1:$2')}`);
      return Number.isNaN(at.getTime()) ? null : at.toISOString();
    },
  };
}

function dayOf(value: string, order: DayOrder): string | null {
  const iso = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)/.exec(value);
  if (iso !== null) return dayFrom(iso[1], iso[2], iso[3]);
  const figures = ordered.exec(value);
  if (figures !== null) {
    const [, one, , two, year] = figures;
    // What can be read in one way only is read so, whatever the others say.
    const dayFirst = Number(one) > 12 || (order === 'dmy' && Number(two) <= 12);
    return dayFirst ? dayFrom(year, two, one) : dayFrom(year, one, two);
  }
  const named = /^(?:\p{L}+,?\s+)?(\d{1,2})(?:st|nd|rd|th|\.)?[\s/-]+(\p{L}{3,9})\.?,?[\s/-]+(\d{4}|\d{2})(?!\d)/u.exec(
    value,
  );
  if (named !== null) return dayFrom(named[3], monthOf(named[2]), named[1]);
  const american = /^(?:\p{L}+,?\s+)?(\p{L}{3,9})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})(?!\d)/u.exec(value);
  return american === null ? null : dayFrom(american[3], monthOf(american[1]), american[2]);
}

function monthOf(name = ''): string {
  const start = name.slice(0, 3).toLowerCase();
  return String(otherMonths[start] ?? months.indexOf(start) + 1);
}

function dayFrom(year = '', month = '', day = ''): string | null {
  const full = year.length === 2 ? `20${year}` : year;
  const text = `${full}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const at = new Date(`${text}T00:00:00Z`);
  // The 30th of February would become the first of March.
  return Number.isNaN(at.getTime()) || at.toISOString().slice(0, 10) !== text ? null : text;
}
