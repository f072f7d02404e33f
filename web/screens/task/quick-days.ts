// Due days that are asked for most, so that nobody has to type them.

import { localDay } from '../../queries/days.ts';

export interface PickDay {
  readonly name: 'dueToday' | 'dueTomorrow' | 'dueNextWeek';
  readonly date: string;
}

export function quickDays(now: Date): PickDay[] {
  const after = (days: number): string => localDay(new Date(now.getFullYear(), now.getMonth(), now.getDate() + days));
  return [
    { name: 'dueToday', date: after(0) },
    { name: 'dueTomorrow', date: after(1) },
    { name: 'dueNextWeek', date: after(7) },
  ];
}
