// Commands on a project: its settings, columns, labels, members and invitations.

import { nameOf } from '../queries/people/people.ts';
import { t } from '../strings/messages.ts';
import type { Mutation } from '../sync/journal/entries.ts';
import { newId } from '../sync/rows/ids.ts';
import type { ColumnKind, ColumnRow, LabelRow, ProjectRow, Role } from '../sync/rows/rows.ts';
import type { Reader } from '../sync/rows/store.ts';
import { type Checked, define, flag, list, number, oneOf, orNull, record, some, text } from './define-command.ts';
import { deleteRows, insertRows, updateRows } from './send-changes.ts';
import { deleteDelay } from './task-commands.ts';

const role = oneOf<Role>('owner', 'editor', 'viewer');
const kind = oneOf<ColumnKind>('backlog', 'todo', 'in_progress', 'done', 'custom');
const byId = record({ id: text });

// ── the project ──────────────────────────────────────────────────────────────

const projectPatch = some({
  name: text,
  description: text,
  key: text,
  color: orNull(text),
  avatar_url: orNull(text),
  enforce_dependencies: flag,
  parents_wait_for_subtasks: flag,
  viewers_may_comment: flag,
});

const edit = define('editProject', record({ id: text, patch: projectPatch }), {
  changes: ({ id, patch }) => [updateRows('projects', [{ id, ...patch }])],
});

export type ProjectPatch = Partial<
  Pick<
    ProjectRow,
    | 'name'
    | 'description'
    | 'key'
    | 'color'
    | 'avatar_url'
    | 'enforce_dependencies'
    | 'parents_wait_for_subtasks'
    | 'viewers_may_comment'
  >
>;

export function editProject(_: Reader, id: string, patch: ProjectPatch): Mutation {
  return edit({ id, patch }, t('settings.did.edited'));
}

const archive = define('archiveProject', byId, {
  changes: ({ id }) => [updateRows('projects', [{ id, archived_at: new Date().toISOString() }])],
});

export function archiveProject(store: Reader, id: string): Mutation {
  return archive({ id }, t('settings.did.archived', { name: store.get('projects', id)?.name ?? '' }));
}

const unarchive = define('unarchiveProject', byId, {
  changes: ({ id }) => [updateRows('projects', [{ id, archived_at: null }])],
});

export function unarchiveProject(store: Reader, id: string): Mutation {
  return unarchive({ id }, t('common.restored', { name: store.get('projects', id)?.name ?? '' }));
}

const destroy = define('deleteProject', byId, {
  announced: true,
  changes: ({ id }) => [deleteRows('projects', [{ id }])],
});

export function deleteProject(store: Reader, id: string): Mutation {
  return destroy({ id }, t('settings.did.deleted', { name: store.get('projects', id)?.name ?? '' }));
}

// ── columns ──────────────────────────────────────────────────────────────────

const insertColumn = define('addColumn', record({ id: text, projectId: text, name: text, position: number }), {
  changes: ({ id, projectId, name, position }) => [
    insertRows('workflow_columns', [{ id, project_id: projectId, name, position, kind: 'custom' }]),
  ],
});

export function addColumn(store: Reader, projectId: string, name: string, id = newId()): Mutation {
  const columns = store.where('workflow_columns', 'project_id', projectId);
  const position = Math.max(0, ...columns.map((column) => column.position)) + 1024;
  return insertColumn(
    { id, projectId, name: name.trim(), position },
    t('settings.did.columnAdded', { name: name.trim() }),
  );
}

const columnPatch = some({
  name: text,
  kind,
  position: number,
  wip_limit: orNull(number),
  color: orNull(text),
  required_fields: list(text),
});

const changeColumn = define('editColumn', record({ id: text, patch: columnPatch }), {
  changes: ({ id, patch }) => [updateRows('workflow_columns', [{ id, ...columnsOfPatch(patch) }])],
});

export type ColumnPatch = Checked<typeof columnPatch>;

/** The rows have a list of their own. */
function columnsOfPatch({ required_fields, ...patch }: ColumnPatch): Partial<ColumnRow> {
  return required_fields === undefined ? patch : { ...patch, required_fields: [...required_fields] };
}

export function editColumn(store: Reader, id: string, patch: ColumnPatch): Mutation {
  return changeColumn(
    { id, patch },
    t('settings.did.columnChanged', { name: store.get('workflow_columns', id)?.name ?? '' }),
  );
}

const dropColumn = define('removeColumn', byId, {
  changes: ({ id }) => [deleteRows('workflow_columns', [{ id }])],
});

export function removeColumn(store: Reader, id: string): Mutation {
  return dropColumn({ id }, t('settings.did.columnRemoved', { name: store.get('workflow_columns', id)?.name ?? '' }));
}

// ── labels ───────────────────────────────────────────────────────────────────

const insertLabel = define('createLabel', record({ id: text, projectId: text, name: text, color: text }), {
  changes: ({ projectId, ...row }) => [insertRows('task_labels', [{ ...row, project_id: projectId }])],
});

export function createLabel(_: Reader, projectId: string, name: string, color: string, id = newId()): Mutation {
  return insertLabel({ id, projectId, name: name.trim(), color }, t('settings.did.labelAdded', { name: name.trim() }));
}

const changeLabel = define('editLabel', record({ id: text, patch: some({ name: text, color: orNull(text) }) }), {
  changes: ({ id, patch }) => [updateRows('task_labels', [{ id, ...patch }])],
});

export function editLabel(store: Reader, id: string, patch: Partial<Pick<LabelRow, 'name' | 'color'>>): Mutation {
  return changeLabel({ id, patch }, t('settings.did.labelChanged', { name: store.get('task_labels', id)?.name ?? '' }));
}

const dropLabel = define('deleteLabel', byId, {
  delay: deleteDelay,
  changes: ({ id }) => [deleteRows('task_labels', [{ id }])],
});

/** Held: the links of a deleted label go with it and could not all be made again. */
export function deleteLabel(store: Reader, id: string): Mutation {
  return dropLabel({ id }, t('settings.did.labelRemoved', { name: store.get('task_labels', id)?.name ?? '' }));
}

// ── people ───────────────────────────────────────────────────────────────────

const insertMembers = define(
  'addToProject',
  record({ projectId: text, userIds: list(text), groupIds: list(text), role }),
  {
    announced: true,
    changes: ({ projectId: project_id, userIds, groupIds, role }) => {
      const people = userIds.map((user_id) => ({ project_id, user_id, role }));
      const groups = groupIds.map((group_id) => ({ project_id, group_id, role }));
      return [
        ...(people.length > 0 ? [insertRows('project_members', people)] : []),
        ...(groups.length > 0 ? [insertRows('project_groups', groups)] : []),
      ];
    },
  },
);

/** People and groups that one sees already, without an invitation: they are told in their inbox. */
export function addToProject(
  store: Reader,
  projectId: string,
  { userIds = [], groupIds = [] }: { readonly userIds?: readonly string[]; readonly groupIds?: readonly string[] },
  role: Role,
): Mutation {
  const names = [
    ...userIds.map((userId) => nameOf(store.get('profiles', userId))),
    ...groupIds.map((groupId) => store.get('groups', groupId)?.name ?? ''),
  ];
  return insertMembers(
    { projectId, userIds, groupIds, role },
    t('settings.did.membersAdded', { names: names.join(', ') }),
  );
}

const changeRole = define('setRole', record({ projectId: text, userId: text, role }), {
  changes: ({ projectId, userId, role }) => [
    updateRows('project_members', [{ project_id: projectId, user_id: userId, role }]),
  ],
});

export function setRole(store: Reader, projectId: string, userId: string, role: Role): Mutation {
  const name = nameOf(store.get('profiles', userId));
  return changeRole({ projectId, userId, role }, t('settings.did.roleChanged', { name, role }));
}

const dropMember = define('removeMember', record({ projectId: text, userId: text }), {
  delay: deleteDelay,
  changes: ({ projectId, userId }) => [deleteRows('project_members', [{ project_id: projectId, user_id: userId }])],
});

/** Held: removing someone unassigns them everywhere. */
export function removeMember(store: Reader, projectId: string, userId: string): Mutation {
  return dropMember(
    { projectId, userId },
    t('settings.did.memberRemoved', { name: nameOf(store.get('profiles', userId)) }),
  );
}

const revoke = define('revokeInvitation', byId, {
  delay: deleteDelay,
  changes: ({ id }) => [deleteRows('project_invitations', [{ id }])],
});

/** Held: a withdrawn invitation cannot be made valid again. */
export function revokeInvitation(store: Reader, id: string): Mutation {
  return revoke({ id }, t('settings.did.revoked', { email: store.get('project_invitations', id)?.email ?? '' }));
}
