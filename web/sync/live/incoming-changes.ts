// Handles consequences of a row change: someone joined a project and brings rows that no change tells of; a project was deleted, or the
// user was removed from it.

import { isGuestIn, isInGroup, isMemberIn } from '../rows/guests.ts';
import { type Scope, scopeName } from '../rows/scopes.ts';
import { keyOfChange, type RowChange, type Store } from '../rows/store.ts';
import type { IncomingChange } from './live.ts';
import type { LostProjects } from './lost-projects.ts';

/** While it looks: told of rows of others right before they are shown; while it says so they wait a little. */
export interface ChangeWatch {
  beforeShown(changes: readonly RowChange[]): void;
  isHeld(): boolean;
}

interface IncomingPorts {
  readonly userId: string;
  readonly store: Store;
  readonly lostProjects: LostProjects;
  readonly refresh: (scope?: Scope) => void;
  /** Right before rows of others are shown. */
  readonly announce: (changes: readonly RowChange[]) => void;
}

/** A membership of a group, whose people have rows of their own; a grant of a group as one of a person, or the other way round. */
const isOfAnother = (change: RowChange): boolean => keyOfChange(change).endsWith(' null');

export function openIncomingChanges(ports: IncomingPorts): (incoming: readonly IncomingChange[]) => void {
  const { userId, store, lostProjects, refresh, announce } = ports;

  const isKnown = (change: RowChange): boolean => store.base(change.table, keyOfChange(change)) !== undefined;

  /** A row of this person, or of a group they are in. */
  function isOurs(change: RowChange): boolean {
    const who = keyOfChange(change).split(' ')[1] ?? '';
    return who === userId || (change.table === 'group_grants' && isInGroup(store, who, userId));
  }

  /** Whether a row brings others along, or takes them away, for which has to be asked: those of a scope, or of all that someone looks at. */
  function bringsMore(change: RowChange): Scope | 'all' | null {
    const [of = '', who = ''] = keyOfChange(change).split(' ');
    // No change tells of the tasks that a group shows; an answer that was under way may have the membership alone.
    if (change.table === 'group_members') return isOurs(change) ? 'all' : null;
    if (change.table === 'task_grants' || change.table === 'group_grants') {
      const projectId = 'row' in change ? change.row.project_id : store.get('tasks', of)?.project_id;
      const isSeen = store.get('tasks', of) !== undefined;
      if (!isOurs(change)) {
        const isUnknown = change.table === 'task_grants' ? store.get('profiles', who) === undefined : !isKnown(change);
        return 'row' in change && isUnknown ? { kind: 'me', userId } : null;
      }
      if (isSeen !== 'gone' in change) return null;
      // The first task of a project that is shared with us brings the project.
      const isProjectKnown = 'gone' in change || store.get('projects', projectId ?? '') !== undefined;
      return isProjectKnown ? { kind: 'project', projectId: projectId ?? '' } : 'all';
    }
    if (!('row' in change)) return null;
    if (change.table === 'project_members') {
      const { user_id = '', project_id = '' } = change.row;
      // No change tells of what a project that we come into holds beside its board: views, inbox entries, tasks that are ours.
      if ((isOurs(change) && !isKnown(change)) || store.get('projects', project_id) === undefined) return 'all';
      return store.get('profiles', user_id) ? null : { kind: 'me', userId };
    }
    if (change.table === 'task_assignees') {
      const { user_id, task_id = '' } = change.row;
      return user_id === userId && store.get('tasks', task_id) === undefined ? { kind: 'mine', userId } : null;
    }
    return null;
  }

  /** Projects of which an own grant ends, or all those of a group. */
  function projectsOfGrants(change: RowChange): readonly string[] {
    if (!('gone' in change) || !isOurs(change)) return [];
    const { table, gone } = change;
    if (table === 'group_members')
      return store.where('group_grants', 'group_id', gone.split(' ')[0]).map(({ project_id }) => project_id);
    if (table !== 'task_grants' && table !== 'group_grants') return [];
    const projectId = store.get(table, gone)?.project_id;
    return projectId === undefined ? [] : [projectId];
  }

  function noteEnd(change: RowChange, unshared: readonly string[]): void {
    if (!('gone' in change)) return;
    for (const projectId of unshared)
      if (!isMemberIn(store, userId, projectId) && !isGuestIn(store, userId, projectId))
        lostProjects.lose(projectId, 'gone');
    if (change.table === 'projects') lostProjects.lose(change.gone, 'deleted');
    if (change.table === 'project_members') {
      const [projectId = '', who] = change.gone.split(' ');
      // A project that was restored meanwhile: its deletion removed everybody, and is told late.
      if (who === userId && !store.isAhead('projects', projectId)) lostProjects.lose(projectId, 'removed');
    }
  }

  return (incoming) => {
    const useful = incoming.filter(
      ({ change, knownOnly }) =>
        !isOfAnother(change) &&
        (!knownOnly || 'gone' in change || store.base(change.table, keyOfChange(change)) !== undefined),
    );
    const isNew = new Set(useful.map(({ change }) => change).filter((change) => store.isNew(change, true)));
    const changes = [...isNew];
    const asked = new Map<string, Scope>();
    let isAllAsked = false;
    for (const { change } of useful) {
      if (!isNew.has(change) && change.table !== 'group_members') continue;
      const scope = bringsMore(change);
      if (scope === 'all') isAllAsked = true;
      else if (scope) asked.set(scopeName(scope), scope);
    }
    if (changes.length > 0) announce(changes);
    // In their order: what came of a project before its end goes with it.
    store.batch(() => {
      for (const { change } of useful) {
        const unshared = projectsOfGrants(change);
        store.receive([change], true);
        if (isNew.has(change)) noteEnd(change, unshared);
      }
    });
    if (isAllAsked) refresh();
    else for (const scope of asked.values()) refresh(scope);
  };
}
