// Number of unread entries: it comes with the first load of the app, the rest of the inbox with its screen.

import type { Query } from '../../sync/react.tsx';
import type { NotificationRow } from '../../sync/rows/rows.ts';

export function isSnoozed(entry: Pick<NotificationRow, 'snoozed_until'>, now: string): boolean {
  return entry.snoozed_until !== null && Date.parse(entry.snoozed_until) > Date.parse(now);
}

/** How many tasks, or other things, have something unread. */
export const unreadCountIn: Query<[now: string], number> = {
  read(store, now) {
    const unread = store
      .all('notifications')
      .filter((entry) => entry.done_at === null && entry.read_at === null && !isSnoozed(entry, now));
    return new Set(unread.map((entry) => entry.task_id ?? entry.id)).size;
  },
};
