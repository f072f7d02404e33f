// Undo: puts rows back to what they were before a mutation, in batches, of none of which anybody sees a half: nearly always it is one.
// A row that was moved is moved back, a project that was deleted is restored.

import { dataOf } from '../sync/door.ts';
import type { Commands } from '../sync/journal/entries.ts';
import type { Change } from '../sync/procedures.ts';
import type { Diff, RowDiff } from '../sync/rows/diff.ts';
import { primaryKeys, tableNames } from '../sync/rows/rows.ts';
import type { Reader } from '../sync/rows/store.ts';
import { columnsOf } from '../sync/tables.ts';
import { type Check, define } from './define-command.ts';
import { bringBack, returning } from './move-to-project-commands.ts';
import { type Columns, sendChanges } from './send-changes.ts';

const isColumns = (value: unknown): value is Columns =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function isRowDiff(value: unknown): value is RowDiff {
  if (!isColumns(value) || !tableNames.some((table) => table === value.table)) return false;
  if (value.kind === 'update') return typeof value.key === 'string' && isColumns(value.after);
  return (value.kind === 'insert' || value.kind === 'delete') && isColumns(value.row);
}

/** A diff, as it comes back from storage. */
export const isDiffArgs: Check<{ readonly diff: Diff }> = (value): value is { readonly diff: Diff } =>
  isColumns(value) && Array.isArray(value.diff) && value.diff.every(isRowDiff);

const make = define('revert', isDiffArgs, {
  silent: true,
  apply: (_: Reader, { diff }) => diff,
  async send(door, { diff }) {
    const back = returning(diff);
    // What hangs on tasks that change their project goes with them.
    if (back.size > 0) return bringBack(door, back);
    // A deleted project has all that was in it, not only what is known here.
    const project = diff.find((one) => one.kind === 'insert' && one.table === 'projects');
    if (project?.kind !== 'insert' || project.table !== 'projects') return sendChanges(door, changesOf(diff));
    return [{ table: 'projects', row: dataOf(await door.rpc('restore_project', { project_id: project.row.id })) }];
  },
});

export const revert: Commands['revert'] = (diff, label) => make({ diff }, label);

/** Changes by which a diff is sent; of an update only what is meant, not what is guessed. */
export function changesOf(diff: Diff): Change[] {
  return diff.flatMap((one): Change[] => {
    const { table } = one;
    if (one.kind === 'insert') return [{ change: 'insert', table, rows: [askedColumns(table, one.row)] }];
    if (one.kind === 'delete') return [{ change: 'delete', table, rows: [keyColumns(table, one.row)] }];
    const key = namedBy(one);
    const meant = Object.entries(one.after).filter(([column]) => !one.guessed?.includes(column));
    if (one.by !== 'move') return [{ change: 'update', table, rows: [{ ...key, ...Object.fromEntries(meant) }] }];
    // Back into its column, to the place it had.
    const { column_id, order_rank }: Columns = one.after;
    const rest = meant.filter(([column]) => column !== 'column_id');
    const move: Change = { change: 'move', table, rows: [{ ...key, column_id, order_rank }] };
    if (rest.length === 0) return [move];
    return [move, { change: 'update', table, rows: [{ ...key, ...Object.fromEntries(rest) }] }];
  });
}

/** Answers of the server have more, which it keeps itself. */
function askedColumns(table: RowDiff['table'], row: Columns): Columns {
  const asked = columnsOf(table, true);
  return Object.fromEntries(Object.entries(row).filter(([column]) => asked.includes(column)));
}

function keyColumns(table: RowDiff['table'], row: Columns): Columns {
  return Object.fromEntries(primaryKeys[table].map((column) => [column, row[column]]));
}

function namedBy({ table, key }: Extract<RowDiff, { kind: 'update' }>): Columns {
  const values = key.split(' ');
  return Object.fromEntries(primaryKeys[table].map((column, at) => [column, values[at]]));
}
