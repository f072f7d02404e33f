// `kanbase mcp`: a bridge for agents that start their servers themselves: messages of standard input to the instance, its answers to standard output, a
// message a line, and nothing else there. It ends with its input, by a signal, or when nobody reads its output.

import type { ClientCall, ClientCommand } from './client-command.ts';
import { openBridge } from './mcp-bridge.ts';
import { readLines } from './read-lines.ts';

export const mcp: ClientCommand = {
  name: 'mcp',
  summary: 'Serve the instance to an agent over standard input and output.',
  about: 'For agents that start MCP servers as commands; those that take an address connect to /mcp themselves.',
  flags: [],
  examples: ['claude mcp add kanbase -- npx kanbase mcp'],
  run: bridge,
};

const mostCharacters = 4 * 1024 * 1024;
/** For what is under way when the input ends. */
const lastMs = 5000;
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

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
  const onText = (text: string): void => {
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
      await send(instance, line, message, agreed, cancel.signal, onText);
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
  onText: (text: string) => void,
): Promise<void> {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...headersOf(message, agreed),
  };
  const response = await instance.stream('/mcp', { method: 'POST', headers, body, signal });
  const type = response.headers.get('content-type') ?? '';
  if (response.body !== null && type.startsWith('text/event-stream')) {
    for await (const text of readEvents(response.body)) onText(text);
    return;
  }
  const text = await response.text();
  if (message.id === undefined) return;
  if (type.startsWith('application/json') && text !== '') {
    const answer = JSON.parse(text) as Message;
    // Refused before it was read: the answer names no request.
    return onText(JSON.stringify(answer.id === null ? { ...answer, id: message.id } : answer));
  }
  throw new Error(`${instance.address} answered ${response.status}: check the address`);
}
