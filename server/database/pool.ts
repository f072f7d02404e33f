// Connection pool: opens connections when needed, drops dead ones, replaces old ones. Work waits in a bounded queue; the dispatcher decides which
// connection it gets. When the database goes away, waiting work fails at once and the pool reconnects.

import type { Logger } from 'pino';
import { isLoopbackHost } from '../loopback.ts';
import { yieldProcess } from '../yield-processor.ts';
import { Dispatcher, isBrief } from './dispatcher.ts';
import { hungUp, interrupted, queueFull, queueTimeout, unreachable } from './errors.ts';
import type { Meter, PoolStats, PostgresError } from './types.ts';
import { Connection, type ConnectionEvents } from './wire/connection.ts';
import type { Exchange } from './wire/exchange.ts';
import { namesDropped } from './wire/repeatable-errors.ts';
import { isSocketDirectory, type Target } from './wire/target.ts';
import type { QueuedWork } from './work-queues.ts';

export interface PoolOptions {
  readonly target: Target;
  readonly size: number;
  readonly queueLimit: number;
  readonly named: boolean;
  /** Text of named statements that a connection keeps at most. */
  readonly preparedBytes: number;
  /** After so long a connection is replaced; 0: never. */
  readonly connectionLifeMs: number;
  /** Connections that the slow work of one caller may hold at once; 0: half of them. */
  readonly callerConnections: number;
  /** A server that only plays back what another one writes is wanted; else it is no server to use. */
  readonly ofReplica?: boolean;
  /** Postgres runs on this machine as this user, and its processes for these connections leave the processors to others. */
  readonly yields?: boolean;
  readonly meter?: Meter | undefined;
  readonly log: Logger;
}

/** Longer than this in the queue and the answer is 503. */
const queueTimeoutMs = 10_000;
/** So much longer than its timeout may an answer take before the other end is taken for dead. */
const graceMs = 3000;
/** How long what is under way may take when the pool is closed. */
const closeLimitMs = 5000;
const firstPauseMs = 50;
const longestPauseMs = 1000;

/** SQLSTATE of a write that found no room, and for how long one such write says that there is none. */
const diskFull = '53100';
const fullForMs = 15_000;

export class Pool implements ConnectionEvents {
  readonly #options: PoolOptions;
  readonly #connections: Connection[] = [];
  #opening = 0;
  readonly #dispatcher: Dispatcher;
  #pauseMs = 0;
  #retryTimer: NodeJS.Timeout | null = null;
  #queueTimer: NodeJS.Timeout | null = null;
  #closed = false;
  #warned = false;
  readonly #watch: NodeJS.Timeout;
  #watchedAt = performance.now();
  /** Why the database cannot be reached; null while it can. */
  #down: unknown = null;
  /** Postgres said it has no more connections to give: stay below that for a while. */
  #ceiling: number;
  #drained: (() => void) | null = null;
  /** When a write found no room on the disk last. */
  #fullAt = Number.NEGATIVE_INFINITY;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#ceiling = options.size;
    this.#dispatcher = new Dispatcher({
      connections: this.#connections,
      size: options.size,
      callerConnections: options.callerConnections,
      isLocal: isLocal(options.target),
      onFull: () => this.#grow(),
      onWaiting: () => this.#watchQueue(),
    });
    this.#watch = setInterval(() => {
      this.#abandonDead();
      this.#replaceOld();
    }, 1000);
    this.#watch.unref();
  }

  /** A network that swallows packets closes nothing: whoever is far over its time will never answer. */
  readonly #abandonDead = (): void => {
    const now = performance.now();
    const late = now - this.#watchedAt > graceMs;
    this.#watchedAt = now;
    // This process itself stood still: the answers may be waiting to be read.
    if (late) return;
    for (const connection of [...this.#connections])
      if (connection.overdue(now) > graceMs) connection.abandon('The database stopped answering');
  };

  /** Memory that Postgres gathers for a connection comes back when the connection ends. One at a time: others carry on. */
  #replaceOld(): void {
    const { connectionLifeMs } = this.#options;
    if (connectionLifeMs === 0) return;
    const limit = performance.now() - connectionLifeMs;
    const old = this.#connections.find((connection) => connection.openedAt < limit && !connection.retiring);
    if (old === undefined) return;
    old.retiring = true;
    if (old.inFlight === 0) this.onIdle(old);
  }

  async #connect(): Promise<Connection> {
    const connection = await Connection.open(this.#options.target, this.#options, this);
    // The way to the primary may lead to what was it a moment ago, or will be it in a moment.
    if (this.#options.ofReplica !== true && connection.parameters.get('in_hot_standby') === 'on') {
      connection.close();
      throw new Error('The database is a replica at the moment; its primary is looked for');
    }
    if (this.#options.yields === true) yieldProcess(connection.pid);
    return connection;
  }

  /** Resolves once one connection stands; throws what hindered it. */
  async start(): Promise<Connection> {
    const connection = await this.#connect();
    this.#connections.push(connection);
    return connection;
  }

  stats(): PoolStats {
    let idle = 0;
    for (const connection of this.#connections) if (connection.usable && connection.inFlight === 0) idle++;
    return {
      connections: this.#connections.length,
      idle,
      waiting: this.#dispatcher.waiting,
      full: performance.now() - this.#fullAt < fullForMs,
    };
  }

  submit(exchange: Exchange): void {
    const { owner, reject } = exchange;
    const quick = isBrief(exchange);
    if (this.#refuses(reject, owner, quick, exchange)) return;
    // Let in once, it is let in again when it has to be repeated.
    exchange.begins = false;
    this.#dispatcher.push({ exchange, lease: null, reject, owner, quick, since: performance.now() });
  }

  /** A connection of one's own until `release`; it counts against the owner's share. */
  lease(owner: string, signal?: AbortSignal): Promise<Connection> {
    return new Promise((resolve, reject) => {
      if (this.#refuses(reject, owner, false)) return;
      const onAbort = (): void => {
        if (this.#dispatcher.remove(entry)) reject(hungUp());
      };
      const settled =
        <T>(then: (value: T) => void) =>
        (value: T): void => {
          signal?.removeEventListener('abort', onAbort);
          then(value);
        };
      const entry: QueuedWork = {
        exchange: null,
        lease: settled(resolve),
        reject: settled(reject),
        owner,
        quick: false,
        since: performance.now(),
      };
      signal?.addEventListener('abort', onAbort);
      this.#dispatcher.push(entry);
    });
  }

  /** The caller of an exchange is gone: what is running is cancelled, unless it shares its connection. */
  cancel(exchange: Exchange): void {
    for (const connection of this.#connections)
      if (connection.head === exchange && connection.inFlight === 1) connection.cancel();
  }

  /** Nobody is at the other end any more. */
  abandonAll(reason: string): void {
    for (const connection of [...this.#connections]) connection.abandon(reason);
  }

  release(connection: Connection): void {
    connection.leased = false;
    connection.owner = '';
    connection.payer = '';
    connection.endTransaction();
    if (connection.inFlight === 0) this.onIdle(connection);
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#watch);
    if (this.#retryTimer !== null) clearTimeout(this.#retryTimer);
    if (this.#queueTimer !== null) clearInterval(this.#queueTimer);
    this.#dispatcher.stop();
    this.#rejectWaiting(unreachable(null, 'The service is shutting down'));
    if (this.#connections.some((connection) => connection.inFlight > 0 || connection.leased)) {
      let timeout: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        this.#drained = resolve;
        timeout = setTimeout(resolve, closeLimitMs);
      });
      clearTimeout(timeout);
    }
    for (const connection of [...this.#connections]) connection.close();
  }

  onIdle(connection: Connection): void {
    if (connection.leased) return;
    if (connection.retiring || this.#closed) connection.close();
    if (this.#closed) {
      if (this.#connections.every((one) => one.inFlight === 0 && !one.leased)) this.#drained?.();
    } else this.#dispatcher.wake();
  }

  onProgress(): void {
    this.#dispatcher.wake();
  }

  onRetry(exchange: Exchange, reason: PostgresError | null, pauseMs: number): void {
    if (reason?.sqlstate === '42P05' && !this.#warned) {
      this.#warned = true;
      this.#options.log.warn(
        'A pooler that does not track prepared statements seems to be in between: set DB_PREPARED_STATEMENTS=false',
      );
    }
    if (reason !== null && namesDropped(reason)) {
      if (exchange.needsNewConnection) this.#renew();
      else this.flushPlans();
    }
    if (pauseMs === 0) this.submit(exchange);
    else setTimeout(() => !exchange.abandoned && this.submit(exchange), pauseMs);
  }

  onRefused(error: PostgresError): void {
    if (error.sqlstate === diskFull) this.#fullAt = performance.now();
  }

  /** The schema has changed: statements and functions are planned anew, and nothing waits for it. */
  flushPlans(): void {
    for (const connection of this.#connections) connection.flushPlans();
  }

  /** What functions were compiled with is forgotten with the session alone. What is under way ends on the old ones. */
  #renew(): void {
    for (const connection of [...this.#connections]) {
      connection.retiring = true;
      if (connection.inFlight === 0) this.onIdle(connection);
    }
  }

  onSlow(payer: string, milliseconds: number): void {
    this.#options.meter?.charge(payer, milliseconds);
  }

  onNotice(notice: PostgresError): void {
    this.#options.log.debug({ sqlstate: notice.sqlstate, notice: notice.message }, 'Postgres remarked something');
  }

  onClosed(connection: Connection, unanswered: readonly Exchange[], error: Error): void {
    const at = this.#connections.indexOf(connection);
    if (at >= 0) this.#connections.splice(at, 1);
    this.#dispatcher.forget(connection);
    for (const exchange of unanswered) exchange.reject(interrupted(error));
    if (this.#closed) {
      if (this.#connections.length === 0) this.#drained?.();
      return;
    }
    if (at >= 0) this.#options.log.debug({ reason: error.message }, 'A database connection ended');
    this.#dispatcher.wake();
  }

  #refuses(reject: (error: unknown) => void, owner: string, quick: boolean, exchange?: Exchange): boolean {
    const limit = this.#options.queueLimit + this.#options.size;
    const waiting = this.#dispatcher.waiting;
    if (this.#closed) reject(unreachable(null, 'The service is shutting down'));
    else if (this.#down !== null) reject(unreachable(this.#down));
    else if (waiting >= limit) reject(queueFull(waiting));
    else if (exchange?.begins === true && this.#dispatcher.isCrowded(exchange)) reject(queueFull(waiting));
    // Half of the queue is the most that one caller may fill, so that others still get in.
    else if (!quick && owner !== '' && this.#dispatcher.slowOf(owner) >= limit / 2) reject(queueFull(waiting));
    else return false;
    return true;
  }

  #grow(): void {
    if (this.#retryTimer !== null || this.#closed) return;
    const wanted = Math.min(
      this.#dispatcher.waiting - this.#opening,
      this.#ceiling - this.#connections.length - this.#opening,
    );
    for (let index = 0; index < wanted; index++) void this.#open();
  }

  async #open(): Promise<void> {
    this.#opening++;
    try {
      const connection = await this.#connect();
      if (this.#closed) {
        connection.close();
        return;
      }
      if (this.#down !== null) this.#options.log.info('The database is back');
      this.#down = null;
      this.#pauseMs = 0;
      this.#connections.push(connection);
      this.#dispatcher.wake();
    } catch (error) {
      this.#cannotOpen(error);
    } finally {
      this.#opening--;
    }
  }

  #cannotOpen(error: unknown): void {
    if (this.#closed) return;
    this.#pauseMs = Math.min(Math.max(firstPauseMs, this.#pauseMs * 2), longestPauseMs);
    if (this.#connections.length > 0) {
      // Others still work: Postgres is out of connections, or about to go. They carry the load meanwhile.
      this.#ceiling = Math.max(1, this.#connections.length);
      setTimeout(() => {
        this.#ceiling = this.#options.size;
      }, 5000).unref();
      this.#options.log.warn({ err: error }, 'No further database connection to be had');
      return;
    }
    if (this.#down === null)
      this.#options.log.error({ err: error }, 'The database is not reachable; looking for it until it is back');
    this.#down = error ?? new Error('unreachable');
    this.#rejectWaiting(unreachable(error));
    if (this.#retryTimer !== null) return;
    this.#retryTimer = setTimeout(() => {
      this.#retryTimer = null;
      void this.#open();
    }, this.#pauseMs);
    this.#retryTimer.unref();
  }

  #rejectWaiting(error: unknown): void {
    for (const entry of this.#dispatcher.takeAll()) entry.reject(error);
  }

  /** While something waits: rejects what has waited too long. */
  #watchQueue(): void {
    if (this.#queueTimer !== null) return;
    this.#queueTimer = setInterval(() => {
      const limit = performance.now() - queueTimeoutMs;
      for (const entry of this.#dispatcher.takeOlderThan(limit)) entry.reject(queueTimeout(this.#dispatcher.waiting));
      if (this.#dispatcher.waiting > 0 || this.#queueTimer === null) return;
      clearInterval(this.#queueTimer);
      this.#queueTimer = null;
    }, 500);
    this.#queueTimer.unref();
  }
}

function isLocal({ host }: Target): boolean {
  return isSocketDirectory(host) || isLoopbackHost(host);
}
