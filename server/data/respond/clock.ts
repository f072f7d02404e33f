// Clock of a request: time spent in each stage, for Server-Timing.

export class Clock {
  #last = performance.now();
  readonly #parts: string[] = [];

  /** The request is tried once more: its later stages count as they go the second time. */
  restart(): void {
    this.#parts.length = Math.min(this.#parts.length, 1);
    this.#last = performance.now();
  }

  mark(stage: string): void {
    const now = performance.now();
    this.#parts.push(`${stage};dur=${(now - this.#last).toFixed(1)}`);
    this.#last = now;
  }

  read(lastStage: string): string {
    this.mark(lastStage);
    return this.#parts.join(', ');
  }
}
