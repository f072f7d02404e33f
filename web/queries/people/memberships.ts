// Projects that somebody is in, of those that are here, with their role.

import { compareWords } from '../../strings/compare-words.ts';
import type { Query } from '../../sync/react.tsx';
import type { Role } from '../../sync/rows/rows.ts';

export interface Membership {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
}

export const membershipsOf: Query<[userId: string], Membership[]> = {
  read: (store, userId) =>
    store
      .where('project_members', 'user_id', userId)
      .flatMap(({ project_id: id, role }) => {
        const project = store.get('projects', id);
        return project === undefined || project.archived_at !== null ? [] : [{ id, name: project.name, role }];
      })
      .sort((one, other) => compareWords(one.name, other.name)),
};
