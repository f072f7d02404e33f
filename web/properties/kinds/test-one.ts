// Filter tests of a single value, by operator. A task without a value matches is_not and none_of, and no comparison.

import type { Condition } from '../../../contract/views.ts';
import type { TaskTest, ValueIn } from '../property.ts';

type Plain = string | number;

export function testOne({ is, value }: Condition, valueIn: ValueIn<Plain>): TaskTest {
  const wanted = new Set<Plain | null>(typeof value === 'object' ? value : [value ?? null]);
  const compare = (holds: (there: Plain, limit: Plain) => boolean): TaskTest => {
    const limit = typeof value === 'object' || value === undefined ? '' : value;
    return (task) => {
      const there = valueIn(task);
      return there !== null && holds(there, limit);
    };
  };
  switch (is) {
    case 'empty':
      return (task) => valueIn(task) === null;
    case 'not_empty':
      return (task) => valueIn(task) !== null;
    case 'is':
    case 'any_of':
      return (task) => wanted.has(valueIn(task));
    case 'is_not':
    case 'none_of':
      return (task) => !wanted.has(valueIn(task));
    case 'before':
      return compare((there, limit) => there < limit);
    case 'after':
      return compare((there, limit) => there > limit);
    case 'on_or_before':
    case 'at_most':
      return compare((there, limit) => there <= limit);
    default:
      return compare((there, limit) => there >= limit);
  }
}
