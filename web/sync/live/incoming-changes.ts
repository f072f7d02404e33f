// Handles consequences of a row change: someone joined a project and brings rows that no change tells of; a project was deleted, or the
// user was removed from it.

import { isGuestIn, isMemberIn } from '../rows/guests.ts';
import type { Scope } from '../rows/scopes.ts';
import { keyOfChange, type RowChange, type Store } from '../rows/store.ts';
import type { IncomingChange } from './live.ts';
import type { LostProjects } from './lost-projects.ts';

/** While it looks: hears of rows of others right before they are shown; while it says so they wait a little. */
export interface ChangeWatch {
  hear(changes: readonly RowChange[]): void;
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

/** A membership of a group, whose people have rows of their own, or a task shared with one. */
const isOfGroup = (change: RowChange): boolean =>
  'row' in change &&
  (change.table === 'project_members' || change.table === 'task_grants') &&
  (change.row.user_id as string | null) === null;

export function openIncomingChanges(ports: IncomingPorts): (incoming: readonly IncomingChange[]) => void {
  const { userId, store, lostProjects, refresh, announce } = ports;

  /** Whether a row brings others along, or takes them away, for which has to be asked: those of a scope, or of all that someone looks at. */
  function bringsMore(change: RowChange): Scope | 'all' | null {
    if (change.table === 'task_grants') {
      const [taskId = '', who] = keyOfChange(change).split(' ');
      const projectId = 'row' in change ? change.row.project_id : store.get('tasks', taskId)?.project_id;
      const isSeen = store.get('tasks', taskId) !== undefined;
      if (who !== userId) {
        const isUnknown = 'row' in change && store.get('profiles', change.row.user_id ?? '') === undefined;
        return isUnknown ? { kind: 'me', userId } : null;
      }
      if (isSeen !== 'gone' in change) return null;
      // The first task of a project that is shared with us brings the project.
      const isKnown = 'gone' in change || store.get('projects', projectId ?? '') !== undefined;
      return isKnown ? { kind: 'project', projectId: projectId ?? '' } : 'all';
    }
    if (!('row' in change)) return null;
    if (change.table === 'project_members') {
      const { user_id = '', project_id = '' } = change.row;
      const isOurs = user_id === userId && store.base('project_members', keyOfChange(change)) === undefined;
      // No change tells of what a project that we come into holds beside its board: views, inbox entries, tasks that are ours.
      if (isOurs || store.get('projects', project_id) === undefined) return 'all';
      return store.get('profiles', user_id) ? null : { kind: 'me', userId };
    }
    if (change.table === 'task_assignees') {
      const { user_id, task_id = '' } = change.row;
      return user_id === userId && store.get('tasks', task_id) === undefined ? { kind: 'mine', userId } : null;
    }
    return null;
  }

  /** The project of an own grant that ends. */
  function projectOfGrant(change: RowChange): string | undefined {
    if (!('gone' in change) || change.table !== 'task_grants' || change.gone.split(' ')[1] !== userId) return undefined;
    return store.get('task_grants', change.gone)?.project_id;
  }

  function noteEnd(change: RowChange, unshared: string | undefined): void {
    if (!('gone' in change)) return;
    if (unshared !== undefined && !isMemberIn(store, userId, unshared) && !isGuestIn(store, userId, unshared))
      lostProjects.lose(unshared, 'removed');
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
        !isOfGroup(change) &&
        (!knownOnly || 'gone' in change || store.base(change.table, keyOfChange(change)) !== undefined),
    );
    const isNew = new Set(useful.map(({ change }) => change).filter((change) => store.isNew(change, true)));
    const changes = [...isNew];
    const asked = new Map<string, Scope>();
    let isAllAsked = false;
    for (const change of changes) {
      const scope = bringsMore(change);
      if (scope === 'all') isAllAsked = true;
      else if (scope) asked.set(scope.kind, scope);
    }
    if (changes.length > 0) announce(changes);
    // In their order: what came of a project before its end goes with it.
    store.batch(() => {
      for (const { change } of useful) {
        const unshared = projectOfGrant(change);
        store.receive([change], true);
        if (isNew.has(change)) noteEnd(change, unshared);
      }
    });
    if (isAllAsked) refresh();
    else for (const scope of asked.values()) refresh(scope);
  };
}
