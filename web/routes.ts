// Every address of the app. The screen of each is in screens.ts, so that screens can link to each other without importing each other.

export const paths = {
  landing: '/',
  signIn: '/sign-in',
  signUp: '/sign-up',
  forgot: '/forgot',
  reset: '/reset',
  /** Its token stands after #, so that it is in no log of a proxy. */
  invitation: (token: string) => `/invitation#${encodeURIComponent(token)}`,
  /** The same, of a link that anyone may join by. */
  join: (token: string) => `/join#${encodeURIComponent(token)}`,
  /** Where a program asks for access, with authorization_id in the query. */
  consent: '/oauth/consent',
  /** Where the code of a device is entered. */
  device: '/oauth/device',
  projects: '/app',
  inbox: '/app/inbox',
  inboxTask: (projectId: string, address: string | number) => `/app/inbox/${projectId}/${address}`,
  myTasks: '/app/my-tasks',
  dashboard: '/app/dashboard',
  account: '/app/account',
  billing: '/app/billing',
  admin: '/admin',
  imports: '/app/import',
  /** Where the share sheet of a phone leads, with title, text and url in the query: public/manifest.webmanifest. */
  share: '/app/share',
  archive: '/app/archive',
  archiveOf: (projectId: string) => `/app/archive?project=${projectId}`,
  view: (viewId: string) => `/app/views/${viewId}`,
  groups: '/app/groups',
  group: (groupId: string) => `/app/groups/${groupId}`,
  person: (userId: string) => `/app/people/${userId}`,
  project: (projectId: string, view: ProjectView = 'board') => `/app/projects/${projectId}/${view}`,
  /** Of an agent, among those of its project. */
  session: (projectId: string, sessionId: string) => `/app/projects/${projectId}/agents?session=${sessionId}`,
  task: (projectId: string, address: string | number, view: ProjectView = 'board') =>
    `/app/projects/${projectId}/${view}/${address}`,
} as const;

export const projectViews = [
  'board',
  'list',
  'calendar',
  'timeline',
  'dashboard',
  'agents',
  'people',
  'settings',
] as const;
export type ProjectView = (typeof projectViews)[number];

/** Where a saved view is looked at; a layout that has no page of its own in a project is a board. */
export function viewPath(view: {
  readonly id: string;
  readonly project_id: string | null;
  readonly layout: string;
}): string {
  if (view.project_id === null) return paths.view(view.id);
  const layout = projectViews.find((one) => one === view.layout) ?? 'board';
  return `${paths.project(view.project_id, layout)}?view=${view.id}`;
}

/** The view across projects that a path is of. */
export function viewOfPath(path: string): string | undefined {
  return /^\/app\/views\/([^/]+)/.exec(path)?.[1];
}

/** How a task is addressed: by its number once it has one. */
export function addressOf(task: { readonly id: string; readonly number: number | null }): string {
  return task.number === null ? task.id : String(task.number);
}

/** Where an accepted invitation leads: to the project, or as a guest to the task of this key and title. */
export function placeOfInvitation(projectId: string, task: string | null | undefined): string {
  const [, number] = /^\w+-(\d+) /.exec(task ?? '') ?? [];
  return number === undefined ? paths.project(projectId) : paths.task(projectId, number);
}

/** The project an address is about, the view of it, and the task that is open over it. */
export function projectIn(path: string): { projectId: string; view: ProjectView; task?: string } | null {
  const [, projectId, asked = 'board', task] = /^\/app\/projects\/([^/]+)(?:\/([^/]+)(?:\/([^/]+))?)?/.exec(path) ?? [];
  const view = projectViews.find((one) => one === asked);
  return projectId && view ? { projectId, view, ...(task ? { task } : {}) } : null;
}
