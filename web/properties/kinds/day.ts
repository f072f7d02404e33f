// Kind for a calendar day, without a time.

import { sayDay } from '../../queries/days/days.ts';
import { t } from '../../strings/messages.ts';
import type { Kind } from '../property.ts';
import { testOne } from './test-one.ts';
import { takeText } from './words.ts';

export const day: Kind<string> = {
  name: 'day',
  take: takeText,
  test: testOne,
  measure: () => (date) => date,
  idsIn: () => [],
  // In the order in which every spreadsheet reads it.
  say: (date) => date,
  show: (date) => sayDay(date),
  figures: true,
  read(typed, _, readDay) {
    const value = readDay(typed);
    return value === undefined ? { fault: t('table.faults.day', { text: typed }) } : { value };
  },
  picked: true,
};
