// The screen behind each address; screens are fetched when first needed, or a moment before.

import { paths, projectIn } from './routes.ts';
import { views } from './screens/project/views.ts';
import { type Later, later } from './ui/later.tsx';

interface Route {
  readonly path: string;
  readonly screen: Later<object>;
}

const screens = {
  signIn: later(() => import('./screens/sign-in/sign-in.tsx')),
  invitation: later(() => import('./screens/invitation/invitation.tsx')),
  projects: later(() => import('./screens/projects/projects.tsx'), ['steps']),
  inbox: later(() => import('./screens/inbox/inbox.tsx'), ['inbox']),
  myTasks: later(() => import('./screens/my-tasks/my-tasks.tsx')),
  dashboard: later(() => import('./screens/dashboard/dashboard.tsx')),
  account: later(() => import('./screens/account/account.tsx'), ['exports', 'starters', 'people', 'inbox']),
  billing: later(() => import('./screens/billing/billing.tsx')),
  archive: later(() => import('./screens/archive/archive.tsx'), ['people']),
  imports: later(() => import('./screens/import/import.tsx'), ['import']),
  admin: later(() => import('./screens/admin/admin.tsx'), ['admin', 'people', 'settings']),
  person: later(() => import('./screens/people/person.tsx'), ['people']),
  view: later(() => import('./screens/views/view-page.tsx'), ['views']),
  project: later(() => import('./screens/project/project.tsx')),
};

/** Starts to fetch the screen of an address before anything of the page is drawn. */
export function fetchAhead(path: string): void {
  const at = projectIn(path);
  if (at) {
    screens.project.fetch();
    views[at.view].fetch();
    return;
  }
  if (path.startsWith(paths.inbox)) screens.inbox.fetch();
  else if (path.startsWith(paths.admin)) screens.admin.fetch();
  else [...innerRoutes, ...outerRoutes].find((route) => route.path === path)?.screen.fetch();
}

/** Open to everyone. */
export const outerRoutes: readonly Route[] = [
  { path: paths.signIn, screen: screens.signIn },
  { path: paths.signUp, screen: screens.signIn },
  { path: paths.forgot, screen: screens.signIn },
  { path: paths.reset, screen: screens.signIn },
  // Links of before had the token in the path.
  { path: '/invitation/:token?', screen: screens.invitation },
];

/** Inside the shell, for people who are signed in. */
export const innerRoutes: readonly Route[] = [
  { path: paths.projects, screen: screens.projects },
  { path: '/app/inbox/:projectId?/:task?', screen: screens.inbox },
  { path: paths.myTasks, screen: screens.myTasks },
  { path: paths.dashboard, screen: screens.dashboard },
  { path: paths.account, screen: screens.account },
  { path: paths.billing, screen: screens.billing },
  { path: paths.archive, screen: screens.archive },
  { path: '/admin/:part?', screen: screens.admin },
  { path: paths.imports, screen: screens.imports },
  { path: '/app/people/:userId', screen: screens.person },
  { path: '/app/views/:viewId', screen: screens.view },
  { path: '/app/projects/:projectId/:view?/:task?', screen: screens.project },
];
