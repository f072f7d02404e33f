// Several statements in one transaction, on a connection of their own. `begin` and the caller's settings travel with the
// first statement; nothing waits for their answer.

import { decodeRows } from './decode-rows.ts';
import { hungUp, interrupted } from './errors.ts';
import type { Pool } from './pool.ts';
import type { Isolation, Result, RunOptions, Statement, Transaction } from './types.ts';
import type { Connection } from './wire/connection.ts';
import { Exchange, type OnRow, rollbackLimitMs, rollbackStep, type Step } from './wire/exchange.ts';

export interface OpenTransaction extends Transaction {
  /** Binds a statement to a portal and fetches its first rows; `more` is true while rows are left. */
  openPortal(statement: Statement, rows: number, onRow?: OnRow): Promise<{ result: Result; more: boolean }>;
  fetchPortal(rows: number, onRow?: OnRow): Promise<{ result: Result; more: boolean }>;
}

/** Whose share of the connections it counts against, and whose budget pays for it; empty: nobody's. */
export interface Accounts {
  readonly owner: string;
  readonly payer: string;
}

const commitStep: Step = { shape: null, statement: { text: 'commit', values: [] } };
const constraintsStep: Step = { shape: null, statement: { text: 'set constraints all immediate', values: [] } };

export async function openTransaction<T>(
  pool: Pool,
  { owner, payer }: Accounts,
  settings: Step,
  limitMs: number,
  options: RunOptions,
  work: (transaction: OpenTransaction) => Promise<T>,
): Promise<T> {
  const { signal } = options;
  if (signal?.aborted) throw hungUp();
  const connection = await pool.lease(owner, signal);
  connection.payer = payer;
  let over = false;
  let failure: unknown;
  const onAbort = (): void => {
    if (connection.inFlight > 0) connection.cancel();
  };
  signal?.addEventListener('abort', onAbort);
  try {
    // Not awaited: if it fails, the statements after it fail too, and its own reason is the one to tell.
    const beginStep: Step = { shape: null, statement: { text: beginText(options.isolation), values: [] } };
    const begun = send(connection, [beginStep, { ...settings, shape: null }], limitMs, false);
    begun.catch(() => undefined);
    const guard = async <R>(answer: Promise<R>): Promise<R> => {
      const [start, result] = await Promise.allSettled([begun, answer]);
      if (signal?.aborted) throw hungUp();
      if (start.status === 'rejected') throw start.reason;
      if (result.status === 'rejected') {
        failure ??= result.reason;
        throw result.reason;
      }
      return result.value;
    };
    const check = (): void => {
      if (over) throw new Error('The transaction is over');
      if (signal?.aborted) throw hungUp();
      if (connection.closed) throw interrupted(null);
    };
    const transaction: OpenTransaction = {
      run: async (statement) => {
        check();
        return guard(send(connection, [{ shape: null, statement }], limitMs));
      },
      objects: async <R>(statement: Statement) => decodeRows<R>(await transaction.run(statement)),
      openPortal: async (statement, rows, onRow) => {
        check();
        return guard(sendPortal(connection, { shape: null, statement }, rows, limitMs, onRow));
      },
      fetchPortal: async (rows, onRow) => {
        check();
        return guard(sendPortal(connection, null, rows, limitMs, onRow));
      },
    };
    const result = await work(transaction);
    over = true;
    connection.flush();
    await begun;
    // A failed statement whose error `work` swallowed: Postgres would answer the commit with a quiet rollback.
    if (connection.failed) throw failure ?? new Error('A statement of the transaction failed');
    // Deferred constraints speak up even if nothing is kept.
    await send(connection, options.rollback === true ? [constraintsStep, rollbackStep] : [commitStep], limitMs);
    return result;
  } catch (error) {
    over = true;
    if (!connection.closed) await send(connection, [rollbackStep], rollbackLimitMs).catch(() => undefined);
    throw error;
  } finally {
    signal?.removeEventListener('abort', onAbort);
    pool.release(connection);
  }
}

/** The level of isolation is settled before anything is looked at. */
export function beginText(isolation: Isolation | undefined): string {
  return isolation === undefined ? 'begin' : `begin isolation level ${isolation}`;
}

/** `limitMs`: Postgres itself ends it then; whoever has not answered a while later is not there any more. 0: never. */
function send(connection: Connection, steps: readonly Step[], limitMs: number, flush = true): Promise<Result> {
  return new Promise((resolve, reject) => {
    const exchange = new Exchange(steps, steps.length - 1, false, resolve, reject);
    exchange.limitMs = limitMs;
    connection.submit(exchange);
    if (flush) connection.flush();
  });
}

function sendPortal(
  connection: Connection,
  step: Step | null,
  rows: number,
  limitMs: number,
  onRow: OnRow | undefined,
): Promise<{ result: Result; more: boolean }> {
  return new Promise((resolve, reject) => {
    const exchange: Exchange = new Exchange(
      step === null ? [] : [step],
      0,
      false,
      (result) => resolve({ result, more: exchange.suspended }),
      reject,
      onRow,
    );
    exchange.limitMs = limitMs;
    if (step === null) connection.submitFetch(exchange, rows);
    else connection.submitPortal(exchange, rows);
    connection.flush();
  });
}
