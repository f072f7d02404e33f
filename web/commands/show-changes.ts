// Shows changes before the server has answered: the diff they make of the rows here. Rows that aren't known here, or are so already, have
// nothing done to them. What the server fills in, or does along with a change, is guessed by table.

import { readColumnTasks } from '../queries/tasks/column-tasks.ts';
import { readRecurrence } from '../queries/tasks/recurrences.ts';
import type { Change } from '../sync/procedures.ts';
import { type Diff, insert, type RowDiff, remove, rowKey, update } from '../sync/rows/diff.ts';
import { rankBetween } from '../sync/rows/rank.ts';
import { type AnyRow, keyOf, type Rows, type TableName, type TaskRow } from '../sync/rows/rows.ts';
import type { Reader } from '../sync/rows/store.ts';
import { type TaskColumn, taskColumns } from '../sync/tables.ts';
import { rowByRow } from './send-changes.ts';

export function showChanges(store: Reader, changes: readonly Change[]): Diff {
  const shown = openShown(store);
  for (const { change, table, row } of rowByRow(changes)) {
    const held = shown.get(table, keyOf(table, row));
    if (change === 'insert') {
      if (held === undefined) shown.add(inserted(table, row, shown));
    } else if (held !== undefined) {
      if (change === 'update') shown.add(update(table, held, row));
      else if (change === 'move') shown.add(movedTo(row as unknown as TaskPlace, held as TaskRow, shown));
      else for (const one of [...withIt(store, table, held), remove(table, held)]) shown.add(one);
    }
  }
  return shown.diff;
}

/** The rows with what the changes have done to them so far. */
interface Shown {
  readonly store: Reader;
  readonly diff: Diff;
  get<T extends TableName>(table: T, key: string): Rows[T] | undefined;
  add(one: RowDiff | null): void;
  rankAtEnd(columnId: string): string;
}

function openShown(store: Reader): Shown {
  const diff: RowDiff[] = [];
  const changed = new Map<string, AnyRow | null>();
  const rankAtEnd = openEnds(store);
  const get = <T extends TableName>(table: T, key: string): Rows[T] | undefined => {
    const row = changed.get(`${table} ${key}`);
    return row === undefined ? store.get(table, key) : ((row ?? undefined) as Rows[T] | undefined);
  };
  return {
    store,
    diff,
    get,
    add(one) {
      if (one === null) return;
      const key = rowKey(one);
      const row = one.kind === 'update' ? ({ ...get(one.table, key), ...one.after } as AnyRow) : one.row;
      diff.push(one);
      changed.set(`${one.table} ${key}`, one.kind === 'delete' ? null : row);
    },
    rankAtEnd,
  };
}

/** Ranks at the end of columns, each behind those that were given before it. */
export function openEnds(store: Reader): (columnId: string) => string {
  const ends = new Map<string, string>();
  return (columnId) => {
    const rank = rankBetween(ends.get(columnId) ?? readColumnTasks(store, columnId).at(-1)?.order_rank ?? null, null);
    ends.set(columnId, rank);
    return rank;
  };
}

// ── rows that move ───────────────────────────────────────────────────────────

interface TaskPlace {
  readonly column_id: string;
  /** Else at the end. */
  readonly order_rank?: string;
}

function movedTo({ column_id, order_rank }: TaskPlace, task: TaskRow, { store, rankAtEnd }: Shown): RowDiff | null {
  const stays = task.column_id === column_id && (order_rank ?? task.order_rank) === task.order_rank;
  return stays ? null : moved(store, task, column_id, order_rank ?? rankAtEnd(column_id));
}

/** `completed_at` follows the server's rules, so that the card looks right before it answers; the rank is its own to give. */
function moved(store: Reader, task: TaskRow, columnId: string, order_rank: string): RowDiff {
  const done = store.get('workflow_columns', columnId)?.kind === 'done';
  const completed_at = done ? (task.completed_at ?? new Date().toISOString()) : null;
  return {
    kind: 'update',
    table: 'tasks',
    key: task.id,
    // Column and rank are always named, also where one stays the same: the way back must know both.
    before: { column_id: task.column_id, order_rank: task.order_rank, completed_at: task.completed_at },
    after: { column_id: columnId, order_rank, completed_at },
    guessed: ['order_rank', 'completed_at'],
    by: 'move',
  };
}

// ── rows that come ───────────────────────────────────────────────────────────

/** Null where it can't be shown, since what it belongs to isn't known here. */
type Insertion<T extends TableName> = (row: Partial<Rows[T]>, shown: Shown) => RowDiff | null;

function inserted(table: TableName, row: Partial<AnyRow>, shown: Shown): RowDiff | null {
  const insertion = insertions[table] as Insertion<TableName> | undefined;
  return insertion ? insertion(row, shown) : insert(table, row as AnyRow);
}

function filled<T extends TableName>(
  table: T,
  row: Partial<Rows[T]>,
  missing: Partial<Rows[T]>,
  guessed: readonly (keyof Rows[T])[] = [],
): RowDiff {
  return insert(table, { ...missing, ...row } as Rows[T], guessed);
}

type PartTable = 'task_assignees' | 'task_label_links' | 'task_field_values';

/** Its project is that of its task. */
function insertPart<T extends PartTable>(table: T): Insertion<T> {
  return (row, shown) => {
    const project_id = row.project_id ?? shown.get('tasks', row.task_id ?? '')?.project_id;
    return project_id === undefined ? null : filled(table, row, { project_id } as Partial<Rows[T]>);
  };
}

const now = (): string => new Date().toISOString();

const insertions: { readonly [T in TableName]?: Insertion<T> } = {
  tasks(row, shown) {
    const { id = '', project_id = '', column_id = '', title = '', order_rank = '' } = row;
    const column = shown.get('workflow_columns', column_id);
    if (column === undefined) return null;
    return insertTask({
      ...row,
      ...{ id, project_id, column_id, title },
      order_rank: order_rank || shown.rankAtEnd(column_id),
      completed_at: column.kind === 'done' ? now() : null,
    });
  },
  task_assignees: insertPart('task_assignees'),
  task_label_links: insertPart('task_label_links'),
  task_field_values: insertPart('task_field_values'),
  task_checklist_items: (row) => filled('task_checklist_items', row, { is_done: false }),
  task_comments: (row) =>
    filled('task_comments', row, { parent_id: null, edited_at: null, created_at: now() }, ['created_at', 'edited_at']),
  task_attachments: (row) => filled('task_attachments', row, { created_at: now() }, ['created_at', 'uploaded_by']),
  task_dependencies: (row, { get }) =>
    get('tasks', row.predecessor_id ?? '') && get('tasks', row.successor_id ?? '')
      ? filled('task_dependencies', row, { type: 'FS', lag_days: 0 })
      : null,
  // One is all that a task has.
  task_recurrences: (row, { store }) =>
    readRecurrence(store, row.task_id ?? '') === null
      ? filled('task_recurrences', row, { column_id: null, paused_at: null, next_on: null, is_over: false })
      : null,
  project_members: (row) => filled('project_members', row, { created_at: now() }, ['created_at']),
  group_members: (row) => filled('group_members', row, { is_manager: false }),
  workflow_columns: (row) => filled('workflow_columns', row, { wip_limit: null, color: null }),
  custom_fields: (row) => filled('custom_fields', row, { unit: null, default_value: null }),
  notification_schedules: (row) => filled('notification_schedules', row, { time_zone: 'UTC', daily_hour: 8 }),
};

type NewTask = Pick<TaskRow, 'id' | 'project_id' | 'column_id' | 'title' | 'order_rank'> & Partial<TaskRow>;

const empty = Object.fromEntries(taskColumns.map((name) => [name, null])) as Record<TaskColumn, null>;

/** A task nobody else knows of yet; `guessed`: columns that the server decides beside those it always does. */
export function insertTask(known: NewTask, guessed: readonly (keyof TaskRow)[] = []): RowDiff {
  const moment = now();
  const row: TaskRow = {
    number: null,
    ...empty,
    priority: 'p2',
    completed_at: null,
    archived_at: null,
    parent_id: null,
    subtask_position: null,
    created_by: null,
    created_at: moment,
    updated_at: moment,
    ...known,
  };
  const always = ['number', 'order_rank', 'completed_at', 'created_by', 'created_at', 'updated_at'] as const;
  return insert('tasks', row, [...always, ...guessed]);
}

// ── rows that go ─────────────────────────────────────────────────────────────

/** What is deleted with it, and seen here. */
function withIt<T extends TableName>(store: Reader, table: T, row: Rows[T]): RowDiff[] {
  const id = keyOf(table, row);
  if (table === 'projects')
    return [
      ...store.where('project_members', 'project_id', id).map((one) => remove('project_members', one)),
      ...store.where('tasks', 'project_id', id).map((one) => remove('tasks', one)),
    ];
  if (table === 'groups') {
    const ofGroup = ({ group_id }: { readonly group_id: string }): boolean => group_id === id;
    return (['group_members', 'project_groups', 'group_grants'] as const).flatMap((of) =>
      store
        .all<typeof of>(of)
        .filter(ofGroup)
        .map((one) => remove(of, one as never)),
    );
  }
  if (table !== 'saved_views') return [];
  const ofView = ({ view_id }: { readonly view_id: string }): boolean => view_id === id;
  return [
    ...store
      .all('view_defaults')
      .filter(ofView)
      .map((one) => remove('view_defaults', one)),
    ...store
      .all('favorite_views')
      .filter(ofView)
      .map((one) => remove('favorite_views', one)),
  ];
}
