// Selection of the list: single tasks, a range from the last one touched, or a whole group.

import { useCallback, useMemo, useRef, useState } from 'react';
import type { GroupedList } from '../../queries.ts';
import type { ListRowsState } from './use-list-rows.ts';

export interface Selection {
  readonly ids: ReadonlySet<string>;
  readonly list: readonly string[];
  /** Turns one row over, or adds everything from the last one touched to this one. */
  pick(index: number, range: boolean): void;
  set(ids: readonly string[], on: boolean): void;
  clear(): void;
}

export function useSelection(
  shown: GroupedList,
  { live, taskIdAt }: Pick<ListRowsState, 'live' | 'taskIdAt'>,
): Selection {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  /** The row that was touched last, by its key: rows that come and go do not move it. */
  const anchor = useRef<string | null>(null);
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
        anchor.current = live.current.items[index]?.key ?? null;
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
      const found = live.current.items.findIndex(({ key }) => key === anchor.current);
      const from = found < 0 ? index : found;
      for (let at = Math.min(from, index); at <= Math.max(from, index); at++) {
        const id = taskIdAt(at);
        if (id !== null) some.push(id);
      }
      set(some, true);
    },
    [set, live, taskIdAt],
  );
  const clear = useCallback(() => setChosen(new Set()), []);
  return { ids, list, pick, set, clear };
}
