// Tasks by what they have in common: the groups of a list, and the columns and lanes of a board. A task with two people or labels stands
// with both; what has none stands in a group with an empty id, at the end.

import type { Grouping } from '../../../contract/views.ts';
import { propertyNamed } from '../../properties/properties.ts';
import type { Choice, Groups } from '../../properties/property.ts';
import { compareWords } from '../../strings/compare-words.ts';
import type { TaskRow } from '../../sync/rows/rows.ts';
import type { Reader } from '../../sync/rows/store.ts';

/** Its id is that of a column, person, label, option, project or task, or a priority; empty for "none of them". */
export interface TaskGroup extends Choice {
  readonly tasks: readonly TaskRow[];
}

export function readGroups(store: Reader, projectId: string, grouping: Grouping): Groups {
  return propertyNamed(grouping).groups(store, projectId);
}

/** `tasks` in their order stay so in each group. `all`: also groups without a task. */
export function groupTasks(
  store: Reader,
  projectId: string,
  tasks: readonly TaskRow[],
  grouping: Grouping,
  all = false,
): TaskGroup[] {
  const { idsOf, known, headOf } = readGroups(store, projectId, grouping);
  const members = new Map<string, TaskRow[]>();
  const put = (id: string, task: TaskRow): void => {
    const some = members.get(id);
    if (some) some.push(task);
    else members.set(id, [task]);
  };
  for (const task of tasks) {
    const ids = idsOf(task);
    if (ids.length === 0) put('', task);
    else for (const id of ids) put(id, task);
  }
  const knownIds = new Set(known.map(({ id }) => id));
  const others = [...members.keys()].filter((id) => id !== '' && !knownIds.has(id)).map(headOf);
  others.sort((one, other) => placeOf(one) - placeOf(other) || compareWords(one.name, other.name));
  const lacking = (all && !propertyNamed(grouping).always) || members.has('');
  const nobody: Choice[] = lacking ? [{ id: '', name: '' }] : [];
  return [...known, ...others, ...nobody].flatMap((head) => {
    const some = members.get(head.id) ?? [];
    return all || some.length > 0 ? [{ ...head, tasks: some }] : [];
  });
}

const placeOf = ({ place }: Choice): number => place ?? Number.MAX_SAFE_INTEGER;
