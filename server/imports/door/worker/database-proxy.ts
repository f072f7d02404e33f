// The database as an import worker sees it: each statement goes to the server, which runs it as the person whose import it is.

import { decodeRows } from '../../../database/decode-rows.ts';
import type { Result, RunOptions, Statement, StatementRunner, Transaction } from '../../../database/types.ts';
import type { Asked } from './messages.ts';

export type Ask = <Name extends keyof Asked>(
  name: Name,
  ...args: Parameters<Asked[Name]>
) => Promise<ReturnType<Asked[Name]>>;

export function databaseProxy(ask: Ask): StatementRunner {
  let last = 0;
  const run = async (statement: Statement, options: RunOptions = {}): Promise<Result> =>
    withBuffers(await ask('run', statement, options));
  return {
    runAs: (_caller, statement, options) => run(statement, options),
    objectsAs: async <T>(_caller: unknown, statement: Statement, options?: RunOptions) =>
      decodeRows<T>(await run(statement, options)),
    async transactAs(_caller, work, options = {}) {
      const id = ++last;
      await ask('begin', id, options);
      const runIn = async (statement: Statement): Promise<Result> => withBuffers(await ask('runIn', id, statement));
      const transaction: Transaction = {
        run: runIn,
        objects: async <T>(statement: Statement) => decodeRows<T>(await runIn(statement)),
      };
      let result: Awaited<ReturnType<typeof work>>;
      try {
        result = await work(transaction);
      } catch (error) {
        await ask('rollback', id);
        throw error;
      }
      await ask('commit', id);
      return result;
    },
  };
}

/** Bytes may arrive as plain arrays of them. */
function withBuffers(result: Result): Result {
  const bytes = (cell: Buffer | null): Buffer | null =>
    cell === null || Buffer.isBuffer(cell) ? cell : Buffer.from(cell as Uint8Array);
  return { ...result, rows: result.rows.map((row) => row.map(bytes)) };
}
