// Commands on the inbox: mark as read or done, snooze; watch tasks and projects; notification settings and their schedule.

import { t } from '../strings/messages.ts';
import type { Mutation } from '../sync/journal/entries.ts';
import { newId } from '../sync/rows/ids.ts';
import type { NotificationScheduleRow, NotificationSettingRow } from '../sync/rows/rows.ts';
import type { Reader } from '../sync/rows/store.ts';
import { define, flag, list, maybe, number, oneOf, orNull, record, some, text } from './define-command.ts';
import { deleteRows, insertRows, putRows, updateRows } from './send-changes.ts';

const entries = { ids: list(text) };
const timestamp = (set: boolean): string | null => (set ? new Date().toISOString() : null);

/** The server sets the moment itself. */
const read = define('markEntries', record({ ...entries, read: flag }), {
  silent: true,
  changes: ({ ids, read }) => {
    const read_at = timestamp(read);
    return [
      updateRows(
        'notifications',
        ids.map((id) => ({ id, read_at })),
      ),
    ];
  },
});

export function markRead(store: Reader, chosen: readonly string[], asRead: boolean): Mutation {
  const ids = chosen.filter((id) => (store.get('notifications', id)?.read_at != null) !== asRead);
  return read({ ids, read: asRead }, t('common.inbox.didRead', { n: ids.length }));
}

const finish = define('finishEntries', record({ ...entries, unread: maybe(list(text)) }), {
  announced: true,
  changes: ({ ids, unread = [] }) => {
    const now = timestamp(true);
    return [
      updateRows(
        'notifications',
        ids.map((id) => ({ id, done_at: now, ...(unread.includes(id) ? { read_at: now } : {}) })),
      ),
    ];
  },
});

export function markDone(store: Reader, chosen: readonly string[]): Mutation {
  const ids = chosen.filter((id) => store.get('notifications', id)?.done_at == null);
  const unread = ids.filter((id) => store.get('notifications', id)?.read_at == null);
  return finish({ ids, unread }, t('common.inbox.didDone', { n: ids.length }));
}

const putOff = define('snoozeEntries', record({ ...entries, until: text }), {
  announced: true,
  changes: ({ ids, until }) => [
    updateRows(
      'notifications',
      ids.map((id) => ({ id, snoozed_until: until, read_at: null })),
    ),
  ],
});

/** It comes back unread. */
export function snooze(_: Reader, ids: readonly string[], until: string): Mutation {
  return putOff({ ids, until }, t('common.inbox.didSnooze', { n: ids.length }));
}

const watch = define('watchTask', record({ taskId: text, projectId: text, userId: text, watching: flag }), {
  announced: true,
  changes: ({ taskId, projectId, userId, watching }) => {
    const row = { project_id: projectId, task_id: taskId, user_id: userId, is_watching: watching };
    return putRows('task_watchers', [row], ['is_watching']);
  },
});

export function watchTask(
  store: Reader,
  task: { readonly id: string; readonly project_id: string },
  userId: string,
  watching: boolean,
): Mutation {
  const key = store.get('tasks', task.id)?.title ?? '';
  return watch(
    { taskId: task.id, projectId: task.project_id, userId, watching },
    watching ? t('common.inbox.didWatch', { what: key }) : t('common.inbox.didStop', { what: key }),
  );
}

const watchAll = define('watchProject', record({ projectId: text, userId: text, watching: flag }), {
  changes: ({ projectId, userId, watching }) => [
    (watching ? insertRows : deleteRows)('project_watchers', [{ project_id: projectId, user_id: userId }]),
  ],
});

export function watchProject(store: Reader, projectId: string, userId: string, watching: boolean): Mutation {
  const what = store.get('projects', projectId)?.name ?? '';
  return watchAll(
    { projectId, userId, watching },
    watching ? t('common.inbox.didWatch', { what }) : t('common.inbox.didStop', { what }),
  );
}

export type MailChoice = 'now' | 'daily' | 'off';
export interface Choice {
  readonly inbox: boolean;
  readonly mail: MailChoice;
  readonly push: boolean;
}

const choice = record({ inbox: flag, mail: oneOf('now', 'daily', 'off'), push: flag });

const choose = define(
  'chooseNotifications',
  record({ id: text, userId: text, projectId: orNull(text), kind: text, choice }),
  {
    changes: ({ id, userId, projectId, kind, choice }) =>
      putRows(
        'notification_settings',
        [{ id, user_id: userId, project_id: projectId, kind, ...choice }],
        ['inbox', 'mail', 'push'],
      ),
  },
);

export function chooseNotifications(
  store: Reader,
  userId: string,
  projectId: string | null,
  kind: string,
  choice: Choice,
): Mutation {
  const known = store
    .all('notification_settings')
    .find((row: NotificationSettingRow) => row.project_id === projectId && row.kind === kind);
  return choose({ id: known?.id ?? newId(), userId, projectId, kind, choice }, t('common.inbox.didChoose'));
}

const schedule = define(
  'scheduleNotifications',
  record({ userId: text, patch: some({ time_zone: text, daily_hour: number }) }),
  {
    changes: ({ userId, patch }) =>
      putRows('notification_schedules', [{ user_id: userId, ...patch }], ['time_zone', 'daily_hour']),
  },
);

export function scheduleNotifications(
  _: Reader,
  userId: string,
  patch: Partial<Pick<NotificationScheduleRow, 'time_zone' | 'daily_hour'>>,
): Mutation {
  return schedule({ userId, patch }, t('common.inbox.didChoose'));
}
