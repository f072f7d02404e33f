// The first steps of an account, and which of them are done.

import type { LiveResult } from '../../sync/use-result.ts';
import { useResult } from '../../sync/use-result.ts';

export const firstSteps = ['project', 'task', 'moved', 'invited', 'hears'] as const;
export type FirstStep = (typeof firstSteps)[number];

export function useFirstSteps(): LiveResult<Readonly<Record<FirstStep, boolean>>> {
  return useResult<Readonly<Record<FirstStep, boolean>>>('my_first_steps');
}
