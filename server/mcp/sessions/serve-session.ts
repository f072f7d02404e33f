// Requests of revision 2025-11-25. Each is answered by a server of its own, so that any process can; sessions hold what lasts: subscriptions, the stream
// of changes, and which requests are under way, so that a later message cancels or answers them.

import { randomBytes } from 'node:crypto';
import {
  isInitializeRequest,
  type JSONRPCMessage,
  McpServer,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  type Server,
  SUPPORTED_PROTOCOL_VERSIONS,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { Services } from '../../services.ts';
import type { Board } from '../board.ts';
import { mcpError } from '../errors.ts';
import type { McpCaller } from '../mcp-caller.ts';
import type { Offer } from '../offer.ts';
import type { ClientSession, Exchange } from './held-sessions.ts';
import { holderOf } from './session-ids.ts';
import { openSessionStream } from './session-stream.ts';

const mostStreams = 50;
/** Of what a client says of itself. */
const mostIntroduction = 4000;
const header = 'mcp-session-id';

interface Leg {
  readonly services: Pick<Services, 'sessions'>;
  readonly offer: Offer;
  readonly caller: McpCaller;
  readonly boardOf: (signal: AbortSignal) => Board;
  readonly open: (tellsChanges: boolean) => Server | McpServer;
}

export async function serveSession(leg: Leg, request: Request, sent: unknown): Promise<Response> {
  const { caller } = leg;
  const { sessions, session: asked } = caller;
  const id = request.headers.get(header);
  const holder = holderOf(asked);
  if (isInitializeRequest(sent)) {
    const begun = sessions.begin(holder);
    if (JSON.stringify(sent.params).length <= mostIntroduction) begun.session.introduction = sent;
    const response = await exchange(leg, request, sent, begun.session);
    if (response.ok) response.headers.set(header, begun.id);
    return response;
  }
  const session = id === null ? null : sessions.find(id, holder, request.method === 'GET');
  if (id !== null && session === null) throw mcpError('KB887', 'This session has ended');
  if (request.method === 'POST') return exchange(leg, request, sent, session);
  if (session === null) throw mcpError('KB887', `${request.method} is for sessions: send Mcp-Session-Id`, {}, 405);
  if (request.method === 'DELETE') {
    sessions.end(session, asked.caller);
    // Its client may be gone by now. Where this fails, the work ends with half an hour of silence.
    await leg
      .boardOf(new AbortController().signal)
      .takeUp(null)
      .catch((error: unknown) => caller.onFailure(error, 'DELETE'));
    return new Response(null, { status: 204 });
  }
  return openStream(leg, request, session);
}

function openStream({ services, offer, caller, boardOf }: Leg, request: Request, session: ClientSession): Response {
  const { sessions, session: asked, signal } = caller;
  if (!(request.headers.get('accept') ?? '').includes('text/event-stream'))
    throw mcpError('KB884', 'Accept must have text/event-stream', {}, 406);
  const version = request.headers.get('mcp-protocol-version');
  if (version !== null && !SUPPORTED_PROTOCOL_VERSIONS.includes(version))
    throw mcpError('KB884', `Sessions have the revisions ${SUPPORTED_PROTOCOL_VERSIONS.join(', ')}`);
  if (session.stream === null && sessions.streamsOf(session.holder.person) >= mostStreams)
    throw mcpError('KB886', 'Too many streams are open');
  const { exp } = asked.claims;
  const { stream, response } = openSessionStream({
    ...{ session, signal, server: caller.server, token: caller.token, apiKey: services.sessions.anonKey },
    board: () => boardOf(signal),
    bindingsOf: offer.bindingsOf,
    until: exp === undefined ? null : exp * 1000,
    onClose: (closed) => sessions.leaveStream(session, closed),
  });
  sessions.openStream(session, stream, asked.caller);
  return response;
}

async function exchange(leg: Leg, request: Request, sent: unknown, session: ClientSession | null): Promise<Response> {
  const { caller } = leg;
  const message = sent as { readonly id?: unknown; readonly method?: string };
  const isRequest = message.method !== undefined && message.id !== undefined;
  if (session !== null && !isRequest) {
    caller.sessions.pass(session, message as Record<string, unknown>, caller.session.caller);
    return new Response(null, { status: 202 });
  }
  // Nothing would tell when to end it.
  if (caller.signal.aborted) return new Response(null, { status: 499 });
  const product = leg.open(session !== null);
  const server = product instanceof McpServer ? product.server : product;
  if (session !== null) answerSubscriptions(leg, server, session);
  const transport = new WebStandardStreamableHTTPServerTransport();
  const name = randomBytes(6).toString('hex');
  askByName(transport, name);
  await product.connect(transport);
  const close = (): void => void product.close().catch(() => undefined);
  // Also once it is answered.
  caller.signal.addEventListener(
    'abort',
    () => {
      if (session?.exchanges.get(message.id) === underWay) session.exchanges.delete(message.id);
      close();
    },
    { once: true },
  );
  const underWay: Exchange = {
    cancel: close,
    deliver(answer) {
      const [to, number] = String((answer as { id?: unknown }).id).split('.');
      if (to !== name) return false;
      transport.onmessage?.({ ...answer, id: Number(number) } as JSONRPCMessage);
      return true;
    },
  };
  session?.exchanges.set(message.id, underWay);
  // The server is new: it hears once more who its client is.
  if (session?.introduction != null && message.method !== 'initialize')
    transport.onmessage?.({ ...(session.introduction as object), id: introduced } as JSONRPCMessage);
  return transport.handleRequest(request, { parsedBody: sent });
}

const introduced = 'introduced';

/** Questions to a client have ids that are those of one request, though all of its session are answered in one place. */
function askByName(transport: WebStandardStreamableHTTPServerTransport, name: string): void {
  const send = transport.send.bind(transport);
  transport.send = async (message, options) => {
    if ('id' in message && message.id === introduced) return;
    await send('method' in message && 'id' in message ? { ...message, id: `${name}.${message.id}` } : message, options);
  };
}

function answerSubscriptions({ offer, caller, boardOf }: Leg, server: Server, session: ClientSession): void {
  const { sessions } = caller;
  server.setRequestHandler('resources/subscribe', async ({ params: { uri } }, { mcpReq }) => {
    const bindings = await offer.bindingsOf(boardOf(mcpReq.signal), [uri]);
    if (bindings.length === 0) throw new ResourceNotFoundError(uri);
    if (!(await sessions.subscribe(session, uri, caller.session.caller)))
      throw new ProtocolError(ProtocolErrorCode.InvalidRequest, 'Too many subscriptions are open. Remove one first.', {
        code: 'KB886',
      });
    return {};
  });
  server.setRequestHandler('resources/unsubscribe', async ({ params: { uri } }) => {
    await sessions.unsubscribe(session, uri, caller.session.caller);
    return {};
  });
}
