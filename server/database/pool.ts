// Connections and who gets them: work waits in a bounded queue, goes to an idle connection, or, when all are busy and
// it is a quick read, rides behind other quick reads on the same one. A database that goes away fails what waits at
// once and is looked for again with growing pauses, so that nothing has to be restarted when it is back.

import { availableParallelism } from 'node:os';
import type { Logger } from 'pino';
import { hungUp, interrupted, overloaded, unreachable } from './errors.ts';
import type { PostgresError } from './types.ts';
import { Connection, type ConnectionEvents } from './wire/connection.ts';
import type { Exchange } from './wire/exchange.ts';
import { isSocketDirectory, type Target } from './wire/target.ts';

export interface PoolOptions {
  readonly target: Target;
  readonly size: number;
  readonly queueLimit: number;
  readonly named: boolean;
  readonly log: Logger;
}

/** Reads quicker than this share a connection when all are busy. */
const quickMs = 2;
const shareDepth = 8;
/** Reads quicker than this keep a processor busy rather than wait for something. */
const shortMs = 20;
/** So many busy connections keep this process and Postgres occupied; more would only cost them changes of context. */
const spread = Math.max(3, availableParallelism() + 1);
/** Longer than this in the queue and the answer is 503. */
const patienceMs = 10_000;
/** So much longer than its timeout may an answer take before the other end is taken for dead. */
const graceMs = 3000;
/** How long what is under way may take when the pool is closed. */
const closeLimitMs = 5000;
const firstPauseMs = 50;
const longestPauseMs = 1000;

interface Waiting {
  readonly exchange: Exchange | null;
  readonly lease: ((connection: Connection) => void) | null;
  readonly reject: (error: unknown) => void;
  readonly since: number;
}

export class Pool implements ConnectionEvents {
  readonly #options: PoolOptions;
  readonly #connections: Connection[] = [];
  #opening = 0;
  #queue: Waiting[] = [];
  #firstWaiting = 0;
  #scheduled = false;
  readonly #touched = new Set<Connection>();
  /** Postgres shares this machine's processors: more short reads at once than these can run only hinder each other. */
  readonly #holds: boolean;
  #looking: NodeJS.Timeout | null = null;
  #pauseMs = 0;
  #retryTimer: NodeJS.Timeout | null = null;
  #patience: NodeJS.Timeout | null = null;
  #closed = false;
  #warned = false;
  readonly #watch: NodeJS.Timeout;
  #watchedAt = performance.now();
  /** Why the database cannot be reached; null while it can. */
  #down: unknown = null;
  /** Postgres said it has no more connections to give: stay below that for a while. */
  #ceiling: number;
  #drained: (() => void) | null = null;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#ceiling = options.size;
    this.#holds = isLocal(options.target);
    this.#watch = setInterval(this.#abandonDead, 1000);
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

  /** Resolves once one connection stands; throws what hindered it. */
  async start(): Promise<Connection> {
    const connection = await Connection.open(this.#options.target, this.#options.named, this);
    this.#connections.push(connection);
    return connection;
  }

  stats(): { connections: number; idle: number; waiting: number } {
    let idle = 0;
    for (const connection of this.#connections) if (connection.usable && connection.inFlight === 0) idle++;
    return { connections: this.#connections.length, idle, waiting: this.#waiting };
  }

  submit(exchange: Exchange): void {
    if (this.#refuses(exchange.reject)) return;
    this.#queue.push({ exchange, lease: null, reject: exchange.reject, since: performance.now() });
    this.#schedule();
  }

  /** A connection of one's own until `release`. */
  lease(signal?: AbortSignal): Promise<Connection> {
    return new Promise((resolve, reject) => {
      if (this.#refuses(reject)) return;
      const entry: Waiting = { exchange: null, lease: resolve, reject, since: performance.now() };
      signal?.addEventListener('abort', () => {
        const at = this.#queue.indexOf(entry, this.#firstWaiting);
        if (at < 0) return;
        this.#queue.splice(at, 1);
        reject(hungUp());
      });
      this.#queue.push(entry);
      this.#schedule();
    });
  }

  /** The caller of an exchange is gone: what is running is cancelled, unless it shares its connection. */
  cancel(exchange: Exchange): void {
    for (const connection of this.#connections)
      if (connection.head === exchange && connection.inFlight === 1) connection.cancel();
  }

  release(connection: Connection): void {
    connection.leased = false;
    this.onIdle(connection);
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#watch);
    if (this.#retryTimer !== null) clearTimeout(this.#retryTimer);
    if (this.#patience !== null) clearInterval(this.#patience);
    if (this.#looking !== null) clearTimeout(this.#looking);
    this.#rejectWaiting(unreachable(null, 'The service is shutting down'));
    if (this.#connections.some((connection) => connection.inFlight > 0 || connection.leased)) {
      let impatience: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        this.#drained = resolve;
        impatience = setTimeout(resolve, closeLimitMs);
      });
      clearTimeout(impatience);
    }
    for (const connection of [...this.#connections]) connection.close();
  }

  onIdle(connection: Connection): void {
    if (connection.leased) return;
    if (connection.retiring || this.#closed) connection.close();
    if (this.#closed) {
      if (this.#connections.every((one) => one.inFlight === 0 && !one.leased)) this.#drained?.();
    } else if (this.#waiting > 0) this.#schedule();
  }

  onProgress(): void {
    if (this.#waiting > 0) this.#schedule();
  }

  onRetry(exchange: Exchange, reason: PostgresError | null): void {
    if (reason?.sqlstate === '42P05' && !this.#warned) {
      this.#warned = true;
      this.#options.log.warn(
        'A pooler that does not track prepared statements seems to be in between: set DB_PREPARED_STATEMENTS=false',
      );
    }
    this.submit(exchange);
  }

  onNotice(notice: PostgresError): void {
    this.#options.log.debug({ sqlstate: notice.sqlstate, notice: notice.message }, 'Postgres remarked something');
  }

  onClosed(connection: Connection, unanswered: readonly Exchange[], error: Error): void {
    const at = this.#connections.indexOf(connection);
    if (at >= 0) this.#connections.splice(at, 1);
    this.#touched.delete(connection);
    for (const exchange of unanswered) exchange.reject(interrupted(error));
    if (this.#closed) {
      if (this.#connections.length === 0) this.#drained?.();
      return;
    }
    if (at >= 0) this.#options.log.debug({ reason: error.message }, 'A database connection ended');
    if (this.#waiting > 0) this.#schedule();
  }

  get #waiting(): number {
    return this.#queue.length - this.#firstWaiting;
  }

  #refuses(reject: (error: unknown) => void): boolean {
    if (this.#closed) reject(unreachable(null, 'The service is shutting down'));
    else if (this.#down !== null) reject(unreachable(this.#down));
    else if (this.#waiting >= this.#options.queueLimit + this.#options.size) reject(overloaded(this.#waiting));
    else return false;
    return true;
  }

  /** Work of one turn of the event loop is handed out together, so that what shares a connection shares a write. */
  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(this.#dispatch);
  }

  readonly #dispatch = (): void => {
    this.#scheduled = false;
    let scan = 0;
    const now = performance.now();
    let busy = 0;
    let reading = 0;
    let held = false;
    for (const connection of this.#connections) {
      if (connection.inFlight === 0) continue;
      busy++;
      if (isReading(connection, now)) reading++;
    }
    while (this.#firstWaiting < this.#queue.length) {
      const entry = this.#queue[this.#firstWaiting] as Waiting;
      const exchange = entry.exchange;
      if (exchange?.abandoned) {
        this.#firstWaiting++;
        continue;
      }
      let chosen: Connection | null = busy >= spread && exchange !== null ? this.#share(exchange, now) : null;
      if (chosen === null && this.#holds && reading >= spread && exchange !== null && isShort(exchange)) {
        held = true;
        this.#lookAgain();
        break;
      }
      for (; chosen === null && scan < this.#connections.length; scan++) {
        const connection = this.#connections[scan] as Connection;
        if (connection.usable && connection.inFlight === 0) {
          chosen = connection;
          busy++;
          if (exchange !== null && isShort(exchange)) reading++;
          break;
        }
      }
      if (chosen === null && exchange !== null) chosen = this.#share(exchange, now);
      if (chosen === null) break;
      this.#firstWaiting++;
      if (exchange === null) {
        chosen.leased = true;
        chosen.sharing = false;
        entry.lease?.(chosen);
      } else {
        chosen.submit(exchange);
        this.#touched.add(chosen);
      }
    }
    if (this.#firstWaiting === this.#queue.length) {
      this.#queue.length = 0;
      this.#firstWaiting = 0;
    } else if (this.#firstWaiting > 512) {
      this.#queue.splice(0, this.#firstWaiting);
      this.#firstWaiting = 0;
    }
    for (const connection of this.#touched) connection.flush();
    this.#touched.clear();
    if (this.#waiting > 0) {
      if (!held) this.#grow();
      this.#watchPatience();
    }
  };

  /** Looks again when what runs may have turned out long: it is then no reason to wait any more. */
  #lookAgain(): void {
    this.#looking ??= setTimeout(() => {
      this.#looking = null;
      if (this.#waiting > 0) this.#schedule();
    }, shortMs);
  }

  /** A busy connection that carries nothing but quick reads, the least laden one. */
  #share(exchange: Exchange, now: number): Connection | null {
    if (!exchange.shareable || !isQuick(exchange)) return null;
    let best: Connection | null = null;
    let least = shareDepth;
    for (const connection of this.#connections) {
      if (!connection.usable || !connection.sharing || connection.inFlight >= least) continue;
      const head = connection.head;
      if (head === undefined || !isQuick(head) || connection.runningFor(now) > shortMs) continue;
      best = connection;
      least = connection.inFlight;
    }
    return best;
  }

  #grow(): void {
    if (this.#retryTimer !== null || this.#closed) return;
    const wanted = Math.min(this.#waiting - this.#opening, this.#ceiling - this.#connections.length - this.#opening);
    for (let index = 0; index < wanted; index++) void this.#open();
  }

  async #open(): Promise<void> {
    this.#opening++;
    try {
      const connection = await Connection.open(this.#options.target, this.#options.named, this);
      if (this.#closed) {
        connection.close();
        return;
      }
      if (this.#down !== null) this.#options.log.info('The database is back');
      this.#down = null;
      this.#pauseMs = 0;
      this.#connections.push(connection);
      if (this.#waiting > 0) this.#schedule();
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
    const waiting = this.#queue.slice(this.#firstWaiting);
    this.#queue = [];
    this.#firstWaiting = 0;
    for (const entry of waiting) entry.reject(error);
  }

  /** While something waits: whoever waited too long is told so. */
  #watchPatience(): void {
    if (this.#patience !== null) return;
    this.#patience = setInterval(() => {
      const limit = performance.now() - patienceMs;
      while (this.#waiting > 0 && (this.#queue[this.#firstWaiting] as Waiting).since < limit) {
        const entry = this.#queue[this.#firstWaiting++] as Waiting;
        entry.reject(overloaded(this.#waiting));
      }
      if (this.#waiting > 0 || this.#patience === null) return;
      clearInterval(this.#patience);
      this.#patience = null;
    }, 500);
    this.#patience.unref();
  }
}

function isQuick(exchange: Exchange): boolean {
  return costOf(exchange) < quickMs;
}

function isShort(exchange: Exchange): boolean {
  return exchange.shareable && costOf(exchange) < shortMs;
}

function costOf(exchange: Exchange): number {
  return exchange.steps[exchange.main]?.shape?.cost ?? Number.POSITIVE_INFINITY;
}

/** Busy with a short read that has not turned out long. */
function isReading(connection: Connection, now: number): boolean {
  const { head } = connection;
  return head !== undefined && isShort(head) && connection.runningFor(now) < shortMs;
}

function isLocal({ host }: Target): boolean {
  return isSocketDirectory(host) || host === 'localhost' || host === '::1' || host.startsWith('127.');
}
