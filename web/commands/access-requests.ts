// Requests about what opens without signing in: rows of one's own that only the account page shows, so they are no part of the store.

import { dataOf } from '../sync/door.ts';
import type { Sync } from '../sync/sync.ts';

export interface AccessGrant {
  readonly id: string;
  readonly kind: 'calendar_feed' | 'file_link' | 'folder_link' | 'upload_link' | 'unsubscribe_link';
  readonly bucket_id: string | null;
  readonly created_at: string;
  readonly last_used_at: string | null;
  readonly feed: { readonly name: string } | null;
  readonly project: { readonly name: string } | null;
}

const columns = 'id,kind,bucket_id,created_at,last_used_at,feed:calendar_feeds(name),project:projects(name)';

export async function listAccessGrants({ door }: Sync): Promise<readonly AccessGrant[]> {
  return dataOf(await door.from('access_grants').select(columns).order('created_at')) as unknown as AccessGrant[];
}

export async function endAccessGrant({ door }: Sync, id: string): Promise<void> {
  dataOf(await door.from('access_grants').delete().eq('id', id).select('id'));
}
