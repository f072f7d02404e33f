// Changes of rows, as they are sent: in batches of which the server keeps all or nothing, one round trip each.

import type { Database } from '../../contract/database.ts';
import type { Door } from '../sync/door.ts';
import { dataOf, Refusal } from '../sync/door.ts';
import { PartRefusal } from '../sync/journal/mutation.ts';
import type { Change } from '../sync/procedures.ts';
import { keyOf, type TableName } from '../sync/rows/rows.ts';
import type { RowChange } from '../sync/rows/store.ts';

type Tables = Database['public']['Tables'];

/** Rows that exist already are passed over. */
export function insertRows<T extends TableName>(table: T, rows: readonly Tables[T]['Insert'][]): Change {
  return { change: 'insert', table, rows };
}

/** Every row names its key, and the columns that change. */
export function updateRows<T extends TableName>(table: T, rows: readonly Tables[T]['Update'][]): Change {
  return { change: 'update', table, rows };
}

export function deleteRows<T extends TableName>(table: T, keys: readonly Tables[T]['Update'][]): Change {
  return { change: 'delete', table, rows: keys };
}

/** To a rank, or to the end of the column in this order. */
export function moveTasksTo(
  rows: readonly { readonly id: string; readonly column_id: string; readonly order_rank?: string }[],
): Change {
  return { change: 'move', table: 'tasks', rows };
}

/** Few enough for an answer within moments, enough that thousands take a handful of round trips. */
export const rowsPerBatch = 250;

/**
 * Sends them in order. A batch that is refused is refused whole, and the others go on; when nobody answers all of it waits, and is
 * sent again: what has arrived already changes nothing then.
 */
export async function sendChanges(door: Door, changes: readonly Change[]): Promise<readonly RowChange[]> {
  const rows: RowChange[] = [];
  const refused: { table: string; key: string }[] = [];
  let reason: Refusal | null = null;
  const all = batches(changes);
  for (const batch of all) {
    try {
      const result = dataOf(await door.rpc('apply_changes', { changes: batch }));
      rows.push(...changedRows(result), ...goneOf(batch));
    } catch (thrown) {
      if (!(thrown instanceof Refusal) || thrown.passing) throw thrown;
      if (all.length === 1) throw thrown;
      reason ??= thrown;
      for (const { table, rows } of batch) refused.push(...rows.map((row) => ({ table, key: keyOf(table, row) })));
    }
  }
  if (reason !== null) throw new PartRefusal(reason, refused, rows);
  return rows;
}

export function batches(changes: readonly Change[]): Change[][] {
  const made: Change[][] = [];
  let room = 0;
  for (const { rows, ...change } of changes)
    for (let at = 0; at < rows.length; ) {
      if (room === 0) {
        made.push([]);
        room = rowsPerBatch;
      }
      const some = rows.slice(at, at + room);
      made.at(-1)?.push({ ...change, rows: some });
      at += some.length;
      room -= some.length;
    }
  return made;
}

function changedRows(result: readonly Change[]): RowChange[] {
  return result.flatMap(({ change, table, rows }) =>
    // Which table goes with which columns the types lose where rows of all tables lie in one list.
    change === 'delete' ? [] : rows.map((row) => ({ table, row }) as RowChange),
  );
}

/** Those that were gone already are gone too. */
function goneOf(batch: readonly Change[]): RowChange[] {
  return batch.flatMap(({ change, table, rows }) =>
    change === 'delete' ? rows.map((row) => ({ table, gone: keyOf(table, row) })) : [],
  );
}
