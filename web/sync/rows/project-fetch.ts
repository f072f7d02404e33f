// Fetches a project: whole the first time, later only the changes since.

import type { Door } from '../door.ts';
import type { catchUp } from '../live/catch-up.ts';
import type { Call } from './results.ts';
import { fetchScope, questionsOf, type Scope } from './scopes.ts';
import type { Store } from './store.ts';

interface ProjectPorts {
  readonly door: Door;
  readonly store: Store;
  readonly call: Call;
  /** Null: not there yet. */
  readonly catchUp: () => typeof catchUp | null;
}

type ProjectScope = Extract<Scope, { kind: 'project' }>;

export function openProjectFetch({ door, store, call, ...ports }: ProjectPorts, scope: ProjectScope) {
  const { projectId } = scope;
  /** Until when all of it is known. */
  let since: string | null = null;
  return async (): Promise<void> => {
    const catchUp = ports.catchUp();
    if (since !== null && catchUp !== null && store.get('projects', projectId) !== undefined) {
      since = await catchUp(call, store, projectId, since, questionsOf(scope));
      if (since !== null) return;
    }
    since = null;
    // What is written while the rows are on their way counts as written since.
    const { until } = await call('changes_since', { project_id: projectId });
    await fetchScope(door, store, scope);
    since = until;
  };
}
