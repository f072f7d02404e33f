// The tasks that a text about this one may name: what is offered after a #, and the key that a number alone stands for.

import { useCallback } from 'react';
import type { TaskSuggestion } from '../../editor/suggestions-list.tsx';
import { findTasks, keyOfTask, type TaskRow, taskKey, useReader } from '../../queries.ts';

interface TaskOffers {
  findTasks(words: string): readonly TaskSuggestion[];
  keyOfNumber(number: string): string | null;
}

/** Without words the tasks that were touched last. */
export function useTaskOffers({ id, project_id: projectId }: TaskRow): TaskOffers {
  const store = useReader();
  const offerTasks = useCallback(
    (words: string): readonly TaskSuggestion[] =>
      (words.trim() === ''
        ? store
            .where('tasks', 'project_id', projectId)
            .filter((one) => one.archived_at === null && one.number !== null)
            .sort((one, other) => other.updated_at.localeCompare(one.updated_at))
            .slice(0, 9)
        : findTasks(store, words, 9)
      )
        .filter((one) => one.id !== id && one.number !== null)
        .map((one) => ({ key: keyOfTask(store, one), title: one.title })),
    [store, projectId, id],
  );
  const keyOfNumber = useCallback(
    (number: string): string | null => {
      const found = store.where('tasks', 'project_id', projectId).find((one) => one.number === Number(number));
      return found ? taskKey(store.get('projects', projectId), found) : null;
    },
    [store, projectId],
  );
  return { findTasks: offerTasks, keyOfNumber };
}
