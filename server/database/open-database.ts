// The database as the rooms see it: statements run as a caller, in one round trip and one implicit transaction.
//
// The settings of the caller (role, token claims, timeout, read-only) and the statement travel together:
// parse/bind/execute of `set_config(…)`, parse/bind/execute of the statement, one Sync. Both texts are the same for
// every request of a shape, so after the first time on a connection only bind and execute are sent.

import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import { decodeRows } from './decode-rows.ts';
import { isBrief } from './dispatcher.ts';
import { hungUp, unreachable } from './errors.ts';
import { Listeners } from './listeners.ts';
import { MovedPrimary } from './moved-primary.ts';
import { Pool, type PoolOptions } from './pool.ts';
import { isOnePerson, payerOf, shareOwnerOf } from './pool-share.ts';
import { Replica, type ReplicaOptions, writtenBy } from './replica.ts';
import { roomRoles } from './room-roles.ts';
import { SettingsWriter } from './settings-writer.ts';
import { ShapeCache } from './shape-cache.ts';
import { streamPortal } from './stream-portal.ts';
import { beginText, type OpenTransaction, openTransaction } from './transaction.ts';
import {
  type Caller,
  type Database,
  type Meter,
  PostgresError,
  type Result,
  type RunOptions,
  type Statement,
} from './types.ts';
import { Exchange, type Step } from './wire/exchange.ts';
import { describeTarget, parseTarget, type Target } from './wire/target.ts';

export interface OpenOptions {
  /** Where the pool logs in. */
  readonly url: string;
  /** Past any pooler: listening. The same as `url` when absent. */
  readonly directUrl?: string | null;
  readonly config: Config['database'];
  readonly meter?: Meter;
  readonly log: Logger;
}

export function openDatabase({ url, directUrl, ...options }: OpenOptions): Promise<Database> {
  const direct = parseTarget(directUrl ?? url);
  return openDatabaseAt({ pool: parseTarget(url), direct }, options);
}

/** `yields`: its connections leave the processors of this machine to others. */
export async function openDatabaseAt(
  { pool: target, direct }: Database['targets'],
  { config, meter, log, yields = false }: Omit<OpenOptions, 'url' | 'directUrl'> & { readonly yields?: boolean },
): Promise<Database> {
  const poolOptions = { ...poolOptionsOf(target, { config, meter, log }), yields };
  const pool = new Pool(poolOptions);
  const shapes = new ShapeCache();
  const settings = new SettingsWriter(config, shapes);
  const listeners = new Listeners(direct, log);

  const first = await pool.start().catch((error: unknown) => {
    throw unreachable(error, `The database ${describeTarget(target)} is not reachable: ${words(error)}`);
  });
  const serverVersion = readVersion(first.parameters.get('server_version') ?? '');
  const ask = (text: string): Promise<string> => askPlainly(pool, shapes, text);
  const replica = openReplica(config, poolOptions, {
    shapes,
    written: writtenBy(ask, runAs),
    asRoom: settings.write(roomRoles.replica, { readOnly: true }, true),
  });
  const moved = new MovedPrimary(() => ask('select pg_is_in_recovery()'));

  const stepsOf = stepWriter(shapes, settings);

  function runAs(caller: Caller, statement: Statement, options?: RunOptions): Promise<Result> {
    if (options?.onBefore !== undefined || caller.leaving !== undefined)
      return inTransaction(caller, options ?? {}, (one) => one.run(statement));
    if (replica !== null && options?.replica === true && options.readOnly === true && !isExplicit(options))
      return runOnReplica(replica, caller, statement, options);
    return new Promise((resolve, refuse) => {
      const { steps, main } = stepsOf(caller, statement, options);
      const reject = (error: unknown): void => void moved.explain(error, options).then(refuse);
      // A transaction that was begun stays open when it fails, until it is rolled back: nobody may stand behind it.
      const shareable = options?.readOnly === true && !isExplicit(options);
      submit(pool, options?.signal, resolve, reject, (settle, fail) => {
        const exchange = new Exchange(steps, main, shareable, settle, fail);
        exchange.limitMs = settings.limitFor(caller, options);
        exchange.owner = shareOwnerOf(caller);
        exchange.alone = options?.alone === true || !isOnePerson(caller);
        exchange.payer = payerOf(caller, options?.payer);
        exchange.begins = options?.begins === true;
        // Known to be quick, it is answered whatever they used before.
        if (exchange.begins && !isBrief(exchange)) meter?.admit(exchange.payer);
        return exchange;
      });
    });
  }

  async function runOnReplica(
    replica: Replica,
    caller: Caller,
    statement: Statement,
    options: RunOptions,
  ): Promise<Result> {
    const payer = payerOf(caller, options.payer);
    const limitMs = settings.limitFor(caller, options);
    const { steps, main } = stepsOf(caller, statement, options, true);
    if (options.begins === true && !isBrief({ cost: steps[main]?.shape?.cost ?? Number.POSITIVE_INFINITY }))
      meter?.admit(payer);
    const answer = await replica.read({ steps, main, limitMs, owner: shareOwnerOf(caller), payer });
    return answer ?? runAs(caller, statement, { ...options, replica: false });
  }

  /** After the caller's settings and what comes before. */
  async function inTransaction<T>(
    caller: Caller,
    options: RunOptions,
    work: (transaction: OpenTransaction) => Promise<T>,
  ): Promise<T> {
    const limitMs = settings.limitFor(caller, options);
    const accounts = { owner: shareOwnerOf(caller), payer: payerOf(caller, options.payer) };
    if (options.begins === true) meter?.admit(accounts.payer);
    const { leaving } = caller;
    let isToNote = false;
    const write = settings.write(caller, options);
    const done = await openTransaction(pool, accounts, write, limitMs, options, async (transaction) => {
      const results = await Promise.all((comesBefore(caller, options) ?? []).map((one) => transaction.run(one)));
      options.onBefore?.(results.slice(results.length - (options.before?.length ?? 0)));
      const result = await (leaving === undefined ? work(transaction) : work(transaction).catch(throwWithoutValues));
      if (leaving !== undefined) isToNote = (await transaction.run(leaving.ask)).rows[0]?.[0]?.toString() === 't';
      return result;
    });
    if (isToNote && leaving !== undefined) await runAs(service, leaving.note);
    return done;
  }

  const explained = <T>(options: RunOptions, work: Promise<T>): Promise<T> =>
    work.catch(async (error: unknown) => {
      throw await moved.explain(error, options);
    });

  return {
    serverVersion,
    targets: { pool: target, direct },
    runAs,
    objectsAs: async (caller, statement, options) => decodeRows(await runAs(caller, statement, options)),
    transactAs: (caller, work, options = {}) => explained(options, inTransaction(caller, options, work)),
    // Each page is a statement of its own to Postgres: the limit is for all of them together.
    streamAs: (caller, statement, onRow, options = {}, onPage) =>
      within(settings.limitFor(caller, options), options, (limited) =>
        inTransaction(caller, limited, (transaction) => streamPortal(transaction, statement, onRow, onPage)),
      ),
    listen: (channel, onMessage, onReconnect) => listeners.listen(channel, onMessage, onReconnect),
    // A database that takes longer for this is not there.
    ping: async () => void (await askPlainly(pool, shapes, 'select 1')),
    flushPlans: () => {
      pool.flushPlans();
      replica?.flushPlans();
    },
    stats: () => pool.stats(),
    replica: () => replica?.stats() ?? null,
    close: async () => {
      await listeners.close();
      await replica?.close();
      await pool.close();
    },
  };
}

/**
 * A value that can't be read as what it is asked for stands in the message, in quotes or at its end, and nobody has noted that it was read. Postgres'
 * own messages of these classes lose both; refusals of rules keep their words.
 */
function throwWithoutValues(error: unknown): never {
  if (!(error instanceof PostgresError) || !/^(0A|22|3|42(?!501))/.test(error.sqlstate)) throw error;
  const { sqlstate, message, hint, fields, ofCaller } = error;
  const words = fields.routine === 'exec_stmt_raise' ? message : withoutValue(message);
  throw new PostgresError(sqlstate, words, null, hint, fields, ofCaller);
}

function withoutValue(message: string): string {
  const [first, last] = [message.indexOf('"'), message.lastIndexOf('"')];
  const quoteless = first < 0 ? message : `${message.slice(0, first)}…${first === last ? '' : message.slice(last + 1)}`;
  return quoteless.split(': ', 1)[0] ?? '';
}

const service: Caller = { role: 'service_role', claims: '{"role":"service_role"}' };

type WriteSteps = (
  caller: Caller,
  statement: Statement,
  options: RunOptions | undefined,
  toReplica?: boolean,
) => { steps: Step[]; main: number };

function comesBefore({ entering, beforeWrites }: Caller, options: RunOptions | undefined): RunOptions['before'] {
  const reads = options?.readOnly === true;
  const first = [reads ? entering?.toRead : entering?.toWrite, reads ? undefined : beforeWrites];
  const all = [...first.filter((one) => one !== undefined), ...(options?.before ?? [])];
  return all.length === 0 ? undefined : all;
}

/** The caller's settings before a statement, and a transaction around it where the options want one. */
function stepWriter(shapes: ShapeCache, settings: SettingsWriter): WriteSteps {
  const plain = (text: string): Step => ({ shape: shapes.of('', text), statement: { text, values: [] } });
  // Nothing of it is kept, yet deferred constraints speak up.
  const ending = ({ rollback }: RunOptions): Step[] =>
    rollback === true ? [plain('set constraints all immediate'), plain('rollback')] : [plain('commit')];

  return (caller, statement, options, toReplica = false) => {
    const step = { shape: shapes.of(caller.role, statement.text), statement };
    const setting = settings.write(caller, options, toReplica);
    const first = comesBefore(caller, options);
    if (first === undefined && (options === undefined || !isExplicit(options)))
      return { steps: [setting, step], main: 1 };
    const before = (first ?? []).map((one) => ({ shape: shapes.of(caller.role, one.text), statement: one }));
    const inside = [setting, ...before, step];
    if (options === undefined) return { steps: inside, main: inside.length - 1 };
    const steps = isExplicit(options) ? [plain(beginText(options.isolation)), ...inside, ...ending(options)] : inside;
    return { steps, main: steps.indexOf(step) };
  };
}

function poolOptionsOf(
  target: Target,
  { config, meter, log }: Pick<OpenOptions, 'config' | 'meter' | 'log'>,
): PoolOptions {
  return {
    target,
    size: config.poolSize,
    queueLimit: config.queueLimit,
    named: config.preparedStatements,
    preparedBytes: config.preparedBytes,
    connectionLifeMs: config.connectionLifeMs,
    callerConnections: config.callerConnections,
    meter,
    log,
  };
}

function openReplica(
  { replicaUrl, replicaWaitMs }: Config['database'],
  pool: PoolOptions,
  parts: Pick<ReplicaOptions, 'shapes' | 'written' | 'asRoom'>,
): Replica | null {
  if (replicaUrl === null) return null;
  const log = pool.log.child({ of: 'replica' });
  const own = { ...pool, target: parseTarget(replicaUrl), ofReplica: true, log };
  return new Replica({ ...parts, pool: own, waitMs: replicaWaitMs, log });
}

type Settle = (result: Result) => void;
type Fail = (error: unknown) => void;

/** Gives it to the pool; when whoever asked hangs up meanwhile it is cancelled. */
function submit(
  pool: Pool,
  signal: AbortSignal | undefined,
  resolve: Settle,
  reject: Fail,
  make: (settle: Settle, fail: Fail) => Exchange,
): void {
  if (signal === undefined) {
    pool.submit(make(resolve, reject));
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
  const settled =
    <T>(then: (value: T) => void) =>
    (value: T): void => {
      signal.removeEventListener('abort', onAbort);
      then(value);
    };
  const exchange = make(settled(resolve), settled(reject));
  signal.addEventListener('abort', onAbort);
  pool.submit(exchange);
}

/** The one value it gives, as whoever logs in. */
async function askPlainly(pool: Pool, shapes: ShapeCache, text: string): Promise<string> {
  const { rows } = await new Promise<Result>((resolve, reject) => {
    const exchange = new Exchange(
      [{ shape: shapes.of('', text), statement: { text, values: [] } }],
      0,
      true,
      resolve,
      reject,
    );
    exchange.limitMs = 1000;
    pool.submit(exchange);
  });
  const value = rows[0]?.[0];
  if (value === null || value === undefined) throw unreachable(null);
  return value.toString();
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
