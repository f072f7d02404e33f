// Counts events in a window of time, for one socket or for each of many HTTP callers: cheap enough to ask for every message.

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

/** The same for everyone by name; their windows begin and end together, so nobody is remembered for longer. */
export class Rates {
  readonly #limit: number;
  readonly #windowMs: number;
  readonly #counts = new Map<string, number>();
  #until = 0;

  constructor(limit: number, windowMs = 1000) {
    this.#limit = limit;
    this.#windowMs = windowMs;
  }

  /** How many are left in this window. */
  left(name: string, now = performance.now()): number {
    if (now >= this.#until) {
      this.#until = now + this.#windowMs;
      this.#counts.clear();
    }
    return this.#limit - (this.#counts.get(name) ?? 0);
  }

  take(name: string, many: number): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + many);
  }
}
