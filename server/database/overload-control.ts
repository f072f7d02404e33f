// Overload control: distinguishes a burst from sustained overload. A queue that is long for a moment is worked off. When nearly all requests wait too
// long for several half-seconds in a row, new requests are admitted only as far as they will be served soon, and the rest get Retry-After; requests
// already begun continue.

const windowMs = 500;
/** Who was handed out within this did not wait long. */
const longMs = 200;
/** So many of those that were handed out, and nearly everybody waits. */
const fewOf = 10;
/** Let in are as many as are served by when those who were turned away come again. */
const soonMs = 1000;
/** Writes are not sent again by their clients: as many may wait as are served well before a wait is given up, and a board's worth in any case. */
const writesSoonMs = 5000;
const fewestWrites = 256;

export class OverloadControl {
  readonly #fewest: number;
  #from: number;
  #served = 0;
  #soon = 0;
  /** How many are served in a millisecond, while there is a crowd; null: there is none. */
  #crowdedRate: number | null = null;

  /** However slowly they are served, `fewest` may wait. */
  constructor(fewest: number, now = performance.now()) {
    this.#fewest = fewest;
    this.#from = now;
  }

  /** Something that waited since then goes to a connection now. */
  handedOut(since: number, now: number): void {
    this.#look(now);
    this.#served++;
    if (now - since < longMs) this.#soon++;
  }

  /** How many may wait before those who begin something are turned away. */
  room(now: number, isWrite = false): number {
    this.#look(now);
    if (this.#crowdedRate === null) return Number.POSITIVE_INFINITY;
    return isWrite
      ? Math.max(this.#fewest, fewestWrites, this.#crowdedRate * writesSoonMs)
      : Math.max(this.#fewest, this.#crowdedRate * soonMs);
  }

  #look(now: number): void {
    const lasted = now - this.#from;
    if (lasted < windowMs) return;
    // Where nothing was asked for, or nothing was answered, there is no crowd: a database that stands still is waited for.
    const isCrowded = this.#served > 0 && this.#soon * fewOf < this.#served && lasted < 2 * windowMs;
    this.#crowdedRate = isCrowded ? this.#served / lasted : null;
    this.#from = now;
    this.#served = 0;
    this.#soon = 0;
  }
}
