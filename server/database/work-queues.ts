// Queues of work that waits for a connection: one for statements known to be quick, and one for each caller, served in turn. The pool decides which
// is next.

import type { Connection } from './wire/connection.ts';
import type { Exchange } from './wire/exchange.ts';

export interface QueuedWork {
  /** Null: a connection of one's own is asked for. */
  readonly exchange: Exchange | null;
  readonly lease: ((connection: Connection) => void) | null;
  readonly reject: (error: unknown) => void;
  /** Whose share it counts against; empty: nobody's. */
  readonly owner: string;
  readonly quick: boolean;
  readonly since: number;
}

/** A queue whose head moves: taking from the front copies nothing. */
class Line {
  #entries: QueuedWork[] = [];
  #first = 0;

  get length(): number {
    return this.#entries.length - this.#first;
  }

  get head(): QueuedWork | undefined {
    return this.#entries[this.#first];
  }

  push(entry: QueuedWork): void {
    this.#entries.push(entry);
  }

  shift(): void {
    this.#first++;
    if (this.#first === this.#entries.length) {
      this.#entries.length = 0;
      this.#first = 0;
    } else if (this.#first > 512) {
      this.#entries.splice(0, this.#first);
      this.#first = 0;
    }
  }

  remove(entry: QueuedWork): boolean {
    const at = this.#entries.indexOf(entry, this.#first);
    if (at >= 0) this.#entries.splice(at, 1);
    return at >= 0;
  }

  takeAll(): QueuedWork[] {
    const all = this.#entries.slice(this.#first);
    this.#entries = [];
    this.#first = 0;
    return all;
  }
}

export class WorkQueues {
  readonly #quick = new Line();
  /** By caller, in the order in which their turns come. */
  readonly #slow = new Map<string, Line>();
  #slowCount = 0;
  #callersTurn = false;

  get length(): number {
    return this.#quick.length + this.#slowCount;
  }

  get quickLength(): number {
    return this.#quick.length;
  }

  push(entry: QueuedWork): void {
    if (entry.quick) {
      this.#quick.push(entry);
      return;
    }
    let line = this.#slow.get(entry.owner);
    if (line === undefined) {
      line = new Line();
      this.#slow.set(entry.owner, line);
    }
    line.push(entry);
    this.#slowCount++;
  }

  /** How much of it is this caller's, quick work aside. */
  slowOf(owner: string): number {
    return this.#slow.get(owner)?.length ?? 0;
  }

  /** After how many others a caller's next slow entry has its turn, about: one of each caller, and those of its own. */
  turnOf(owner: string): number {
    return this.#slow.size + this.slowOf(owner);
  }

  /** The next quick entry somebody still waits for. */
  get quickHead(): QueuedWork | undefined {
    while (this.#quick.head?.exchange?.abandoned === true) this.#quick.shift();
    return this.#quick.head;
  }

  shiftQuick(): void {
    this.#quick.shift();
  }

  /** Since when the slow entry waits that has waited longest. */
  get slowSince(): number {
    let since = Number.POSITIVE_INFINITY;
    for (const line of this.#slow.values()) since = Math.min(since, line.head?.since ?? since);
    return since;
  }

  /**
   * The next slow entry that may be served; a caller's next turn comes after all other callers'. What is nobody's has every second turn: it is
   * of many, sign-ups, uploads and the server's own work.
   */
  takeSlow(mayServe: (entry: QueuedWork) => boolean): QueuedWork | undefined {
    const ofNobody = (): QueuedWork | undefined => this.#takeOf('', mayServe);
    const taken = this.#callersTurn
      ? (this.#takeOfCallers(mayServe) ?? ofNobody())
      : (ofNobody() ?? this.#takeOfCallers(mayServe));
    if (taken !== undefined) this.#callersTurn = taken.owner === '';
    return taken;
  }

  #takeOfCallers(mayServe: (entry: QueuedWork) => boolean): QueuedWork | undefined {
    for (const owner of this.#slow.keys()) {
      const taken = owner === '' ? undefined : this.#takeOf(owner, mayServe);
      if (taken !== undefined) return taken;
    }
    return undefined;
  }

  #takeOf(owner: string, mayServe: (entry: QueuedWork) => boolean): QueuedWork | undefined {
    const line = this.#slow.get(owner);
    if (line === undefined) return undefined;
    while (line.head?.exchange?.abandoned === true) this.#shiftSlow(line);
    const { head } = line;
    if (head !== undefined && !mayServe(head)) return undefined;
    this.#slow.delete(owner);
    if (head === undefined) return undefined;
    this.#shiftSlow(line);
    if (line.length > 0) this.#slow.set(owner, line);
    return head;
  }

  #shiftSlow(line: Line): void {
    line.shift();
    this.#slowCount--;
  }

  remove(entry: QueuedWork): boolean {
    if (entry.quick) return this.#quick.remove(entry);
    const removed = this.#slow.get(entry.owner)?.remove(entry) ?? false;
    if (removed) this.#slowCount--;
    return removed;
  }

  /** Everything that waits since before then leaves, oldest first in its line. */
  takeOlderThan(limit: number): QueuedWork[] {
    const old: QueuedWork[] = [];
    while ((this.#quick.head?.since ?? limit) < limit) {
      old.push(this.#quick.head as QueuedWork);
      this.#quick.shift();
    }
    for (const line of this.#slow.values())
      while ((line.head?.since ?? limit) < limit) {
        old.push(line.head as QueuedWork);
        this.#shiftSlow(line);
      }
    return old;
  }

  takeAll(): QueuedWork[] {
    const slow = [...this.#slow.values()].flatMap((line) => line.takeAll());
    this.#slow.clear();
    this.#slowCount = 0;
    return [...this.#quick.takeAll(), ...slow];
  }
}
