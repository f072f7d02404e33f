// The store as React sees it: a query names the tables it reads and is asked again only when one of them changes.

import type { ReactNode } from 'react';
import { createContext, useContext, useEffect, useMemo, useSyncExternalStore } from 'react';
import type { SourceState } from './rows/refetch.ts';
import type { TableName } from './rows/rows.ts';
import type { Scope } from './rows/scopes.ts';
import { scopeName } from './rows/scopes.ts';
import type { Reader, Store } from './rows/store.ts';
import type { Sync } from './sync.ts';

const SyncContext = createContext<Sync | null>(null);

export function SyncProvider({ sync, children }: { sync: Sync; children: ReactNode }) {
  return <SyncContext value={sync}>{children}</SyncContext>;
}

export function useSync(): Sync {
  const sync = useContext(SyncContext);
  if (sync === null) throw new Error('no sync here: nobody is signed in');
  return sync;
}

/** A named read: the tables it looks at, and what it makes of them. */
export interface Query<A extends readonly unknown[], R> {
  readonly tables: readonly TableName[];
  /** Tables it looks at beside those, for some arguments. */
  readonly also?: (...args: A) => readonly TableName[];
  /** Costly, and asked by several components at once: they share one answer. */
  readonly shared?: boolean;
  readonly read: (store: Reader, ...args: A) => R;
}

interface Memory<R> {
  readonly versions: string;
  readonly value: R;
}

type Memories = Map<string, Memory<unknown>>;

/** The last results of shared queries of a store, by query and arguments. */
const recalled = new WeakMap<Store, WeakMap<object, Memories>>();
const recalledPerQuery = 8;

function memoriesOf(store: Store, query: object): Memories {
  const all = recalled.get(store) ?? new WeakMap<object, Memories>();
  recalled.set(store, all);
  const some: Memories = all.get(query) ?? new Map();
  all.set(query, some);
  return some;
}

function keep<R>(some: Memories, args: string, memory: Memory<R>): void {
  some.delete(args);
  some.set(args, memory);
  for (const oldest of some.keys()) if (some.size > recalledPerQuery) some.delete(oldest);
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
  const { subscribe, read } = useMemo(() => readingOf(store, query, args, named), [store, query, named]);
  return useSyncExternalStore(subscribe, read, read);
}

/** One query with its arguments over one store, and its last result. */
function readingOf<A extends readonly Argument[], R>(store: Store, query: Query<A, R>, args: A, named: string) {
  let own: Memory<R> | null = null;
  const shared = query.shared ? memoriesOf(store, query) : null;
  const tables = [...query.tables, ...(query.also?.(...args) ?? [])];
  return {
    subscribe: (listener: () => void) => store.subscribe(tables, listener),
    read: (): R => {
      const versions = tables.map((table) => store.version(table)).join();
      const old = (shared?.get(named) as Memory<R> | undefined) ?? own;
      if (old?.versions === versions) own = old;
      else {
        const fresh = query.read(store, ...args);
        own = { versions, value: old === null ? fresh : reuse(old.value, fresh) };
        if (shared) keep(shared, named, own);
      }
      return own.value;
    },
  };
}

/**
 * The old value where the new one says the same, at any depth, so that nothing below redraws. What differs stays the new one,
 * with those parts of the old that it repeats.
 */
export function reuse<T>(old: unknown, fresh: T): T;
export function reuse(old: unknown, fresh: unknown): unknown {
  if (Object.is(old, fresh)) return old;
  if (Array.isArray(old) && Array.isArray(fresh)) {
    let reused = false;
    const parts = fresh.map((part: unknown, at) => {
      const kept = reuse(old[at], part);
      if (!Object.is(kept, part)) reused = true;
      return kept;
    });
    if (old.length === parts.length && parts.every((part, at) => Object.is(part, old[at]))) return old;
    return reused ? parts : fresh;
  }
  // Another row stands here now: nothing of the old one is to be found in it.
  if (isPlain(old) && isPlain(fresh) && old.id === fresh.id) {
    const columns = Object.keys(fresh);
    let reused = false;
    const parts = columns.map((column) => {
      const kept = reuse(old[column], fresh[column]);
      if (!Object.is(kept, fresh[column])) reused = true;
      return kept;
    });
    const same = columns.length === Object.keys(old).length;
    if (same && columns.every((column, at) => column in old && Object.is(parts[at], old[column]))) return old;
    return reused ? Object.fromEntries(columns.map((column, at) => [column, parts[at]])) : fresh;
  }
  return fresh;
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

/** Watches a scope while the component is there; null: none yet. */
export function useScope(scope: Scope | null): SourceState {
  const { refetch, sourceOf } = useSync();
  const name = scope === null ? '' : scopeName(scope);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `name` stands for the scope
  useEffect(() => (scope === null ? undefined : refetch.open(sourceOf(scope))), [refetch, sourceOf, name]);
  return useSyncExternalStore(refetch.subscribe, () => refetch.state(name));
}
