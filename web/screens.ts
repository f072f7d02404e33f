// The screen behind each address; screens are fetched when first needed, or a moment before.

import { paths } from './routes.ts';
import { screenModules as modules, type ScreenName, screensAt } from './screen-modules.ts';
import { TaskPanel, views } from './screens/project/views.ts';
import { type LazyComponent, lazyComponent } from './ui/lazy-component.tsx';

interface Route {
  readonly path: string;
  readonly screen: LazyComponent<object>;
}

const screens = {
  signIn: lazyComponent(modules.signIn),
  invitation: lazyComponent(modules.invitation),
  projects: lazyComponent(modules.projects, ['steps']),
  inbox: lazyComponent(modules.inbox, ['inbox']),
  myTasks: lazyComponent(modules.myTasks),
  allDashboard: lazyComponent(modules.allDashboard),
  account: lazyComponent(modules.account, ['exports', 'starters', 'people', 'inbox']),
  billing: lazyComponent(modules.billing),
  archive: lazyComponent(modules.archive, ['people']),
  imports: lazyComponent(modules.imports, ['import']),
  admin: lazyComponent(modules.admin, ['admin', 'people', 'settings']),
  person: lazyComponent(modules.person, ['people']),
  view: lazyComponent(modules.view, ['views']),
  project: lazyComponent(modules.project),
};
const all: Readonly<Record<ScreenName, { fetch(): void }>> = { ...screens, ...views, task: TaskPanel };

/** Starts to fetch the screen of an address before anything of the page is drawn. */
export function fetchAhead(path: string): void {
  for (const name of screensAt(path)) all[name].fetch();
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
  { path: paths.dashboard, screen: screens.allDashboard },
  { path: paths.account, screen: screens.account },
  { path: paths.billing, screen: screens.billing },
  { path: paths.archive, screen: screens.archive },
  { path: '/admin/:part?', screen: screens.admin },
  { path: paths.imports, screen: screens.imports },
  { path: '/app/people/:userId', screen: screens.person },
  { path: '/app/views/:viewId', screen: screens.view },
  { path: '/app/projects/:projectId/:view?/:task?', screen: screens.project },
];
