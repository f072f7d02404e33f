// The instance as `kanbase mcp` reaches it: one message out, what comes back told. A session of revision 2025-11-25 has a stream of changes beside it, and is
// begun anew, with its subscriptions, where the instance has forgotten it.

import { setTimeout as pause } from 'node:timers/promises';
import type { Instance } from './instance.ts';
import { headersOf, isRequest, type Message, readText, wordsOf } from './mcp-messages.ts';
import { readEvents } from './read-events.ts';

/** Of one message from the instance. */
const mostCharacters = 16 * 1024 * 1024;
const farewellMs = 1000;
const firstRetryMs = 500;
const longestRetryMs = 30_000;

interface ConnectionNeeds {
  readonly instance: Instance;
  /** Headers of each message. */
  readonly own: Readonly<Record<string, string>>;
  readonly say: (message: unknown) => Promise<void>;
  readonly note: (words: string) => void;
  /** Aborted as the bridge closes. */
  readonly closing: AbortSignal;
}

interface Connection {
  /** Throws where a request got no answer. */
  send(line: string, message: Message, signal: AbortSignal): Promise<void>;
  end(): Promise<void>;
}

export function openConnection({ instance, own, say, note, closing }: ConnectionNeeds): Connection {
  const uris = new Set<string>();
  let introduction: { readonly line: string; readonly message: Message } | null = null;
  /** Of the revision that begins with `initialize`. */
  let agreed: string | null = null;
  let session: string | null = null;
  let renewing: Promise<void> | null = null;
  let isFollowing = false;

  const post = (line: string, message: Message, signal: AbortSignal): Promise<Response> =>
    instance.stream('/mcp', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...own,
        ...headersOf(message, agreed),
        ...(session === null || message.method === 'initialize' ? {} : { 'mcp-session-id': session }),
      },
      body: line,
      signal,
    });

  const hear = (message: Message): Promise<void> => {
    if (typeof message.result?.protocolVersion === 'string') agreed = message.result.protocolVersion;
    return say(message);
  };

  /** The agent need not know of it. */
  async function renew(): Promise<void> {
    if (introduction === null) return;
    session = null;
    const begun = await post(introduction.line, introduction.message, closing);
    await begun.body?.cancel();
    session = begun.headers.get('mcp-session-id');
    for (const uri of session === null ? [] : uris) {
      const message = { jsonrpc: '2.0', id: 'again', method: 'resources/subscribe', params: { uri } };
      await (await post(JSON.stringify(message), message, closing)).body?.cancel();
    }
  }
  function renewOnce(): Promise<void> {
    renewing ??= renew().finally(() => {
      renewing = null;
    });
    return renewing;
  }

  async function follow(): Promise<void> {
    let retryMs = firstRetryMs;
    while (!closing.aborted && session !== null) {
      try {
        const revision: Record<string, string> = agreed === null ? {} : { 'mcp-protocol-version': agreed };
        const headers = { ...own, accept: 'text/event-stream', 'mcp-session-id': session, ...revision };
        const response = await instance.stream('/mcp', { method: 'GET', headers, signal: closing });
        if (response.ok && response.body !== null) {
          retryMs = firstRetryMs;
          for await (const text of readEvents(response.body, mostCharacters)) await say(JSON.parse(text));
        } else {
          await response.body?.cancel();
          if (response.status === 404) await renewOnce();
          else if (response.status < 500 && response.status !== 429) return;
        }
      } catch (error) {
        if (!closing.aborted) note(`changes can't be followed just now: ${wordsOf(error)}`);
      }
      await pause(retryMs, undefined, { signal: closing }).catch(() => undefined);
      retryMs = Math.min(retryMs * 2, longestRetryMs);
    }
  }

  return {
    async send(line, message, signal) {
      const { method, params } = message;
      const id = isRequest(message) ? message.id : undefined;
      const before = session;
      let response = await post(line, message, signal);
      if (response.status === 404 && before !== null && method !== 'initialize') {
        await response.body?.cancel();
        if (session === before) await renewOnce();
        response = await post(line, message, signal);
      }
      if (method === 'initialize' && response.ok) {
        session = response.headers.get('mcp-session-id');
        introduction = { line, message };
      }
      if (id !== undefined && !(await passOn(response, id, hear)))
        throw new Error(
          response.ok
            ? `${instance.address} ended the connection before it answered`
            : `${instance.address} answered ${response.status}: check the address`,
        );
      if (id === undefined) await response.body?.cancel();
      if (response.ok && typeof params?.uri === 'string') {
        if (method === 'resources/subscribe') uris.add(params.uri);
        if (method === 'resources/unsubscribe') uris.delete(params.uri);
      }
      if (method !== 'notifications/initialized' || session === null || isFollowing) return;
      isFollowing = true;
      void follow();
    },
    async end() {
      const headers = { ...own, 'mcp-session-id': session ?? '' };
      if (session !== null)
        await instance
          .stream('/mcp', { method: 'DELETE', headers, signal: AbortSignal.timeout(farewellMs) })
          .then((response) => response.body?.cancel())
          .catch(() => undefined);
    },
  };
}

/** All that the response tells; true: the request with this id is answered. */
async function passOn(
  response: Response,
  id: Message['id'],
  hear: (message: Message) => Promise<void>,
): Promise<boolean> {
  const type = response.headers.get('content-type') ?? '';
  let isAnswered = false;
  const read = async (text: string): Promise<void> => {
    const message = JSON.parse(text) as Message;
    const isAnswer = message.method === undefined;
    if (isAnswer) isAnswered = true;
    // Refused before it was read: the answer names no request.
    await hear(isAnswer && message.id === null ? { ...message, ...(id === undefined ? {} : { id }) } : message);
  };
  if (response.body !== null && type.startsWith('text/event-stream'))
    for await (const text of readEvents(response.body, mostCharacters)) await read(text);
  else {
    const text = await readText(response, mostCharacters);
    if (type.startsWith('application/json') && text !== '') await read(text);
  }
  return isAnswered;
}
