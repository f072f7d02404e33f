// Deleted projects that one owned and may still have back.

import type { ProjectRow } from '../sync/rows/rows.ts';
import type { LiveResult } from '../sync/use-result.ts';
import { useResult } from '../sync/use-result.ts';

export interface DeletedProject extends Pick<ProjectRow, 'id' | 'name' | 'key' | 'color' | 'avatar_url'> {
  readonly deleted_at: string;
  readonly kept_until: string;
}

export function useDeletedProjects(): LiveResult<readonly DeletedProject[]> {
  return useResult<readonly DeletedProject[]>('deleted_projects');
}
