// Tasks by what they have in common: the groups of a list, and the columns and lanes of a board. A task with two people or labels stands
// with both; what has none stands in a group with an empty id, at the end.

import { fieldIn } from '../../../contract/field-properties.ts';
import { type Grouping, priorities } from '../../../contract/views.ts';
import { compareWords } from '../../strings/compare-words.ts';
import { t } from '../../strings/messages.ts';
import type { ColumnKind, Priority, TaskRow } from '../../sync/rows/rows.ts';
import type { Reader } from '../../sync/rows/store.ts';
import { nameOf, readMembers } from '../people/people.ts';
import { chosenOptions, optionsOf, readFieldValue } from '../projects/fields.ts';
import { readColumns } from '../projects/projects.ts';

export interface TaskGroup {
  /** What the group is of: a column's, person's, label's, option's or task's id, a priority; empty for "none of them". */
  readonly id: string;
  readonly name: string;
  readonly kind?: ColumnKind;
  readonly color?: string | null;
  readonly priority?: Priority;
  readonly tasks: readonly TaskRow[];
}

type Head = Omit<TaskGroup, 'tasks'>;

/** In the order work goes through them. */
const kinds = ['backlog', 'todo', 'in_progress', 'custom', 'done'] as const;

/** How tasks are told apart: where each belongs, and which groups there are anyway, in their order. */
interface Groups {
  readonly idsOf: (task: TaskRow) => readonly string[];
  readonly known: readonly Head[];
  /** Of one that is not known; they follow those that are. */
  readonly headOf: (id: string) => Head & { readonly place?: number };
}

export function readGroups(store: Reader, projectId: string, grouping: Grouping): Groups {
  const unnamed = (id: string): Head => ({ id, name: '' });
  const person = (id: string): Head => ({ id, name: nameOf(store.get('profiles', id)) });
  const members = (): Head[] => readMembers(store, projectId).map(({ userId, name }) => ({ id: userId, name }));
  switch (grouping) {
    case 'column': {
      const known = readColumns(store, projectId).map(({ id, name, kind, color }) => ({ id, name, kind, color }));
      return { idsOf: (task) => [task.column_id], known, headOf: unnamed };
    }
    case 'kind': {
      const there = new Set(store.all('workflow_columns').map(({ kind }) => kind));
      return {
        idsOf: (task) => [store.get('workflow_columns', task.column_id)?.kind ?? 'todo'],
        known: kinds
          .filter((kind) => there.has(kind))
          .map((kind) => ({ id: kind, name: t(`common.kinds.${kind}`), kind, color: null })),
        headOf: unnamed,
      };
    }
    case 'priority':
      return {
        idsOf: (task) => [task.priority],
        known: priorities.map((priority) => ({ id: priority, name: '', priority })),
        headOf: unnamed,
      };
    case 'assignee':
      return {
        idsOf: (task) => store.where('task_assignees', 'task_id', task.id).map((link) => link.user_id),
        known: members(),
        headOf: person,
      };
    case 'label': {
      const known = store
        .where('task_labels', 'project_id', projectId)
        .map(({ id, name, color }) => ({ id, name, color }))
        .sort((one, other) => compareWords(one.name, other.name));
      const there = new Set(known.map(({ id }) => id));
      return {
        idsOf: (task) =>
          store
            .where('task_label_links', 'task_id', task.id)
            .map((link) => link.label_id)
            .filter((id) => there.has(id)),
        known,
        headOf: unnamed,
      };
    }
    case 'project':
      return {
        idsOf: (task) => [task.project_id],
        known: [],
        headOf(id) {
          const project = store.get('projects', id);
          return { id, name: project?.name ?? '', color: project?.color ?? null };
        },
      };
    case 'parent':
      return {
        idsOf: (task) => (task.parent_id ? [task.parent_id] : []),
        known: [],
        headOf(id) {
          const parent = store.get('tasks', id);
          return { id, name: parent?.title ?? '', place: parent?.number ?? Number.POSITIVE_INFINITY };
        },
      };
    default: {
      const { kind, id: fieldId = '' } = fieldIn(grouping) ?? {};
      const row = store.get('custom_fields', fieldId);
      const valuesOf = (task: TaskRow) => chosenOptions(readFieldValue(store, task, fieldId));
      if (kind === 'person') return { idsOf: valuesOf, known: row ? members() : [], headOf: person };
      const known = row ? optionsOf(row).map(({ id, name, color = null }) => ({ id, name, color })) : [];
      const there = new Set(known.map(({ id }) => id));
      return { idsOf: (task) => valuesOf(task).filter((id) => there.has(id)), known, headOf: unnamed };
    }
  }
}

/** What every task has one of. */
const always: readonly Grouping[] = ['column', 'kind', 'priority', 'project'];

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
  others.sort((one, other) => (one.place ?? 0) - (other.place ?? 0) || compareWords(one.name, other.name));
  const has = !always.includes(grouping);
  const nobody: Head[] = (all && has) || members.has('') ? [{ id: '', name: '' }] : [];
  return [...known, ...others, ...nobody].flatMap((head) => {
    const some = members.get(head.id) ?? [];
    return all || some.length > 0 ? [{ ...head, tasks: some }] : [];
  });
}
