// Levels of a guest, by name: what they may do with a task.

import type { GrantLevel } from '../../queries.ts';
import { t } from '../../strings/messages.ts';

const levels: readonly GrantLevel[] = ['see', 'comment', 'edit'];

export function levelChoices() {
  return levels.map((level) => ({ value: level, label: t(`people.guests.levels.${level}`) }));
}
