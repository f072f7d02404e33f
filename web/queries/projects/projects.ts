// Projects, their columns, labels and invitations.

import { compareWords } from '../../strings/compare-words.ts';
import type { Query } from '../../sync/react.tsx';
import type { ColumnRow, InvitationRow, LabelRow, ProjectRow } from '../../sync/rows/rows.ts';
import type { Reader } from '../../sync/rows/store.ts';

const byName = (one: { name: string }, other: { name: string }): number => compareWords(one.name, other.name);

export const openProjects: Query<[], ProjectRow[]> = {
  tables: ['projects'],
  read: (store) =>
    store
      .all('projects')
      .filter((project) => project.archived_at === null)
      .sort(byName),
};

export const archivedProjects: Query<[], ProjectRow[]> = {
  tables: ['projects'],
  read: (store) =>
    store
      .all('projects')
      .filter((project) => project.archived_at !== null)
      .sort(byName),
};

export const projectOf: Query<[projectId: string], ProjectRow | undefined> = {
  tables: ['projects'],
  read: (store, projectId) => store.get('projects', projectId),
};

export function readColumns(store: Reader, projectId: string): ColumnRow[] {
  return store
    .where('workflow_columns', 'project_id', projectId)
    .sort((one, other) => one.position - other.position || (one.id < other.id ? -1 : 1));
}

export const columnsOf: Query<[projectId: string], ColumnRow[]> = {
  tables: ['workflow_columns'],
  shared: true,
  read: readColumns,
};

/** Those of all projects that are here. */
export const everyColumn: Query<[], ColumnRow[]> = {
  tables: ['workflow_columns'],
  shared: true,
  read: (store) => store.all('workflow_columns'),
};

export const labelsOf: Query<[projectId: string], LabelRow[]> = {
  tables: ['task_labels'],
  shared: true,
  read: (store, projectId) => store.where('task_labels', 'project_id', projectId).sort(byName),
};

export const invitationsOf: Query<[projectId: string], InvitationRow[]> = {
  tables: ['project_invitations'],
  read: (store, projectId) =>
    store
      .where('project_invitations', 'project_id', projectId)
      .filter((invitation) => invitation.accepted_at === null)
      .sort((one, other) => compareWords(one.email, other.email)),
};
