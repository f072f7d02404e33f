// The database as the rooms see it: statements run as a caller, in one round trip and one implicit transaction.
//
// The settings of the caller (role, token claims, timeout, read-only) and the statement travel together:
// parse/bind/execute of `set_config(…)`, parse/bind/execute of the statement, one Sync. Both texts are the same for
// every request of a shape, so after the first time on a connection only bind and execute are sent.

import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import { decodeRows } from './decode-rows.ts';
import { hungUp, unreachable } from './errors.ts';
import { Listeners } from './listeners.ts';
import { ownerOf } from './owner-of.ts';
import { Pool } from './pool.ts';
import { SettingsWriter } from './settings-writer.ts';
import { ShapeCache } from './shape-cache.ts';
import { streamPortal } from './stream-portal.ts';
import { beginText, type OpenTransaction, openTransaction } from './transaction.ts';
import { type Caller, type Database, PostgresError, type Result, type RunOptions, type Statement } from './types.ts';
import { Exchange, type Step } from './wire/exchange.ts';
import { describeTarget, parseTarget } from './wire/target.ts';

export interface OpenOptions {
  /** Where the pool logs in. */
  readonly url: string;
  /** Past any pooler: listening. The same as `url` when absent. */
  readonly directUrl?: string | null;
  readonly config: Config['database'];
  readonly log: Logger;
}

export async function openDatabase({ url, directUrl, config, log }: OpenOptions): Promise<Database> {
  const target = parseTarget(url);
  const pool = new Pool({
    target,
    size: config.poolSize,
    queueLimit: config.queueLimit,
    named: config.preparedStatements,
    preparedBytes: config.preparedBytes,
    connectionLifeMs: config.connectionLifeMs,
    callerConnections: config.callerConnections,
    log,
  });
  const shapes = new ShapeCache();
  const settings = new SettingsWriter(config, shapes);
  const direct = parseTarget(directUrl ?? url);
  const listeners = new Listeners(direct, log);
  const plain = (text: string): Step => ({ shape: shapes.of('', text), statement: { text, values: [] } });

  const first = await pool.start().catch((error: unknown) => {
    throw unreachable(error, `The database ${describeTarget(target)} is not reachable: ${words(error)}`);
  });
  const serverVersion = readVersion(first.parameters.get('server_version') ?? '');

  function stepsOf(
    caller: Caller,
    statement: Statement,
    options: RunOptions | undefined,
  ): { steps: Step[]; main: number } {
    const step = { shape: shapes.of(caller.role, statement.text), statement };
    const setting = settings.write(caller, options);
    if (options === undefined || (options.before === undefined && !isExplicit(options)))
      return { steps: [setting, step], main: 1 };
    const before = (options.before ?? []).map((one) => ({ shape: shapes.of(caller.role, one.text), statement: one }));
    const inside = [setting, ...before, step];
    const steps = isExplicit(options) ? [plain(beginText(options.isolation)), ...inside, ...ending(options)] : inside;
    return { steps, main: steps.indexOf(step) };
  }

  // Nothing of it is kept, yet deferred constraints speak up.
  const ending = ({ rollback }: RunOptions): Step[] =>
    rollback === true ? [plain('set constraints all immediate'), plain('rollback')] : [plain('commit')];

  function runAs(caller: Caller, statement: Statement, options?: RunOptions): Promise<Result> {
    if (options?.onBefore !== undefined) return inTransaction(caller, options, (one) => one.run(statement));
    return new Promise((resolve, reject) => {
      const { steps, main } = stepsOf(caller, statement, options);
      const signal = options?.signal;
      // A transaction that was begun stays open when it fails, until it is rolled back: nobody may stand behind it.
      const shareable = options?.readOnly === true && !isExplicit(options);
      if (signal === undefined) {
        const lasting = new Exchange(steps, main, shareable, resolve, reject);
        lasting.limitMs = settings.limitFor(caller, options);
        lasting.owner = ownerOf(caller);
        pool.submit(lasting);
        return;
      }
      if (signal.aborted) {
        reject(hungUp());
        return;
      }
      const onAbort = (): void => {
        exchange.abandoned = true;
        reject(hungUp());
        pool.cancel(exchange);
      };
      const settle =
        <T>(then: (value: T) => void) =>
        (value: T): void => {
          signal.removeEventListener('abort', onAbort);
          then(value);
        };
      const exchange = new Exchange(steps, main, shareable, settle(resolve), settle(reject));
      exchange.limitMs = settings.limitFor(caller, options);
      exchange.owner = ownerOf(caller);
      signal.addEventListener('abort', onAbort);
      pool.submit(exchange);
    });
  }

  /** After the caller's settings and what comes before. */
  function inTransaction<T>(
    caller: Caller,
    options: RunOptions,
    work: (transaction: OpenTransaction) => Promise<T>,
  ): Promise<T> {
    const limitMs = settings.limitFor(caller, options);
    const owner = ownerOf(caller);
    return openTransaction(pool, owner, settings.write(caller, options), limitMs, options, async (transaction) => {
      const results = await Promise.all((options.before ?? []).map((one) => transaction.run(one)));
      options.onBefore?.(results);
      return work(transaction);
    });
  }

  return {
    serverVersion,
    targets: { pool: target, direct },
    runAs,
    objectsAs: async (caller, statement, options) => decodeRows(await runAs(caller, statement, options)),
    transactAs: (caller, work, options = {}) => inTransaction(caller, options, work),
    // Each page is a statement of its own to Postgres: the limit is for all of them together.
    streamAs: (caller, statement, onRow, options = {}, onPage) =>
      within(settings.limitFor(caller, options), options, (limited) =>
        inTransaction(caller, limited, (transaction) => streamPortal(transaction, statement, onRow, onPage)),
      ),
    listen: (channel, onMessage, onReconnect) => listeners.listen(channel, onMessage, onReconnect),
    ping: () => ping(pool, shapes),
    stats: () => pool.stats(),
    close: async () => {
      await listeners.close();
      await pool.close();
    },
  };
}

async function ping(pool: Pool, shapes: ShapeCache): Promise<void> {
  const answer = await new Promise<Result>((resolve, reject) => {
    const step = { shape: shapes.of('', 'select 1'), statement: { text: 'select 1', values: [] } };
    const exchange = new Exchange([step], 0, false, resolve, reject);
    // A database that takes longer for this is not there.
    exchange.limitMs = 1000;
    pool.submit(exchange);
  });
  if (answer.rows.length !== 1) throw unreachable(null);
}

/** Ends what takes longer, in the words of Postgres; 0: no limit. */
async function within<T>(limitMs: number, options: RunOptions, run: (options: RunOptions) => Promise<T>): Promise<T> {
  if (limitMs === 0) return run(options);
  const deadline = new AbortController();
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    deadline.abort();
  }, limitMs);
  const { signal } = options;
  const onAbort = (): void => deadline.abort();
  signal?.addEventListener('abort', onAbort);
  try {
    return await run({ ...options, signal: deadline.signal });
  } catch (error) {
    if (late && !(error instanceof PostgresError))
      throw new PostgresError('57014', 'canceling statement due to statement timeout', null, null);
    throw error;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  }
}

/** Begun and ended in so many words, rather than by the Sync alone. */
const isExplicit = ({ rollback, isolation }: RunOptions): boolean => rollback === true || isolation !== undefined;

/** `15.14 (Debian 15.14-0+deb12u1)` is 150014. */
function readVersion(text: string): number {
  const match = /^(\d+)(?:\.(\d+))?/.exec(text);
  return Number(match?.[1] ?? 0) * 10_000 + Number(match?.[2] ?? 0);
}

function words(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
