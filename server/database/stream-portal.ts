// Streams a result of any length in bounded memory: rows are fetched through a portal, page by page, the next once its reader has taken the last.
// Other requests are served between two pages.

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { OpenTransaction } from './transaction.ts';
import type { Field, Statement } from './types.ts';

const firstRows = 64;
const mostRows = 5000;
/** About how much is fetched at a time. */
const pageBytes = 512 * 1024;
/** What is made of rows keeps the event loop about so long at a time. */
const turnMs = 4;

type Row = ReadonlyArray<Buffer | null>;

export async function streamPortal(
  transaction: OpenTransaction,
  statement: Statement,
  onRow: (row: Row) => void | Promise<void>,
  onPage?: () => void | Promise<void>,
): Promise<{ fields: readonly Field[]; affected: number }> {
  let rows = 0;
  let bytes = 0;
  let busyMs = 0;
  let fault: { reason: unknown } | null = null;
  const measure = (row: Row): void => {
    rows++;
    for (const cell of row) bytes += cell?.length ?? 0;
  };
  /** In place: called while the socket's bytes are being read, where nothing may be thrown. */
  const take = (row: Row): void => {
    if (fault !== null) return;
    const began = performance.now();
    try {
      measure(row);
      void onRow(row);
      busyMs += performance.now() - began;
    } catch (reason) {
      fault = { reason };
    }
  };
  const inPlace = onPage === undefined ? undefined : take;
  let page = await transaction.openPortal(statement, firstRows, inPlace);
  const { fields } = page.result;
  let affected = 0;
  for (;;) {
    let turn = performance.now();
    for (const row of page.result.rows) {
      measure(row);
      const taken = onRow(row);
      if (taken !== undefined) await taken;
      if (performance.now() - turn < turnMs) continue;
      await nextTurn();
      turn = performance.now();
    }
    if (fault !== null) throw (fault as { reason: unknown }).reason;
    await onPage?.();
    affected += page.more ? rows : page.result.affected;
    if (!page.more) return { fields, affected };
    const some = rows * Math.min(pageBytes / Math.max(1, bytes), turnMs / Math.max(0.001, busyMs));
    [rows, bytes, busyMs] = [0, 0, 0];
    page = await transaction.fetchPortal(Math.min(mostRows, Math.max(1, Math.round(some))), inPlace);
  }
}
