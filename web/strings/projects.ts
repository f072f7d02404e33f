// Words of the project list and of a project's frame.

import { count } from './count.ts';

export const projects = {
  title: 'Projects',
  empty: 'Start your first project',
  emptyWords: 'A project holds a board, its tasks and the people who work on them.',
  create: 'New project',
  archivedTitle: 'Archived',
  name: 'Name',
  namePlaceholder: 'Website relaunch',
  nameMissing: 'Give the project a name.',
  key: 'Key',
  keyHint: 'Two to six letters or digits; tasks are numbered with it, as in WEB-12.',
  keyWrong: 'Two to six capital letters or digits.',
  description: 'Description',
  descriptionHint: 'Optional. What is it for?',
  color: 'Colour',
  doCreate: 'Create project',
  created: (name: string) => `Created ${name}`,
  members: (n: number) => count(n, 'member'),
  views: { board: 'Board', list: 'List', dashboard: 'Dashboard', settings: 'Settings' },
  toView: {
    board: 'Board of this project',
    list: 'List of this project',
    dashboard: 'Dashboard of this project',
    settings: 'Settings of this project',
  },
  viewsLabel: 'Views of the project',
  archivedNotice: 'This project is archived. An owner can bring it back in its settings.',
  viewerNotice: 'You can read this project. Ask an owner if you need to change it.',
} as const;
