// People of a project, one's own role there, and names.

import { compareWords } from '../../strings/compare-words.ts';
import { t } from '../../strings/messages.ts';
import type { Query } from '../../sync/react.tsx';
import type { ProfileRow, ProjectRow, Role } from '../../sync/rows/rows.ts';
import type { Reader } from '../../sync/rows/store.ts';
import { openProjects } from '../projects/projects.ts';

export interface Person {
  readonly userId: string;
  readonly name: string;
  readonly avatarUrl: string | null;
}

export interface Member extends Person {
  readonly role: Role;
  /** What was given to them themselves; null: groups alone bring them. */
  readonly ownRole: Role | null;
  readonly isService: boolean;
  /** A service account that works in sessions. */
  readonly isAgent: boolean;
}

export function nameOf(profile: ProfileRow | undefined): string {
  return profile?.display_name?.trim() || t('common.someone');
}

export function readMembers(store: Reader, projectId: string): Member[] {
  return store
    .where('project_members', 'project_id', projectId)
    .map((member) => {
      const profile = store.get('profiles', member.user_id);
      return {
        userId: member.user_id,
        name: nameOf(profile),
        avatarUrl: profile?.avatar_url ?? null,
        role: member.role,
        ownRole: member.own_role === undefined ? member.role : member.own_role,
        isService: profile?.is_service_account === true,
        isAgent: profile?.is_agent === true,
      };
    })
    .sort((one, other) => compareWords(one.name, other.name));
}

/** Whoever one shares a project with; `none` is there to be asked as the members of one are. */
export const everybody: Query<[none: string], Person[]> = {
  read: (store) =>
    store
      .all('profiles')
      .map((profile) => ({ userId: profile.id, name: nameOf(profile), avatarUrl: profile.avatar_url }))
      .sort((one, other) => compareWords(one.name, other.name)),
};

export const membersOf: Query<[projectId: string], Member[]> = {
  shared: 8,
  read: readMembers,
};

export const profileOf: Query<[userId: string], ProfileRow | undefined> = {
  read: (store, userId) => store.get('profiles', userId),
};

export const isAgent: Query<[userId: string], boolean> = {
  read: (store, userId) => store.get('profiles', userId)?.is_agent === true,
};

/** By ids, with commas between. */
export const peopleOf: Query<[userIds: string], Person[]> = {
  read: (store, userIds) =>
    userIds
      .split(',')
      .filter((userId) => userId !== '')
      .map((userId) => {
        const profile = store.get('profiles', userId);
        return { userId, name: nameOf(profile), avatarUrl: profile?.avatar_url ?? null };
      }),
};

/** My role in a project; null when I am not in it. */
export const roleIn: Query<[projectId: string, userId: string], Role | null> = {
  read: (store, projectId, userId) => store.get('project_members', `${projectId} ${userId}`)?.role ?? null,
};

export function mayWrite(role: Role | null): boolean {
  return role === 'owner' || role === 'editor';
}

/** Whether I may comment in a project: who writes there, and viewers where it lets them; in an archived one nobody. */
export const mayComment: Query<[projectId: string, userId: string], boolean> = {
  read(store, projectId, userId) {
    const project = store.get('projects', projectId);
    const role = roleIn.read(store, projectId, userId);
    const lets = mayWrite(role) || (role === 'viewer' && project?.viewers_may_comment === true);
    return lets && typeof project?.archived_at !== 'string';
  },
};

/** Where I may write, by name: what a new task may go to. */
export const writableProjects: Query<[userId: string], ProjectRow[]> = {
  read: (store, userId) =>
    openProjects.read(store).filter((project) => mayWrite(roleIn.read(store, project.id, userId))),
};

export const commentableProjects: Query<[userId: string], ProjectRow[]> = {
  read: (store, userId) => openProjects.read(store).filter(({ id }) => mayComment.read(store, id, userId)),
};
