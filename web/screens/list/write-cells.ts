// Writes a paste or a deletion into cells of the table, each value read as its column's kind. Unreadable cells are reported and left as
// they are; all others are written.

import type { CellWrite } from '../../commands.ts';
import { readOneDay } from '../../queries/days/read-one-day.ts';
import { cardFactsOf, type Reader, type TaskRow } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import type { TableColumn } from './columns.ts';

export interface CellFault {
  readonly taskId: string;
  readonly column: string;
  /** WEB-12, Due: "soon" is no day. */
  readonly sentence: string;
}

export interface Writing {
  readonly writes: readonly CellWrite[];
  readonly faults: readonly CellFault[];
}

export interface Target {
  readonly task: TaskRow;
  readonly column: TableColumn;
  readonly text: string;
}

/** One cell of the clipboard fills the whole range; several stand side by side from its first cell on. */
export function layOver(
  cells: readonly (readonly string[])[],
  rows: readonly TaskRow[],
  columns: readonly TableColumn[],
  range: { readonly height: number; readonly width: number },
): Target[] {
  const single = cells.length === 1 && cells[0]?.length === 1;
  const height = single ? range.height : cells.length;
  const width = single ? range.width : Math.max(...cells.map((row) => row.length));
  const targets: Target[] = [];
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const task = rows[y];
      const column = columns[x];
      const text = cells[single ? 0 : y]?.[single ? 0 : x];
      if (task !== undefined && column !== undefined && text !== undefined) targets.push({ task, column, text });
    }
  return targets;
}

export function writeCells(store: Reader, targets: readonly Target[], today: string): Writing {
  const readDay = (typed: string) => readOneDay(typed, today);
  const writes: CellWrite[] = [];
  const faults: CellFault[] = [];
  const say = ({ task, column }: Target, why: string): void => {
    const key = cardFactsOf.read(store, task.id)?.key ?? '';
    faults.push({ taskId: task.id, column: column.id, sentence: t('table.fault', { key, column: column.name, why }) });
  };
  const days = new Map<string, { start: string | null; due: string | null; at: Target }>();
  for (const target of targets) {
    const { task, column, text } = target;
    const read = column.property.read(store, task, text, readDay);
    if ('fault' in read) {
      say(target, read.fault);
      continue;
    }
    const { cell } = read;
    if (cell.of === 'task' && ('due_date' in cell.patch || 'start_date' in cell.patch)) {
      const now = days.get(task.id) ?? { start: task.start_date, due: task.due_date, at: target };
      const { start_date = now.start, due_date = now.due } = cell.patch;
      days.set(task.id, { start: start_date, due: due_date, at: target });
    }
    writes.push({ taskId: task.id, cell });
  }
  // The server would refuse a task that ends before it begins, and all that was pasted with it.
  const wrong = new Set<string>();
  for (const [taskId, { start, due, at }] of days)
    if (start !== null && due !== null && due < start) {
      wrong.add(taskId);
      say(at, t('table.faults.order'));
    }
  const isDay = ({ cell }: CellWrite): boolean =>
    cell.of === 'task' && ('due_date' in cell.patch || 'start_date' in cell.patch);
  return { writes: writes.filter((write) => !wrong.has(write.taskId) || !isDay(write)), faults };
}
