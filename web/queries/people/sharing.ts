// Reads of dialogs and lists of sharing: who sees a restricted task, guests of a project and their groups, invitations to a task.

import type { Query } from '../../sync/react.tsx';
import { grantsIn, isInGroup } from '../../sync/rows/guests.ts';
import type { InvitationRow } from '../../sync/rows/rows.ts';
import { invitationsOf } from '../projects/projects.ts';
import { taskKey } from '../tasks/task-key.ts';
import { byName, type GuestGroup, groupIn, groupsOn, readGuests } from './guests-on-tasks.ts';
import { type Member, nameOf, type Person, readMembers } from './people.ts';

/** Members who are named for a restricted task, or work on it; owners see it anyway. */
export const membersNamedFor: Query<[taskId: string], readonly (Member & { readonly isNamed: boolean })[]> = {
  read(store, taskId) {
    const task = store.get('tasks', taskId);
    if (task?.is_restricted !== true) return [];
    return readMembers(store, task.project_id).flatMap((member) => {
      const grant = store.get('task_grants', `${taskId} ${member.userId}`);
      return grant === undefined || member.role === 'owner' ? [] : [{ ...member, isNamed: grant.is_named }];
    });
  },
};

/** Whether groups see tasks of a project, whose people are then asked for. */
export const hasGroupsOnTasks: Query<[projectId: string], boolean> = {
  read: (store, projectId) => store.count('group_grants', 'project_id', projectId) > 0,
};

export interface GroupOfGuests extends Pick<GuestGroup, 'groupId' | 'name' | 'people'> {
  readonly taskIds: readonly string[];
}

/** Groups that see tasks of a project. */
export const guestGroupsOf: Query<[projectId: string], readonly GroupOfGuests[]> = {
  read(store, projectId) {
    const tasks = new Map<string, string[]>();
    for (const { group_id, task_id } of store.where('group_grants', 'project_id', projectId))
      tasks.set(group_id, [...(tasks.get(group_id) ?? []), task_id]);
    return [...tasks].map(([id, taskIds]) => ({ ...groupIn(store, id), taskIds })).sort(byName);
  },
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

/** Groups by which somebody is a guest of a project. */
export const groupsOfGuest: Query<[projectId: string, userId: string], readonly string[]> = {
  read(store, projectId, userId) {
    const ids = store.where('group_grants', 'project_id', projectId).map(({ group_id }) => group_id);
    return [...new Set(ids)].filter((id) => isInGroup(store, id, userId));
  },
};

export interface GuestOfProject extends Person {
  readonly taskIds: readonly string[];
  /** Those by which they see tasks. */
  readonly groups: readonly Pick<GuestGroup, 'groupId' | 'name'>[];
}

/** Guests of a project, each with the tasks they see. */
export const guestsOf: Query<[projectId: string], readonly GuestOfProject[]> = {
  shared: 8,
  read: (store, projectId) =>
    readGuests(store, projectId).map((person) => ({
      ...person,
      taskIds: [...new Set(grantsIn(store, person.userId, projectId).map(({ task_id }) => task_id))],
      groups: groupsOfGuest
        .read(store, projectId, person.userId)
        .map((groupId) => groupIn(store, groupId))
        .sort(byName),
    })),
};

export interface Seer {
  /** Of a person or a group. */
  readonly id: string;
  readonly name: string;
  readonly isGroup: boolean;
  readonly isNamed: boolean;
}

/** Beside owners: groups, then people, by name. */
export const seersOf: Query<[audienceId: string], readonly Seer[]> = {
  read: (store, audienceId) => [
    ...groupsOn
      .read(store, audienceId)
      .map(({ groupId, name, isNamed }) => ({ id: groupId, name, isGroup: true, isNamed })),
    ...store
      .where('task_grants', 'task_id', audienceId)
      .map(({ user_id: id, is_named: isNamed }) => ({
        id,
        name: nameOf(store.get('profiles', id)),
        isGroup: false,
        isNamed,
      }))
      .sort(byName),
  ],
};
