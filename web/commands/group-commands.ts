// Commands on groups of people: who is in them, their names, the projects they are in, and the role that somebody has beside theirs.

import { nameOf } from '../queries/people/people.ts';
import { t } from '../strings/messages.ts';
import type { Mutation } from '../sync/journal/entries.ts';
import type { Role } from '../sync/rows/rows.ts';
import type { Reader } from '../sync/rows/store.ts';
import { define, flag, list, oneOf, orNull, record, some, text } from './define-command.ts';
import { deleteRows, insertRows, updateRows } from './send-changes.ts';
import { deleteDelay } from './task-commands.ts';

const role = oneOf<Role>('owner', 'editor', 'viewer');
const nameOfGroup = (store: Reader, id: string): string => store.get('groups', id)?.name ?? '';
const nameOfPerson = (store: Reader, id: string): string => nameOf(store.get('profiles', id));

// ── groups ───────────────────────────────────────────────────────────────────

const edit = define('editGroup', record({ id: text, patch: some({ name: text, description: text }) }), {
  changes: ({ id, patch }) => [updateRows('groups', [{ id, ...patch }])],
});

export function editGroup(
  store: Reader,
  id: string,
  patch: { readonly name?: string; readonly description?: string },
): Mutation {
  return edit({ id, patch }, t('task.did.fieldSet', { name: nameOfGroup(store, id) }));
}

const destroy = define('deleteGroup', record({ id: text }), {
  delay: deleteDelay,
  changes: ({ id }) => [deleteRows('groups', [{ id }])],
});

/** Held: whoever it alone brings into projects is unassigned there. */
export function deleteGroup(store: Reader, id: string): Mutation {
  return destroy({ id }, t('settings.did.deleted', { name: nameOfGroup(store, id) }));
}

// ── their people ─────────────────────────────────────────────────────────────

const insertPeople = define('addToGroup', record({ groupId: text, userIds: list(text) }), {
  announced: true,
  changes: ({ groupId, userIds }) => [
    insertRows(
      'group_members',
      userIds.map((user_id) => ({ group_id: groupId, user_id })),
    ),
  ],
});

export function addToGroup(store: Reader, groupId: string, userIds: readonly string[]): Mutation {
  const names = userIds.map((userId) => nameOfPerson(store, userId)).join(', ');
  return insertPeople(
    { groupId, userIds },
    t('settings.did.groupJoined', { names, group: nameOfGroup(store, groupId) }),
  );
}

const dropPerson = define('removeFromGroup', record({ groupId: text, userId: text }), {
  delay: deleteDelay,
  changes: ({ groupId, userId }) => [deleteRows('group_members', [{ group_id: groupId, user_id: userId }])],
});

/** Held: in projects where the group alone brings them they are unassigned. `name`: of somebody who may be no colleague. */
export function removeFromGroup(store: Reader, groupId: string, userId: string, name: string): Mutation {
  return dropPerson({ groupId, userId }, t('settings.did.groupDropped', { name, group: nameOfGroup(store, groupId) }));
}

/** Held likewise, and since nobody enters a group by themselves. */
export function leaveGroup(store: Reader, groupId: string, userId: string): Mutation {
  return dropPerson({ groupId, userId }, t('settings.did.groupLeft', { group: nameOfGroup(store, groupId) }));
}

const changeManager = define('setGroupManager', record({ groupId: text, userId: text, isManager: flag }), {
  changes: ({ groupId, userId, isManager }) => [
    updateRows('group_members', [{ group_id: groupId, user_id: userId, is_manager: isManager }]),
  ],
});

export function setGroupManager(
  store: Reader,
  groupId: string,
  userId: string,
  isManager: boolean,
  name: string,
): Mutation {
  const said = { name, group: nameOfGroup(store, groupId) };
  return changeManager(
    { groupId, userId, isManager },
    isManager ? t('settings.did.groupManaged', said) : t('settings.did.groupUnmanaged', said),
  );
}

// ── in projects ──────────────────────────────────────────────────────────────

const ofProject = { projectId: text, groupId: text };

const changeRole = define('setRoleOfGroup', record({ ...ofProject, role }), {
  changes: ({ projectId, groupId, role }) => [
    updateRows('project_groups', [{ project_id: projectId, group_id: groupId, role }]),
  ],
});

export function setRoleOfGroup(store: Reader, projectId: string, groupId: string, role: Role): Mutation {
  return changeRole(
    { projectId, groupId, role },
    t('settings.did.roleChanged', { name: nameOfGroup(store, groupId), role }),
  );
}

const dropGroup = define('removeGroupFromProject', record(ofProject), {
  delay: deleteDelay,
  changes: ({ projectId, groupId }) => [deleteRows('project_groups', [{ project_id: projectId, group_id: groupId }])],
});

/** Held: whoever it alone brings is unassigned everywhere. */
export function removeGroupFromProject(store: Reader, projectId: string, groupId: string): Mutation {
  return dropGroup({ projectId, groupId }, t('settings.did.memberRemoved', { name: nameOfGroup(store, groupId) }));
}

const changeOwnRole = define('setOwnRole', record({ projectId: text, userId: text, ownRole: orNull(role) }), {
  changes: ({ projectId, userId, ownRole }) => [
    updateRows('project_members', [{ project_id: projectId, user_id: userId, own_role: ownRole }]),
  ],
});

/** Of somebody whom groups bring: a role beside theirs, or none. */
export function setOwnRole(store: Reader, projectId: string, userId: string, ownRole: Role | null): Mutation {
  const name = nameOfPerson(store, userId);
  return changeOwnRole(
    { projectId, userId, ownRole },
    ownRole === null
      ? t('settings.did.ownRoleEnded', { name })
      : t('settings.did.roleChanged', { name, role: ownRole }),
  );
}
