// The world of a signed-in person: their store is opened when they come and closed when they go.

import type { ReactNode } from 'react';
import { useEffect, useState } from 'react';
import { projectIn } from '../routes.ts';
import { useHouse } from '../session/react.tsx';
import { SyncProvider, useScope, useSync } from '../sync/react.tsx';
import type { RunningSync } from '../sync/sync.ts';
import { openSync } from '../sync/sync.ts';
import { Ghost } from './ghost.tsx';

export function SignedIn({ userId, children }: { userId: string; children: ReactNode }) {
  const { door } = useHouse();
  const [sync, setSync] = useState<RunningSync | null>(null);
  useEffect(() => {
    const opened = openSync(door, userId);
    // What the screen will ask for is on its way before the screen is; whoever shows it waits for the same answer.
    const at = projectIn(window.location.pathname);
    opened.watch.open({ kind: 'me', userId })();
    if (at) opened.watch.open({ kind: 'project', projectId: at.projectId })();
    setSync(opened);
    return () => opened.close();
  }, [door, userId]);
  if (sync === null) return <Ghost />;
  return (
    <SyncProvider sync={sync}>
      <MyWorld>{children}</MyWorld>
    </SyncProvider>
  );
}

/** Projects, memberships and people are watched as long as someone is here. */
function MyWorld({ children }: { children: ReactNode }) {
  const { userId } = useSync();
  useScope({ kind: 'me', userId });
  return children;
}
