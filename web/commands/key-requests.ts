// Requests about keys for programs: one's own, and those that reach a project, for its owners. Only their pages show them, so they are no part of the store.

import { dataOf } from '../sync/door.ts';
import type { KeyOfProject, KeyScope } from '../sync/procedures.ts';
import type { Sync } from '../sync/sync.ts';

export type { KeyOfProject };

export interface ApiKey {
  readonly id: string;
  readonly name: string;
  readonly prefix: string;
  readonly scope: KeyScope;
  /** Null: all. */
  readonly project_ids: readonly string[] | null;
  readonly expires_at: string | null;
  readonly last_used_at: string | null;
  readonly last_used_address: string | null;
}

export interface NewKey {
  readonly name: string;
  readonly scope: KeyScope;
  readonly projectIds: readonly string[] | null;
  /** Null: it doesn't expire. */
  readonly days: number | null;
}

export const columnsOfKeys = 'id, name, prefix, scope, project_ids, expires_at, last_used_at, last_used_address';

export const isOpenKey = ({ expires_at: end }: ApiKey): boolean => end === null || Date.parse(end) > Date.now();

/** One's own that work, the latest first. */
export async function listKeys({ door, userId }: Sync): Promise<readonly ApiKey[]> {
  const keys = dataOf(
    await door
      .from('api_keys')
      .select(columnsOfKeys)
      .eq('user_id', userId)
      .is('revoked_at', null)
      .order('created_at', { ascending: false }),
  ) as unknown as ApiKey[];
  return keys.filter(isOpenKey);
}

/** Its text, which the server doesn't tell again. */
export async function makeKey(sync: Sync, { name, scope, projectIds, days }: NewKey): Promise<string> {
  return (await sync.call('create_api_key', { name, scope, project_ids: projectIds, days })).token;
}

export async function revokeKey(sync: Sync, id: string): Promise<void> {
  await sync.call('revoke_api_key', { key_id: id });
}

export function listProjectKeys(sync: Sync, projectId: string): Promise<readonly KeyOfProject[]> {
  return sync.call('project_api_keys', { project_id: projectId });
}

export async function removeKeyFromProject(sync: Sync, id: string, projectId: string): Promise<void> {
  await sync.call('remove_api_key_from_project', { key_id: id, project_id: projectId });
}
