// Sends changes of rows in batches, each all or nothing and one round trip.

import type { Database } from '../../contract/database.ts';
import { type Door, dataOf, Refusal } from '../sync/door.ts';
import { PartRefusal } from '../sync/journal/entries.ts';
import type { Change } from '../sync/procedures.ts';
import { keyOf, primaryKeys, type TableName } from '../sync/rows/rows.ts';
import { readByKeys } from '../sync/rows/scopes.ts';
import { keyOfChange, type RowChange } from '../sync/rows/store.ts';
import { columnsOf, type ServedName, servedName } from '../sync/tables.ts';

type Tables = Database['public']['Tables'];
export type Columns = Readonly<Record<string, unknown>>;

/** Rows that exist already are passed over. */
export function insertRows<T extends TableName>(table: T, rows: readonly Tables[ServedName<T>]['Insert'][]): Change {
  return { change: 'insert', table, rows };
}

/** Every row names its key, and the columns that change. */
export function updateRows<T extends TableName>(table: T, rows: readonly Tables[ServedName<T>]['Update'][]): Change {
  return { change: 'update', table, rows };
}

/** Inserted where they aren't there yet; of those that are, these columns change. */
export function putRows<T extends TableName>(
  table: T,
  rows: readonly Tables[ServedName<T>]['Insert'][],
  columns: readonly (keyof Tables[ServedName<T>]['Update'] & string)[],
): Change[] {
  const changed: readonly string[] = [...primaryKeys[table], ...columns];
  const updates = rows.map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => changed.includes(name))));
  return [insertRows(table, rows), { change: 'update', table, rows: updates }];
}

export function deleteRows<T extends TableName>(table: T, keys: readonly Tables[ServedName<T>]['Update'][]): Change {
  return { change: 'delete', table, rows: keys };
}

/** To a rank, or to the end of the column in this order. */
export function moveTasksTo(
  rows: readonly { readonly id: string; readonly column_id: string; readonly order_rank?: string | undefined }[],
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
  const all = batches(alike(changes));
  const basedOn = new Map(door.basedOn);
  for (const batch of all) {
    try {
      const result = dataOf(
        await door.rpc('apply_changes', { changes: batch.map((change) => asServed(withVersions(change, basedOn))) }),
      );
      const changed = changedRows(batch, result);
      rows.push(...changed, ...goneOf(batch, result), ...(await readPassedOver(door, batch, changed)));
      // A later batch may go on from there.
      for (const change of changed) {
        const name = `${change.table} ${keyOfChange(change)}`;
        if ('row' in change && basedOn.has(name)) basedOn.set(name, change.row.version ?? 0);
      }
    } catch (thrown) {
      if (!(thrown instanceof Refusal) || thrown.isTemporary) throw thrown;
      if (all.length === 1) throw thrown;
      reason ??= thrown;
      for (const { table, rows } of batch) refused.push(...rows.map((row) => ({ table, key: keyOf(table, row) })));
    }
  }
  if (reason !== null) throw new PartRefusal(reason, refused, rows);
  return rows;
}

/** Row by row, without columns of which nothing is said. */
export function rowByRow(changes: readonly Change[]) {
  return changes.flatMap(({ change, table, rows }) =>
    rows.map((row) => {
      const said: Columns = Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined));
      return { change, table, row: said };
    }),
  );
}

/** Neighbours of one kind on one table with the same columns travel together. */
function alike(changes: readonly Change[]): Change[] {
  const together: (Change & { rows: Columns[]; columns: string })[] = [];
  for (const { change, table, row } of rowByRow(changes)) {
    const columns = Object.keys(row).sort().join();
    const last = together.at(-1);
    if (last?.change === change && last.table === table && last.columns === columns) last.rows.push(row);
    else together.push({ change, table, rows: [row], columns });
  }
  return together.map(({ columns: _, ...change }) => change);
}

function batches(changes: readonly Change[]): Change[][] {
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

const asServed = (change: Change): Change => ({ ...change, table: servedName(change.table) });

/** In tables as they are called here: answers come in the order of the batch. */
function changedRows(batch: readonly Change[], result: readonly Change[]): RowChange[] {
  return batch.flatMap(({ change, table }, at) =>
    // Which table goes with which columns the types lose where rows of all tables lie in one list.
    change === 'delete' ? [] : (result[at]?.rows ?? []).map((row) => ({ table, row }) as RowChange),
  );
}

/** Those that were gone already are gone too. */
function goneOf(batch: readonly Change[], result: readonly Change[]): RowChange[] {
  return batch.flatMap(({ change, table, rows }, at) => {
    if (change !== 'delete') return [];
    const last = new Map(
      result[at]?.rows.map((row: { readonly version?: number }) => [keyOf(table, row), row.version] as const),
    );
    return rows.map((row) => {
      const gone = keyOf(table, row);
      const version = last.get(gone);
      return { table, gone, ...(version === undefined ? {} : { version }) };
    });
  });
}

/** Each row of a change names the version it was based on, or none of them does. */
function withVersions(change: Change, basedOn: ReadonlyMap<string, number>): Change {
  const { table, rows } = change;
  if (basedOn.size === 0 || (change.change !== 'update' && change.change !== 'move')) return change;
  return {
    ...change,
    rows: rows.map((row) => ({ ...row, version: basedOn.get(`${table} ${keyOf(table, row)}`) ?? null })),
  };
}

/** Tasks that were there already came with a request whose answer was lost: they're read, since the database numbers them. */
async function readPassedOver(
  door: Door,
  batch: readonly Change[],
  answered: readonly RowChange[],
): Promise<RowChange[]> {
  const known = new Set(answered.map((one) => (one.table === 'tasks' && 'row' in one ? one.row.id : undefined)));
  const missing = batch
    .filter(({ change, table }) => change === 'insert' && table === 'tasks')
    .flatMap(({ rows }) => rows.map((row) => keyOf('tasks', row)))
    .filter((id) => !known.has(id));
  const rows = await readByKeys(door, 'tasks', missing, columnsOf('tasks', true));
  return rows.map((row) => ({ table: 'tasks', row }) as RowChange);
}
