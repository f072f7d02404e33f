// How long each stage took, as Server-Timing tells it.

export class Clock {
  #last = performance.now();
  readonly #parts: string[] = [];

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
