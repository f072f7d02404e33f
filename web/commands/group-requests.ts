// Request for a new group: the server says whether one may make it, and whether its name is free.

import type { Sync } from '../sync/sync.ts';

/** The caller manages it. Its id. */
export async function createGroup(sync: Sync, name: string, description: string): Promise<string> {
  const made = await sync.call('create_group', { name: name.trim(), description: description.trim() });
  sync.store.receive([
    { table: 'groups', row: made },
    { table: 'group_members', row: { group_id: made.id, user_id: sync.userId, is_manager: true } },
  ]);
  return made.id;
}
