// Guests of projects: people without a role there, who see single tasks. And the rights of anybody on one task: of members by their role in its
// project, of guests by what was shared with them.

import { compareWords } from '../../strings/compare-words.ts';
import type { Query } from '../../sync/react.tsx';
import { isGuestIn, isMemberIn, ownGrantsIn } from '../../sync/rows/guests.ts';
import type { GrantLevel, GrantRow, InvitationRow, ProjectRow, TaskRow } from '../../sync/rows/rows.ts';
import type { Reader } from '../../sync/rows/store.ts';
import { invitationsOf, openProjects } from '../projects/projects.ts';
import { taskKey } from '../tasks/task-key.ts';
import { mayComment, mayWrite, nameOf, type Person, readMembers, roleIn } from './people.ts';

export interface TaskRights {
  /** All that members who write do with it: assign, restrict, move it to another project, delete it. */
  readonly writes: boolean;
  /** What is in it, and its state: also guests who may. */
  readonly edits: boolean;
  readonly comments: boolean;
}

/** The same ones each time: what is drawn by them is not drawn anew. */
const rights = {
  write: { writes: true, edits: true, comments: true },
  edit: { writes: false, edits: true, comments: true },
  comment: { writes: false, edits: false, comments: true },
  see: { writes: false, edits: false, comments: false },
} as const satisfies Readonly<Record<GrantLevel | 'write', TaskRights>>;

export const rightsOn: Query<[taskId: string, userId: string], TaskRights> = {
  read(store, taskId, userId) {
    const projectId = store.get('tasks', taskId)?.project_id ?? '';
    if (typeof store.get('projects', projectId)?.archived_at === 'string') return rights.see;
    if (isMemberIn(store, userId, projectId)) {
      if (mayWrite(roleIn.read(store, projectId, userId))) return rights.write;
      return mayComment.read(store, projectId, userId) ? rights.comment : rights.see;
    }
    return rights[store.get('task_grants', `${taskId} ${userId}`)?.level ?? 'see'];
  },
};

export const isGuest: Query<[projectId: string, userId: string], boolean> = {
  read: (store, projectId, userId) => isGuestIn(store, userId, projectId),
};

/** Open projects that I am in, by name: without those I see tasks of as a guest. */
export const memberProjects: Query<[userId: string], ProjectRow[]> = {
  read: (store, userId) => openProjects.read(store).filter(({ id }) => !isGuestIn(store, userId, id)),
};

/** How many tasks of a project somebody sees as a guest. */
export const guestTasksIn: Query<[projectId: string, userId: string], number> = {
  read: (store, projectId, userId) =>
    ownGrantsIn(store, userId, projectId).filter(({ task_id }) => store.get('tasks', task_id)?.archived_at === null)
      .length,
};

/** Whether they may edit some task as a guest, in this project or, with none named, anywhere. */
export const editsAsGuest: Query<[projectId: string, userId: string], boolean> = {
  read: (store, projectId, userId) =>
    store
      .where('task_grants', 'user_id', userId)
      .some((grant) => (projectId === '' || grant.project_id === projectId) && isActiveAt('edit', store, grant)),
};

/** Whether they may comment on some task as a guest. */
export const commentsAsGuest: Query<[projectId: string, userId: string], boolean> = {
  read: (store, projectId, userId) =>
    store
      .where('task_grants', 'user_id', userId)
      .some((grant) => (projectId === '' || grant.project_id === projectId) && isActiveAt('comment', store, grant)),
};

function isActiveAt(level: 'comment' | 'edit', store: Reader, grant: GrantRow): boolean {
  const { edits, comments, writes } = rightsOn.read(store, grant.task_id, grant.user_id);
  return !writes && (level === 'edit' ? edits : comments);
}

export interface Guest extends Person {
  readonly level: GrantLevel;
  /** The task itself was shared with them; else one above it was, or they work on it. */
  readonly isNamed: boolean;
}

const byName = (one: Person, other: Person): number => compareWords(one.name, other.name);

function personIn(store: Reader, userId: string): Person {
  const profile = store.get('profiles', userId);
  return { userId, name: nameOf(profile), avatarUrl: profile?.avatar_url ?? null };
}

/** Whom a task is shared with, beside members of its project. */
export const guestsOn: Query<[taskId: string], readonly Guest[]> = {
  read: (store, taskId) =>
    store
      .where('task_grants', 'task_id', taskId)
      .filter(({ user_id, project_id }) => !isMemberIn(store, user_id, project_id))
      .map(({ user_id, level = 'see', is_named }) => ({ ...personIn(store, user_id), level, isNamed: is_named }))
      .sort(byName),
};

/** For members, by name; null: nobody. */
export function readGuestNames(store: Reader, { id, project_id }: TaskRow): string | null {
  if (store.count('task_grants', 'task_id', id) === 0 || store.count('project_members', 'project_id', project_id) === 0)
    return null;
  return (
    guestsOn
      .read(store, id)
      .map(({ name }) => name)
      .join(', ') || null
  );
}

export interface GuestOfProject extends Person {
  readonly taskIds: readonly string[];
}

/** Guests of a project, each with the tasks they see. */
export function readGuests(store: Reader, projectId: string): readonly GuestOfProject[] {
  const tasks = new Map<string, string[]>();
  for (const { user_id, task_id } of store.where('task_grants', 'project_id', projectId))
    if (!isMemberIn(store, user_id, projectId)) tasks.set(user_id, [...(tasks.get(user_id) ?? []), task_id]);
  return [...tasks].map(([userId, taskIds]) => ({ ...personIn(store, userId), taskIds })).sort(byName);
}

export const guestsOf: Query<[projectId: string], readonly GuestOfProject[]> = { shared: 8, read: readGuests };

/** Members of a project. Guests don't know them: to them, whoever began it, works on their tasks or writes there. */
export function readInsiders(store: Reader, projectId: string): readonly Person[] {
  const members = readMembers(store, projectId);
  if (members.length > 0) return members;
  const guests = new Set(readGuests(store, projectId).map(({ userId }) => userId));
  const met = [
    store.get('projects', projectId)?.created_by,
    ...store.where('task_assignees', 'project_id', projectId).map(({ user_id }) => user_id),
    ...store.where('task_comments', 'project_id', projectId).map(({ author_id }) => author_id),
  ].filter((userId) => userId != null && !guests.has(userId) && store.get('profiles', userId) !== undefined);
  return [...new Set(met as string[])].map((userId) => personIn(store, userId)).sort(byName);
}

/** Names that a text can mention: the same list for as long as nobody comes, goes or is called otherwise. */
export const namesIn: Query<[projectId: string], string[]> = {
  shared: 8,
  read: (store, projectId) =>
    [...readInsiders(store, projectId), ...readGuests(store, projectId)].map(({ name }) => name),
};

/** Key and title; null where it is not known here. */
export const taskNamed: Query<[taskId: string], string | null> = {
  read(store, taskId) {
    const task = store.get('tasks', taskId);
    return task ? `${taskKey(store.get('projects', task.project_id), task)} ${task.title}` : null;
  },
};

/** Open invitations to one task. */
export const invitationsTo: Query<[projectId: string, taskId: string], readonly InvitationRow[]> = {
  read: (store, projectId, taskId) =>
    invitationsOf.read(store, projectId).filter((invitation) => invitation.task_id === taskId),
};
