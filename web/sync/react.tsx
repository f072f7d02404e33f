// The store as React sees it: a query names the tables it reads and is asked again only when one of them changes.

import type { ReactNode } from 'react';
import { createContext, useCallback, useContext, useEffect, useRef, useSyncExternalStore } from 'react';
import type { TableName } from './rows.ts';
import type { Scope } from './scopes.ts';
import { scopeName } from './scopes.ts';
import type { Store } from './store.ts';
import type { Sync } from './sync.ts';
import type { ScopeState } from './watch.ts';

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
  /** Costly, and asked by several components at once: they share one answer. */
  readonly shared?: boolean;
  readonly read: (store: Store, ...args: A) => R;
}

/** The last answers to shared queries, by query and arguments. */
const answers = new WeakMap<object, Map<string, Memory<unknown>>>();
const answersKept = 8;

function recall<R>(query: object, args: string): Memory<R> | null {
  return (answers.get(query)?.get(args) as Memory<R> | undefined) ?? null;
}

function keep<R>(query: object, args: string, memory: Memory<R>): void {
  const some = answers.get(query) ?? new Map<string, Memory<unknown>>();
  answers.set(query, some);
  some.delete(args);
  some.set(args, memory);
  for (const oldest of some.keys()) if (some.size > answersKept) some.delete(oldest);
}

interface Memory<R> {
  readonly store: Store;
  readonly versions: string;
  readonly args: string;
  readonly value: R;
}

export function useQuery<A extends readonly (string | number | boolean | null | undefined)[], R>(
  query: Query<A, R>,
  ...args: A
): R {
  const { store } = useSync();
  const memory = useRef<Memory<R> | null>(null);
  const subscribe = useCallback((listener: () => void) => store.subscribe(query.tables, listener), [store, query]);
  const read = (): R => {
    const versions = query.tables.map((table) => store.version(table)).join();
    const named = JSON.stringify(args);
    const old = (query.shared ? recall<R>(query, named) : null) ?? memory.current;
    if (old && old.store === store && old.versions === versions && old.args === named) {
      memory.current = old;
      return old.value;
    }
    const fresh = query.read(store, ...args);
    // The same answer keeps its identity, so that nothing below redraws.
    const value = old && alike(old.value, fresh) ? old.value : fresh;
    memory.current = { store, versions, args: named, value };
    if (query.shared) keep(query, named, memory.current);
    return value;
  };
  return useSyncExternalStore(subscribe, read, read);
}

/** Equal one level deep; arrays by element, objects by column. */
export function alike(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((item, at) => Object.is(item, other[at]));
  if (isPlain(one) && isPlain(other)) {
    const columns = Object.keys(one);
    return (
      columns.length === Object.keys(other).length && columns.every((column) => Object.is(one[column], other[column]))
    );
  }
  return false;
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

/** Watches a scope while the component is there. */
export function useScope(scope: Scope): ScopeState {
  const { watch } = useSync();
  const name = scopeName(scope);
  const held = useRef(scope);
  if (scopeName(held.current) !== name) held.current = scope;
  const current = held.current;
  useEffect(() => watch.open(current), [watch, current]);
  return useSyncExternalStore(watch.subscribe, () => watch.state(current));
}
