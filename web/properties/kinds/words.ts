// Property kind for text: a task's title and custom text fields.

import type { Condition } from '../../../contract/views.ts';
import { t } from '../../strings/messages.ts';
import type { Kind, TaskTest, ValueIn } from '../property.ts';

/** What has no words is not the ones that are meant. */
export function testWords({ is, value }: Condition, wordsIn: ValueIn<string>): TaskTest {
  if (is === 'empty') return (task) => wordsIn(task) === null;
  if (is === 'not_empty') return (task) => wordsIn(task) !== null;
  const typed = String(value);
  if (is === 'is') return (task) => wordsIn(task) === typed;
  if (is === 'is_not') return (task) => wordsIn(task) !== typed;
  const needle = typed.trim().toLowerCase();
  return (task) => wordsIn(task)?.toLowerCase().includes(needle) ?? false;
}

export const takeText = (held: unknown): string | null => (typeof held === 'string' ? held : null);

export const words: Kind<string> = {
  name: 'words',
  width: 190,
  take: takeText,
  test: testWords,
  measure: () => (text) => text,
  ordersWords: true,
  idsIn: () => [],
  say: (text) => text,
  read: (typed, { most }) =>
    // Counted as the server counts: an emoji is one.
    typed.length > most && [...typed].length > most ? { fault: t('table.faults.long', { most }) } : { value: typed },
};
