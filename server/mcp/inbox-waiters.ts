// Requests that wait for work of an agent: woken by notifications of Postgres, from any process, by the end of their key, and by their time. Nothing is
// asked of the database meanwhile.

import type { Logger } from 'pino';
import type { Database } from '../database/types.ts';
import type { Sessions } from '../session/types.ts';

const channel = 'kanbase_agents';
const mostOfAgent = 4;
const most = 1000;

export interface Waiter {
  /** Resolves at the next word for the agent, once the time is over, or when nothing is waited for any more. */
  next(milliseconds: number): Promise<void>;
  leave(): void;
}

export interface InboxWaiters {
  /** What is told from now on is not missed. Null: too many wait. */
  enter(agent: string, grant: string, signal: AbortSignal): Waiter | null;
  readonly isClosed: boolean;
  start(): Promise<void>;
  close(): Promise<void>;
}

interface Waiting {
  readonly agent: string;
  readonly grant: string;
  isWoken: boolean;
  wake: () => void;
}

export function openInboxWaiters(
  { database, sessions }: { readonly database: Pick<Database, 'listen'>; readonly sessions: Pick<Sessions, 'onEnd'> },
  log: Pick<Logger, 'warn'>,
): InboxWaiters {
  const waiting = new Set<Waiting>();
  let unlisten: () => Promise<void> = async () => undefined;
  let isClosed = false;

  function wakeWhere(means: (one: Waiting) => boolean): void {
    for (const one of waiting)
      if (means(one)) {
        one.isWoken = true;
        one.wake();
      }
  }
  const stopHearing = sessions.onEnd((ids) => wakeWhere(({ grant }) => ids.has(grant)));

  return {
    get isClosed() {
      return isClosed;
    },
    enter(agent, grant, signal) {
      const own = [...waiting].filter((one) => one.agent === agent).length;
      if (own >= mostOfAgent || waiting.size >= most) return null;
      const one: Waiting = { agent, grant, isWoken: false, wake: () => undefined };
      waiting.add(one);
      return {
        next: (milliseconds) =>
          new Promise((resolve) => {
            if (one.isWoken || isClosed || signal.aborted) {
              one.isWoken = false;
              resolve();
              return;
            }
            const wake = (): void => {
              clearTimeout(timer);
              signal.removeEventListener('abort', wake);
              one.isWoken = false;
              one.wake = () => undefined;
              resolve();
            };
            const timer = setTimeout(wake, milliseconds);
            signal.addEventListener('abort', wake, { once: true });
            one.wake = wake;
          }),
        leave: () => void waiting.delete(one),
      };
    },
    async start() {
      const wakeAgent = (agent: string): void => wakeWhere((one) => one.agent === agent);
      unlisten = await database
        .listen(channel, wakeAgent, () => wakeWhere(() => true))
        .catch((error: unknown) => {
          log.warn({ err: error }, 'LISTEN failed; agents that wait for work hear of it when their time is over');
          return unlisten;
        });
    },
    async close() {
      isClosed = true;
      stopHearing();
      wakeWhere(() => true);
      await unlisten();
    },
  };
}
