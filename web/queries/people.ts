// Who is in a project, who I am there, and what a person is called.

import { words } from '../strings/words.ts';
import type { Query } from '../sync/react.tsx';
import type { ProfileRow, Role } from '../sync/rows.ts';
import type { Store } from '../sync/store.ts';

export interface Member {
  readonly userId: string;
  readonly name: string;
  readonly avatarUrl: string | null;
  readonly role: Role;
}

export function nameOf(profile: ProfileRow | undefined): string {
  return profile?.display_name?.trim() || words.common.someone;
}

export function readMembers(store: Store, projectId: string): Member[] {
  return store
    .where('project_members', 'project_id', projectId)
    .map((member) => {
      const profile = store.get('profiles', member.user_id);
      return {
        userId: member.user_id,
        name: nameOf(profile),
        avatarUrl: profile?.avatar_url ?? null,
        role: member.role,
      };
    })
    .sort((one, other) => one.name.localeCompare(other.name));
}

export const membersOf: Query<[projectId: string], Member[]> = {
  tables: ['project_members', 'profiles'],
  shared: true,
  read: readMembers,
};

export const profileOf: Query<[userId: string], ProfileRow | undefined> = {
  tables: ['profiles'],
  read: (store, userId) => store.get('profiles', userId),
};

/** My role in a project; null when I am not in it. */
export const roleIn: Query<[projectId: string, userId: string], Role | null> = {
  tables: ['project_members'],
  read: (store, projectId, userId) => store.get('project_members', `${projectId} ${userId}`)?.role ?? null,
};

export function mayWrite(role: Role | null): boolean {
  return role === 'owner' || role === 'editor';
}
