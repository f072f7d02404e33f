// Sessions of the user, as the server knows them.

import type { LiveResult } from '../../sync/use-result.ts';
import { useResult } from '../../sync/use-result.ts';

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
export function useMySessions(): LiveResult<readonly MySession[]> {
  return useResult<readonly MySession[]>('list_my_sessions');
}
