// Projects, their columns, labels and invitations.

import { compareWords } from '../../strings/compare-words.ts';
import type { Query } from '../../sync/react.tsx';
import type { ColumnRow, InvitationRow, JoinLinkRow, LabelRow, ProjectRow } from '../../sync/rows/rows.ts';
import type { Reader } from '../../sync/rows/store.ts';

const byName = (one: { name: string }, other: { name: string }): number => compareWords(one.name, other.name);

export const openProjects: Query<[], ProjectRow[]> = {
  read: (store) =>
    store
      .all('projects')
      .filter((project) => project.archived_at === null)
      .sort(byName),
};

export const archivedProjects: Query<[], ProjectRow[]> = {
  read: (store) =>
    store
      .all('projects')
      .filter((project) => project.archived_at !== null)
      .sort(byName),
};

export const projectOf: Query<[projectId: string], ProjectRow | undefined> = {
  read: (store, projectId) => store.get('projects', projectId),
};

export function readColumns(store: Reader, projectId: string): ColumnRow[] {
  return store
    .where('workflow_columns', 'project_id', projectId)
    .sort((one, other) => one.position - other.position || (one.id < other.id ? -1 : 1));
}

export const columnsOf: Query<[projectId: string], ColumnRow[]> = {
  shared: 8,
  read: readColumns,
};

/** Those of all projects that are here. */
export const everyColumn: Query<[], ColumnRow[]> = {
  shared: 8,
  read: (store) => store.all('workflow_columns'),
};

export const labelsOf: Query<[projectId: string], LabelRow[]> = {
  shared: 8,
  read: (store, projectId) => store.where('task_labels', 'project_id', projectId).sort(byName),
};

export const invitationsOf: Query<[projectId: string], InvitationRow[]> = {
  read: (store, projectId) =>
    store
      .where('project_invitations', 'project_id', projectId)
      .filter((invitation) => invitation.accepted_at === null)
      .sort((one, other) => compareWords(one.email, other.email)),
};

/** The one that was not turned off; it may have expired. */
export const joinLinkOf: Query<[projectId: string], JoinLinkRow | null> = {
  read: (store, projectId) =>
    store.where('join_links', 'project_id', projectId).find((link) => link.revoked_at === null) ?? null,
};
