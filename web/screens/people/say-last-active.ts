// Says when a person was last active. Readers themselves are active now, which the figures don't know yet.

import { sayAgo } from '../../queries/days/days.ts';
import { t } from '../../strings/messages.ts';

export function sayLastActive(at: string | null, isMe: boolean): string {
  if (isMe) return t('people.activeNow');
  return at === null ? t('people.neverActive') : t('people.lastActive', { ago: sayAgo(at) });
}
