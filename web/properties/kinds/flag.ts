// Kind for a checkbox. No value counts as unchecked.

import { t } from '../../strings/messages.ts';
import type { Kind } from '../property.ts';

export const flag: Kind<boolean> = {
  name: 'flag',
  width: 90,
  take: (held) => (typeof held === 'boolean' ? held : null),
  test: ({ value }, valueIn) => {
    const wanted = value === 'yes';
    return (task) => (valueIn(task) === true) === wanted;
  },
  measure: () => (on) => (on ? 0 : null),
  idsIn: () => [],
  count: (values) => ({ ticked: values.filter((on) => on).length }),
  say: (on) => (on ? 'TRUE' : 'FALSE'),
  sayChange: (on, name) => t(on ? 'task.history.fieldTicked' : 'task.history.fieldUnticked', { name }),
  read(typed) {
    const word = typed.toLowerCase();
    const means = (said: string): boolean => said.split('|').includes(word);
    if (means(t('table.yes'))) return { value: true };
    return means(t('table.no')) ? { value: false } : { fault: t('table.faults.flag', { text: typed }) };
  },
  next: (on) => on !== true,
};
