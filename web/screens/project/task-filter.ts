// What narrows the board and the list lives in the address, so that it can be sent to someone.

import { useMemo } from 'react';
import { useSearchParams } from 'wouter';
import { useToday } from '../../queries/today.ts';
import type { DueFilter, Priority, TaskFilter } from '../../queries.ts';

export interface FilterHandle {
  /** The same one until the address is another, or the day that something in it counts from. */
  readonly filter: TaskFilter;
  readonly active: boolean;
  set(patch: Partial<TaskFilter>): void;
  clear(): void;
}

const dues: readonly DueFilter[] = ['overdue', 'today', 'week', 'none'];

export function readFilterParams(params: URLSearchParams): TaskFilter {
  const many = (name: string): string[] | undefined =>
    params.has(name) ? (params.get(name) ?? '').split(',') : undefined;
  const due = dues.find((one) => one === params.get('due'));
  const filter = {
    text: params.get('q') || undefined,
    assignees: many('assignee'),
    labels: many('label'),
    priorities: many('priority') as Priority[] | undefined,
    due,
  };
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined)) as TaskFilter;
}

export function writeFilterParams(filter: TaskFilter): Record<string, string> {
  return {
    ...(filter.text ? { q: filter.text } : {}),
    ...(filter.assignees?.length ? { assignee: filter.assignees.join() } : {}),
    ...(filter.labels?.length ? { label: filter.labels.join() } : {}),
    ...(filter.priorities?.length ? { priority: filter.priorities.join() } : {}),
    ...(filter.due ? { due: filter.due } : {}),
  };
}

const ours = ['q', 'assignee', 'label', 'priority', 'due'];

export function useTaskFilter(): FilterHandle {
  const [params, setParams] = useSearchParams();
  const today = useToday();
  return useMemo(() => {
    const read = readFilterParams(params);
    const filter = read.due ? { ...read, today } : read;
    const write = (next: TaskFilter): void =>
      setParams(
        (old) => {
          const kept = [...old].filter(([name]) => !ours.includes(name));
          return new URLSearchParams([...kept, ...Object.entries(writeFilterParams(next))]);
        },
        { replace: true },
      );
    const active = Object.keys(writeFilterParams(filter)).length > 0;
    return {
      filter,
      active,
      set: (patch) => write({ ...filter, ...patch }),
      clear: () => write({}),
    };
  }, [params, setParams, today]);
}
