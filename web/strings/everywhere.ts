// Words used all over: the shell, states, refusals, shortcuts.

import type { ColumnKind, Priority, Role } from '../sync/rows.ts';
import { count } from './count.ts';

const kinds: Record<ColumnKind, string> = {
  backlog: 'Backlog',
  todo: 'To do',
  in_progress: 'In progress',
  done: 'Done',
  custom: 'Other',
};
const priorities: Record<Priority, string> = { p0: 'Critical', p1: 'High', p2: 'Normal' };
const roles: Record<Role, string> = { owner: 'Owner', editor: 'Editor', viewer: 'Viewer' };

export const common = {
  product: 'Kanbase',
  close: 'Close',
  cancel: 'Cancel',
  save: 'Save',
  saved: 'Saved',
  add: 'Add',
  remove: 'Remove',
  edit: 'Edit',
  undo: 'Undo',
  redo: 'Redo',
  retry: 'Try again',
  search: 'Search…',
  chosen: 'chosen',
  ticked: 'Done',
  unticked: 'Not done',
  nothingFound: 'Nothing found',
  none: 'None',
  more: 'More',
  copyLink: 'Copy link',
  copied: 'Link copied',
  notCopied: 'This browser does not let the page copy. Select the address and copy it yourself.',
  news: 'News',
  loading: 'Loading',
  skip: 'Skip to content',
  menu: 'Menu',
  someone: 'Someone',
  formerMember: 'Former member',
  you: 'You',
  kinds,
  priorities,
  roles,
  roleMeaning: {
    owner: 'Full access: settings, members, deleting',
    editor: 'Creates and changes tasks',
    viewer: 'Reads everything, changes nothing',
  } satisfies Record<Role, string>,
  nav: {
    main: 'Main',
    projects: 'Projects',
    myTasks: 'My tasks',
    dashboard: 'Dashboard',
    search: 'Search',
    account: 'Account',
    billing: 'Billing',
    signOut: 'Sign out',
    newProject: 'New project',
    shortcuts: 'Keyboard shortcuts',
    openMenu: 'Open navigation',
    allProjects: 'All projects',
    theme: 'Theme',
  },
  themes: { system: 'Same as device', light: 'Light', dark: 'Dark' },
  undone: (what: string) => `Undone: ${what}`,
  redone: (what: string) => `Done again: ${what}`,
  overtaken: (what: string) => `Not undone: ${what}. Someone has changed it since.`,
  nothingToUndo: 'Nothing to undo',
  offline: 'You are offline. What you see was saved on this device.',
  stale: 'Could not refresh. What you see may be a little old.',
  sorting: {
    help: 'Press Space to pick it up, the arrow keys to move it, Space to drop it, Escape to put it back.',
    picked: (name: string, place: number, of: number) => `Picked up ${name}. It is at place ${place} of ${of}.`,
    over: (name: string, place: number, of: number) => `${name} would be at place ${place} of ${of}.`,
    dropped: (name: string, place: number) => `${name} dropped at place ${place}.`,
    cancelled: (name: string) => `Move cancelled. ${name} is back where it was.`,
  },
  unsent: {
    title: 'Not saved yet',
    words: 'The server cannot be reached. What you do is kept on this device and sent as soon as it answers.',
    arriving: 'The server answers again.',
    leave: 'Some of your changes are not saved yet and would be lost. Sign out all the same?',
  },
  refused: {
    title: (what: string) => `Taken back: ${what}`,
    /** Of a command on many things: those that were not accepted. */
    part: (what: string, n: number, all: number) =>
      `${n.toLocaleString()} of ${all.toLocaleString()} taken back: ${what}`,
    unreachable: 'The server could not be reached. Check your connection and try again.',
    forbidden: 'Your role in this project does not allow that. Ask an owner to change your role.',
    gone: 'It no longer exists. Someone may have deleted it meanwhile.',
    factor: 'This session still owes its second factor. Load the page again and enter your code.',
    signedOut: 'Your session has ended. Sign in again.',
    blocked: (keys: string) =>
      `It waits for ${keys || 'a task'}, which is not done yet. Finish that first, or let an owner turn the dependency rule off in the settings.`,
    neighbour: 'The column changed meanwhile. It is up to date again now: move it once more.',
    taken: 'Something with that name is already there. Choose another name.',
    value: 'The server does not accept that value. Check what you entered.',
    busy: 'The server is busy. Try again in a moment.',
  },
  failed: {
    title: 'This could not be loaded',
    words: 'Check your connection and try again.',
    crashTitle: 'This screen stopped working',
    crashWords:
      'Nothing you saved is lost, nor a comment or description you were writing. Load it again; if it stops again, tell whoever runs this Kanbase.',
    reload: 'Load again',
    goneTitle: 'There is nothing here',
    goneWords:
      'The address may be mistyped, the thing may have been deleted, or you may not be a member of its project.',
    toProjects: 'Go to your projects',
  },
  tasks: (n: number) => count(n, 'task'),
  /** What stands on keys. */
  keys: { mod: 'Ctrl', shift: 'Shift', alt: 'Alt', escape: 'Esc', space: 'Space' },
  shortcuts: {
    title: 'Keyboard shortcuts',
    general: 'Everywhere',
    project: 'In a project',
    task: 'On a task',
    card: 'On a card of the board',
    or: 'or',
  },
} as const;
