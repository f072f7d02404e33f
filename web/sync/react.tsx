// The store as React sees it: a query is asked again only when something that it looked at has changed.

import type { ReactNode } from 'react';
import { createContext, useContext, useEffect, useMemo, useSyncExternalStore } from 'react';
import type { SourceState } from './rows/refetch.ts';
import type { Scope } from './rows/scopes.ts';
import { scopeName } from './rows/scopes.ts';
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

/** Watches a scope while the component is there; null: none yet. */
export function useScope(scope: Scope | null): SourceState {
  const { refetch, sourceOf } = useSync();
  const name = scope === null ? '' : scopeName(scope);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `name` stands for the scope
  useEffect(() => (scope === null ? undefined : refetch.open(sourceOf(scope))), [refetch, sourceOf, name]);
  return useSyncExternalStore(refetch.subscribe, () => refetch.state(name));
}
