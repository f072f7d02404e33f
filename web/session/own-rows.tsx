// The rows of the person who is signed in: their store is opened when they come and closed when they go.

import type { ReactNode } from 'react';
import { useCallback, useEffect, useState } from 'react';
import { loadRestore, revert } from '../commands.ts';
import type { Door } from '../sync/door.ts';
import { SyncProvider, useScope, useSync } from '../sync/react.tsx';
import type { Scope } from '../sync/rows/scopes.ts';
import type { Sync } from '../sync/sync.ts';
import { openSync } from '../sync/sync.ts';
import { live } from './ports.ts';
import { useApp } from './react.tsx';
import { isExpired, readStoredSession } from './stored-session.ts';

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
  const [sync, setSync] = useState<Sync | null>(() => (ahead?.userId === userId ? ahead : null));
  // biome-ignore lint/correctness/useExhaustiveDependencies: the project counts at the start alone
  useEffect(() => {
    const opened = takeAhead(userId) ?? openRows(door, userId);
    // Whoever shows it waits for the same answer.
    for (const scope of scopesAt(userId, projectId)) opened.refetch.open(opened.sourceOf(scope))();
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

function openRows(door: Door, userId: string): Sync {
  return openSync(door, userId, { loadRestore, revert });
}

function scopesAt(userId: string, projectId: string | null): Scope[] {
  const always: Scope[] = [
    { kind: 'me', userId },
    { kind: 'views', userId },
  ];
  return projectId === null ? always : [...always, { kind: 'project', projectId }];
}

/** Opened while the code of the first screen was on its way. */
let ahead: Sync | null = null;
let isTooLate = false;

function takeAhead(userId: string): Sync | null {
  isTooLate = true;
  const taken = ahead;
  ahead = null;
  if (taken === null || taken.userId === userId) return taken;
  taken.close();
  return null;
}

/**
 * What this device remembers for the one whose session it has, before anything is drawn; the server is asked at once. False: there is nobody,
 * or nothing of theirs.
 */
export async function openAhead(door: Door, projectId: string | null): Promise<boolean> {
  const kept = await readStoredSession(document.cookie);
  if (kept === null || isExpired(kept) || live(kept)?.factorDue !== false) return false;
  const { id } = kept.user;
  const opened = openRows(door, id);
  const sources = scopesAt(id, projectId).map((scope) => opened.sourceOf(scope));
  const loaded = await Promise.all(sources.map((source) => source.load(() => true)));
  sources.forEach((source, at) => void opened.refetch.open(source, loaded[at])());
  if (isTooLate) opened.close();
  else ahead = opened;
  return loaded.every(Boolean);
}

/** Nobody is signed in after all. */
export function dropAhead(): void {
  isTooLate = true;
  ahead?.close();
  ahead = null;
}

/** Projects, memberships, people and views are watched as long as someone is here. */
function Mine({ children }: { children: ReactNode }) {
  const { userId } = useSync();
  useScope({ kind: 'me', userId });
  useScope({ kind: 'views', userId });
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
