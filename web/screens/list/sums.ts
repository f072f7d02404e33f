// Summary of a column, over all filtered rows and for each group: the sum, the average, or the number of filled cells.

import { useMemo } from 'react';
import { type GroupedList, type Reader, type TaskRow, useQuery, useReader, valueChanges } from '../../queries.ts';
import { sayRounded } from '../../strings/numbers.ts';
import { sayAmount } from '../../strings/say-amount.ts';
import type { Summary, TableColumn } from './columns.ts';

export interface Sums {
  /** By column; of what is not computed there is none. */
  readonly all: ReadonlyMap<string, string>;
  readonly groups: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

export function useSums(list: GroupedList, columns: readonly TableColumn[]): Sums {
  const store = useReader();
  const values = useQuery(valueChanges);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `values` stands for what tasks hold in fields
  return useMemo(() => {
    const summed = columns.filter(({ summary }) => summary !== 'none');
    if (summed.length === 0) return { all: new Map(), groups: new Map() };
    const of = (tasks: readonly TaskRow[]): Map<string, string> =>
      new Map(summed.map((column) => [column.id, summarise(store, tasks, column)]));
    // A task that stands in two groups counts once.
    const [only, ...others] = list.groups;
    const once = others.length > 0 ? [...new Set(list.groups.flatMap(({ tasks }) => tasks))] : (only?.tasks ?? []);
    return {
      all: of(once),
      groups: new Map(list.groups.length < 2 ? [] : list.groups.map(({ id, tasks }) => [id, of(tasks)])),
    };
  }, [store, list, columns, values]);
}

function summarise(store: Reader, tasks: readonly TaskRow[], { property, summary }: TableColumn): string {
  if (summary === 'count') return sayRounded(tasks.filter((task) => property.isFilled(store, task)).length);
  let sum = 0;
  let count = 0;
  for (const task of tasks) {
    const value = property.numberIn(store, task);
    if (value === null) continue;
    sum += value;
    count++;
  }
  if (count === 0) return '';
  const figure = summary === 'sum' ? sum : sum / count;
  return sayAmount(Math.round(figure * 100) / 100, property.unitIn(store));
}

export function summariesFor({ property: { adds } }: TableColumn): readonly Summary[] {
  return adds ? ['sum', 'average', 'count', 'none'] : ['count', 'none'];
}
