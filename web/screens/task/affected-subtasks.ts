// Texts for deleting or archiving tasks, with the number of subtasks that are affected.

import { countAffectedSubtasks, useQuery } from '../../queries.ts';
import { t } from '../../strings/messages.ts';

export function useDeletionTexts(taskIds: readonly string[]): { readonly remove: string; readonly archive: string } {
  const removed = useQuery(countAffectedSubtasks, taskIds, 'deleted');
  const archived = useQuery(countAffectedSubtasks, taskIds, 'archived');
  return {
    remove: removed > 0 ? t('task.removeWith', { n: removed }) : t('common.delete'),
    archive: archived > 0 ? t('task.archiveWith', { n: archived }) : t('task.archive'),
  };
}
