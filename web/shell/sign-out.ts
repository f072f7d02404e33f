// Leaving: what this device remembers is wiped, the session ends here whatever the server says.

import { useCallback } from 'react';
import { useLocation } from 'wouter';
import { paths } from '../routes.ts';
import { useHouse } from '../session/react.tsx';
import { words } from '../strings/words.ts';
import { useSync } from '../sync/react.tsx';
import type { RunningSync } from '../sync/sync.ts';

export function useSignOut(): () => Promise<void> {
  const { holder } = useHouse();
  const sync = useSync();
  const [, go] = useLocation();
  return useCallback(async () => {
    await sync.journal.idle();
    if (sync.journal.trouble !== null && !confirm(words.common.unsent.leave)) return;
    await (sync as RunningSync).forget();
    await holder.signOut();
    go(paths.signIn);
  }, [holder, sync, go]);
}
