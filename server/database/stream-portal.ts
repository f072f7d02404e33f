// A result of any length in bounded memory: rows are fetched through a portal, some at a time, and the next ones are
// asked for only when whoever reads has taken those before.

import type { OpenTransaction } from './transaction.ts';
import type { Field, Statement } from './types.ts';

const firstRows = 64;
const mostRows = 5000;
/** About how much is fetched at a time. */
const pageBytes = 512 * 1024;

type Row = ReadonlyArray<Buffer | null>;

export async function streamPortal(
  transaction: OpenTransaction,
  statement: Statement,
  onRow: (row: Row) => void | Promise<void>,
): Promise<{ fields: readonly Field[]; affected: number }> {
  let page = await transaction.openPortal(statement, firstRows);
  const { fields } = page.result;
  let affected = 0;
  for (;;) {
    let bytes = 0;
    for (const row of page.result.rows) {
      for (const cell of row) bytes += cell?.length ?? 0;
      const taken = onRow(row);
      if (taken !== undefined) await taken;
    }
    affected += page.more ? page.result.rows.length : page.result.affected;
    if (!page.more) return { fields, affected };
    const each = Math.max(1, bytes / Math.max(1, page.result.rows.length));
    page = await transaction.fetchPortal(Math.min(mostRows, Math.max(1, Math.round(pageBytes / each))));
  }
}
