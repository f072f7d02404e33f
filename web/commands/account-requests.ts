// Requests of the account page and of settings: sessions, one's own data, access without a session, fields, transfers.

import { dataOf, Refusal } from '../sync/door.ts';
import type { MyData } from '../sync/procedures.ts';
import type { Sync } from '../sync/sync.ts';

export type { MyData };

/** Signs out one device. One that has ended meanwhile is what was wanted. */
export async function endSession(sync: Sync, sessionId: string): Promise<void> {
  try {
    await sync.call('end_my_session', { session_id: sessionId });
  } catch (reason) {
    if (!(reason instanceof Refusal) || reason.status !== 404) throw reason;
  }
}

export async function exportData(sync: Sync): Promise<MyData> {
  // `never` are the arguments of a procedure that takes none; the client sends an object all the same.
  return sync.call('export_my_data', {} as never);
}

/** For good; the address is a safeguard. */
export async function deleteAccount(sync: Sync, email: string): Promise<void> {
  await sync.call('delete_my_account', { email });
}

/** How many tasks hold something in a field, and of each of its options. */
export async function askFieldUse(
  sync: Sync,
  fieldId: string,
): Promise<{ readonly tasks: number; readonly options: Readonly<Record<string, number>> }> {
  return sync.call('custom_field_use', { field_id: fieldId });
}

/** To a transfer of a project by an operator: the server ends it at once. */
export async function objectToTransfer(sync: Sync, id: string): Promise<void> {
  await sync.call('object_to_transfer', { transfer_id: id });
}

/** Something that opens without signing in. Only the account page shows it, so it is no part of the store. */
export interface AccessGrant {
  readonly id: string;
  readonly kind: 'calendar_feed' | 'file_link' | 'folder_link' | 'upload_link' | 'unsubscribe_link';
  readonly bucket_id: string | null;
  readonly created_at: string;
  readonly last_used_at: string | null;
  readonly feed: { readonly name: string } | null;
  readonly project: { readonly name: string } | null;
}

const grantColumns = 'id,kind,bucket_id,created_at,last_used_at,feed:calendar_feeds(name),project:projects(name)';

export async function listAccessGrants({ door }: Sync): Promise<readonly AccessGrant[]> {
  return dataOf(await door.from('access_grants').select(grantColumns).order('created_at')) as unknown as AccessGrant[];
}

export async function endAccessGrant({ door }: Sync, id: string): Promise<void> {
  dataOf(await door.from('access_grants').delete().eq('id', id).select('id'));
}
