// The properties that every task has: one entry each.

import { type OwnProperty, priorities } from '../../contract/views.ts';
import { labelsOf, readColumns } from '../queries/projects/projects.ts';
import { taskKey } from '../queries/tasks/task-key.ts';
import { t } from '../strings/messages.ts';
import { estimateRange } from '../strings/numbers.ts';
import type { ColumnKind, Priority, TaskRow } from '../sync/rows/rows.ts';
import type { Reader } from '../sync/rows/store.ts';
import type { TaskPatch } from './cell-value.ts';
import { choice } from './kinds/choice.ts';
import { choices } from './kinds/choices.ts';
import { day } from './kinds/day.ts';
import { flag } from './kinds/flag.ts';
import { moment } from './kinds/moment.ts';
import { number } from './kinds/number.ts';
import { people } from './kinds/people.ts';
import { person } from './kinds/person.ts';
import { isSame } from './kinds/read-names.ts';
import { words } from './kinds/words.ts';
import { makeProperty } from './make-property.ts';
import { personChoice, workerChoices as workers } from './person-choice.ts';
import type { Choice, Property, ReadCell } from './property.ts';
import { testTitle } from './test-title.ts';

const patch = (columns: TaskPatch): ReadCell => ({ cell: { of: 'task', patch: columns } });
const some = <T>(all: readonly T[]): readonly T[] | null => (all.length === 0 ? null : all);
const mostOfTitle = 500;

/** In the order work goes through them. */
const kinds = ['backlog', 'todo', 'in_progress', 'custom', 'done'] as const satisfies readonly ColumnKind[];

/** Both days at once: of one that is written the other is there already. */
const checkDays = (task: TaskRow, days: Partial<Pick<TaskRow, 'start_date' | 'due_date'>>): string | null => {
  const { start_date, due_date } = { ...task, ...days };
  return start_date !== null && due_date !== null && due_date < start_date ? t('task.datesWrong') : null;
};

const taskChoice = (store: Reader, id: string): Choice => {
  const task = store.get('tasks', id);
  return { id, name: task?.title ?? '', ...(task?.number ? { place: task.number } : {}) };
};

const flagOf = (valueIn: (store: Reader, task: TaskRow) => boolean): Property =>
  makeProperty<boolean>({ kind: flag, valueIn });

const hasRows = (table: 'task_checklist_items' | 'task_attachments' | 'task_recurrences'): Property =>
  flagOf((store, { id }) => store.count(table, 'task_id', id) > 0);

const momentOf = (column: 'created_at' | 'updated_at' | 'completed_at'): Property =>
  makeProperty<string>({
    kind: moment,
    ...(column === 'completed_at' ? {} : { always: true }),
    valueIn: (_, task) => task[column],
    table: {},
  });

const predecessorsOf = (store: Reader, { id }: TaskRow): readonly string[] =>
  store.where('task_dependencies', 'successor_id', id).map((link) => link.predecessor_id);

const priorityChoices = (): readonly (Choice & { readonly id: Priority })[] =>
  priorities.map((one) => ({ id: one, name: t(`common.priorities.${one}`), priority: one }));

/** In the order of the columns of a table. */
export const own: Readonly<Record<OwnProperty, Property>> = {
  number: makeProperty<number>({
    kind: number,
    always: true,
    valueIn: (_, task) => task.number,
    say: (store, task) => taskKey(store.get('projects', task.project_id), task),
    table: { width: 76, usual: 'key' },
  }),
  priority: makeProperty<string>({
    kind: choice,
    always: true,
    valueIn: (_, task) => task.priority,
    choices: priorityChoices,
    read(typed) {
      const found = priorityChoices().find(({ id, name }) => id === typed.toLowerCase() || isSame(name, typed));
      return found ? { value: found.id } : { fault: t('table.faults.choice', { text: typed }) };
    },
    write: (value) => patch({ priority: (value ?? 'p2') as Priority }),
    history: { set: (_, priority) => t('task.history.prioritised', { priority }) },
    table: { width: 84, usual: 'priority' },
  }),
  title: makeProperty<string>({
    kind: words,
    always: true,
    valueIn: (_, task) => task.title,
    most: mostOfTitle,
    write: (value) =>
      value === null ? { fault: t('table.faults.title') } : patch({ title: value.replace(/\s+/g, ' ') }),
    history: { set: (title) => t('task.history.renamed', { title }) },
    table: { width: 340, usual: 'title' },
  }),
  label: makeProperty<readonly string[]>({
    kind: choices,
    ofProject: true,
    valueIn: (store, { id }) => some(store.where('task_label_links', 'task_id', id).map((one) => one.label_id)),
    choices: (store, projectId) => labelsOf.read(store, projectId).map(({ id, name, color }) => ({ id, name, color })),
    onlyKnown: true,
    sayNone: () => t('list.noLabel'),
    write: (ids) => ({ cell: { of: 'labels', ids: ids ?? [] } }),
    table: { usual: 'labels' },
  }),
  column: makeProperty<string>({
    kind: choice,
    always: true,
    ofProject: true,
    valueIn: (_, task) => task.column_id,
    choices: (store, projectId) =>
      readColumns(store, projectId).map(({ id, name, kind, color }) => ({ id, name, kind, color })),
    choice: (store, id) => ({ id, name: store.get('workflow_columns', id)?.name ?? '' }),
    write: (value) =>
      value === null ? { fault: t('table.faults.choice', { text: '' }) } : { cell: { of: 'column', columnId: value } },
    table: { width: 130, usual: 'column' },
  }),
  assignee: makeProperty<readonly string[]>({
    kind: people,
    valueIn: (store, { id }) => some(store.where('task_assignees', 'task_id', id).map((one) => one.user_id)),
    choices: workers,
    choice: personChoice,
    write: (ids) => ({ cell: { of: 'people', ids: ids ?? [] } }),
    table: { width: 110, usual: 'people' },
  }),
  due_date: makeProperty<string>({
    kind: day,
    valueIn: (_, task) => task.due_date,
    write: (due_date) => patch({ due_date }),
    check: (task, due_date) => checkDays(task, { due_date }),
    history: { set: (day) => t('task.history.due', { day }), cleared: () => t('task.history.dueCleared') },
    table: { usual: 'due' },
  }),
  start_date: makeProperty<string>({
    kind: day,
    valueIn: (_, task) => task.start_date,
    write: (start_date) => patch({ start_date }),
    check: (task, start_date) => checkDays(task, { start_date }),
    history: { set: (day) => t('task.history.start', { day }), cleared: () => t('task.history.startCleared') },
    table: {},
  }),
  estimate: makeProperty<number>({
    kind: number,
    range: estimateRange,
    valueIn: (_, task) => task.estimate,
    write: (estimate) => patch({ estimate }),
    history: {
      set: (estimate) => t('task.history.estimated', { estimate }),
      cleared: () => t('task.history.estimateCleared'),
    },
    table: {},
  }),
  kind: makeProperty<string>({
    kind: choice,
    always: true,
    valueIn: (store, task) => store.get('workflow_columns', task.column_id)?.kind ?? null,
    choices(store) {
      const there = new Set(store.all('workflow_columns').map((one) => one.kind));
      return kinds.flatMap((one) =>
        there.has(one) ? [{ id: one, name: t(`common.kinds.${one}`), kind: one, color: null }] : [],
      );
    },
    table: { width: 120 },
  }),
  parent: makeProperty<string>({
    kind: choice,
    ofProject: true,
    valueIn: (_, task) => task.parent_id ?? null,
    choice: taskChoice,
    table: { width: 190 },
  }),
  created_by: makeProperty<string>({
    kind: person,
    valueIn: (_, task) => task.created_by,
    choices: workers,
    choice: personChoice,
    table: { width: 120 },
  }),
  created_at: momentOf('created_at'),
  updated_at: momentOf('updated_at'),
  completed_at: momentOf('completed_at'),
  project: makeProperty<string>({
    kind: choice,
    always: true,
    valueIn: (_, task) => task.project_id,
    choice(store, id) {
      const row = store.get('projects', id);
      return { id, name: row?.name ?? '', color: row?.color ?? null };
    },
    table: { width: 160 },
  }),
  text: makeProperty<string>({
    kind: words,
    always: true,
    valueIn: (_, task) => task.title,
    test: testTitle,
  }),
  waits_for: makeProperty<readonly string[]>({
    kind: choices,
    ofProject: true,
    valueIn: (store, task) => some(predecessorsOf(store, task)),
    choice: taskChoice,
  }),
  /** It is open, and so is a task it waits for. */
  blocked: flagOf((store, task) => {
    if (task.completed_at !== null) return false;
    return predecessorsOf(store, task).some((id) => {
      const before = store.get('tasks', id);
      return before !== undefined && before.completed_at === null && before.archived_at === null;
    });
  }),
  has_subtasks: flagOf((store, { id }) =>
    store.where('tasks', 'parent_id', id).some((one) => one.archived_at === null),
  ),
  has_checklist: hasRows('task_checklist_items'),
  has_files: hasRows('task_attachments'),
  recurring: hasRows('task_recurrences'),
  watcher: makeProperty<readonly string[]>({
    kind: people,
    valueIn: (store, { id }) =>
      some(store.where('task_watchers', 'task_id', id).flatMap((one) => (one.is_watching ? one.user_id : []))),
    choice: personChoice,
  }),
  commenter: makeProperty<readonly string[]>({
    kind: people,
    // Also comments of people who have left: they are there, and are nobody's.
    valueIn: (store, { id }) => some(store.where('task_comments', 'task_id', id).map((one) => one.author_id ?? '')),
    choice: personChoice,
  }),
};

/** Those that a table has columns of. */
export type OwnColumn = Exclude<
  OwnProperty,
  'text' | 'waits_for' | 'blocked' | `has_${string}` | 'recurring' | 'watcher' | 'commenter'
>;
export const ownNames = Object.keys(own) as OwnProperty[];
export const isOwn = (name: string): name is OwnProperty => Object.hasOwn(own, name);
export const ownColumns = ownNames.filter((id): id is OwnColumn => own[id].table !== undefined);

/** In the panel of a task, before labels. */
export const inPanel: readonly OwnProperty[] = ['column', 'priority', 'assignee', 'estimate', 'start_date', 'due_date'];

/** At the ends of the menu of filters; all others stand between them. */
export const offeredFirst: readonly OwnProperty[] = [
  'assignee',
  'label',
  'column',
  'kind',
  'priority',
  'due_date',
  'start_date',
  'completed_at',
  'estimate',
  'title',
  'parent',
];
export const offeredLast: readonly OwnProperty[] = ['created_by', 'created_at', 'updated_at', 'number'];
