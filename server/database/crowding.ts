// Overload control: tells a burst from more than the database can do. A line that is long for a moment is worked off. In a line in which
// nearly everybody waits long, half second after half second, every answer would only be late: then new requests are admitted as far as
// they will be served soon, and the rest are told to retry; requests already begun go on.

const windowMs = 500;
/** Who was handed out within this did not wait long. */
const longMs = 200;
/** So many of those that were handed out, and nearly everybody waits. */
const fewOf = 10;
/** Let in are as many as are served by when those who were turned away come again. */
const soonMs = 1000;

export class Crowding {
  readonly #fewest: number;
  #from: number;
  #served = 0;
  #soon = 0;
  /** How many may wait at present. */
  #room = Number.POSITIVE_INFINITY;

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
  room(now: number): number {
    this.#look(now);
    return this.#room;
  }

  #look(now: number): void {
    const lasted = now - this.#from;
    if (lasted < windowMs) return;
    // Where nothing was asked for, or nothing was answered, there is no crowd: a database that stands still is waited for.
    const isCrowded = this.#served > 0 && this.#soon * fewOf < this.#served && lasted < 2 * windowMs;
    this.#room = isCrowded ? Math.max(this.#fewest, (this.#served / lasted) * soonMs) : Number.POSITIVE_INFINITY;
    this.#from = now;
    this.#served = 0;
    this.#soon = 0;
  }
}
