// Requests about claims of tasks: only the server can end one, and whoever comes next may have the task at once.

import type { Sync } from '../sync/sync.ts';

export async function releaseClaim(sync: Sync, claim: string): Promise<void> {
  const released = await sync.call('release_claim', { claim });
  sync.store.receive([{ table: 'task_claims', row: released }]);
}
