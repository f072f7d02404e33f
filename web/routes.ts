// Every address of the app and the screen behind it; screens are fetched when first needed.

import type { ComponentType } from 'react';
import { lazy } from 'react';

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
  readonly screen: ComponentType;
}

/** A lazy screen; `fetch` loads it ahead of need. */
function later(load: () => Promise<{ default: ComponentType }>): ComponentType & { fetch: () => void } {
  return Object.assign(lazy(load), {
    fetch: () => {
      void load();
    },
  }) as unknown as ComponentType & { fetch: () => void };
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
