// Queue of mutations, sent one after the other. While the server cannot be reached the first waits, and all others behind it; it is retried
// until there is an answer. The content of a mutation makes no difference here.

import { Refusal } from '../door.ts';

export interface Timer {
  set(work: () => void, ms: number): unknown;
  clear(handle: unknown): void;
}

export const realTimer: Timer = {
  set: (work, ms) => setTimeout(work, ms),
  clear: (handle) => clearTimeout(handle as ReturnType<typeof setTimeout>),
};

export interface Outbox {
  /**
   * Sends in turn; `settle` gets the result before the next is sent. Rejects when the outbox has ended without one. `late`: it was tried
   * before, or had to wait until the server answered again.
   */
  post<T>(send: (late: boolean) => Promise<T>, settle: (result: SendResult<T>) => void): Promise<void>;
  /** Nothing is on its way, or what is on its way cannot arrive for now. */
  idle(): Promise<void>;
  readonly busy: boolean;
  /** Why nothing arrives for now; null while all is well. */
  readonly trouble: Error | null;
  /** Tries again now. */
  retry(): void;
  /** Nothing is sent any more. */
  end(): void;
}

export type SendResult<T> = { readonly value: T } | { readonly refused: Error };

export interface OutboxListener {
  /** The server cannot be reached. Called once, until `arriving`. */
  stuck(reason: Error): void;
  arriving(): void;
}

/** Between tries, in milliseconds; the last one again and again. */
const pauses = [1000, 2000, 4000, 8000, 15_000];

const errorOf = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown)));

export function openOutbox(timer: Timer, listener: OutboxListener): Outbox {
  let queue: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  let trouble: Error | null = null;
  let troubles = 0;
  let ended = false;
  let retry = (): void => undefined;
  let onTrouble = (): void => undefined;

  /** Until the server has answered, however long that takes; only an answer can be a refusal. */
  async function deliver<T>(send: (late: boolean) => Promise<T>, calm: number): Promise<SendResult<T>> {
    for (let tried = 0; ; tried++) {
      if (ended) throw new Error('the page is gone');
      try {
        const value = await send(troubles !== calm);
        recover();
        return { value };
      } catch (thrown) {
        const reason = errorOf(thrown);
        // Nobody is here any more: it waits for the next page.
        if (ended) throw reason;
        if (!(reason instanceof Refusal && reason.passing)) {
          recover();
          return { refused: reason };
        }
        if (trouble === null) {
          troubles++;
          listener.stuck(reason);
        }
        trouble = reason;
        onTrouble();
        await pause(pauses[Math.min(tried, pauses.length - 1)] ?? 0);
        if (ended) throw reason;
      }
    }
  }

  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const handle = timer.set(resolve, ms);
      retry = () => {
        timer.clear(handle);
        resolve();
      };
    });
  }

  function recover(): void {
    if (trouble === null) return;
    trouble = null;
    listener.arriving();
  }

  return {
    post(send, settle) {
      waiting++;
      // Of troubles so far; none but the last may be there still.
      const calm = trouble === null ? troubles : -1;
      const sent = queue.then(async () => {
        try {
          settle(await deliver(send, calm));
        } finally {
          waiting--;
        }
      });
      queue = sent.catch(() => undefined);
      return sent;
    },
    async idle() {
      while (waiting > 0 && trouble === null) {
        const stuck = new Promise<void>((resolve) => {
          onTrouble = resolve;
        });
        await Promise.race([queue, stuck]);
      }
    },
    get busy() {
      return waiting > 0;
    },
    get trouble() {
      return trouble;
    },
    retry: () => retry(),
    end() {
      ended = true;
      retry();
    },
  };
}
