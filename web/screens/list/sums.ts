// Summary of a column, over all filtered rows and for each group: the sum, the average, or the number of filled cells.

import { useMemo } from 'react';
import {
  fieldValue,
  type GroupedList,
  type Reader,
  type TaskRow,
  useQuery,
  useReader,
  valueChanges,
} from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import type { Summary, TableColumn } from './columns.ts';
import { sayRounded } from './numbers.ts';

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

function summarise(store: Reader, tasks: readonly TaskRow[], column: TableColumn): string {
  if (column.summary === 'count') {
    const n = tasks.reduce((sum, task) => sum + (isFilled(store, task, column) ? 1 : 0), 0);
    return sayRounded(n);
  }
  let sum = 0;
  let count = 0;
  for (const task of tasks) {
    const value = column.field ? fieldValue(store, task, column.field.id) : task.estimate;
    if (typeof value !== 'number') continue;
    sum += value;
    count++;
  }
  if (count === 0) return '';
  const number = sayRounded(column.summary === 'sum' ? sum : sum / count);
  return column.field?.unit ? t('table.withUnit', { number, unit: column.field.unit }) : number;
}

export function summariesFor({ numeric }: TableColumn): readonly Summary[] {
  return numeric ? ['sum', 'average', 'count', 'none'] : ['count', 'none'];
}

function isFilled(store: Reader, task: TaskRow, { of, field }: TableColumn): boolean {
  switch (of) {
    case 'field':
      return field !== undefined && (fieldValue(store, task, field.id) ?? false) !== false;
    case 'label':
      return store.count('task_label_links', 'task_id', task.id) > 0;
    case 'assignee':
      return store.count('task_assignees', 'task_id', task.id) > 0;
    case 'start_date':
    case 'due_date':
    case 'estimate':
    case 'completed_at':
      return task[of] !== null;
    case 'parent':
      return typeof task.parent_id === 'string';
    default:
      return true;
  }
}
