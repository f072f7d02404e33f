// Of several projects: which tasks one may change.

import { useMemo } from 'react';
import { type TaskRow, useQuery, useUserId, writableProjects } from '../../queries.ts';

export function useWritable(): { readonly canWrite: boolean; readonly mayChange: (task: TaskRow) => boolean } {
  const projects = useQuery(writableProjects, useUserId());
  return useMemo(() => {
    const ids = new Set(projects.map(({ id }) => id));
    return { canWrite: projects.length > 0, mayChange: ({ project_id }) => ids.has(project_id) };
  }, [projects]);
}
