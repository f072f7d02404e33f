// Bytes that are on their way to sockets which have not taken them yet. Sockets that hear the same share the same bytes,
// which count once. When there are too many, the socket that holds most is closed.

export interface Holder {
  /** Bytes that wait for this one. */
  readonly waiting: number;
  putOut(): void;
}

/** Less than this waits for everybody now and then. */
const someBytes = 1024 * 1024;

export class Outgoing {
  readonly #most: number;
  readonly #holders = new Map<Buffer, number>();
  readonly #slow = new Set<Holder>();
  #bytes = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** Called with what was just written; the answer is to be called when the system has taken it. */
  hold(bytes: Buffer, holder: Holder): () => void {
    const before = this.#holders.get(bytes) ?? 0;
    this.#holders.set(bytes, before + 1);
    if (before === 0) this.#bytes += bytes.length;
    if (holder.waiting > someBytes) this.#slow.add(holder);
    if (this.#bytes > this.#most) this.#relieve();
    return () => {
      const left = (this.#holders.get(bytes) ?? 1) - 1;
      if (left > 0) this.#holders.set(bytes, left);
      else if (this.#holders.delete(bytes)) this.#bytes -= bytes.length;
      if (holder.waiting <= someBytes) this.#slow.delete(holder);
    };
  }

  #relieve(): void {
    let most: Holder | null = null;
    for (const one of this.#slow) if (most === null || one.waiting > most.waiting) most = one;
    if (most === null) return;
    this.#slow.delete(most);
    most.putOut();
  }
}
