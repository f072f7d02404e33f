// Requests about exports: the server writes them, and only who asked sees them, so they are no part of the store.

import type { Export, ExportFormat } from '../sync/procedures.ts';
import type { Sync } from '../sync/sync.ts';

export type { Export, ExportFormat };

/** Of a project, or, without one, of everything one sees. */
export async function beginExport(sync: Sync, format: ExportFormat, projectId: string | null): Promise<Export> {
  return sync.call('begin_export', projectId === null ? { format } : { format, project_id: projectId });
}

export async function listExports(sync: Sync): Promise<readonly Export[]> {
  // `never` are the arguments of a procedure that takes none; the client sends an object all the same.
  return sync.call('my_exports', {} as never);
}

/** Stops one, or removes its file. */
export async function cancelExport(sync: Sync, id: string): Promise<void> {
  await sync.call('cancel_export', { export_id: id });
}
