// The days of a rule by another road than the server's: every day of the years is looked at, and asked of each part of the rule whether it
// belongs, as RFC 5545 (3.3.10) says it in words. Slow, and too simple to be wrong in the same way.

const weekdays = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];
const dayMs = 86_400_000;
const at = (day: string): number => Date.parse(`${day}T00:00:00Z`) / dayMs;
const iso = (day: number): string => new Date(day * dayMs).toISOString().slice(0, 10);

interface Day {
  readonly number: number;
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly weekday: string;
}

function dayOf(number: number): Day {
  const date = new Date(number * dayMs);
  return {
    number,
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    weekday: weekdays[date.getUTCDay()] ?? '',
  };
}

const lengthOf = (year: number, month: number): number => new Date(Date.UTC(year, month, 0)).getUTCDate();

/** Which one of its weekday it is, from the first and from the last, in its month or its year. */
function placesOf(one: Day, within: 'month' | 'year'): readonly [number, number] {
  const first = Date.UTC(one.year, within === 'month' ? one.month - 1 : 0, 1) / dayMs;
  const last = within === 'month' ? first + lengthOf(one.year, one.month) - 1 : Date.UTC(one.year, 11, 31) / dayMs;
  return [Math.floor((one.number - first) / 7) + 1, -(Math.floor((last - one.number) / 7) + 1)];
}

/** All days of the rule from its start to the last day asked for, the start only if the rule names it. */
export function referenceDays(rule: string, start: string, last: string): string[] {
  const parts = new Map(rule.split(';').map((part) => part.split('=') as [string, string]));
  const list = (name: string): readonly string[] => parts.get(name)?.split(',') ?? [];
  const freq = parts.get('FREQ') ?? '';
  const interval = Number(parts.get('INTERVAL') ?? 1);
  const begin = dayOf(at(start));
  const months = list('BYMONTH').map(Number);
  const monthDays = list('BYMONTHDAY').map(Number);
  const byDay = list('BYDAY').map((one) => ({ weekday: one.slice(-2), place: Number(one.slice(0, -2) || 0) }));
  const weekStart = weekdays.indexOf(parts.get('WKST') ?? 'MO');
  const until = parts.get('UNTIL');
  const end = Math.min(at(last), until ? at(`${until.slice(0, 4)}-${until.slice(4, 6)}-${until.slice(6, 8)}`) : 1e9);

  // Days since the epoch began on a Thursday.
  const weekOf = (one: Day): number => Math.floor((one.number + 4 - weekStart) / 7);
  const periodOf = (one: Day): number =>
    ({ DAILY: one.number, WEEKLY: weekOf(one), MONTHLY: one.year * 12 + one.month, YEARLY: one.year })[freq] ?? 0;
  const within = freq === 'YEARLY' && months.length === 0 ? 'year' : 'month';

  const belongs = (one: Day): boolean => {
    if (months.length > 0 && !months.includes(one.month)) return false;
    const backwards = one.day - lengthOf(one.year, one.month) - 1;
    if (monthDays.length > 0 && !monthDays.includes(one.day) && !monthDays.includes(backwards)) return false;
    if (byDay.length > 0) {
      const places = placesOf(one, within);
      return byDay.some(({ weekday, place }) => weekday === one.weekday && (place === 0 || places.includes(place)));
    }
    if (monthDays.length > 0 || freq === 'DAILY') return true;
    if (freq === 'WEEKLY') return one.weekday === begin.weekday;
    return one.day === begin.day && (freq === 'MONTHLY' || months.length > 0 || one.month === begin.month);
  };

  // A whole period is looked at, also what of it lies before the start: places in it count from its beginning.
  const periods = new Map<number, number[]>();
  for (let number = begin.number - 366; number <= end + 366; number++) {
    const one = dayOf(number);
    const period = periodOf(one);
    if ((((period - periodOf(begin)) % interval) + interval) % interval === 0 && belongs(one))
      periods.set(period, [...(periods.get(period) ?? []), number]);
  }
  const chosen = list('BYSETPOS').map(Number);
  return [...periods.values()]
    .flatMap((days) =>
      days.filter((_, i) => chosen.length === 0 || chosen.some((n) => i === n - 1 || i === days.length + n)),
    )
    .filter((number) => number >= begin.number && number <= end)
    .map(iso);
}
