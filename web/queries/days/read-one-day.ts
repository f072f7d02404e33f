// Reads one day from text: as written in a spreadsheet, or in words such as tomorrow.

import { readDays } from './read-day.ts';

/** Undefined: they mean none. `today` is the reader's. */
export function readOneDay(typed: string, today: string): string | undefined {
  const iso = /^(\d{4}-\d\d-\d\d)(?:[T ].*)?$/.exec(typed)?.[1];
  if (iso !== undefined) return Number.isNaN(Date.parse(`${iso}T00:00:00Z`)) ? undefined : iso;
  return readDays(typed, today, 3)[0];
}
