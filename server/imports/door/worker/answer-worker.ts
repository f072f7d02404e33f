// Serves an import worker: runs its statements as the person whose import it is, and saves the files it sends in pieces.
// What is open when the worker ends is rolled back.

import { PassThrough } from 'node:stream';
import type { Caller, Statement, StatementRunner, Transaction } from '../../../database/types.ts';
import type { SaveFile } from '../../files-in-zip.ts';
import type { Question } from './messages.ts';

export interface Means {
  readonly database: StatementRunner;
  readonly caller: Caller;
  readonly userId: string;
  /** Where files are brought along. */
  readonly saveFile: SaveFile | null;
}

interface OpenTransaction {
  readonly tx: Transaction;
  readonly commit: () => void;
  readonly rollback: (why: Error) => void;
  readonly over: Promise<void>;
}

class RolledBack extends Error {}

export class WorkerAnswers {
  readonly #means: Means;
  readonly #transactions = new Map<number, OpenTransaction>();
  readonly #files = new Map<number, PassThrough>();

  constructor(means: Means) {
    this.#means = means;
  }

  async answer([name, ...args]: Question): Promise<unknown> {
    const { database, caller } = this.#means;
    const [first, second, third] = args;
    const id = Number(first);
    switch (name) {
      case 'run': {
        const { fields, rows, affected } = await database.runAs(caller, first as Statement, Object(second));
        return { fields, rows, affected };
      }
      case 'runIn': {
        const { fields, rows, affected } = await this.#transaction(id).tx.run(second as Statement);
        return { fields, rows, affected };
      }
      case 'begin':
        return this.#begin(id, Object(second));
      case 'commit':
        return this.#end(id, ({ commit }) => commit());
      case 'rollback':
        // Also when it had broken off by itself: the worker knows why it rolls back.
        return this.#end(id, ({ rollback }) => rollback(new RolledBack())).catch(() => null);
      case 'save':
        return this.#save(id, String(second), String(third));
      case 'piece':
        return this.#piece(id, second as Uint8Array | null);
    }
  }

  /** The worker has ended, however. */
  close(): void {
    const why = new RolledBack('the import worker has ended');
    for (const { rollback } of this.#transactions.values()) rollback(why);
    for (const file of this.#files.values()) file.destroy(why);
  }

  #transaction(id: number): OpenTransaction {
    const found = this.#transactions.get(id);
    if (found === undefined) throw new Error('there is no such transaction');
    return found;
  }

  #begin(id: number, options: Parameters<StatementRunner['transactAs']>[2]): Promise<null> {
    return new Promise((begun, refused) => {
      const over = this.#means.database.transactAs(
        this.#means.caller,
        (tx) =>
          new Promise<void>((commit, rollback) => {
            this.#transactions.set(id, { tx, commit, rollback, over });
            begun(null);
          }),
        options,
      );
      over.catch(refused);
    });
  }

  async #end(id: number, how: (transaction: OpenTransaction) => void): Promise<null> {
    const transaction = this.#transaction(id);
    this.#transactions.delete(id);
    how(transaction);
    await transaction.over;
    return null;
  }

  async #save(id: number, key: string, type: string): Promise<number> {
    const { saveFile, caller, userId } = this.#means;
    if (saveFile === null) throw new Error('no files are saved here');
    const bytes = new PassThrough();
    // Whoever reads it hears of it.
    bytes.on('error', () => undefined);
    this.#files.set(id, bytes);
    try {
      return await saveFile({ caller, userId, key, type, bytes });
    } finally {
      this.#files.delete(id);
    }
  }

  /** Answered when there is room for the next; one that is not wanted any more is let go. */
  #piece(id: number, bytes: Uint8Array | null): Promise<null> {
    const file = this.#files.get(id);
    return new Promise((resolve) => {
      const next = (): void => resolve(null);
      if (file === undefined || file.destroyed) next();
      else if (bytes === null) file.end(next);
      else if (file.write(bytes)) next();
      else {
        file.once('drain', next);
        file.once('close', next);
      }
    });
  }
}
