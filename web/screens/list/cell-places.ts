// Positions of cells in the table: the next one in the direction of a key, and all between two.

import type { KeyboardEvent } from 'react';
import type { TaskRow } from '../../queries.ts';
import type { TableColumn } from './columns.ts';
import type { Item } from './list-item.ts';

export interface Place {
  readonly row: number;
  readonly col: number;
}

export interface Marked {
  /** Where the range began, and where the cursor is. */
  readonly from: Place;
  readonly to: Place;
  /** Keys of the lines that are marked: they may stand anywhere once the list is sorted anew. */
  readonly lines: ReadonlySet<string>;
}

/** A range as it is remembered: by tasks and columns, which move, not by their places. */
export interface Anchored {
  readonly from: Anchor;
  readonly to: Anchor;
  readonly lines: readonly Line[];
}

interface Anchor {
  readonly line: Line;
  readonly column: string;
}

/** A task, in one of the groups it stands in: it may leave the group, and is then meant where it stands. */
interface Line {
  readonly key: string;
  readonly taskId: string | null;
}

const lineOf = (item: Item | undefined): Line => ({
  key: item?.key ?? '',
  taskId: item?.kind === 'task' ? item.task.id : null,
});

/** Finds lines among the items; -1 for those that are gone. */
function finder(items: readonly Item[]): (line: Line) => number {
  const rows = new Map(items.map(({ key }, row) => [key, row]));
  const ofTasks = new Map<string, number>();
  for (const [row, item] of items.entries())
    if (item.kind === 'task' && !ofTasks.has(item.task.id)) ofTasks.set(item.task.id, row);
  return ({ key, taskId }) => rows.get(key) ?? ofTasks.get(taskId ?? '') ?? -1;
}

/** From one place to another, as the lines stand now. */
export function anchor(from: Place, to: Place, items: readonly Item[], columns: readonly TableColumn[]): Anchored {
  const at = ({ row, col }: Place): Anchor => ({ line: lineOf(items[row]), column: columns[col]?.id ?? '' });
  const between = items.slice(Math.min(from.row, to.row), Math.max(from.row, to.row) + 1);
  return { from: at(from), to: at(to), lines: between.map(lineOf) };
}

/** Where it is now; null: the task or the column with the cursor is gone. */
export function placed(range: Anchored | null, items: readonly Item[], columns: readonly TableColumn[]): Marked | null {
  if (range === null) return null;
  const rowOf = finder(items);
  const at = ({ line, column }: Anchor): Place => ({
    row: rowOf(line),
    col: columns.findIndex(({ id }) => id === column),
  });
  const to = at(range.to);
  if (to.row < 0 || to.col < 0) return null;
  const from = at(range.from);
  const lines = new Set(range.lines.flatMap((line) => items[rowOf(line)]?.key ?? []));
  return { from: from.row < 0 || from.col < 0 ? to : from, to, lines };
}

export interface Range {
  readonly tasks: readonly TaskRow[];
  readonly columns: readonly TableColumn[];
  readonly first: Place;
}

const page = 15;

export const between = (value: number, most: number): number => Math.min(Math.max(value, 0), most);

export const isOne = ({ from, to, lines }: Marked): boolean => lines.size === 1 && from.col === to.col;

/** The task so many rows on, or the last before that; heads of groups are passed over. */
export function rowBeyond(items: readonly Item[], from: number, by: number): number {
  let last = from;
  let left = Math.abs(by);
  for (let at = from + Math.sign(by); left > 0 && at >= 0 && at < items.length; at += Math.sign(by)) {
    if (items[at]?.kind !== 'task') continue;
    last = at;
    left--;
  }
  return last;
}

/** Where an arrow or one of its kin leads; null: the key is none of them. */
export function ledTo(
  event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey'>,
  { row, col }: Place,
  items: readonly Item[],
  last: number,
): Place | null {
  const whole = event.ctrlKey || event.metaKey;
  const far = items.length;
  switch (event.key) {
    case 'ArrowDown':
      return { row: rowBeyond(items, row, whole ? far : 1), col };
    case 'ArrowUp':
      return { row: rowBeyond(items, row, whole ? -far : -1), col };
    case 'PageDown':
      return { row: rowBeyond(items, row, page), col };
    case 'PageUp':
      return { row: rowBeyond(items, row, -page), col };
    case 'ArrowRight':
      return { row, col: whole ? last : between(col + 1, last) };
    case 'ArrowLeft':
      return { row, col: whole ? 0 : between(col - 1, last) };
    case 'Home':
      return { row: whole ? rowBeyond(items, -1, 1) : row, col: 0 };
    case 'End':
      return { row: whole ? rowBeyond(items, far, -1) : row, col: last };
    default:
      return null;
  }
}

/** Right and left as Tab goes: on in the next row and the one before; null: there is nothing further. */
export function tabbedTo(back: boolean, { row, col }: Place, items: readonly Item[], last: number): Place | null {
  const next = col + (back ? -1 : 1);
  if (next >= 0 && next <= last) return { row, col: next };
  const line = rowBeyond(items, row, back ? -1 : 1);
  return line === row ? null : { row: line, col: back ? last : 0 };
}

function columnsOf({ from, to }: Marked) {
  return { left: Math.min(from.col, to.col), right: Math.max(from.col, to.col) };
}

/** What of a row is marked: first and last column, and the one with the cursor; empty where nothing is. */
export function marksIn(marked: Marked | null, row: number, key: string): string {
  if (marked === null || !marked.lines.has(key)) return '';
  const { left, right } = columnsOf(marked);
  return `${left} ${right} ${row === marked.to.row ? marked.to.col : -1}`;
}

export const tasksIn = (items: readonly Item[]): TaskRow[] =>
  items.flatMap((item) => (item.kind === 'task' ? [item.task] : []));

export function rangeOf(marked: Marked, items: readonly Item[], columns: readonly TableColumn[]): Range {
  const { left, right } = columnsOf(marked);
  return {
    tasks: tasksIn(items.filter(({ key }) => marked.lines.has(key))),
    columns: columns.slice(left, right + 1),
    first: { row: items.findIndex(({ key }) => marked.lines.has(key)), col: left },
  };
}
