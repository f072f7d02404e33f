// The result of a procedure that is not rows of the store, for React.

import { useCallback, useEffect, useMemo, useSyncExternalStore } from 'react';
import { useSource, useSync } from './react.tsx';
import type { Source } from './rows/refetch.ts';
import type { Asking, ResultArgs, ResultProcedure } from './rows/results.ts';

export interface LiveResult<T> {
  readonly data: T | null;
  readonly failed: Error | null;
  again(): void;
}

/** The type of what comes back is the caller's: the database only says that it is JSON. */
export function useResult<T>(procedure: ResultProcedure, args: ResultArgs = {}): LiveResult<T> {
  const { results } = useSync();
  const named = JSON.stringify(args);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `named` stands for the arguments
  const source = useMemo(() => results.source(procedure, args), [results, procedure, named]);
  return useAnswer<T>(source);
}

/** The answer to a question of its own, of which this device remembers nothing. */
export function useUnsavedResult<T>(asking: Asking): LiveResult<T> {
  const { results } = useSync();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the name stands for the question
  const source = useMemo(
    () => ({ ...results.sourceOf(asking), load: async () => false, save: async () => undefined }),
    [results, asking.name],
  );
  return useAnswer<T>(source);
}

function useAnswer<T>(source: Source): LiveResult<T> {
  const { results, refetch } = useSync();
  const state = useSource(source);
  const data = useSyncExternalStore(refetch.subscribe, () => results.latest(source.name));
  const again = useCallback(() => void refetch.refresh((one) => one === source.name), [refetch, source]);
  return { data: data as T | null, failed: state.phase === 'failed' ? state.reason : null, again };
}

/** Has a result that someone looks at asked for at this interval, where there is one. */
export function usePollEvery(procedure: ResultProcedure, interval: number | null): void {
  const { results, refetch } = useSync();
  useEffect(
    () => (interval === null ? undefined : refetch.pollEvery(results.source(procedure, {}).name, interval)),
    [results, refetch, procedure, interval],
  );
}
