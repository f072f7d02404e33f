// One request of the protocol, answered by the SDK for a caller who is known. Loaded with the first request: the SDK is large.

import { createMcpHandler, isLegacyRequest, type McpHttpHandler } from '@modelcontextprotocol/server';
import type { Services } from '../services.ts';
import { type Board, openBoard } from './board.ts';
import type { McpCaller } from './mcp-caller.ts';
import type { Offer } from './offer.ts';
import { serveSession } from './sessions/serve-session.ts';
import { busOf } from './subscriptions.ts';
import { readWork } from './work.ts';

interface Message {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: { readonly notifications?: { readonly resourceSubscriptions?: unknown } };
}

export async function serveRequest(
  services: Services,
  offer: Offer,
  request: Request,
  sent: unknown,
  caller: McpCaller,
): Promise<Response> {
  const boardOf = (signal: AbortSignal, client = ''): Board =>
    openBoard(services, { ...caller, signal, work: readWork(request.headers, caller.session, client) });
  const open = (tellsChanges: boolean) =>
    offer.open({ board: boardOf, scope: caller.session.claims.scope, tellsChanges, onFailure: caller.onFailure });
  if (request.method !== 'POST' || (await isLegacyRequest(request, sent)))
    return serveSession({ services, offer, caller, boardOf, open }, request, sent);
  const factory = (): ReturnType<typeof open> => open(true);
  const message = (sent ?? {}) as Message;
  if (message.method !== 'subscriptions/listen')
    return createMcpHandler(factory, { legacy: 'reject' }).fetch(request, { parsedBody: sent });

  const given = message.params?.notifications?.resourceSubscriptions;
  const asked = Array.isArray(given) ? given.filter((uri): uri is string => typeof uri === 'string') : [];
  const bindings = await offer.bindingsOf(boardOf(caller.signal), asked);
  const known = new Set(bindings.map(({ uri }) => uri));
  // Gone while its resources were looked up: nothing would tell when to give the place back.
  if (caller.signal.aborted) return new Response(null, { status: 499 });
  const leave = caller.openStream();
  if (leave === null)
    return Response.json(
      {
        jsonrpc: '2.0',
        id: message.id ?? null,
        error: { code: -32000, message: 'Too many subscriptions are open. Close one first.', data: { code: 'KB886' } },
      },
      { status: 429 },
    );
  const honoured = {
    ...(sent as object),
    params: {
      ...message.params,
      notifications: { ...message.params?.notifications, resourceSubscriptions: asked.filter((uri) => known.has(uri)) },
    },
  };
  let handler: McpHttpHandler | null = null;
  const bus = busOf({
    server: caller.server,
    token: caller.token,
    apiKey: services.sessions.anonKey,
    bindings,
    onEnd: () => void handler?.close(),
  });
  caller.signal.addEventListener('abort', leave, { once: true });
  handler = createMcpHandler(factory, { legacy: 'reject', bus, maxSubscriptions: 1 });
  return handler.fetch(request, { parsedBody: honoured });
}
