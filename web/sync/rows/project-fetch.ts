// Fetches a project: whole the first time, later only the changes since.

import type { Door } from '../door.ts';
import type { catchUp } from '../live/catch-up.ts';
import type { Call } from './results.ts';
import type { Scope } from './scopes.ts';
import { fetchScope, questionsOf } from './scopes.ts';
import type { Store } from './store.ts';

interface ProjectPorts {
  readonly door: Door;
  readonly store: Store;
  readonly call: Call;
  /** Null: not there yet. */
  readonly catchUp: () => typeof catchUp | null;
}

type ProjectScope = Extract<Scope, { kind: 'project' }>;

export function openProjectFetch({ door, store, call, ...ports }: ProjectPorts): {
  fetch(scope: ProjectScope): Promise<void>;
} {
  /** By project, until when all of it is known. */
  const moments = new Map<string, string>();
  return {
    async fetch(scope) {
      const { projectId } = scope;
      const since = moments.get(projectId);
      const catchUp = ports.catchUp();
      if (since !== undefined && catchUp !== null && store.get('projects', projectId) !== undefined) {
        const until = await catchUp(call, store, projectId, since, questionsOf(scope));
        if (until !== null) {
          moments.set(projectId, until);
          return;
        }
      }
      moments.delete(projectId);
      // What is written while the rows are on their way counts as written since.
      const { until } = await call('changes_since', { project_id: projectId });
      await fetchScope(door, store, scope);
      moments.set(projectId, until);
    },
  };
}
