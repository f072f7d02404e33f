// Words of "My tasks".

import { count } from './count.ts';

/** By when a task is due. */
const groups = {
  overdue: 'Overdue',
  today: 'Today',
  week: 'This week',
  later: 'Later',
  none: 'No date',
};

export const myTasks = {
  title: 'My tasks',
  groups,
  empty: 'Nothing is waiting for you',
  emptyWords: 'Tasks that are assigned to you show up here, from all your projects, by the day they are due.',
  emptyProject: 'Nothing of this project is waiting for you',
  allProjects: 'All projects',
  project: (name: string) => `Project: ${name}`,
  projectLabel: 'Show tasks of',
  complete: (key: string) => `Mark ${key} as done`,
  noDoneColumn: 'Its project has no done column',
  showAll: (n: number) => `Show all ${n.toLocaleString()}`,
  count: (n: number) => count(n, 'open task'),
} as const;
