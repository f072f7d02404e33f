// Access explained: the people of a project and the rules that bring them in; the projects that a person reaches. Asked again when memberships,
// groups or invitations change, and whenever somebody looks. Not saved on the device: what was true then is no answer to who sees it now.

import type { AccessReason, ExplainedAccess, ReachedProject, Rights, UnattendedKind } from '../../sync/procedures.ts';
import { type Query, useQuery, useSync } from '../../sync/react.tsx';
import { type LiveResult, useUnsavedResult } from '../../sync/use-result.ts';
import { nameOf, roleIn } from './people.ts';

export type { AccessReason, ExplainedAccess, ReachedProject, Rights, UnattendedKind };

const about = {
  kind: 'figures',
  projectId: undefined,
  tables: [
    'projects',
    'project_members',
    'groups',
    'group_members',
    'task_grants',
    'project_invitations',
    'join_links',
  ],
  alone: true,
} as const;

/** Of a project, a task or an attachment, for owners and operators. */
export function useExplainedAccess(object: string): LiveResult<readonly ExplainedAccess[]> {
  const { call } = useSync();
  return useUnsavedResult({ name: `explain_access ${object}`, about, ask: () => call('explain_access', { object }) });
}

/** Operators see all projects, others those they own. */
export function useReach(person: string): LiveResult<readonly ReachedProject[]> {
  const { call } = useSync();
  return useUnsavedResult({ name: `reach_of ${person}`, about, ask: () => call('reach_of', { subject: person }) });
}

export type NameOf = (userId: string) => string | undefined;

/** Names of those who gave access: from the answer, or else known on this device; undefined: neither. */
export function useNamesOfGivers(
  rows: readonly (Pick<ExplainedAccess, 'reasons'> & Partial<ExplainedAccess>)[],
): NameOf {
  const ids = rows.flatMap(({ reasons }) => reasons.flatMap(({ by = [] }) => by));
  const known = useQuery(namesOf, [...new Set(ids)].sort());
  const names = new Map(rows.map(({ person_id, display_name }) => [person_id, display_name]));
  return (userId) => names.get(userId)?.trim() || known[userId];
}

const namesOf: Query<[userIds: readonly string[]], Readonly<Record<string, string>>> = {
  read(store, userIds) {
    const profiles = userIds.map((id) => store.get('profiles', id)).filter((profile) => profile !== undefined);
    return Object.fromEntries(profiles.map((profile) => [profile.id, nameOf(profile)]));
  },
};

/** Whether this person owns one of these projects, by ids with commas between. */
export const ownsOneOf: Query<[userId: string, projectIds: string], boolean> = {
  read: (store, userId, projectIds) =>
    projectIds.split(',').some((projectId) => roleIn.read(store, projectId, userId) === 'owner'),
};
