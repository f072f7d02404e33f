// Requests about the join link of a project: made, copied and turned off by owners, read and followed by whoever holds it.

import { type Door, dataOf } from '../sync/door.ts';
import type { JoinLinkDetails } from '../sync/procedures.ts';
import type { Role } from '../sync/rows/rows.ts';
import type { Sync } from '../sync/sync.ts';

export type { JoinLinkDetails };

const addressOf = (token: string): string => `${location.origin}/join#${token}`;

/** Ends the link before it. Without days it does not expire. */
export async function createJoinLink(
  sync: Sync,
  projectId: string,
  role: Role,
  days: number | null,
): Promise<{ readonly id: string; readonly address: string }> {
  const { id, token } = await sync.call('create_join_link', { project_id: projectId, role, days });
  await sync.refresh({ kind: 'project', projectId });
  return { id, address: addressOf(token) };
}

/** Only hashes are stored: each copy is a token of its own. */
export async function copyJoinLink(sync: Sync, id: string): Promise<string> {
  return addressOf(await sync.call('join_link_token', { link_id: id }));
}

export async function revokeJoinLink(sync: Sync, projectId: string, id: string): Promise<void> {
  await sync.call('revoke_join_link', { link_id: id });
  await sync.refresh({ kind: 'project', projectId });
}

/** Signed in or not. */
export async function readJoinLink(door: Door, token: string): Promise<JoinLinkDetails> {
  return dataOf(await door.rpc('join_link_details', { token }));
}

/** The id of the project one is now a member of. */
export async function joinByLink(door: Door, token: string): Promise<string> {
  return dataOf(await door.rpc('join_by_link', { token })).project_id;
}
