// Notification settings: kinds, ways and the hours of one's day.

import type { Query } from '../../sync/react.tsx';
import type { NotificationScheduleRow, NotificationSettingRow } from '../../sync/rows/rows.ts';
import type { Reader } from '../../sync/rows/store.ts';
import type { LiveResult } from '../../sync/use-result.ts';
import { useResult } from '../../sync/use-result.ts';

export interface NotificationKind {
  readonly kind: string;
  readonly inbox: boolean;
  readonly mail: 'now' | 'daily' | 'off';
  readonly push: boolean;
}

/** All kinds, the weightiest first, and what holds for who has chosen nothing. */
export function useNotificationKinds(): LiveResult<readonly NotificationKind[]> {
  return useResult<readonly NotificationKind[]>('notification_kinds');
}

const settingIn = (store: Reader, projectId: string | null, kind: string): NotificationSettingRow | undefined =>
  store.all('notification_settings').find((row) => row.project_id === projectId && row.kind === kind);

/** What was chosen for a project, or else for all; nothing where nothing was. */
export const choiceIn: Query<[projectId: string, kind: string], NotificationSettingRow | undefined> = {
  read: (store, projectId, kind) =>
    (projectId === '' ? undefined : settingIn(store, projectId, kind)) ?? settingIn(store, null, kind),
};

export const scheduleOf: Query<[userId: string], Pick<NotificationScheduleRow, 'time_zone' | 'daily_hour'>> = {
  read: (store, userId) => store.get('notification_schedules', userId) ?? { time_zone: 'UTC', daily_hour: 8 },
};

export const watchesProject: Query<[projectId: string, userId: string], boolean> = {
  read: (store, projectId, userId) => store.get('project_watchers', `${projectId} ${userId}`) !== undefined,
};
