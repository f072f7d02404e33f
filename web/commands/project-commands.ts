// Commands on a project: its settings, columns, labels, members and invitations.

import { nameOf } from '../queries/people.ts';
import { words } from '../strings/words.ts';
import { newId } from '../sync/ids.ts';
import type { Deed } from '../sync/journal.ts';
import type { ColumnRow, LabelRow, ProjectRow, Role } from '../sync/rows.ts';
import type { Step } from '../sync/step.ts';
import { insert, remove, update } from '../sync/step.ts';
import type { Store } from '../sync/store.ts';
import { deleteHold } from './task-commands.ts';

const one = (label: string, step: Step | null | undefined): Deed => ({ label, steps: step ? [step] : [] });

export type ProjectPatch = Partial<Pick<ProjectRow, 'name' | 'description' | 'key' | 'color' | 'enforce_dependencies'>>;

export function editProject(store: Store, id: string, patch: ProjectPatch): Deed {
  const project = store.get('projects', id);
  return one(words.settings.did.edited, project && update('projects', project, patch));
}

export function archiveProject(store: Store, id: string): Deed {
  const project = store.get('projects', id);
  return one(
    words.settings.did.archived(project?.name ?? ''),
    project && update('projects', project, { archived_at: new Date().toISOString() }),
  );
}

export function unarchiveProject(store: Store, id: string): Deed {
  const project = store.get('projects', id);
  return one(
    words.settings.did.unarchived(project?.name ?? ''),
    project && update('projects', project, { archived_at: null }),
  );
}

export function addColumn(store: Store, projectId: string, name: string, id = newId()): Deed {
  const last = Math.max(
    0,
    ...store.where('workflow_columns', 'project_id', projectId).map((column) => column.position),
  );
  const column: ColumnRow = {
    id,
    project_id: projectId,
    name: name.trim(),
    kind: 'custom',
    position: last + 1024,
    wip_limit: null,
    color: null,
  };
  return one(words.settings.did.columnAdded(column.name), insert('workflow_columns', column));
}

export type ColumnPatch = Partial<Pick<ColumnRow, 'name' | 'kind' | 'position' | 'wip_limit' | 'color'>>;

export function editColumn(store: Store, id: string, patch: ColumnPatch): Deed {
  const column = store.get('workflow_columns', id);
  return one(words.settings.did.columnChanged(column?.name ?? ''), column && update('workflow_columns', column, patch));
}

export function removeColumn(store: Store, id: string): Deed {
  const column = store.get('workflow_columns', id);
  return one(words.settings.did.columnRemoved(column?.name ?? ''), column && remove('workflow_columns', column));
}

export function createLabel(store: Store, projectId: string, name: string, color: string, id = newId()): Deed {
  const label: LabelRow = { id, project_id: projectId, name: name.trim(), color };
  return one(
    words.settings.did.labelAdded(label.name),
    store.get('task_labels', id) ? null : insert('task_labels', label),
  );
}

export function editLabel(store: Store, id: string, patch: Partial<Pick<LabelRow, 'name' | 'color'>>): Deed {
  const label = store.get('task_labels', id);
  return one(words.settings.did.labelChanged(label?.name ?? ''), label && update('task_labels', label, patch));
}

/** Held: the links of a deleted label go with it and could not all be made again. */
export function deleteLabel(store: Store, id: string): Deed {
  const label = store.get('task_labels', id);
  return {
    ...one(words.settings.did.labelRemoved(label?.name ?? ''), label && remove('task_labels', label)),
    hold: deleteHold,
  };
}

export function setRole(store: Store, projectId: string, userId: string, role: Role): Deed {
  const member = store.get('project_members', `${projectId} ${userId}`);
  const name = nameOf(store.get('profiles', userId));
  return one(
    words.settings.did.roleChanged(name, words.common.roles[role].toLocaleLowerCase()),
    member && update('project_members', member, { role }),
  );
}

/** Held: removing someone unassigns them everywhere. */
export function removeMember(store: Store, projectId: string, userId: string): Deed {
  const member = store.get('project_members', `${projectId} ${userId}`);
  const name = nameOf(store.get('profiles', userId));
  return {
    ...one(words.settings.did.memberRemoved(name), member && remove('project_members', member)),
    hold: deleteHold,
  };
}

/** Held: a withdrawn invitation cannot be made valid again. */
export function revokeInvitation(store: Store, id: string): Deed {
  const invitation = store.get('project_invitations', id);
  return {
    ...one(
      words.settings.did.revoked(invitation?.email ?? ''),
      invitation && remove('project_invitations', invitation),
    ),
    hold: deleteHold,
  };
}
