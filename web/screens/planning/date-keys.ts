// Arrow keys for the days of a task: with Alt it moves, with Shift its last day does, with both its first.

import { type Dates, endedOn, moved, spanOf, startedOn } from '../../queries/views/spans.ts';
import type { TaskRow } from '../../queries.ts';
import { t } from '../../strings/messages.ts';

type Keys = Pick<KeyboardEvent, 'altKey' | 'shiftKey'>;

/** Null where nothing becomes another. */
export function datesByKey({ altKey, shiftKey }: Keys, task: TaskRow, days: number): Dates | null {
  const span = spanOf(task);
  if (span === null) return null;
  if (!altKey) return endedOn(task, span.to + days);
  return shiftKey ? startedOn(task, span.from + days) : moved(task, days);
}

/** The same keys, to be listed. */
export const dateKeys = (): readonly (readonly [keys: string, label: string])[] => [
  ['alt+right', t('planning.keys.move')],
  ['shift+right', t('planning.keys.length')],
  ['alt+shift+right', t('planning.keys.start')],
];
