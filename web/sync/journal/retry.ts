// Sends a mutation again without overwriting others: the first try may have arrived, and others may have gone on from there. So the columns
// it was to replace are compared first; where they differ, it is not written. What is sent then names the versions that were compared, so
// that the server refuses it where somebody has come in between, and it is compared anew.

import { type Door, dataOf, Refusal } from '../door.ts';
import { type Diff, isChangedSince, type RowDiff, reverse, rowKey } from '../rows/diff.ts';
import { type AnyRow, keyOf, primaryKeys, type TableName } from '../rows/rows.ts';
import type { RowChange } from '../rows/store.ts';
import type { Entry } from './entries.ts';
import { PartRefusal } from './mutation.ts';

/** As the data door says it (docs/errors.md). */
const conflict = 'KB017';

/** It was refused so as not to write over what someone else has written since. */
export const isConflict = (reason: Error): boolean => reason instanceof Refusal && reason.code === conflict;

/** Somebody may come in between each time, but not for ever. */
const mostTries = 5;

export async function resend(
  door: Door,
  { send, baseline }: Pick<Entry, 'send' | 'baseline'>,
): Promise<readonly RowChange[]> {
  for (let tried = 1; ; tried++) {
    const basedOn = await compare(door, baseline);
    try {
      return await send(Object.create(door, { basedOn: { value: basedOn } }) as Door);
    } catch (thrown) {
      const reason = thrown instanceof PartRefusal ? thrown.reason : thrown;
      if (!(reason instanceof Error && isConflict(reason)) || tried === mostTries) throw thrown;
    }
  }
}

/** The versions of the rows, none of which anybody has written over. */
async function compare(door: Door, baseline: Diff): Promise<Map<string, number>> {
  const versions = new Map<string, number>();
  for (const part of partsOf(baseline)) {
    const rows = await readRows(door, part);
    for (const one of part) {
      const row = rows.get(rowKey(one));
      if (isWrittenOver(one, row)) throw new Refusal('Someone else has changed it since', conflict, 409);
      if (row?.version !== undefined) versions.set(`${one.table} ${rowKey(one)}`, row.version);
    }
  }
  return versions;
}

/** Neither as it was before nor as it was to be. */
function isWrittenOver(one: RowDiff, row: AnyRow | undefined): boolean {
  if (row === undefined) return false;
  const here = withoutMoments(row);
  if (one.kind !== 'update') return isChangedSince(one, here);
  const alike = { ...one, before: withoutMoments(one.before), after: withoutMoments(one.after) } as RowDiff;
  return [alike, ...reverse([alike])].every((way) => isChangedSince(way, here));
}

/** Moments are the server's own: they are set, or they are not. */
const withoutMoments = (columns: object): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(columns).map(([column, value]) => [column, column.endsWith('_at') ? value !== null : value]),
  );

/** So many keys go into an address. */
const most = 100;

/** Rows of one table, and few enough to be asked for at once. */
function partsOf(baseline: Diff): Diff[] {
  const tables = new Set(baseline.map(({ table }) => table));
  return [...tables].flatMap((table) => {
    const rows = baseline.filter((one) => one.table === table);
    return Array.from({ length: Math.ceil(rows.length / most) }, (_, at) => rows.slice(at * most, (at + 1) * most));
  });
}

async function readRows(door: Door, part: Diff): Promise<Map<string, AnyRow>> {
  const table: TableName = part[0]?.table ?? 'tasks';
  const keys = part.map((one) => rowKey(one).split(' '));
  const written = part.flatMap((one) => Object.keys(one.kind === 'update' ? one.after : one.row));
  let request = door.from(table).select([...new Set([...primaryKeys[table], ...written, 'version'])].join());
  primaryKeys[table].forEach((column, at) => {
    request = request.in(column, [...new Set(keys.map((key) => key[at] ?? ''))]);
  });
  const rows = dataOf(await request) as unknown as AnyRow[];
  return new Map(rows.map((row) => [keyOf(table, row), row]));
}
