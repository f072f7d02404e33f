// Commands on one's own inbox: read, done, put off; watching tasks and projects; what one wants to hear of, and when.

import { t } from '../strings/messages.ts';
import type { Mutation } from '../sync/journal/mutation.ts';
import { insert, remove, update } from '../sync/rows/diff.ts';
import { newId } from '../sync/rows/ids.ts';
import type { NotificationScheduleRow, NotificationSettingRow } from '../sync/rows/rows.ts';
import type { Reader } from '../sync/rows/store.ts';
import { flag, list, number, oneOf, orNull, record, some, text } from './args.ts';
import { define, only } from './define.ts';
import { deleteRows, insertRows, sendChanges, updateRows } from './send-changes.ts';

const entries = { ids: list(text) };
const timestamp = (set: boolean): string | null => (set ? new Date().toISOString() : null);

/** The server sets the moment itself. */
const read = define('markEntries', record({ ...entries, read: flag }), {
  silent: true,
  apply: (store, { ids, read }) =>
    only(
      ...ids.map((id) => {
        const entry = store.get('notifications', id);
        return (
          entry && (entry.read_at !== null) !== read && update('notifications', entry, { read_at: timestamp(read) })
        );
      }),
    ),
  send: (door, { ids, read }) =>
    sendChanges(door, [
      updateRows(
        'notifications',
        ids.map((id) => ({ id, read_at: timestamp(read) })),
      ),
    ]),
});

export function markRead(store: Reader, chosen: readonly string[], asRead: boolean): Mutation {
  const ids = chosen.filter((id) => (store.get('notifications', id)?.read_at != null) !== asRead);
  return read({ ids, read: asRead }, t('common.inbox.didRead', { n: ids.length }));
}

const finish = define('finishEntries', record(entries), {
  announced: true,
  apply(store, { ids }) {
    const now = timestamp(true);
    return only(
      ...ids.map((id) => {
        const entry = store.get('notifications', id);
        return (
          entry && update('notifications', entry, { done_at: entry.done_at ?? now, read_at: entry.read_at ?? now })
        );
      }),
    );
  },
  send: (door, { ids }) =>
    sendChanges(door, [
      updateRows(
        'notifications',
        ids.map((id) => ({ id, done_at: timestamp(true) })),
      ),
    ]),
});

export function markDone(store: Reader, chosen: readonly string[]): Mutation {
  const ids = chosen.filter((id) => store.get('notifications', id)?.done_at == null);
  return finish({ ids }, t('common.inbox.didDone', { n: ids.length }));
}

const putOff = define('snoozeEntries', record({ ...entries, until: text }), {
  announced: true,
  apply: (store, { ids, until }) =>
    only(
      ...ids.map((id) => {
        const entry = store.get('notifications', id);
        return entry && update('notifications', entry, { snoozed_until: until, read_at: null });
      }),
    ),
  send: (door, { ids, until }) =>
    sendChanges(door, [
      updateRows(
        'notifications',
        ids.map((id) => ({ id, snoozed_until: until, read_at: null })),
      ),
    ]),
});

/** It comes back unread. */
export function snooze(_: Reader, ids: readonly string[], until: string): Mutation {
  return putOff({ ids, until }, t('common.inbox.didSnooze', { n: ids.length }));
}

const watch = define('watchTask', record({ taskId: text, projectId: text, userId: text, watching: flag }), {
  apply(store, { taskId, projectId, userId, watching }) {
    const row = store.get('task_watchers', `${taskId} ${userId}`);
    return only(
      row
        ? update('task_watchers', row, { is_watching: watching })
        : insert('task_watchers', {
            project_id: projectId,
            task_id: taskId,
            user_id: userId,
            is_watching: watching,
          }),
    );
  },
  // Where there is a row already the first of the two passes it over.
  send(door, { taskId, userId, watching }) {
    const row = { task_id: taskId, user_id: userId, is_watching: watching };
    return sendChanges(door, [insertRows('task_watchers', [row]), updateRows('task_watchers', [row])]);
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
  apply(store, { projectId, userId, watching }) {
    const row = store.get('project_watchers', `${projectId} ${userId}`);
    if (watching === (row !== undefined)) return [];
    return only(
      row ? remove('project_watchers', row) : insert('project_watchers', { project_id: projectId, user_id: userId }),
    );
  },
  send(door, { projectId, userId, watching }) {
    const row = { project_id: projectId, user_id: userId };
    return sendChanges(door, [
      watching ? insertRows('project_watchers', [row]) : deleteRows('project_watchers', [row]),
    ]);
  },
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
    apply(store, { id, userId, projectId, kind, choice }) {
      const row = store.get('notification_settings', id);
      return only(
        row
          ? update('notification_settings', row, choice)
          : insert('notification_settings', { id, user_id: userId, project_id: projectId, kind, ...choice }),
      );
    },
    send: (door, { id, projectId, kind, choice }) =>
      sendChanges(door, [
        insertRows('notification_settings', [{ id, project_id: projectId, kind, ...choice }]),
        updateRows('notification_settings', [{ id, ...choice }]),
      ]),
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
    apply(store, { userId, patch }) {
      const row = store.get('notification_schedules', userId);
      return only(
        row
          ? update('notification_schedules', row, patch)
          : insert('notification_schedules', { user_id: userId, time_zone: 'UTC', daily_hour: 8, ...patch }),
      );
    },
    send: (door, { userId, patch }) =>
      sendChanges(door, [
        insertRows('notification_schedules', [{ user_id: userId, ...patch }]),
        updateRows('notification_schedules', [{ user_id: userId, ...patch }]),
      ]),
  },
);

export function scheduleNotifications(
  _: Reader,
  userId: string,
  patch: Partial<Pick<NotificationScheduleRow, 'time_zone' | 'daily_hour'>>,
): Mutation {
  return schedule({ userId, patch }, t('common.inbox.didChoose'));
}
