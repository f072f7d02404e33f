// Guests on tasks and in projects, as members see them.

import { compareWords } from '../../strings/compare-words.ts';
import type { Query } from '../../sync/react.tsx';
import { isMemberIn } from '../../sync/rows/guests.ts';
import type { GrantLevel, InvitationRow, TaskRow } from '../../sync/rows/rows.ts';
import type { Reader } from '../../sync/rows/store.ts';
import { invitationsOf } from '../projects/projects.ts';
import { taskKey } from '../tasks/task-key.ts';
import { nameOf, type Person, readMembers } from './people.ts';

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
