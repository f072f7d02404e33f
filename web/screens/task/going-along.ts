// Words for deleting or archiving tasks, with the number of subtasks that go along.

import { goingAlong, useQuery } from '../../queries.ts';
import { t } from '../../strings/messages.ts';

export function useEndWords(taskIds: readonly string[]): { readonly remove: string; readonly archive: string } {
  const removed = useQuery(goingAlong, taskIds, 'deleted');
  const archived = useQuery(goingAlong, taskIds, 'archived');
  return {
    remove: removed > 0 ? t('task.removeWith', { n: removed }) : t('common.delete'),
    archive: archived > 0 ? t('task.archiveWith', { n: archived }) : t('task.archive'),
  };
}
