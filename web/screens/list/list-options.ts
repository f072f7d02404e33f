// How the list is grouped and sorted lives in the address, beside the filters.

import { useMemo } from 'react';
import { useSearchParams } from 'wouter';
import { type Grouping, groupings, type Sorting, sortings } from '../../queries.ts';

export interface ListOptions {
  readonly grouping: Grouping;
  readonly sorting: Sorting;
  readonly backwards: boolean;
  set(patch: Partial<Pick<ListOptions, 'grouping' | 'sorting' | 'backwards'>>): void;
  /** As a column head does: the same one again turns the order round. */
  sortBy(sorting: Sorting): void;
}

export function useListOptions(): ListOptions {
  const [params, setParams] = useSearchParams();
  return useMemo(() => {
    const grouping = groupings.find((one) => one === params.get('group')) ?? 'column';
    const sorting = sortings.find((one) => one === params.get('sort')) ?? 'rank';
    const backwards = params.get('order') === 'backwards';
    const set: ListOptions['set'] = (patch) => {
      const next = { grouping, sorting, backwards, ...patch };
      setParams(
        (old) => {
          const kept = new URLSearchParams([...old].filter(([name]) => !['group', 'sort', 'order'].includes(name)));
          if (next.grouping !== 'column') kept.set('group', next.grouping);
          if (next.sorting !== 'rank') kept.set('sort', next.sorting);
          if (next.backwards) kept.set('order', 'backwards');
          return kept;
        },
        { replace: true },
      );
    };
    return {
      grouping,
      sorting,
      backwards,
      set,
      sortBy: (next) => set({ sorting: next, backwards: next === sorting ? !backwards : false }),
    };
  }, [params, setParams]);
}
