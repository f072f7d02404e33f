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
import { Pool } from './pool.ts';
import { SettingsWriter } from './settings-writer.ts';
import { ShapeCache } from './shape-cache.ts';
import { streamPortal } from './stream-portal.ts';
import { beginText, openTransaction } from './transaction.ts';
import type { Caller, Database, Result, RunOptions, Statement } from './types.ts';
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
    log,
  });
  const shapes = new ShapeCache();
  const settings = new SettingsWriter(config, shapes);
  const listeners = new Listeners(parseTarget(directUrl ?? url), log);
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
    return new Promise((resolve, reject) => {
      const { steps, main } = stepsOf(caller, statement, options);
      const signal = options?.signal;
      // A transaction that was begun stays open when it fails, until it is rolled back: nobody may stand behind it.
      const shareable = options?.readOnly === true && !isExplicit(options);
      if (signal === undefined) {
        const lasting = new Exchange(steps, main, shareable, resolve, reject);
        lasting.limitMs = settings.limitFor(caller, options);
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
      signal.addEventListener('abort', onAbort);
      pool.submit(exchange);
    });
  }

  return {
    serverVersion,
    runAs,
    objectsAs: async (caller, statement, options) => decodeRows(await runAs(caller, statement, options)),
    transactAs: (caller, work, options = {}) =>
      openTransaction(
        pool,
        settings.write(caller, options),
        settings.limitFor(caller, options),
        options,
        async (transaction) => {
          const prologue = (options.before ?? []).map((one) => transaction.run(one));
          await Promise.all(prologue);
          return work(transaction);
        },
      ),
    streamAs: (caller, statement, onRow, options = {}, onPage) =>
      openTransaction(
        pool,
        settings.write(caller, options),
        settings.limitFor(caller, options),
        options,
        async (transaction) => {
          for (const one of options.before ?? []) await transaction.run(one);
          return streamPortal(transaction, statement, onRow, onPage);
        },
      ),
    listen: (channel, onMessage, onReconnect) => listeners.listen(channel, onMessage, onReconnect),
    ping: async () => {
      const answer = await new Promise<Result>((resolve, reject) => {
        const step = { shape: shapes.of('', 'select 1'), statement: { text: 'select 1', values: [] } };
        const exchange = new Exchange([step], 0, false, resolve, reject);
        // A database that takes longer for this is not there.
        exchange.limitMs = 1000;
        pool.submit(exchange);
      });
      if (answer.rows.length !== 1) throw unreachable(null);
    },
    stats: () => pool.stats(),
    close: async () => {
      await listeners.close();
      await pool.close();
    },
  };
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
