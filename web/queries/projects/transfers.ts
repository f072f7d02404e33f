// Transfers of a project by operators of the server: those that wait, and those that are over.

import type { LiveResult } from '../../sync/use-result.ts';
import { useResult } from '../../sync/use-result.ts';

export interface ProjectTransfer {
  readonly id: string;
  readonly operator: string;
  readonly new_owner: string;
  readonly reason: string;
  readonly state: 'waiting' | 'passed' | 'objected' | 'withdrawn';
  readonly due_at: string;
}

export function useTransfers(projectId: string): LiveResult<readonly ProjectTransfer[]> {
  return useResult<readonly ProjectTransfer[]>('project_transfers', { project_id: projectId });
}
