// Guests on tasks and in projects, as members see them.

import { compareWords } from '../../strings/compare-words.ts';
import type { Query } from '../../sync/react.tsx';
import { isMemberIn } from '../../sync/rows/guests.ts';
import type { GrantLevel, TaskRow } from '../../sync/rows/rows.ts';
import type { Reader } from '../../sync/rows/store.ts';
import { nameOf, type Person, readMembers } from './people.ts';

export interface Guest extends Person {
  readonly level: GrantLevel;
  /** The task itself was shared with them; else one above it was, or they work on it. */
  readonly isNamed: boolean;
}

export const byName = (one: { readonly name: string }, other: { readonly name: string }): number =>
  compareWords(one.name, other.name);

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

/** A group that a task is shared with. */
export interface GuestGroup {
  readonly groupId: string;
  /** Empty until it is known here. */
  readonly name: string;
  /** How many are in it; null: not known here. */
  readonly people: number | null;
  readonly level: GrantLevel;
  /** The task itself was shared with it; else one above it was. */
  readonly isNamed: boolean;
}

export const groupIn = (store: Reader, groupId: string) => ({
  groupId,
  name: store.get('groups', groupId)?.name ?? '',
  people: store.count('group_members', 'group_id', groupId) || null,
});

export const groupsOn: Query<[taskId: string], readonly GuestGroup[]> = {
  read: (store, taskId) =>
    store
      .where('group_grants', 'task_id', taskId)
      .map(({ group_id, level = 'see', is_named: isNamed }) => ({ ...groupIn(store, group_id), level, isNamed }))
      .sort(byName),
};

/** For members, groups before people, as far as they are known here; null: nobody. */
export function readGuestNames(store: Reader, { id, project_id }: TaskRow): string | null {
  if (
    store.count('task_grants', 'task_id', id) + store.count('group_grants', 'task_id', id) === 0 ||
    store.count('project_members', 'project_id', project_id) === 0
  )
    return null;
  const groups = groupsOn.read(store, id);
  const guests = guestsOn.read(store, id);
  if (groups.length + guests.length === 0) return null;
  const known = [...groups, ...guests.filter(({ userId }) => store.get('profiles', userId) !== undefined)];
  return known.flatMap(({ name }) => name || []).join(', ');
}

/** Guests of a project; of groups the people that are known here. */
export function readGuests(store: Reader, projectId: string): readonly Person[] {
  const groups = new Set(store.where('group_grants', 'project_id', projectId).map(({ group_id }) => group_id));
  const people = new Set([
    ...store.where('task_grants', 'project_id', projectId).map(({ user_id }) => user_id),
    ...[...groups].flatMap((id) => store.where('group_members', 'group_id', id).map(({ user_id }) => user_id)),
  ]);
  return [...people]
    .filter((userId) => !isMemberIn(store, userId, projectId))
    .map((userId) => personIn(store, userId))
    .sort(byName);
}

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
