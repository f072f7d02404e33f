// Selection of the list: single tasks, a range from the last one touched, or a whole group.

import { useCallback, useMemo, useRef, useState } from 'react';
import type { GroupedList } from '../../queries.ts';

export interface Selection {
  readonly ids: ReadonlySet<string>;
  readonly list: readonly string[];
  /** Turns one row over, or adds everything from the last one touched to this one. */
  pick(index: number, range: boolean): void;
  set(ids: readonly string[], on: boolean): void;
  clear(): void;
}

/** `taskIdAt` knows the rows as they are shown; heads of groups are null. */
export function useSelection(shown: GroupedList, taskIdAt: (index: number) => string | null): Selection {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const anchor = useRef(0);
  // A filter must not hide what a bulk edit would change.
  const ids = useMemo(() => {
    if (chosen.size === 0) return chosen;
    const there = new Set(shown.groups.flatMap((group) => group.tasks.map((task) => task.id)));
    return new Set([...chosen].filter((id) => there.has(id)));
  }, [chosen, shown]);
  const list = useMemo(() => [...ids], [ids]);
  const set = useCallback((some: readonly string[], on: boolean): void => {
    setChosen((old) => {
      const next = new Set(old);
      for (const id of some) {
        if (on) next.add(id);
        else next.delete(id);
      }
      return next;
    });
  }, []);
  const pick = useCallback(
    (index: number, range: boolean): void => {
      if (!range) {
        anchor.current = index;
        const id = taskIdAt(index);
        if (id === null) return;
        setChosen((old) => {
          const next = new Set(old);
          if (!next.delete(id)) next.add(id);
          return next;
        });
        return;
      }
      const some: string[] = [];
      for (let at = Math.min(anchor.current, index); at <= Math.max(anchor.current, index); at++) {
        const id = taskIdAt(at);
        if (id !== null) some.push(id);
      }
      set(some, true);
    },
    [set, taskIdAt],
  );
  const clear = useCallback(() => setChosen(new Set()), []);
  return { ids, list, pick, set, clear };
}
