// `kanbase mcp`: a bridge for agents that start their servers themselves. Each message of standard input goes to /mcp with this sign-in, and what comes
// back to standard output, a message a line. Nothing is kept but which requests are under way.

import { createInterface } from 'node:readline';
import type { ClientCall, ClientCommand } from './client-command.ts';
import type { Instance } from './instance.ts';
import { readEvents } from './read-events.ts';

export const mcp: ClientCommand = {
  name: 'mcp',
  summary: 'Serve the instance to an agent over standard input and output.',
  about: 'For agents that start MCP servers as commands; those that take an address connect to /mcp themselves.',
  flags: [],
  examples: ['claude mcp add kanbase -- npx kanbase mcp'],
  run: bridge,
};

interface Message {
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>> & { readonly _meta?: Readonly<Record<string, unknown>> };
  readonly result?: { readonly protocolVersion?: unknown };
}

const mostCharacters = 4 * 1024 * 1024;
const versionKey = 'io.modelcontextprotocol/protocolVersion';

async function bridge(call: ClientCall): Promise<void> {
  const instance = await call.instance();
  const underWay = new Map<
    string | number,
    { readonly method: string | undefined; readonly cancel: AbortController }
  >();
  const work = new Set<Promise<void>>();
  /** Of the revision that begins with `initialize`. */
  let agreed: string | null = null;

  const say = (message: unknown): void => call.screen.say(JSON.stringify(message));
  const fail = (id: Message['id'], code: number, message: string): void => {
    if (id !== undefined) say({ jsonrpc: '2.0', id, error: { code, message } });
  };
  const hear = (text: string): void => {
    const message = JSON.parse(text) as Message;
    if (typeof message.result?.protocolVersion === 'string') agreed = message.result.protocolVersion;
    say(message);
  };

  async function pass(line: string): Promise<void> {
    const message = readMessage(line);
    if (message === null) return fail(null, -32_700, 'A message is one JSON object on one line');
    const { id, method } = message;
    if (method === 'notifications/cancelled') {
      underWay.get(message.params?.requestId as string | number)?.cancel.abort();
      return;
    }
    const cancel = new AbortController();
    if (id !== undefined && id !== null) underWay.set(id, { method, cancel });
    try {
      await send(instance, line, message, agreed, cancel.signal, hear);
    } catch (error) {
      if (!cancel.signal.aborted) fail(id, -32_000, error instanceof Error ? error.message : String(error));
    } finally {
      if (id !== undefined && id !== null) underWay.delete(id);
    }
  }

  for await (const line of createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line.trim() === '') continue;
    const one = pass(line).finally(() => work.delete(one));
    work.add(one);
    // The answer settles in which revision what follows is.
    if (line.includes('"initialize"')) await one;
  }
  // Open requests are still answered; subscriptions are cancelled.
  for (const { method, cancel } of underWay.values()) if (method === 'subscriptions/listen') cancel.abort();
  await Promise.all(work);
}

function readMessage(line: string): Message | null {
  if (line.length > mostCharacters) return null;
  try {
    const read: unknown = JSON.parse(line);
    return typeof read === 'object' && read !== null && !Array.isArray(read) ? read : null;
  } catch {
    return null;
  }
}

/** A request of the revision without sessions says in its head what stands in its body. */
function headersOf({ method, params = {} }: Message, agreed: string | null): Record<string, string> {
  const version = params._meta?.[versionKey];
  if (typeof version !== 'string') return agreed === null ? {} : { 'mcp-protocol-version': agreed };
  const name = params.name ?? params.uri;
  return {
    'mcp-protocol-version': version,
    ...(method === undefined ? {} : { 'mcp-method': method }),
    ...(typeof name === 'string' ? { 'mcp-name': encodeName(name) } : {}),
  };
}

const encodeName = (name: string): string =>
  /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(name) && !name.startsWith('=?base64?')
    ? name
    : `=?base64?${Buffer.from(name).toString('base64')}?=`;

async function send(
  instance: Instance,
  body: string,
  message: Message,
  agreed: string | null,
  signal: AbortSignal,
  hear: (text: string) => void,
): Promise<void> {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...headersOf(message, agreed),
  };
  const response = await instance.stream('/mcp', { method: 'POST', headers, body, signal });
  const type = response.headers.get('content-type') ?? '';
  if (response.body !== null && type.startsWith('text/event-stream')) {
    for await (const text of readEvents(response.body)) hear(text);
    return;
  }
  const text = await response.text();
  if (message.id === undefined) return;
  if (type.startsWith('application/json') && text !== '') {
    const answer = JSON.parse(text) as Message;
    // Refused before it was read: the answer names no request.
    return hear(JSON.stringify(answer.id === null ? { ...answer, id: message.id } : answer));
  }
  throw new Error(`${instance.address} answered ${response.status}: check the address`);
}
