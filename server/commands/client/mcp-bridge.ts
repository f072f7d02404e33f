// Messages between an agent and an instance, as lines: which requests are under way, that they are bounded, cancelled and answered, and their end.

import { setTimeout as pause } from 'node:timers/promises';
import type { Instance } from './instance.ts';
import { openConnection } from './mcp-connection.ts';
import { isRequest, type Message, readMessage, wordsOf } from './mcp-messages.ts';

interface Bridge {
  /** Null: a line that is too long. Resolves when the next one may be taken. */
  take(line: string | null): Promise<void>;
  /** What is under way is answered for so long; subscriptions end at once. */
  close(withinMs: number): Promise<void>;
}

const mostUnderWay = 100;
const lasts = 'subscriptions/listen';

interface UnderWay {
  readonly method: string | undefined;
  readonly cancel: AbortController;
}

export function openBridge(
  instance: Instance,
  own: Readonly<Record<string, string>>,
  write: (text: string) => Promise<void>,
  note: (words: string) => void,
): Bridge {
  const underWay = new Map<unknown, UnderWay>();
  const work = new Set<Promise<void>>();
  const closing = new AbortController();
  const say = (message: unknown): Promise<void> => write(JSON.stringify(message));
  const fail = (id: unknown, code: number, message: string): Promise<void> =>
    say({ jsonrpc: '2.0', id, error: { code, message } });
  const connection = openConnection({ instance, own, say, note, closing: closing.signal });

  async function pass(line: string, message: Message): Promise<void> {
    const { id, method } = message;
    const cancel = new AbortController();
    if (isRequest(message)) underWay.set(id, { method, cancel });
    try {
      await connection.send(line, message, cancel.signal);
    } catch (error) {
      if (cancel.signal.aborted) return;
      if (isRequest(message)) await fail(id, -32_000, wordsOf(error));
      else note(wordsOf(error));
    } finally {
      if (underWay.get(id)?.cancel === cancel) underWay.delete(id);
    }
  }

  return {
    async take(line) {
      if (line === null) return fail(null, -32_700, 'The message is too long');
      const message = readMessage(line);
      if (message === null) return fail(null, -32_700, 'A message is one JSON object on one line');
      if (message.method === 'notifications/cancelled') {
        underWay.get(message.params?.requestId)?.cancel.abort();
        return;
      }
      if (!isRequest(message) && work.size >= 2 * mostUnderWay)
        return note('a notification is left out: too much is under way');
      if (isRequest(message) && underWay.size >= mostUnderWay)
        return fail(message.id, -32_000, `${mostUnderWay} requests are under way: wait for their answers`);
      const one = pass(line, message).finally(() => work.delete(one));
      work.add(one);
      // The answer settles in which revision, and in which session, what follows is.
      if (message.method === 'initialize') await one;
    },
    async close(withinMs) {
      closing.abort();
      for (const { method, cancel } of underWay.values()) if (method === lasts) cancel.abort();
      const late = new AbortController();
      const waited = pause(withinMs, undefined, { signal: late.signal }).catch(() => undefined);
      await Promise.race([Promise.all(work), waited]);
      late.abort();
      for (const { cancel } of underWay.values()) cancel.abort();
      await connection.end();
    },
  };
}
