// The store as React sees it: a query is asked again only when something that it looked at has changed.

import { createContext, type ReactNode, useContext, useEffect, useMemo, useSyncExternalStore } from 'react';
import type { Source, SourceState } from './rows/refetch.ts';
import { type Scope, scopeName } from './rows/scopes.ts';
import type { Query } from './rows/store.ts';
import type { Sync } from './sync.ts';

export { reuse } from './rows/reads.ts';
export type { Query } from './rows/store.ts';

const SyncContext = createContext<Sync | null>(null);

export function SyncProvider({ sync, children }: { sync: Sync; children: ReactNode }) {
  return <SyncContext value={sync}>{children}</SyncContext>;
}

export function useSync(): Sync {
  const sync = useContext(SyncContext);
  if (sync === null) throw new Error('no sync here: nobody is signed in');
  return sync;
}

/** Told apart by what it says: another list or object with the same in it is the same argument. */
type Argument =
  | string
  | number
  | boolean
  | null
  | undefined
  | readonly Argument[]
  | { readonly [part: string]: Argument };

export function useQuery<A extends readonly Argument[], R>(query: Query<A, R>, ...args: A): R {
  const { store } = useSync();
  const named = JSON.stringify(args);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `named` stands for the arguments
  const reading = useMemo(() => store.reading(query, args, named), [store, query, named]);
  const read = (): R => reading.value;
  return useSyncExternalStore(store.subscribe, read, read);
}

/** Watches a source while the component is there; null: none yet. */
export function useSource(source: Source | null): SourceState {
  const { refetch } = useSync();
  useEffect(() => (source === null ? undefined : refetch.open(source)), [refetch, source]);
  return useSyncExternalStore(refetch.subscribe, () => refetch.state(source?.name ?? ''));
}

export function useScope(scope: Scope | null): SourceState {
  const { sourceOf } = useSync();
  const name = scope === null ? '' : scopeName(scope);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `name` stands for the scope
  return useSource(useMemo(() => (scope === null ? null : sourceOf(scope)), [sourceOf, name]));
}
