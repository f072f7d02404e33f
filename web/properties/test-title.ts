// Filter test of titles that contain words; words that name tasks by number or key match those tasks too.

import { type Condition, lastFrom, readKeyWords } from '../../contract/views.ts';
import type { Reader } from '../sync/rows/store.ts';
import { testWords } from './kinds/words.ts';
import type { TaskTest } from './property.ts';

export function testTitle(store: Reader, condition: Condition): TaskTest {
  const held = testWords(condition, (task) => task.title);
  const named = readKeyWords(String(condition.value));
  if (named === null) return held;
  return (task) => {
    if (held(task)) return true;
    const { number } = task;
    if (number === null) return false;
    if (named.key !== null && store.get('projects', task.project_id)?.key !== named.key) return false;
    return named.from.some((start, at) => number >= start && number <= lastFrom(start, at));
  };
}
