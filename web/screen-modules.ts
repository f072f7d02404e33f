// The module behind each screen, each view of a project and the panel of a task, and which of them an address needs first. Light enough to
// be there before the app itself is (ahead.ts).

import { paths, projectIn } from './routes.ts';

export const screenModules = {
  signIn: () => import('./screens/sign-in/sign-in.tsx'),
  invitation: () => import('./screens/invitation/invitation.tsx'),
  projects: () => import('./screens/projects/projects.tsx'),
  inbox: () => import('./screens/inbox/inbox.tsx'),
  myTasks: () => import('./screens/my-tasks/my-tasks.tsx'),
  allDashboard: () => import('./screens/dashboard/dashboard.tsx'),
  account: () => import('./screens/account/account.tsx'),
  billing: () => import('./screens/billing/billing.tsx'),
  archive: () => import('./screens/archive/archive.tsx'),
  imports: () => import('./screens/import/import.tsx'),
  admin: () => import('./screens/admin/admin.tsx'),
  person: () => import('./screens/people/person.tsx'),
  view: () => import('./screens/views/view-page.tsx'),
  project: () => import('./screens/project/project.tsx'),
  board: () => import('./screens/board/board.tsx'),
  list: () => import('./screens/list/list.tsx'),
  calendar: () => import('./screens/calendar/calendar.tsx'),
  timeline: () => import('./screens/timeline/timeline.tsx'),
  dashboard: () => import('./screens/dashboard/project-dashboard.tsx'),
  people: () => import('./screens/people/people.tsx'),
  settings: () => import('./screens/settings/settings.tsx'),
  task: () => import('./screens/task/task-panel.tsx'),
} as const;
export type ScreenName = keyof typeof screenModules;

const addresses: Readonly<Record<string, ScreenName>> = {
  [paths.signIn]: 'signIn',
  [paths.signUp]: 'signIn',
  [paths.forgot]: 'signIn',
  [paths.reset]: 'signIn',
  '/invitation': 'invitation',
  [paths.projects]: 'projects',
  [paths.myTasks]: 'myTasks',
  [paths.dashboard]: 'allDashboard',
  [paths.account]: 'account',
  [paths.billing]: 'billing',
  [paths.archive]: 'archive',
  [paths.imports]: 'imports',
};

/** What an address shows first. */
export function screensAt(path: string): readonly ScreenName[] {
  const at = projectIn(path);
  if (at) return ['project', at.view, ...(at.task ? (['task'] as const) : [])];
  if (path.startsWith(paths.inbox)) return ['inbox'];
  if (path.startsWith(paths.admin)) return ['admin'];
  const named = addresses[path];
  return named ? [named] : [];
}
