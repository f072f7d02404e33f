// Many cells of a table at once: what is pasted, emptied or typed into one becomes one command, so that one undo takes all of it back and
// each batch arrives whole or not at all.

import type { CellValue, TaskPatch } from '../properties/cell-value.ts';
import { t } from '../strings/messages.ts';
import type { Mutation } from '../sync/journal/entries.ts';
import type { Change } from '../sync/procedures.ts';
import type { Diff, RowDiff } from '../sync/rows/diff.ts';
import type { TaskRow } from '../sync/rows/rows.ts';
import type { Reader } from '../sync/rows/store.ts';
import { define } from './define-command.ts';
import { changesOf, isDiffArgs } from './revert.ts';
import { deleteRows, insertRows, moveTasksTo, putRows, updateRows } from './send-changes.ts';
import { showChanges } from './show-changes.ts';
import { keyIn } from './task-commands.ts';

export interface CellWrite {
  readonly taskId: string;
  readonly cell: CellValue;
}

const set = define('setCells', isDiffArgs, { changes: ({ diff }) => changesOf(diff) });

export function setCells(store: Reader, writes: readonly CellWrite[]): Mutation {
  const diff = diffOf(store, writes);
  const ids = new Set(diff.map(taskOf));
  const [only = ''] = ids;
  const task = ids.size === 1 ? store.get('tasks', only) : undefined;
  const label = task ? sayCell(store, task, writes) : t('task.did.editedMany', { n: ids.size });
  // One cell shows what was typed; of many it is said, with its undo.
  return { ...set({ diff }, label), announced: writes.length > 1 };
}

function sayCell(store: Reader, task: TaskRow, writes: readonly CellWrite[]): string {
  const [one] = writes;
  const field =
    writes.length === 1 && one?.cell.of === 'field' ? store.get('custom_fields', one.cell.fieldId) : undefined;
  return field ? t('task.did.fieldSet', { name: field.name }) : t('task.did.edited', { key: keyIn(store, task) });
}

function diffOf(store: Reader, writes: readonly CellWrite[]): Diff {
  const patches = new Map<string, TaskPatch>();
  const changes: Change[] = [];
  // A task that stands in several groups is written once.
  const once = new Map(writes.map((write) => [`${write.taskId} ${cellName(write.cell)}`, write]));
  for (const { taskId, cell } of once.values()) {
    // Several cells of one task are one change of its row.
    if (cell.of === 'task') patches.set(taskId, { ...patches.get(taskId), ...cell.patch });
    else changes.push(...changesOfCell(store, taskId, cell));
  }
  for (const [id, patch] of patches) changes.push(updateRows('tasks', [{ id, ...patch }]));
  // Neighbours of one kind travel together.
  return showChanges(store, changes)
    .map((diff) => ({ diff, kind: kindOf(diff) }))
    .sort(byKind)
    .map(({ diff }) => diff);
}

function taskOf(diff: RowDiff): string {
  if (diff.kind === 'update') return diff.key.split(' ')[0] ?? '';
  return 'task_id' in diff.row ? String(diff.row.task_id) : '';
}

function cellName(cell: CellValue): string {
  if (cell.of === 'task') return Object.keys(cell.patch).join();
  return cell.of === 'field' ? cell.fieldId : cell.of;
}

interface Sorted {
  readonly kind: string;
}
const byKind = (one: Sorted, other: Sorted): number => (one.kind < other.kind ? -1 : one.kind > other.kind ? 1 : 0);

function kindOf(diff: RowDiff): string {
  const columns = diff.kind === 'update' ? Object.keys(diff.after).sort().join() : '';
  return [diff.table, diff.kind, columns].join(' ');
}

function changesOfCell(store: Reader, task_id: string, cell: Exclude<CellValue, { of: 'task' }>): Change[] {
  switch (cell.of) {
    // To its end, in the order of the rows.
    case 'column':
      return [moveTasksTo([{ id: task_id, column_id: cell.columnId }])];
    case 'field': {
      const key = { task_id, field_id: cell.fieldId };
      if (cell.value === null) return [deleteRows('task_field_values', [key])];
      return putRows('task_field_values', [{ ...key, value: cell.value }], ['value']);
    }
    case 'people': {
      const there = store.where('task_assignees', 'task_id', task_id).map(({ user_id }) => user_id);
      const rows = (ids: readonly string[]) => ids.map((user_id) => ({ task_id, user_id }));
      const gone = there.filter((id) => !cell.ids.includes(id));
      return [deleteRows('task_assignees', rows(gone)), insertRows('task_assignees', rows(cell.ids))];
    }
    case 'labels': {
      const there = store.where('task_label_links', 'task_id', task_id).map(({ label_id }) => label_id);
      const rows = (ids: readonly string[]) => ids.map((label_id) => ({ task_id, label_id }));
      const gone = there.filter((id) => !cell.ids.includes(id));
      return [deleteRows('task_label_links', rows(gone)), insertRows('task_label_links', rows(cell.ids))];
    }
  }
}
