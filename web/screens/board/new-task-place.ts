// Place of a new task that is begun from anywhere: the project that is open, else the one looked at last; there, the column where work begins.

import { useLocation } from 'wouter';
import { useRecentTasks } from '../../queries/tasks/recent.ts';
import { type ColumnRow, type ProjectRow, useQuery, useUserId, writableProjects } from '../../queries.ts';
import { projectIn } from '../../routes.ts';

/** Projects one may write in, and the id of the likely one of them. */
export function useNewTaskProjects(): { readonly projects: readonly ProjectRow[]; readonly likely: string } {
  const [location] = useLocation();
  const projects = useQuery(writableProjects, useUserId());
  const [recent] = useRecentTasks(1);
  return { projects, likely: projectIn(location)?.projectId ?? recent?.project_id ?? '' };
}

export const columnForNew = (columns: readonly ColumnRow[]): ColumnRow | undefined =>
  columns.find(({ kind }) => kind === 'todo') ?? columns[0];
