// The stream of a session (GET /mcp, revision 2025-11-25): server-sent events that tell which resources have changed. It follows changes under the token
// it was opened with, while there are subscriptions, and ends with that token.

import type { Board } from '../board.ts';
import { type Binding, type Following, followChanges } from '../follow-changes.ts';
import type { ClientSession, SessionStream } from './held-sessions.ts';

interface StreamNeeds extends Omit<Following, 'bindings' | 'onChanged' | 'onReady' | 'onEnd'> {
  readonly session: ClientSession;
  /** Opened for each look: one keeps what it has seen. */
  readonly board: () => Board;
  readonly bindingsOf: (board: Board, uris: readonly string[]) => Promise<readonly Binding[]>;
  /** The client is gone. */
  readonly signal: AbortSignal;
  /** In milliseconds since 1970: the end of the token; null: it has none. */
  readonly until: number | null;
  readonly onClose: (stream: SessionStream) => void;
}

const keepAliveMs = 15_000;
const readyMs = 5000;
/** The longest that a timer takes. */
const longestMs = 2 ** 31 - 1;
const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

export function openSessionStream(needs: StreamNeeds): { readonly stream: SessionStream; readonly response: Response } {
  const { session, board, bindingsOf, signal, until, onClose, ...following } = needs;
  const known = new Map<string, readonly Binding[]>();
  /** Told when the reader takes more: each once, however often it changed. */
  const changed = new Set<string>();
  let writer: ReadableStreamDefaultController<Uint8Array> | null = null;
  let stopFollowing: () => void = () => undefined;
  let followed = '';
  let work: Promise<void> = Promise.resolve();

  const flush = (): void => {
    for (const uri of changed) {
      if (writer === null || (writer.desiredSize ?? 0) <= 0) return;
      changed.delete(uri);
      const message = { jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri } };
      if (session.uris.has(uri)) writer.enqueue(encode(`event: message\ndata: ${JSON.stringify(message)}\n\n`));
    }
  };
  const tell = (uri: string): void => {
    changed.add(uri);
    flush();
  };
  const keepAlive = setInterval(() => {
    if (changed.size === 0 && (writer?.desiredSize ?? 0) > 0) writer?.enqueue(encode(': keepalive\n\n'));
  }, keepAliveMs);
  const end = until === null ? null : setTimeout(() => close(), Math.min(Math.max(until - Date.now(), 0), longestMs));

  function close(): void {
    if (writer === null) return;
    clearInterval(keepAlive);
    if (end !== null) clearTimeout(end);
    signal.removeEventListener('abort', close);
    stopFollowing();
    const open = writer;
    writer = null;
    onClose(stream);
    try {
      open.close();
    } catch {
      // Its reader has gone.
    }
  }

  /** The new ones are followed before the former ones no longer are. */
  async function followNow(mayHaveChanged: boolean): Promise<void> {
    const uris = [...session.uris].sort();
    const wanted = uris.join('\n');
    if (writer === null || wanted === followed) return;
    const fresh = uris.filter((uri) => !known.has(uri));
    for (const uri of fresh) known.set(uri, []);
    for (const binding of await bindingsOf(board(), fresh))
      known.set(binding.uri, [...(known.get(binding.uri) ?? []), binding]);
    for (const uri of known.keys()) if (!session.uris.has(uri)) known.delete(uri);
    const bindings = uris.flatMap((uri) => known.get(uri) ?? []);
    const stopBefore = stopFollowing;
    const stopNext = bindings.length === 0 ? () => undefined : await ready(bindings);
    stopBefore();
    if (writer === null) return stopNext();
    stopFollowing = stopNext;
    followed = wanted;
    if (mayHaveChanged) for (const uri of fresh) tell(uri);
  }

  function ready(bindings: readonly Binding[]): Promise<() => void> {
    return new Promise((resolve) => {
      const late = setTimeout(() => resolve(stop), readyMs);
      const done = (): void => {
        clearTimeout(late);
        resolve(stop);
      };
      const stop = followChanges({
        ...following,
        bindings,
        onChanged: tell,
        onReady: done,
        onEnd: () => {
          done();
          close();
        },
      });
    });
  }

  function follow(mayHaveChanged: boolean): Promise<void> {
    const next = work.then(() => followNow(mayHaveChanged));
    work = next.catch(() => close());
    return next;
  }

  const stream: SessionStream = { follow, close };
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      writer = controller;
      // The head is sent with the first bytes.
      controller.enqueue(encode(': open\n\n'));
    },
    pull: flush,
    cancel: close,
  });
  signal.addEventListener('abort', close, { once: true });
  void follow(true).catch(() => undefined);
  const headers = { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' };
  return { stream, response: new Response(body, { status: 200, headers }) };
}
