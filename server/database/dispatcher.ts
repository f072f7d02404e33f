// Hands waiting work to connections. Quick work goes first; it goes to an idle connection, or, when all are busy and it is
// a quick read, rides behind other quick reads on the same one. No caller gets more than a share of the connections for
// what is slow, and the last one is for reads. Which connections there are is the pool's business.
//
// States, and what leads to the next one:
//
//   resting    nothing waits. Work that comes in: scheduled.
//   scheduled  all work of this turn of the event loop is handed out together when it ends. What is left over then:
//              nothing: resting; quick reads that had better wait: holding; work that found no connection: full.
//   holding    quick reads wait although a connection is idle, since as many run as the processors can. An answer, new
//              work, or a little time (what runs may have turned out long): scheduled.
//   full       every connection that may take what waits is busy; the pool may open another. An answer, a connection
//              that is idle or new, or new work: scheduled.

import { availableParallelism } from 'node:os';
import { OverloadControl } from './overload-control.ts';
import type { Connection } from './wire/connection.ts';
import { type Exchange, tinyMs } from './wire/exchange.ts';
import { type QueuedWork, WorkQueues } from './work-queues.ts';

type State = 'resting' | 'scheduled' | 'holding' | 'full';

export interface DispatcherOptions {
  /** All there are at the moment; the pool adds and removes. */
  readonly connections: readonly Connection[];
  /** How many there may be. */
  readonly size: number;
  /** Connections that the slow work of one caller may hold at once; 0: half of them. */
  readonly callerConnections: number;
  /** Postgres shares this machine's processors: more short reads at once than these can run only hinder each other. */
  readonly isLocal: boolean;
  /** Work waits for want of a connection. */
  readonly onFull: () => void;
  /** Work waits, for whatever reason. */
  readonly onWaiting: () => void;
}

/** Reads quicker than this share a connection when all are busy. */
const quickMs = 2;
const shareDepth = 8;
/** Reads quicker than this keep a processor busy rather than wait for something. */
const shortMs = 20;
/** So many busy connections keep this process and Postgres occupied; more would only cost them changes of context. */
const spread = Math.max(3, availableParallelism() + 1);
/** Of at least so many connections the last one that is idle is for reads: a disk that stands still holds writes alone. */
const enoughToKeepOne = 4;
/** Quick work goes first, but nothing waits longer than this for that reason alone. */
const slowWaitMs = 250;

/** What one round of handing out work starts from. */
interface Round {
  readonly idle: Connection[];
  readonly busy: number;
  readonly reading: number;
  readonly held: Map<string, number>;
  readonly now: number;
}

export class Dispatcher {
  readonly #options: DispatcherOptions;
  readonly #line = new WorkQueues();
  readonly #quickCrowd: OverloadControl;
  readonly #slowCrowd: OverloadControl;
  /** How many connections the slow work of one caller may hold, and that of all callers together. */
  readonly #share: number;
  readonly #slowLimit: number;
  readonly #touched = new Set<Connection>();
  #state: State = 'resting';
  #looking: NodeJS.Timeout | null = null;

  constructor(options: DispatcherOptions) {
    this.#options = options;
    const { size, callerConnections } = options;
    this.#share = callerConnections > 0 ? callerConnections : Math.min(size, Math.max(2, Math.floor(size / 2)));
    // The rest is kept for quick work, and for callers who hold none yet.
    this.#slowLimit = size - Math.floor(size / 4);
    this.#quickCrowd = new OverloadControl(size * 2);
    this.#slowCrowd = new OverloadControl(size * 2);
  }

  /** How much waits, and how much of it is slow work of this caller. */
  get waiting(): number {
    return this.#line.length;
  }

  slowOf(owner: string): number {
    return this.#line.slowOf(owner);
  }

  /** Whether so many wait before it that it had better come again. Quick reads do not wait for what is slow, nor one caller for all that another asks. */
  isCrowded(exchange: Exchange): boolean {
    const now = performance.now();
    const isWrite = !exchange.shareable;
    if (isBrief(exchange) && this.#line.quickLength >= this.#quickCrowd.room(now, isWrite)) return true;
    return !isShort(exchange) && this.#line.turnOf(exchange.owner) >= this.#slowCrowd.room(now, isWrite);
  }

  push(entry: QueuedWork): void {
    this.#line.push(entry);
    this.wake();
  }

  remove(entry: QueuedWork): boolean {
    return this.#line.remove(entry);
  }

  takeAll(): QueuedWork[] {
    return this.#line.takeAll();
  }

  takeOlderThan(limit: number): QueuedWork[] {
    return this.#line.takeOlderThan(limit);
  }

  /** Something changed: work came in, was answered, or a connection is there for it. */
  wake(): void {
    if (this.#state === 'scheduled' || this.#line.length === 0) return;
    this.#state = 'scheduled';
    setImmediate(this.#handOut);
  }

  forget(connection: Connection): void {
    this.#touched.delete(connection);
  }

  stop(): void {
    if (this.#looking !== null) clearTimeout(this.#looking);
    this.#looking = null;
  }

  /** Work of one turn of the event loop is handed out together, so that what shares a connection shares a write. */
  readonly #handOut = (): void => {
    const now = performance.now();
    const idle: Connection[] = [];
    let busy = 0;
    let reading = 0;
    for (const connection of this.#options.connections) {
      if (connection.inFlight > 0) {
        busy++;
        if (isReading(connection, now)) reading++;
      } else if (connection.usable) idle.push(connection);
    }
    idle.reverse();
    const held = this.#heldByOwner(now);
    // Whoever is woken while this runs is served in a round of its own.
    this.#state = 'resting';
    const isLate = this.#line.slowSince < now - slowWaitMs;
    if (isLate) busy += this.#handOutSlow(idle, held, now, 1);
    const holds = this.#handOutQuick({ idle, busy, reading, held, now });
    if (!holds || isLate) this.#handOutSlow(idle, held, now);
    for (const connection of this.#touched) connection.flush();
    this.#touched.clear();
    if (this.#line.length === 0) return;
    if (this.#state === 'resting') this.#state = holds ? 'holding' : 'full';
    if (holds) this.#lookAgain();
    else this.#options.onFull();
    this.#options.onWaiting();
  };

  /** How many connections each caller keeps busy with what is no short read, and leases. */
  #heldByOwner(now: number): Map<string, number> {
    const held = new Map<string, number>();
    for (const connection of this.#options.connections) {
      const owner = connection.leased ? connection.owner : (connection.head?.owner ?? '');
      if (owner !== '' && (connection.leased || !isReading(connection, now)))
        held.set(owner, (held.get(owner) ?? 0) + 1);
    }
    return held;
  }

  /** True: what is quick waits although a connection is idle, since more at once would only hinder each other. */
  #handOutQuick({ idle, held, now, ...counts }: Round): boolean {
    let { busy, reading } = counts;
    for (let entry = this.#line.quickHead; entry !== undefined; entry = this.#line.quickHead) {
      const exchange = entry.exchange as Exchange;
      const short = isShort(exchange);
      const ofCaller = entry.owner === '' ? 0 : (held.get(entry.owner) ?? 0);
      if (!short && (ofCaller >= this.#slowLimit || !this.#mayTakeIdle(exchange, idle))) {
        // Writes may wait for a lock or the disk, all of them: a caller's leave some connections to others, and all leave one to reads.
        this.#line.shiftQuick();
        this.#quickCrowd.handedOut(entry.since, now);
        this.#line.push({ ...entry, quick: false });
        continue;
      }
      let chosen = exchange.cost < tinyMs ? this.#shared(exchange, now, tinyMs) : undefined;
      if (chosen === undefined && busy >= spread) chosen = this.#shared(exchange, now);
      if (chosen === undefined && this.#options.isLocal && reading >= spread && short) return true;
      if (chosen === undefined) {
        chosen = idle.pop();
        if (chosen !== undefined) {
          busy++;
          if (short) reading++;
          else held.set(entry.owner, (held.get(entry.owner) ?? 0) + 1);
        }
      }
      chosen ??= this.#shared(exchange, now);
      if (chosen === undefined) return false;
      this.#line.shiftQuick();
      this.#quickCrowd.handedOut(entry.since, now);
      chosen.submit(exchange);
      this.#touched.add(chosen);
    }
    return false;
  }

  /** What may be slow: callers by turns, each with no more than its share of the connections. How many were handed out. */
  #handOutSlow(idle: Connection[], held: Map<string, number>, now: number, most = Number.POSITIVE_INFINITY): number {
    let handedOut = 0;
    let slow = 0;
    for (const count of held.values()) slow += count;
    const mayServe = ({ owner, exchange }: QueuedWork): boolean => {
      if (!this.#mayTakeIdle(exchange, idle)) return false;
      if (owner === '') return true;
      const own = held.get(owner) ?? 0;
      const most = exchange !== null && isBrief(exchange) ? this.#slowLimit : this.#share;
      return own === 0 || (slow < this.#slowLimit && own < most);
    };
    for (; idle.length > 0 && handedOut < most; handedOut++) {
      const entry = this.#line.takeSlow(mayServe);
      if (entry === undefined) break;
      this.#slowCrowd.handedOut(entry.since, now);
      if (entry.owner !== '') {
        slow++;
        held.set(entry.owner, (held.get(entry.owner) ?? 0) + 1);
      }
      const chosen = idle.pop() as Connection;
      if (entry.exchange === null) {
        chosen.leased = true;
        chosen.owner = entry.owner;
        chosen.sharing = false;
        entry.lease?.(chosen);
      } else {
        chosen.submit(entry.exchange);
        this.#touched.add(chosen);
      }
    }
    return handedOut;
  }

  /** Whether work may take the next idle connection, where there is one. */
  #mayTakeIdle(exchange: Exchange | null, idle: readonly Connection[]): boolean {
    return exchange?.shareable === true || idle.length !== 1 || this.#options.connections.length < enoughToKeepOne;
  }

  /** What runs may turn out long: it is then no reason to wait any more. */
  #lookAgain(): void {
    this.#looking ??= setTimeout(() => {
      this.#looking = null;
      this.wake();
    }, shortMs);
  }

  /** A busy connection that carries nothing but quick reads and is at one below `limitMs`, the least laden one. */
  #shared(exchange: Exchange, now: number, limitMs = quickMs): Connection | undefined {
    if (!exchange.shareable || exchange.cost >= quickMs) return undefined;
    let best: Connection | undefined;
    let least = shareDepth;
    for (const connection of this.#options.connections) {
      if (!connection.usable || !connection.sharing || connection.inFlight >= least) continue;
      const head = connection.head;
      if (head === undefined || head.cost >= limitMs || connection.runningFor(now) > shortMs) continue;
      best = connection;
      least = connection.inFlight;
    }
    return best;
  }
}

/** Known to be done soon, a read or a write. */
export function isBrief(exchange: Pick<Exchange, 'cost'>): boolean {
  return exchange.cost < shortMs;
}

/** A read that is known to be done soon. */
function isShort(exchange: Exchange): boolean {
  return exchange.shareable && isBrief(exchange);
}

/** Busy with a short read that has not turned out long. */
function isReading(connection: Connection, now: number): boolean {
  const { head } = connection;
  return head !== undefined && isShort(head) && connection.runningFor(now) < shortMs;
}
