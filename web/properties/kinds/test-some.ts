// Filter tests of a list of values, by operator.

import type { Condition } from '../../../contract/views.ts';
import type { TaskTest, ValueIn } from '../property.ts';

export function testSome({ is, value }: Condition, valueIn: ValueIn<readonly string[]>): TaskTest {
  if (is === 'empty') return (task) => valueIn(task) === null;
  if (is === 'not_empty') return (task) => valueIn(task) !== null;
  const wanted = new Set<string>(typeof value === 'object' ? value : [String(value)]);
  const wants = is === 'is' || is === 'any_of';
  return (task) => (valueIn(task) ?? []).some((id) => wanted.has(id)) === wants;
}
