// Many cells of a table at once: what is pasted, emptied or typed into one becomes one command, so that one undo takes all of it back and
// each batch arrives whole or not at all.

import type { Json } from '../../contract/database.ts';
import { readColumnTasks } from '../queries/tasks/tasks.ts';
import { t } from '../strings/messages.ts';
import type { Mutation } from '../sync/journal/mutation.ts';
import { type Diff, insert, type RowDiff, remove, update } from '../sync/rows/diff.ts';
import { rankBetween } from '../sync/rows/rank.ts';
import type { TaskRow } from '../sync/rows/rows.ts';
import type { Reader } from '../sync/rows/store.ts';
import { define } from './define.ts';
import { moved } from './moving.ts';
import { changesOf, isDiffArgs } from './revert.ts';
import { sendChanges } from './send-changes.ts';
import { keyIn, type TaskPatch } from './task-commands.ts';

/** What a cell is to hold, of whichever kind it is. */
export type CellValue =
  | { readonly of: 'task'; readonly patch: TaskPatch }
  | { readonly of: 'column'; readonly columnId: string }
  | { readonly of: 'people'; readonly ids: readonly string[] }
  | { readonly of: 'labels'; readonly ids: readonly string[] }
  | { readonly of: 'field'; readonly fieldId: string; readonly value: Json };

export interface CellWrite {
  readonly taskId: string;
  readonly cell: CellValue;
}

const set = define('setCells', isDiffArgs, {
  yields: true,
  apply: (_, { diff }) => diff,
  send: (door, { diff }) => sendChanges(door, changesOf(diff)),
});

export function setCells(store: Reader, writes: readonly CellWrite[]): Mutation {
  const diff = diffOf(store, writes);
  const ids = new Set(diff.map(taskOf));
  const [only = ''] = ids;
  const task = ids.size === 1 ? store.get('tasks', only) : undefined;
  const label = task ? t('task.did.edited', { key: keyIn(store, task) }) : t('task.did.editedMany', { n: ids.size });
  // One cell shows what was typed; of many it is said, with its undo.
  return { ...set({ diff }, label), announced: writes.length > 1 };
}

function diffOf(store: Reader, writes: readonly CellWrite[]): Diff {
  const patches = new Map<string, TaskPatch>();
  const diffs: RowDiff[] = [];
  const ends = new Map<string, string | null>();
  // A task that stands in several groups is written once.
  const once = new Map(writes.map((write) => [`${write.taskId} ${cellName(write.cell)}`, write]));
  for (const { taskId, cell } of once.values()) {
    const task = store.get('tasks', taskId);
    if (task === undefined) continue;
    // Several cells of one task are one change of its row.
    if (cell.of === 'task') patches.set(taskId, { ...patches.get(taskId), ...cell.patch });
    else if (cell.of === 'column') diffs.push(...moveDiff(store, task, cell.columnId, ends));
    else if (cell.of === 'field') diffs.push(...fieldDiff(store, task, cell.fieldId, cell.value));
    else diffs.push(...linkDiff(store, task, cell.of, cell.ids));
  }
  for (const [id, patch] of patches) {
    const task = store.get('tasks', id);
    const diff = task && update('tasks', task, patch);
    if (diff) diffs.push(diff);
  }
  // Neighbours of one kind travel together.
  return diffs
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

/** To the end of the column, in the order of the rows. */
function moveDiff(store: Reader, task: TaskRow, columnId: string, ends: Map<string, string | null>): RowDiff[] {
  if (task.column_id === columnId) return [];
  const last = ends.get(columnId) ?? readColumnTasks(store, columnId).at(-1)?.order_rank ?? null;
  const rank = rankBetween(last, null);
  ends.set(columnId, rank);
  return [moved(store, task, columnId, rank)];
}

function fieldDiff(store: Reader, task: TaskRow, fieldId: string, value: Json): RowDiff[] {
  const held = store.get('task_field_values', `${task.id} ${fieldId}`);
  if (value === null) return held ? [remove('task_field_values', held)] : [];
  if (held === undefined)
    return [insert('task_field_values', { project_id: task.project_id, task_id: task.id, field_id: fieldId, value })];
  if (JSON.stringify(held.value) === JSON.stringify(value)) return [];
  const diff = update('task_field_values', held, { value });
  return diff ? [diff] : [];
}

function linkDiff(store: Reader, task: TaskRow, of: 'people' | 'labels', ids: readonly string[]): RowDiff[] {
  const { id: task_id, project_id } = task;
  if (of === 'people') {
    const there = store.where('task_assignees', 'task_id', task_id);
    return [
      ...there.filter((one) => !ids.includes(one.user_id)).map((row) => remove('task_assignees', row)),
      ...ids
        .filter((id) => !there.some((one) => one.user_id === id))
        .map((user_id) => insert('task_assignees', { project_id, task_id, user_id })),
    ];
  }
  const there = store.where('task_label_links', 'task_id', task_id);
  return [
    ...there.filter((one) => !ids.includes(one.label_id)).map((row) => remove('task_label_links', row)),
    ...ids
      .filter((id) => !there.some((one) => one.label_id === id))
      .map((label_id) => insert('task_label_links', { project_id, task_id, label_id })),
  ];
}
