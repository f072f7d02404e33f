// Hooks beside the named queries: the user, the current rows, and a refetch.

import { useCallback } from 'react';
import { useSync } from '../sync/react.tsx';
import type { Scope } from '../sync/rows/scopes.ts';
import type { Reader } from '../sync/rows/store.ts';

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
export function useServerSearch(): (text: string, most: number) => Promise<readonly string[]> {
  const { call, store } = useSync();
  return useCallback(
    async (query, max_rows) => {
      const rows = await call('search_tasks', { query, max_rows });
      // What is known as it is has nothing new: whatever is drawn of tasks stays as it is.
      const fresh = rows.filter((row) => (store.get('tasks', row.id)?.updated_at ?? '') < row.updated_at);
      store.receive(fresh.map((row) => ({ table: 'tasks', row })));
      return rows.map((row) => row.id);
    },
    [call, store],
  );
}
