// Requests about calendar feeds: rows of one's own that only the account page shows, so they are no part of the store.

import { dataOf } from '../sync/door.ts';
import type { Sync } from '../sync/sync.ts';

export interface CalendarFeed {
  readonly id: string;
  readonly name: string;
  readonly kind: string;
  readonly last_used_at: string | null;
  /** None: its address has ended, and it gets a new one by renewFeed. */
  readonly access_grants: readonly { readonly id: string }[];
}

/** Told this once. */
export interface MadeFeed {
  readonly id: string;
  readonly address: string;
}

const addressOf = (path: string): string => location.origin + path;

export async function listFeeds({ door }: Sync): Promise<readonly CalendarFeed[]> {
  const columns = 'id,name,kind,last_used_at,access_grants(id)';
  return dataOf(await door.from('calendar_feeds').select(columns).order('created_at')) as unknown as CalendarFeed[];
}

/** Of a project, or, without one, of one's own tasks under this name. */
export async function makeFeed(sync: Sync, projectId: string | null, name: string): Promise<MadeFeed> {
  const made = await sync.call(
    'create_calendar_feed',
    projectId === null ? { kind: 'mine', name } : { kind: 'project', project_id: projectId },
  );
  return { id: made.id, address: addressOf(made.path) };
}

export async function makeViewFeed(sync: Sync, viewId: string): Promise<MadeFeed> {
  const made = await sync.call('create_calendar_feed', { kind: 'view', view_id: viewId });
  return { id: made.id, address: addressOf(made.path) };
}

export async function renewFeed(sync: Sync, id: string): Promise<MadeFeed> {
  const made = await sync.call('renew_calendar_feed', { feed_id: id });
  return { id, address: addressOf(made.path) };
}

export async function endFeed({ door }: Sync, id: string): Promise<void> {
  dataOf(await door.from('calendar_feeds').delete().eq('id', id).select('id'));
}
