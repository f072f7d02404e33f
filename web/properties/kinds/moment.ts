// Kind for a timestamp that the database sets. Filters compare it by the reader's days: from the start of one day to the start of the next.

import { dayAfter } from '../../../contract/views.ts';
import { sayMoment, startOfDay } from '../../queries/days/days.ts';
import { t } from '../../strings/messages.ts';
import type { Kind } from '../property.ts';
import { takeText } from './words.ts';

export const moment: Kind<string> = {
  name: 'moment',
  width: 150,
  take: takeText,
  test({ is, value }, momentIn) {
    if (is === 'empty') return (task) => momentIn(task) === null;
    if (is === 'not_empty') return (task) => momentIn(task) !== null;
    const day = String(value);
    const [start, next] = [Date.parse(startOfDay(day)), Date.parse(startOfDay(dayAfter(day)))];
    const within: Readonly<Record<string, (at: number) => boolean>> = {
      before: (at) => at < start,
      on_or_before: (at) => at < next,
      after: (at) => at >= next,
      on_or_after: (at) => at >= start,
      is: (at) => at >= start && at < next,
      is_not: (at) => at < start || at >= next,
    };
    const holds = within[is];
    return (task) => {
      const at = momentIn(task);
      return at === null ? is === 'is_not' : (holds?.(Date.parse(at)) ?? false);
    };
  },
  measure: () => (timestamp) => timestamp,
  idsIn: () => [],
  // In the order in which every spreadsheet reads it.
  say: (timestamp) => new Date(timestamp).toLocaleString('sv-SE', { dateStyle: 'short', timeStyle: 'short' }),
  show: (timestamp) => sayMoment(timestamp),
  figures: true,
  read: () => ({ fault: t('table.faults.fixed') }),
};
