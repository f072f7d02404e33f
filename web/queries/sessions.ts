// Where I am signed in, as the server knows it.

import type { Answer } from '../sync/answers.ts';
import { useAnswer } from '../sync/answers.ts';

export interface MySession {
  readonly id: string;
  readonly user_agent: string | null;
  readonly address: string | null;
  readonly created_at: string;
  readonly last_seen_at: string;
  readonly aal: string;
  readonly is_current: boolean;
}

/** The session of this device first, then those seen last. */
export function useMySessions(): Answer<readonly MySession[]> {
  return useAnswer<readonly MySession[]>('list_my_sessions');
}
