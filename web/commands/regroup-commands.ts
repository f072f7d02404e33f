// Moves cards on a board between groups: writes the property of its columns and lanes, in one step with one undo.

import { type FieldGrouping, fieldIn } from '../../contract/field-properties.ts';
import type { Grouping } from '../../contract/views.ts';
import { optionsOf } from '../queries/projects/fields.ts';
import { readColumns } from '../queries/projects/projects.ts';
import { readColumnTasks } from '../queries/tasks/column-tasks.ts';
import { readSubtasks } from '../queries/tasks/subtasks.ts';
import { readGroups } from '../queries/views/grouping.ts';
import { t } from '../strings/messages.ts';
import type { Mutation } from '../sync/journal/entries.ts';
import { rankBetween } from '../sync/rows/rank.ts';
import type { Priority, TaskRow } from '../sync/rows/rows.ts';
import type { Reader } from '../sync/rows/store.ts';
import { type Checked, define, flag, list, number, oneOf, orNull, record, text } from './define-command.ts';
import { json } from './field-commands.ts';
import { deleteRows, insertRows, moveTasksTo, putRows, updateRows } from './send-changes.ts';
import { keyIn } from './task-commands.ts';

const shape = record({
  /** Without a rank: at the end. */
  places: list(record({ id: text, columnId: text, rank: orNull(text) })),
  priorities: list(record({ id: text, priority: oneOf<Priority>('p0', 'p1', 'p2') })),
  parents: list(record({ id: text, parentId: orNull(text), place: orNull(number) })),
  links: list(record({ of: oneOf('assignee', 'label'), taskId: text, to: text, on: flag })),
  values: list(record({ taskId: text, projectId: text, fieldId: text, value: json })),
});
type Args = Checked<typeof shape>;
type Draft = { -readonly [K in keyof Args]: Args[K][number][] };

const make = define('regroupTasks', shape, {
  changes({ places, priorities, parents, links, values }) {
    const people = (on: boolean) =>
      links
        .filter((one) => one.of === 'assignee' && one.on === on)
        .map(({ taskId, to }) => ({ task_id: taskId, user_id: to }));
    const labels = (on: boolean) =>
      links
        .filter((one) => one.of === 'label' && one.on === on)
        .map(({ taskId, to }) => ({ task_id: taskId, label_id: to }));
    const held = values.map(({ taskId, fieldId, value }) => ({ task_id: taskId, field_id: fieldId, value }));
    return [
      moveTasksTo(places.map(({ id, columnId, rank }) => ({ id, column_id: columnId, order_rank: rank ?? undefined }))),
      updateRows('tasks', [...priorities]),
      updateRows(
        'tasks',
        parents.map(({ id, parentId, place }) => ({ id, parent_id: parentId, subtask_position: place })),
      ),
      deleteRows('task_assignees', people(false)),
      insertRows('task_assignees', people(true)),
      deleteRows('task_label_links', labels(false)),
      insertRows('task_label_links', labels(true)),
      deleteRows(
        'task_field_values',
        held.filter(({ value }) => value === null).map(({ task_id, field_id }) => ({ task_id, field_id })),
      ),
      ...putRows(
        'task_field_values',
        held.filter(({ value }) => value !== null),
        ['value'],
      ),
    ];
  },
});

/** Of which property, and which value of it; an empty one: none. */
export interface BoardPlace {
  readonly grouping: Grouping;
  readonly id: string;
}

export interface Regrouping {
  /** What the card in the hand stood in, and what it stands in now: its column, and its lane if there are lanes. */
  readonly from: readonly BoardPlace[];
  readonly to: readonly BoardPlace[];
  /** The task that will follow where cards have places of their own. Null: at the end. Undefined: they have none. */
  readonly beforeId: string | null | undefined;
  /** What one calls the place. */
  readonly name: string;
}

/** The first of `ids` is the card in the hand; others come along from wherever they stand. */
export function regroupTasks(
  store: Reader,
  ids: readonly string[],
  { from, to, beforeId, name }: Regrouping,
): Mutation {
  const draft: Draft = { places: [], priorities: [], parents: [], links: [], values: [] };
  const tasks = ids.map((id) => store.get('tasks', id)).filter((task) => task !== undefined);
  for (const [at, { grouping, id }] of to.entries()) {
    if (grouping === 'column') placeIn(store, draft, tasks, id, beforeId);
    else
      for (const task of tasks) {
        const left = task.id === ids[0] ? from[at]?.id : undefined;
        turn(store, draft, task, grouping, left, id);
      }
  }
  const { places, priorities, parents, links, values } = draft;
  const changed = new Set([
    ...[...places, ...priorities, ...parents].map(({ id }) => id),
    ...[...links, ...values].map(({ taskId }) => taskId),
  ]);
  const [first] = tasks.filter(({ id }) => changed.has(id));
  return make(
    draft,
    changed.size === 1 && first
      ? t('board.done.moved', { task: keyIn(store, first), column: name })
      : t('board.done.movedMany', { n: changed.size, column: name }),
  );
}

function placeIn(
  store: Reader,
  draft: Draft,
  tasks: readonly TaskRow[],
  columnId: string,
  beforeId: string | null | undefined,
): void {
  const moving = tasks.filter((task) => beforeId !== undefined || task.column_id !== columnId);
  const ids = new Set(moving.map(({ id }) => id));
  const standing = readColumnTasks(store, columnId).filter(({ id }) => !ids.has(id));
  const at = beforeId ? standing.findIndex(({ id }) => id === beforeId) : -1;
  const following = at < 0 ? undefined : standing[at];
  let rank = (at < 0 ? standing.at(-1) : standing[at - 1])?.order_rank ?? null;
  for (const task of moving) {
    rank = rankBetween(rank, following?.order_rank ?? null);
    draft.places.push({ id: task.id, columnId, rank });
  }
}

/** From one value to another; of several values the others stay, unless it is to have none. */
function turn(
  store: Reader,
  draft: Draft,
  task: TaskRow,
  grouping: Exclude<Grouping, 'column'>,
  left: string | undefined,
  to: string,
): void {
  const { id: taskId, project_id: projectId } = task;
  const held = readGroups(store, projectId, grouping).idsOf(task);
  const gone =
    to === '' ? held : held.filter((id) => id !== to && (left === undefined ? held.length === 1 : id === left));
  const comes = to !== '' && !held.includes(to);
  if (gone.length === 0 && !comes) return;
  switch (grouping) {
    case 'priority':
      draft.priorities.push({ id: taskId, priority: to as Priority });
      return;
    case 'parent':
      if (to !== taskId) draft.parents.push({ id: taskId, parentId: to || null, place: placeUnder(store, draft, to) });
      return;
    case 'assignee':
    case 'label':
      for (const id of gone) draft.links.push({ of: grouping, taskId, to: id, on: false });
      if (comes) draft.links.push({ of: grouping, taskId, to, on: true });
      return;
    case 'kind': {
      // Of its own project; of several the one work enters first.
      const column = readColumns(store, projectId).find(({ kind }) => kind === to);
      if (column) draft.places.push({ id: taskId, columnId: column.id, rank: null });
      return;
    }
    case 'project':
      return;
    default:
      draft.values.push({ taskId, projectId, ...fieldValueAfter(store, grouping, held, gone, to) });
  }
}

/** At the end of its parts, and of those that come with it. */
function placeUnder(store: Reader, draft: Draft, parentId: string): number | null {
  if (parentId === '') return null;
  return (readSubtasks(store, parentId).at(-1)?.subtask_position ?? 0) + 1024 * (draft.parents.length + 1);
}

function fieldValueAfter(
  store: Reader,
  grouping: FieldGrouping,
  held: readonly string[],
  gone: readonly string[],
  to: string,
) {
  const { id: fieldId = '', kind } = fieldIn(grouping) ?? {};
  if (kind !== 'multi_select') return { fieldId, value: to || null };
  const field = store.get('custom_fields', fieldId);
  const chosen = (field ? optionsOf(field) : [])
    .map(({ id }) => id)
    .filter((id) => id === to || (held.includes(id) && !gone.includes(id)));
  return { fieldId, value: chosen.length === 0 ? null : chosen };
}
