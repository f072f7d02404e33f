// Groups of people: those of a project, those one sees, and the page of one. Each is asked of a procedure, and asked again whenever a group, its
// people or a membership changes; its rows then stand in the store, where commands change them.

import { useEffect } from 'react';
import { compareWords } from '../../strings/compare-words.ts';
import type { GroupOfProject, GroupPage, MyGroups } from '../../sync/procedures.ts';
import { type Query, useSync } from '../../sync/react.tsx';
import type { GroupRow, Role } from '../../sync/rows/rows.ts';
import type { Scope } from '../../sync/rows/scopes.ts';
import type { Store } from '../../sync/rows/store.ts';
import type { Sync } from '../../sync/sync.ts';
import { type LiveResult, useUnsavedResult } from '../../sync/use-result.ts';
import { nameOf, type Person } from './people.ts';

export type { GroupOfProject, GroupPage, MyGroups };

interface Answers {
  readonly project_groups: readonly GroupOfProject[];
  readonly my_groups: MyGroups;
  readonly group_page: GroupPage;
}
type Procedure = keyof Answers;
type Put<P extends Procedure> = (store: Store, answer: Answers[P], since: number) => void;

const about = {
  kind: 'figures',
  projectId: undefined,
  tables: ['project_members', 'groups', 'group_members', 'task_grants'],
  alone: true,
} as const;
const held: ReadonlySet<string> = new Set(['project_groups', 'groups', 'group_members']);

function useGroupResult<P extends Procedure>(
  procedure: P,
  args: Readonly<Record<string, string>>,
  put: Put<P>,
): LiveResult<Answers[P]> {
  const { call, store, hold } = useSync();
  // Not saved: without its rows it would say less than it means.
  const result = useUnsavedResult<Answers[P]>({
    name: `${procedure} ${JSON.stringify(args)}`,
    about,
    async ask() {
      const since = store.now();
      const answer = (await call(procedure, args as never)) as unknown as Answers[P];
      store.batch(() => put(store, answer, since));
      return answer;
    },
  });
  useEffect(() => hold((table) => held.has(table)), [hold]);
  return result;
}

/** Asked for once: some stay unknown. */
const askedFor = new WeakMap<Store, Set<string>>();

/** Asks for people whom no change has told of, as those of a group that is brought in. */
function askForUnknown({ store, refetch, refresh, userId }: Sync, people: readonly string[]): void {
  const scope: Scope = { kind: 'me', userId };
  // Until its first answer, nobody is known.
  if (refetch.state(scope.kind).phase !== 'fresh') return;
  const asked = askedFor.get(store) ?? new Set();
  askedFor.set(store, asked);
  const unknown = people.filter((id) => store.get('profiles', id) === undefined && !asked.has(id));
  if (unknown.length === 0) return;
  for (const id of unknown) asked.add(id);
  void refresh(scope);
}

export function useGroupsOfProject(projectId: string): LiveResult<readonly GroupOfProject[]> {
  const sync = useSync();
  return useGroupResult('project_groups', { project_id: projectId }, (store, groups, since) => {
    store.merge(
      'groups',
      groups.map(({ group_id, name }) => ({ id: group_id, name })),
      since,
    );
    store.replace(
      'project_groups',
      (row) => row.project_id === projectId,
      groups.flatMap(({ group_id, role }) => (role === null ? [] : [{ project_id: projectId, group_id, role }])),
      since,
    );
    const ids = new Set(groups.map(({ group_id }) => group_id));
    store.replace(
      'group_members',
      ({ group_id }) => ids.has(group_id),
      groups.flatMap(({ group_id, brings }) => brings.map((user_id) => ({ group_id, user_id }))),
      since,
    );
    askForUnknown(
      sync,
      groups.flatMap(({ brings }) => brings),
    );
  });
}

export function useMyGroups(): LiveResult<MyGroups> {
  return useGroupResult('my_groups', {}, (store, { groups }, since) =>
    store.replace(
      'groups',
      () => true,
      groups.map(({ id, name, description, source }) => ({ id, name, description, source })),
      since,
    ),
  );
}

export function useGroupPage(groupId: string): LiveResult<GroupPage> {
  const { userId } = useSync();
  return useGroupResult('group_page', { group_id: groupId }, (store, page, since) => {
    const { id, name, description, source } = page;
    store.merge('groups', [{ id, name, description, source }], since);
    // Of a large group not all are named: one's own row says what one sees as a guest.
    const isWhole = page.members.length === page.people;
    store.replace(
      'group_members',
      (row) => row.group_id === id && (isWhole || row.user_id !== userId),
      page.members.map(({ user_id, is_manager }) => ({ group_id: id, user_id, is_manager })),
      since,
    );
  });
}

// ── what the store holds of them ─────────────────────────────────────────────

export const groupOf: Query<[groupId: string], { readonly name: string; readonly description: string } | null> = {
  read(store, groupId) {
    const row = store.get('groups', groupId);
    return row ? { name: row.name, description: row.description ?? '' } : null;
  },
};

/** Those that are known here. */
export const knownGroups: Query<[none: string], GroupRow[]> = { read: (store) => store.all('groups') };

export interface BroughtGroup {
  readonly groupId: string;
  readonly name: string;
  readonly role: Role;
}

/** The groups in a project, by name. */
export const groupsIn: Query<[projectId: string], BroughtGroup[]> = {
  read: (store, projectId) =>
    store
      .where('project_groups', 'project_id', projectId)
      .map(({ group_id, role }) => ({ groupId: group_id, name: store.get('groups', group_id)?.name ?? '', role }))
      .sort((one, other) => compareWords(one.name, other.name)),
};

export interface GroupPerson extends Person {
  readonly isManager: boolean;
}

/** Who is in a group, by name; names of colleagues alone are here. */
export const peopleOfGroup: Query<[groupId: string], GroupPerson[]> = {
  read: (store, groupId) =>
    store.where('group_members', 'group_id', groupId).map(({ user_id, is_manager }) => {
      const profile = store.get('profiles', user_id);
      return {
        userId: user_id,
        name: nameOf(profile),
        avatarUrl: profile?.avatar_url ?? null,
        isManager: is_manager === true,
      };
    }),
};

// ── roles that groups bring ──────────────────────────────────────────────────

const strength: readonly Role[] = ['owner', 'editor', 'viewer'];

export const isStronger = (one: Role, other: Role): boolean => strength.indexOf(one) < strength.indexOf(other);

/** The groups that bring a person into a project, the strongest first. */
export function broughtBy(
  groups: readonly BroughtGroup[],
  answer: readonly GroupOfProject[] | null,
  userId: string,
): BroughtGroup[] {
  return groups
    .filter(({ groupId }) => answer?.some(({ group_id, brings }) => group_id === groupId && brings.includes(userId)))
    .sort((one, other) => strength.indexOf(one.role) - strength.indexOf(other.role));
}
