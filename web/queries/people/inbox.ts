// The inbox: what is not done, grouped by the task it is about; unread first, then the newest.

import type { Query } from '../../sync/react.tsx';
import type { NotificationRow } from '../../sync/rows/rows.ts';
import type { Reader } from '../../sync/rows/store.ts';
import { taskKey } from '../tasks/task-key.ts';
import { isSnoozed } from './unread-count.ts';

export const inboxFilters = ['all', 'mentions', 'assigned', 'snoozed'] as const;
export type InboxFilter = (typeof inboxFilters)[number];

/** What the server says about an entry, as far as it is known to be there. */
export interface EntryData {
  readonly task_number?: number;
  readonly task_title?: string;
  /** What else the same person did to the task within a minute. */
  readonly also?: readonly string[];
  readonly excerpt?: string;
  readonly comment_id?: string;
  /** One's own comment that it answers. */
  readonly answers_id?: string;
  readonly from?: string;
  readonly to?: string;
  readonly count?: number;
  readonly due_date?: string;
  readonly project_name?: string;
  readonly inviter_name?: string;
  readonly role?: string;
  readonly invitation_id?: string;
  /** Of an invitation as a guest: key and title, and what they may. */
  readonly task?: string | null;
  readonly level?: string | null;
  /** Of a transfer by an operator. */
  readonly project_id?: string;
  readonly operator?: string;
  readonly new_owner?: string;
  readonly reason?: string;
  readonly state?: string;
  readonly due_at?: string;
  readonly ended_by?: string;
}

export interface InboxGroup {
  /** The task's id, or the entry's where it is about none. */
  readonly id: string;
  readonly projectId: string | null;
  readonly taskId: string | null;
  /** "WEB-12"; empty where it is about no task. */
  readonly key: string;
  readonly number: number | null;
  readonly title: string;
  readonly unread: boolean;
  /** The newest first. */
  readonly entries: readonly NotificationRow[];
  readonly latest: string;
}

export function dataOfEntry(entry: Pick<NotificationRow, 'data'>): EntryData {
  return typeof entry.data === 'object' && entry.data !== null ? (entry.data as EntryData) : {};
}

const kindsOf: Readonly<Record<InboxFilter, readonly string[] | null>> = {
  all: null,
  mentions: ['mentioned'],
  assigned: ['assigned', 'unassigned'],
  snoozed: null,
};

function passes(entry: NotificationRow, filter: InboxFilter): boolean {
  const kinds = kindsOf[filter];
  if (kinds === null) return true;
  return [entry.kind, ...(dataOfEntry(entry).also ?? [])].some((kind) => kinds.includes(kind));
}

/** When it came, or came back. */
const momentOf = ({ created_at, snoozed_until }: NotificationRow): string =>
  snoozed_until !== null && Date.parse(snoozed_until) > Date.parse(created_at) ? snoozed_until : created_at;

/** `held` keeps its place among the unread while it is looked at. */
function readInbox(store: Reader, filter: InboxFilter, now: string, held: string): InboxGroup[] {
  const together = new Map<string, NotificationRow[]>();
  for (const entry of store.all('notifications')) {
    if (entry.done_at !== null || isSnoozed(entry, now) !== (filter === 'snoozed')) continue;
    const id = entry.task_id ?? entry.id;
    together.set(id, [...(together.get(id) ?? []), entry]);
  }
  const groups: InboxGroup[] = [];
  for (const [id, all] of together) {
    if (!all.some((entry) => passes(entry, filter))) continue;
    const entries = all.sort((one, other) => Date.parse(momentOf(other)) - Date.parse(momentOf(one)));
    const [newest] = entries;
    if (newest === undefined) continue;
    const data = dataOfEntry(newest);
    const task = newest.task_id === null ? undefined : store.get('tasks', newest.task_id);
    const number = task?.number ?? data.task_number ?? null;
    const project = newest.project_id === null ? undefined : store.get('projects', newest.project_id);
    groups.push({
      id,
      projectId: newest.project_id,
      taskId: newest.task_id,
      key: newest.task_id === null ? '' : taskKey(project, { number }),
      number,
      title: task?.title ?? data.task_title ?? project?.name ?? data.project_name ?? '',
      unread: entries.some((entry) => entry.read_at === null),
      entries,
      latest: momentOf(newest),
    });
  }
  const first = (group: InboxGroup): number => Number(group.unread || group.id === held);
  return groups.sort((one, other) => first(other) - first(one) || Date.parse(other.latest) - Date.parse(one.latest));
}

export const inboxOf: Query<[filter: InboxFilter, now: string, held: string], InboxGroup[]> = {
  read: readInbox,
};

export const isWatching: Query<[taskId: string, userId: string], boolean> = {
  read(store, taskId, userId) {
    const own = store.get('task_watchers', `${taskId} ${userId}`);
    if (own !== undefined) return own.is_watching;
    const task = store.get('tasks', taskId);
    return task !== undefined && store.get('project_watchers', `${task.project_id} ${userId}`) !== undefined;
  },
};
