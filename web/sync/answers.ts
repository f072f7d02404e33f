// Answers of procedures that are no rows of the store (figures, billing): the last one is shown at once, asked again when the
// screen comes back, on focus and at the calm interval. Remembered on this device beside the snapshots.

import { useEffect, useState } from 'react';
import { useSync } from './react.tsx';
import type { Sync } from './sync.ts';
import { calmInterval, focusPause } from './watch.ts';

export interface Answer<T> {
  readonly data: T | null;
  readonly failed: Error | null;
  readonly asking: boolean;
  again(): void;
}

interface Held {
  data: unknown;
  askedAt: number;
}

const memories = new WeakMap<Sync, Map<string, Held>>();

function memoryOf(sync: Sync): Map<string, Held> {
  let memory = memories.get(sync);
  if (memory === undefined) {
    memory = new Map();
    memories.set(sync, memory);
  }
  return memory;
}

export function useAnswer<T>(procedure: string, args: Readonly<Record<string, string | null>> = {}): Answer<T> {
  const sync = useSync();
  const name = `${procedure} ${JSON.stringify(args)}`;
  const memory = memoryOf(sync);
  const [state, setState] = useState<{ name: string; failed: Error | null; asking: boolean; version: number }>({
    name,
    failed: null,
    asking: true,
    version: 0,
  });
  const [turn, setTurn] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `name` stands for the arguments, `turn` asks again
  useEffect(() => {
    let gone = false;
    const settle = (failed: Error | null): void => {
      if (!gone) setState((old) => ({ name, failed, asking: false, version: old.version + 1 }));
    };
    const ask = async (): Promise<void> => {
      const held = memory.get(name);
      memory.set(name, { data: held?.data ?? null, askedAt: Date.now() });
      try {
        const given = Object.fromEntries(Object.entries(args).filter(([, value]) => value !== null));
        const data = await sync.call<T>(procedure, given);
        memory.set(name, { data, askedAt: Date.now() });
        void sync.remember(name, data);
        settle(null);
      } catch (thrown) {
        settle(thrown instanceof Error ? thrown : new Error(String(thrown)));
      }
    };
    const askIfOld = (age: number): void => {
      if (document.visibilityState === 'visible' && Date.now() - (memory.get(name)?.askedAt ?? 0) > age) void ask();
    };
    setState((old) => ({ ...old, name, failed: null, asking: true }));
    if (!memory.has(name))
      void sync.recall<T>(name).then((data) => {
        const held = memory.get(name);
        if (data === null || held?.data) return;
        memory.set(name, { data, askedAt: held?.askedAt ?? 0 });
        if (!gone) setState((old) => ({ ...old, version: old.version + 1 }));
      });
    void ask();
    const onFocus = (): void => askIfOld(focusPause);
    const onOnline = (): void => askIfOld(0);
    const ticking = setInterval(() => askIfOld(calmInterval / 2), calmInterval);
    window.addEventListener('focus', onFocus);
    window.addEventListener('online', onOnline);
    return () => {
      gone = true;
      clearInterval(ticking);
      window.removeEventListener('focus', onFocus);
      window.removeEventListener('online', onOnline);
    };
  }, [sync, name, turn]);

  return {
    data: (memory.get(name)?.data ?? null) as T | null,
    failed: state.name === name ? state.failed : null,
    asking: state.name !== name || state.asking,
    again: () => setTurn((old) => old + 1),
  };
}
