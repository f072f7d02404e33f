// Guests of projects: people without a role there, who see single tasks.

import type { Query } from '../../sync/react.tsx';
import { grantsIn, isGuestIn } from '../../sync/rows/guests.ts';
import type { ProjectRow } from '../../sync/rows/rows.ts';
import { openProjects } from '../projects/projects.ts';

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
    new Set(
      grantsIn(store, userId, projectId)
        .map(({ task_id }) => task_id)
        .filter((taskId) => store.get('tasks', taskId)?.archived_at === null),
    ).size,
};
