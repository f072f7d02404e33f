// Guests: people who see single tasks of a project without being in it. Asked by channels and by queries alike.

import type { Rows } from './rows.ts';
import type { Reader } from './store.ts';

/** What was shared with this person in a project; of a member it says nothing. */
export const ownGrantsIn = (store: Reader, userId: string, projectId: string): readonly Rows['task_grants'][] =>
  store.where('task_grants', 'user_id', userId).filter((grant) => grant.project_id === projectId);

export const isMemberIn = (store: Reader, userId: string, projectId: string): boolean =>
  store.get('project_members', `${projectId} ${userId}`) !== undefined;

export const isGuestIn = (store: Reader, userId: string, projectId: string): boolean =>
  !isMemberIn(store, userId, projectId) && ownGrantsIn(store, userId, projectId).length > 0;
