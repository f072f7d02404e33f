// The one catalog of what the app says. A translation is another object of this shape; sentences with parts are functions.

import { account } from './account.ts';
import { billing } from './billing.ts';
import { board } from './board.ts';
import { dashboard } from './dashboard.ts';
import { common } from './everywhere.ts';
import { list } from './list.ts';
import { myTasks } from './my-tasks.ts';
import { projects } from './projects.ts';
import { search } from './search.ts';
import { settings } from './settings.ts';
import { signIn } from './sign-in.ts';
import { task } from './task.ts';

export const words = {
  common,
  signIn,
  projects,
  board,
  list,
  task,
  settings,
  account,
  billing,
  dashboard,
  myTasks,
  search,
} as const;
