// Progress of one's projects: the share that is done, and the number overdue.

import type { Database } from '../../../contract/database.ts';
import { useResult } from '../../sync/use-result.ts';

export type Progress = Database['public']['Functions']['project_progress']['Returns'][number];

/** By project; live. One that is archived has none, and nobody has before the first answer. */
export function useProgress(): ReadonlyMap<string, Progress> {
  const { data } = useResult<readonly Progress[]>('project_progress');
  return new Map(data?.map((one) => [one.project_id, one]));
}
