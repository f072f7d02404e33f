// Entries of operators into a project: looks, transfers and restores, with time and reason.

import type { LiveResult } from '../../sync/use-result.ts';
import { useResult } from '../../sync/use-result.ts';

export interface OperatorEntry {
  readonly id: string;
  readonly deed: 'entered' | 'passed' | 'restored';
  readonly operator: string;
  readonly reason: string;
  readonly created_at: string;
  readonly left_at: string | null;
}

export function useOperatorEntries(projectId: string): LiveResult<readonly OperatorEntry[]> {
  return useResult<readonly OperatorEntry[]>('operator_entries', { project_id: projectId });
}
