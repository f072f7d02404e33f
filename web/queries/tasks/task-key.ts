// The key of a task, as it is written everywhere: WEB-12.

import type { ProjectRow, TaskRow } from '../../sync/rows/rows.ts';

export function taskKey(project: Pick<ProjectRow, 'key'> | undefined, task: Pick<TaskRow, 'number'>): string {
  return task.number === null ? (project?.key ?? '') : `${project?.key ?? ''}-${task.number}`;
}
