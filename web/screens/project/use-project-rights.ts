// Rights of this person in the views of a project: members who write change all tasks, guests some.

import { useCallback } from 'react';
import {
  editsAsGuest,
  mayWrite,
  type ProjectRow,
  rightsOn,
  roleIn,
  type TaskRow,
  useQuery,
  useReader,
  useUserId,
} from '../../queries.ts';

export interface ProjectRights {
  /** Begins tasks, and changes the project's columns. */
  readonly writes: boolean;
  /** There may be tasks they change. */
  readonly edits: boolean;
  readonly mayEdit: (task: TaskRow) => boolean;
}

export function useProjectRights(project: ProjectRow): ProjectRights {
  const userId = useUserId();
  const store = useReader();
  const writes = mayWrite(useQuery(roleIn, project.id, userId)) && project.archived_at === null;
  const guest = useQuery(editsAsGuest, project.id, userId);
  const mayEdit = useCallback(
    (task: TaskRow) => writes || (guest && rightsOn.read(store, task.id, userId).edits),
    [writes, guest, store, userId],
  );
  return { writes, edits: writes || guest, mayEdit };
}
