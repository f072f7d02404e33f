// Leaving: asks when something would be lost; the session then ends here whatever the server says.

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
    const running = sync as RunningSync;
    await running.journal.idle();
    if (running.owing && !confirm(words.common.unsent.leave)) return;
    await holder.signOut();
    go(paths.signIn);
  }, [holder, sync, go]);
}
