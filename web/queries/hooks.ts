// Hooks beside the named queries: the user, the current rows, and a refetch.

import { useCallback } from 'react';
import { useSync } from '../sync/react.tsx';
import type { Scope } from '../sync/rows/scopes.ts';
import type { Reader } from '../sync/rows/store.ts';
import type { Sync } from '../sync/sync.ts';

export function useUserId(): string {
  return useSync().userId;
}

/** For what happens on a click or a key; what is drawn asks a query, which knows when to draw again. */
export function useReader(): Reader {
  return useSync().store;
}

/** Asks the server again: for one scope, or for all that someone looks at. */
export function useRefresh(): (scope?: Scope) => Promise<void> {
  const { refresh } = useSync();
  return refresh;
}

/** Finds tasks on the server; their rows are then known here. The ids, best first. */
export async function searchTasks(
  { call, store }: Pick<Sync, 'call' | 'store'>,
  query: string,
  max_rows: number,
): Promise<readonly string[]> {
  const since = store.now();
  const rows = await call('search_tasks', { query, max_rows });
  store.merge('tasks', rows, since);
  return rows.map(({ id }) => id);
}

export function useServerSearch(): (text: string, most: number) => Promise<readonly string[]> {
  const sync = useSync();
  return useCallback((text, most) => searchTasks(sync, text, most), [sync]);
}
