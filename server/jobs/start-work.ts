// Work that waits in the database: done when the database says that something does, and now and then also when no word came. One round at a
// time; what is asked for meanwhile gets another.

import type { Logger } from 'pino';
import type { Database } from '../database/types.ts';

export interface Worker {
  /** Does what waits now. */
  settle(): Promise<void>;
  stop(): Promise<void>;
}

interface Work {
  /** Where the database says that something waits. */
  readonly channel: string;
  readonly everyMs: number;
  /** Answers whether there is more to do at once. */
  readonly round: (stopping: AbortSignal) => Promise<boolean>;
  /** For the log: that a round went wrong, and that the database cannot be listened to. */
  readonly failed: string;
  readonly deaf: string;
  /** Whenever something may be new, also in the middle of a round. */
  readonly onWord?: () => void;
}

export async function startWork(
  { database, log }: { readonly database: Database; readonly log: Logger },
  { channel, everyMs, round, failed, deaf, onWord }: Work,
): Promise<Worker> {
  const stopping = new AbortController();
  const { signal } = stopping;
  let asked = false;
  let running: Promise<void> | null = null;

  function settle(): Promise<void> {
    asked = true;
    running ??= (async () => {
      while (asked && !signal.aborted) {
        asked = false;
        try {
          if (await round(signal)) asked = true;
        } catch (error) {
          log.warn({ err: error }, failed);
        }
      }
      running = null;
    })();
    return running;
  }

  const hear = (): void => {
    onWord?.();
    void settle();
  };
  const unlisten = await database.listen(channel, hear, hear).catch((error: unknown) => {
    log.warn({ err: error }, `${deaf}: the database cannot be listened to`);
    return async () => undefined;
  });
  const poll = setInterval(hear, everyMs);
  poll.unref();
  hear();
  return {
    settle,
    async stop() {
      stopping.abort(new Error('the service stops'));
      clearInterval(poll);
      await unlisten();
      await running;
    },
  };
}
