// The screen behind each address; screens are fetched when first needed, or a moment before.

import { paths, projectIn } from './routes.ts';
import { TaskPanel, views } from './screens/project/views.ts';
import { type LazyComponent, lazyComponent } from './ui/lazy-component.tsx';

interface Route {
  readonly path: string;
  readonly screen: LazyComponent<object>;
}

const screens = {
  signIn: lazyComponent(() => import('./screens/sign-in/sign-in.tsx'), ['sign-in']),
  invitation: lazyComponent(() => import('./screens/invitation/invitation.tsx'), ['sign-in']),
  join: lazyComponent(() => import('./screens/invitation/join.tsx'), ['sign-in']),
  shared: lazyComponent(() => import('./screens/shared/shared.tsx'), ['shared', 'plan', 'sign-in']),
  consent: lazyComponent(() => import('./screens/programs/consent.tsx'), ['programs', 'sign-in']),
  device: lazyComponent(() => import('./screens/programs/device.tsx'), ['programs', 'sign-in']),
  projects: lazyComponent(() => import('./screens/projects/projects.tsx'), ['steps']),
  inbox: lazyComponent(() => import('./screens/inbox/inbox.tsx'), ['inbox']),
  myTasks: lazyComponent(() => import('./screens/my-tasks/my-tasks.tsx')),
  dashboard: lazyComponent(() => import('./screens/dashboard/dashboard.tsx'), ['dashboard']),
  account: lazyComponent(
    () => import('./screens/account/account.tsx'),
    ['account', 'agents', 'exports', 'starters', 'people', 'inbox', 'keys', 'programs', 'sign-in'],
  ),
  billing: lazyComponent(() => import('./screens/billing/billing.tsx'), ['billing']),
  archive: lazyComponent(() => import('./screens/archive/archive.tsx'), ['people']),
  imports: lazyComponent(() => import('./screens/import/import.tsx'), ['import']),
  share: lazyComponent(() => import('./screens/share/share.tsx'), ['files']),
  admin: lazyComponent(() => import('./screens/admin/admin.tsx'), ['admin', 'people', 'settings', 'access', 'keys']),
  person: lazyComponent(() => import('./screens/people/person.tsx'), ['people', 'writing']),
  groups: lazyComponent(() => import('./screens/groups/groups.tsx'), ['groups']),
  group: lazyComponent(() => import('./screens/groups/group.tsx'), ['groups']),
  view: lazyComponent(() => import('./screens/views/view-page.tsx'), ['views']),
  project: lazyComponent(() => import('./screens/project/project.tsx')),
};

/** Starts to fetch the screen of an address before anything of the page is drawn. */
export function fetchAhead(path: string): void {
  const at = projectIn(path);
  if (at) {
    screens.project.fetch();
    views[at.view].fetch();
    if (at.task) TaskPanel.fetch();
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
  { path: '/join', screen: screens.join },
  { path: paths.consent, screen: screens.consent },
  { path: paths.device, screen: screens.device },
  { path: '/share', screen: screens.shared },
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
  { path: paths.share, screen: screens.share },
  { path: '/app/people/:userId', screen: screens.person },
  { path: paths.groups, screen: screens.groups },
  { path: '/app/groups/:groupId', screen: screens.group },
  { path: '/app/views/:viewId', screen: screens.view },
  { path: '/app/projects/:projectId/:view?/:task?', screen: screens.project },
];
