// Sends queued entries in their order, one after the other. While the server can't be reached the first is tried again until there is an
// answer, and all others wait; others may write in the meantime, so all that is open checks for conflicts then.

import { Refusal } from '../door.ts';
import type { RowChange } from '../rows/store.ts';
import { type Entry, isOpen } from './entries.ts';

/** Does the work after so many milliseconds. */
export type Timer = (work: () => void, ms: number) => void;

export type Answer = { readonly rows: readonly RowChange[] } | { readonly refusal: Error };

export interface SendingPorts {
  readonly entries: readonly Entry[];
  readonly send: (entry: Entry) => Promise<readonly RowChange[]>;
  /** Called before the next is sent. */
  readonly settle: (entry: Entry, answer: Answer) => void;
  readonly tell: (event: { readonly kind: 'offline' | 'online' }) => void;
  readonly timer: Timer;
}

export interface Sending {
  /** Begins with the first that is queued. */
  start(): void;
  readonly isOffline: boolean;
  /** Tries again now. */
  retry(): void;
  /** Nothing is sent any more. */
  end(): void;
}

/** Between tries, in milliseconds; the last one again and again. */
const pauses = [1000, 2000, 4000, 8000, 15_000];

export function openSending({ entries, send, settle, tell, timer }: SendingPorts): Sending {
  let isSending = false;
  let isOffline = false;
  let hasEnded = false;
  let retry = (): void => undefined;

  async function sendNext(): Promise<void> {
    const entry = isSending || hasEnded ? undefined : entries.find(({ state }) => state === 'queued');
    if (entry === undefined) return;
    isSending = true;
    entry.state = 'sent';
    try {
      const answer = await answerTo(entry);
      if (answer === null) return;
      setOffline(false);
      settle(entry, answer);
    } finally {
      isSending = false;
      void sendNext();
    }
  }

  /** Until there is one, however long that takes. Null: nobody is here any more, it waits for the next page. */
  async function answerTo(entry: Entry): Promise<Answer | null> {
    for (let tried = 0; !hasEnded; tried++) {
      try {
        return { rows: await send(entry) };
      } catch (thrown) {
        const refusal = thrown instanceof Error ? thrown : new Error(String(thrown));
        if (!(refusal instanceof Refusal && refusal.isTemporary)) return hasEnded ? null : { refusal };
        for (const one of entries) if (isOpen(one)) one.checksConflicts = true;
        setOffline(true);
        await pause(pauses[Math.min(tried, pauses.length - 1)] ?? 0);
      }
    }
    return null;
  }

  function setOffline(isNow: boolean): void {
    if (isOffline === isNow) return;
    isOffline = isNow;
    tell({ kind: isNow ? 'offline' : 'online' });
  }

  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      retry = resolve;
      timer(resolve, ms);
    });
  }

  return {
    start: () => void sendNext(),
    get isOffline() {
      return isOffline;
    },
    retry: () => retry(),
    end() {
      hasEnded = true;
      retry();
    },
  };
}
