// Sends a mutation again without overwriting others: the first try may have arrived, and others may have gone on from there. So the values
// it was to replace are compared first; where they differ, it is not written. Between the read and the write anybody may still come, as
// between any two who write at the same moment.

import { type Door, dataOf, Refusal } from '../door.ts';
import { type Diff, isOvertaken, type RowDiff, reverse, rowKey } from '../rows/diff.ts';
import { type AnyRow, keyOf, primaryKeys, type TableName } from '../rows/rows.ts';
import type { RowChange } from '../rows/store.ts';
import type { Mutation } from './mutation.ts';

const overtaken = 'overtaken';

/** Whether it was refused here, so as not to write over what someone else has written since. */
export const isOvertaking = (reason: Error): boolean => reason instanceof Refusal && reason.code === overtaken;

export async function sendAgain(door: Door, mutation: Mutation, over: Diff): Promise<readonly RowChange[]> {
  for (const part of partsOf(over)) {
    const rows = await readRows(door, part);
    if (part.some((one) => isWrittenOver(one, rows.get(rowKey(one)))))
      throw new Refusal('Someone else has changed it since', overtaken, 409);
  }
  return mutation.send(door);
}

/** Neither as it was before nor as it was to be. */
function isWrittenOver(one: RowDiff, row: AnyRow | undefined): boolean {
  const before = one.kind === 'update' ? reverse([one]) : [];
  return [one, ...before].every((way) => isOvertaken(way, row as unknown as Readonly<Record<string, unknown>>));
}

/** So many keys go into an address. */
const most = 100;

/** Rows of one table, and few enough to be asked for at once. */
function partsOf(over: Diff): Diff[] {
  const tables = new Set(over.map(({ table }) => table));
  return [...tables].flatMap((table) => {
    const rows = over.filter((one) => one.table === table);
    return Array.from({ length: Math.ceil(rows.length / most) }, (_, at) => rows.slice(at * most, (at + 1) * most));
  });
}

async function readRows(door: Door, part: Diff): Promise<Map<string, AnyRow>> {
  const table: TableName = part[0]?.table ?? 'tasks';
  const keys = part.map((one) => rowKey(one).split(' '));
  const written = part.flatMap((one) => Object.keys(one.kind === 'update' ? one.after : one.row));
  let request = door.from(table).select([...new Set([...primaryKeys[table], ...written])].join());
  primaryKeys[table].forEach((column, at) => {
    request = request.in(column, [...new Set(keys.map((key) => key[at] ?? ''))]);
  });
  const rows = dataOf(await request) as unknown as AnyRow[];
  return new Map(rows.map((row) => [keyOf(table, row), row]));
}
