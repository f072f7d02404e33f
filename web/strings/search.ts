// Words of the search and command palette.

import { count } from './count.ts';

export const search = {
  title: 'Search',
  placeholder: 'Search tasks and projects, or type a command…',
  tasks: 'Tasks',
  projects: 'Projects',
  actions: 'Actions',
  inWords: 'in its text',
  done: 'done',
  archived: 'archived',
  searching: 'Searching everywhere…',
  failed: 'The server did not answer. These are the matches on this device.',
  nothing: (text: string) => `Nothing matches “${text}”.`,
  nothingHint: 'Try fewer letters, a key such as WEB-12, or a word from a comment.',
  found: (n: number) => count(n, 'result'),
  hintOpen: 'to open',
  hintMove: 'to choose',
  hintClose: 'to close',
} as const;
