// How many in a window of time, for one socket: cheap enough to ask for every message.

export class Rate {
  readonly #limit: number;
  readonly #windowMs: number;
  #count = 0;
  #until = 0;

  constructor(limit: number, windowMs = 1000) {
    this.#limit = limit;
    this.#windowMs = windowMs;
  }

  /** False when the window has no more to give. */
  take(now = performance.now()): boolean {
    if (now >= this.#until) {
      this.#until = now + this.#windowMs;
      this.#count = 0;
    }
    this.#count++;
    return this.#count <= this.#limit;
  }
}
