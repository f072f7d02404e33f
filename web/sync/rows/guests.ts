// Guests: people who see single tasks of a project without being in it, by grants of their own or of groups they are in. Asked by channels and
// queries alike.

import type { GrantLevel, Rows } from './rows.ts';
import type { Reader } from './store.ts';

export type Grant = Rows['task_grants'] | Rows['group_grants'];

export const isInGroup = (store: Reader, groupId: string, userId: string): boolean =>
  store.get('group_members', `${groupId} ${userId}`) !== undefined;

/** What was shared with this person; of a member it says nothing. Of others who are in groups only where these are known. */
export const grantsOf = (store: Reader, userId: string): readonly Grant[] => [
  ...store.where('task_grants', 'user_id', userId),
  ...store
    .where('group_members', 'user_id', userId)
    .flatMap(({ group_id }) => store.where('group_grants', 'group_id', group_id)),
];

export const grantsIn = (store: Reader, userId: string, projectId: string): readonly Grant[] =>
  grantsOf(store, userId).filter((grant) => grant.project_id === projectId);

/** The strongest first. */
const levels: readonly GrantLevel[] = ['edit', 'comment', 'see'];

/** The most that one of their grants lets them do. */
export function levelOn(store: Reader, userId: string, taskId: string): GrantLevel {
  const given = [
    store.get('task_grants', `${taskId} ${userId}`)?.level,
    ...store
      .where('group_grants', 'task_id', taskId)
      .map(({ group_id, level }) => (isInGroup(store, group_id, userId) ? level : undefined)),
  ];
  return levels.find((level) => given.includes(level)) ?? 'see';
}

export const isMemberIn = (store: Reader, userId: string, projectId: string): boolean =>
  store.get('project_members', `${projectId} ${userId}`) !== undefined;

export const isGuestIn = (store: Reader, userId: string, projectId: string): boolean =>
  !isMemberIn(store, userId, projectId) && grantsIn(store, userId, projectId).length > 0;
