// Every address of the app and the screen behind it; screens are fetched when first needed.

import type { ProjectViewProps } from './screens/project/project.tsx';
import { type Later, later } from './ui/later.ts';

export const paths = {
  landing: '/',
  signIn: '/sign-in',
  signUp: '/sign-up',
  forgot: '/forgot',
  reset: '/reset',
  invitation: (token: string) => `/invitation/${encodeURIComponent(token)}`,
  projects: '/app',
  myTasks: '/app/my-tasks',
  dashboard: '/app/dashboard',
  account: '/app/account',
  billing: '/app/billing',
  project: (projectId: string, view: ProjectView = 'board') => `/app/projects/${projectId}/${view}`,
  task: (projectId: string, address: string | number, view: ProjectView = 'board') =>
    `/app/projects/${projectId}/${view}/${address}`,
} as const;

export type ProjectView = 'board' | 'list' | 'dashboard' | 'settings';

/** How a task is addressed: by its number once it has one. */
export function addressOf(task: { readonly id: string; readonly number: number | null }): string {
  return task.number === null ? task.id : String(task.number);
}

interface Route {
  readonly path: string;
  readonly screen: Later<object>;
}

export const screens = {
  signIn: later(() => import('./screens/sign-in/sign-in.tsx')),
  invitation: later(() => import('./screens/invitation/invitation.tsx')),
  projects: later(() => import('./screens/projects/projects.tsx')),
  myTasks: later(() => import('./screens/my-tasks/my-tasks.tsx')),
  dashboard: later(() => import('./screens/dashboard/dashboard.tsx')),
  account: later(() => import('./screens/account/account.tsx')),
  billing: later(() => import('./screens/billing/billing.tsx')),
  project: later(() => import('./screens/project/project.tsx')),
};

export const projectViews = {
  board: later<ProjectViewProps>(() => import('./screens/board/board.tsx')),
  list: later<ProjectViewProps>(() => import('./screens/list/list.tsx')),
  dashboard: later<ProjectViewProps>(() => import('./screens/dashboard/project-dashboard.tsx')),
  settings: later<ProjectViewProps>(() => import('./screens/settings/settings.tsx')),
};

export const taskPanel = later(async () => await import('./screens/task/task-panel.tsx'));

/** The project an address is about, and the view of it. */
export function projectIn(path: string): { readonly projectId: string; readonly view: ProjectView } | null {
  const [, projectId, view = 'board'] = /^\/app\/projects\/([^/]+)(?:\/([^/]+))?/.exec(path) ?? [];
  return projectId && view in projectViews ? { projectId, view: view as ProjectView } : null;
}

/** Starts to fetch the screen of an address before anything of the page is drawn. */
export function fetchAhead(path: string): void {
  const at = projectIn(path);
  if (at) {
    screens.project.fetch();
    projectViews[at.view].fetch();
    return;
  }
  innerRoutes.find((route) => route.path === path)?.screen.fetch();
}

/** Open to everyone. */
export const outerRoutes: readonly Route[] = [
  { path: paths.signIn, screen: screens.signIn },
  { path: paths.signUp, screen: screens.signIn },
  { path: paths.forgot, screen: screens.signIn },
  { path: paths.reset, screen: screens.signIn },
  { path: '/invitation/:token', screen: screens.invitation },
];

/** Inside the shell, for people who are signed in. */
export const innerRoutes: readonly Route[] = [
  { path: paths.projects, screen: screens.projects },
  { path: paths.myTasks, screen: screens.myTasks },
  { path: paths.dashboard, screen: screens.dashboard },
  { path: paths.account, screen: screens.account },
  { path: paths.billing, screen: screens.billing },
  { path: '/app/projects/:projectId/:view?/:task?', screen: screens.project },
];
