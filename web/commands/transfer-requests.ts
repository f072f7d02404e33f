// Objecting to a transfer of a project by an operator: the server ends it at once, and there is no undo.

import type { Sync } from '../sync/sync.ts';

export async function objectToTransfer(sync: Sync, id: string): Promise<void> {
  await sync.call('object_to_transfer', { transfer_id: id });
}
