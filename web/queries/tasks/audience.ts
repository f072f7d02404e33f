// Restricted tasks: the people who see one, beside owners of its project.

import { compareWords } from '../../strings/compare-words.ts';
import type { Query } from '../../sync/react.tsx';
import type { TaskRow } from '../../sync/rows/rows.ts';
import type { Reader } from '../../sync/rows/store.ts';
import { nameOf, type Person } from '../people/people.ts';

/** The restricted task that it is, or stands under; null: everyone in the project sees it. */
export function audienceOf(task: TaskRow): string | null {
  return task.is_restricted === true ? task.id : (task.audience_id ?? null);
}

export interface Seer extends Person {
  readonly isNamed: boolean;
}

/** Beside owners, by name. */
export const seersOf: Query<[audienceId: string], readonly Seer[]> = {
  read: (store: Reader, audienceId: string) =>
    store
      .where('task_grants', 'task_id', audienceId)
      .map(({ user_id: userId, is_named: isNamed }) => {
        const profile = store.get('profiles', userId);
        return { userId, isNamed, name: nameOf(profile), avatarUrl: profile?.avatar_url ?? null };
      })
      .sort((one, other) => compareWords(one.name, other.name)),
};
