// The rows of the person who is signed in: their store is opened when they come and closed when they go.

import type { ReactNode } from 'react';
import { useCallback, useEffect, useState } from 'react';
import { loadRestore, revert } from '../commands.ts';
import { SyncProvider, useScope, useSync } from '../sync/react.tsx';
import type { Scope } from '../sync/rows/scopes.ts';
import type { Sync } from '../sync/sync.ts';
import { openSync } from '../sync/sync.ts';
import { useApp } from './react.tsx';

export { forgetSnapshots } from '../sync/rows/snapshots.ts';

interface Props {
  readonly userId: string;
  /** The project that the address names: its rows are on their way before its screen is. */
  readonly projectId: string | null;
  readonly waiting: ReactNode;
  readonly children: ReactNode;
}

export function OwnRows({ userId, projectId, waiting, children }: Props) {
  const { door } = useApp();
  const [sync, setSync] = useState<Sync | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the project counts at the start alone
  useEffect(() => {
    const opened = openSync(door, userId, { loadRestore, revert });
    const ahead: Scope[] = [{ kind: 'me', userId }];
    if (projectId !== null) ahead.push({ kind: 'project', projectId });
    // Whoever shows it waits for the same answer.
    for (const scope of ahead) opened.refetch.open(opened.sourceOf(scope))();
    setSync(opened);
    return () => opened.close();
  }, [door, userId]);
  if (sync === null) return waiting;
  return (
    <SyncProvider sync={sync}>
      <Mine>{children}</Mine>
    </SyncProvider>
  );
}

/** Projects, memberships and people are watched as long as someone is here. */
function Mine({ children }: { children: ReactNode }) {
  const { userId } = useSync();
  useScope({ kind: 'me', userId });
  return children;
}

/** Sends what can be sent; resolves to whether signing out now would lose something. */
export function useLastCall(): () => Promise<boolean> {
  const sync = useSync();
  return useCallback(async () => {
    await sync.journal.idle();
    return sync.hasUnsyncedChanges;
  }, [sync]);
}
