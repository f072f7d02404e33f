// Statements that one connection has prepared by name: which there are, how much text that is, and which go to make room. Says nothing to Postgres.

import type { Prepared, Shape } from './exchange.ts';

/** Named statements a connection keeps at most; the one unused for longest goes first. */
const mostEntries = 256;
/** A statement longer than this part of what may be kept is prepared anew each time. */
const longestPart = 8;
/** A connection that prepared so many times what it may keep is replaced: Postgres gives memory back only then. */
const turnovers = 16;

export class NamedStatements {
  /** Whether there are any, and how much text of them. */
  readonly #named: boolean;
  readonly #mostBytes: number;
  /** In the order in which they were used last. */
  readonly #known = new Map<Shape, Prepared>();
  /** Length of the texts that are prepared now, and of all that ever were. */
  #size = 0;
  #ever = 0;

  constructor(named: boolean, mostBytes: number) {
    this.#named = named;
    this.#mostBytes = mostBytes;
  }

  /** Whether it is to be prepared by name. */
  takes({ text: { length } }: Shape): boolean {
    return this.#named && length <= this.#mostBytes / longestPart;
  }

  get isWornOut(): boolean {
    return this.#ever > this.#mostBytes * turnovers;
  }

  get(shape: Shape): Prepared | undefined {
    return this.#known.get(shape);
  }

  has(shape: Shape): boolean {
    return this.#known.has(shape);
  }

  /** Used last goes last. */
  touch(shape: Shape, prepared: Prepared): void {
    if (!this.#fills(2)) return;
    this.#known.delete(shape);
    this.#known.set(shape, prepared);
  }

  /** Answers those that make room for it. */
  add(shape: Shape, prepared: Prepared): [Shape, Prepared][] {
    this.#size += shape.text.length;
    this.#ever += shape.text.length;
    const leaving: [Shape, Prepared][] = [];
    for (const oldest of this.#known) {
      if (!this.#fills(1)) break;
      leaving.push(oldest);
      this.drop(oldest[0]);
    }
    this.#known.set(shape, prepared);
    return leaving;
  }

  drop(shape: Shape): void {
    if (this.#known.delete(shape)) this.#size -= shape.text.length;
  }

  /** All of them, which are known no more. */
  takeAll(): Prepared[] {
    const all = [...this.#known.values()];
    this.#known.clear();
    this.#size = 0;
    return all;
  }

  /** Whether more than that part of what may be kept is in use. */
  #fills(part: number): boolean {
    return this.#known.size >= mostEntries / part || this.#size >= this.#mostBytes / part;
  }
}
