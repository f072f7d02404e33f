// Finds the next day of a rule. Days have no zone and no hour here; the database decides where they begin.

import 'temporal-polyfill/global';
import { RRuleTemporal } from 'rrule-temporal';

/** How far is looked ahead: a rule that names no day until then (the 30th of February) names none. */
const YEARS_AHEAD = 40;
/** Every day until then; and no rule steps by less than a day. */
const MOST_STEPS = 41 * 366;

/**
 * The first day of the rule after the one given, both as `2026-11-24`; null when there is none. Counted from its start, whether or not the
 * rule names that one. How many tasks there are in all (COUNT) is counted by the database.
 */
export function nextDay(rule: string, startsOn: string, after: string): string | null {
  const ends = `${Number(after.slice(0, 4)) + YEARS_AHEAD}1231`;
  const parts = rule.split(';').filter((part) => !part.startsWith('COUNT='));
  const until = parts.find((part) => part.startsWith('UNTIL='))?.slice(6, 14) ?? ends;
  const days = parts.filter((part) => !part.startsWith('UNTIL='));
  const start = startsOn.replaceAll('-', '');
  const series = new RRuleTemporal({
    rruleString: `DTSTART:${start}T000000Z\nRRULE:${days.join(';')};UNTIL=${until < ends ? until : ends}T000000Z`,
    maxIterations: MOST_STEPS,
  });
  const next = series.next(new Date(`${after}T00:00:00Z`), false);
  return next === null ? null : next.toPlainDate().toString();
}
