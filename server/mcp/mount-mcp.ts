// /mcp: the Model Context Protocol for agents. Here are the caller, origins and bounds; the SDK answers (serve-request.ts), and tools work through
// /rest/v1 and /storage/v1 as their caller.

import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { bearerChallenge } from '../http/bearer-challenge.ts';
import { described, unlisted } from '../http/describe-routes.ts';
import { type BodyBounds, leaveBodies, takeJson } from '../http/read-json.ts';
import { asCatalogError } from '../http/render-error.ts';
import { isLoopbackHost } from '../loopback.ts';
import type { Services } from '../services.ts';
import { SessionFault } from '../session/types.ts';
import { mcpTerms, postMessage } from './described.ts';
import { mcpError } from './errors.ts';
import type { Offer } from './offer.ts';
import { type McpSession, readCaller } from './read-caller.ts';
import { openSessions } from './sessions/open-sessions.ts';
import { allows } from './tool.ts';

/** A file of one megabyte, as base64, and what is said of it. */
const bounds: BodyBounds = { bytes: 2 * 1024 * 1024, depth: 24, values: 20_000 };
const mostStreams = 10;

/** The SDK is large: loaded with the first request. */
const loadBoard = async (): Promise<Offer> => (await import('./board-offer.ts')).boardOffer;

export async function mountMcp(
  app: FastifyInstance,
  services: Services,
  loadOffer: () => Promise<Offer> = loadBoard,
): Promise<void> {
  const apiUrl = services.config.server.apiExternalUrl ?? services.siteUrl;
  const challenge = bearerChallenge(apiUrl, '/mcp');
  const log = services.log.child({ room: 'mcp' });
  const streams = new Map<string, number>();
  const sessions = openSessions({ ...services, log });
  app.describeTerms(mcpTerms);

  function openStream(person: string): (() => void) | null {
    const open = streams.get(person) ?? 0;
    if (open >= mostStreams) return null;
    streams.set(person, open + 1);
    let left = false;
    return () => {
      if (left) return;
      left = true;
      const now = (streams.get(person) ?? 1) - 1;
      if (now > 0) streams.set(person, now);
      else streams.delete(person);
    };
  }

  async function callerOf(request: FastifyRequest): Promise<McpSession> {
    try {
      return await readCaller(services, request.headers.authorization);
    } catch (error) {
      if (!(error instanceof SessionFault)) throw error;
      const header = error.fault === 'missing' ? 'Bearer' : 'Bearer error="invalid_token"';
      throw mcpError('KB881', error.message, { 'WWW-Authenticate': challenge('POST', header) });
    }
  }

  /** An app asks its person for more; a key can't, and its tool says so. */
  async function refuseScope({ session: { claims } }: McpSession, sent: unknown): Promise<void> {
    const { method, params } = (sent ?? {}) as { method?: unknown; params?: { name?: unknown } };
    if (method !== 'tools/call' || claims.client_id === undefined) return;
    const needed = (await loadOffer()).scopeOf(params?.name);
    if (needed === undefined || allows(claims.scope, needed)) return;
    throw mcpError('KB883', `This tool needs the scope ${needed}`, {
      'WWW-Authenticate': challenge('POST', 'Bearer error="insufficient_scope"').replace(
        /scope="\w+"$/,
        `scope="${needed}"`,
      ),
    });
  }

  async function answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const gone = new AbortController();
    reply.raw.once('close', () => gone.abort());
    refuseOrigin(request, services);
    const caller = await callerOf(request);
    const sent = request.method === 'POST' ? await takeJson(request, bounds) : undefined;
    if (Array.isArray(sent)) throw mcpError('KB884', 'Batches aren’t supported: send one message per request', {}, 400);
    await refuseScope(caller, sent);
    const { serveRequest } = await import('./serve-request.ts');
    const response = await serveRequest(services, await loadOffer(), asWebRequest(request, apiUrl, gone.signal), sent, {
      ...caller,
      address: request.ip,
      agent: request.headers['user-agent'],
      signal: gone.signal,
      sessions,
      server: app.server,
      openStream: () => openStream(caller.session.claims.sub ?? ''),
      onFailure: (error, tool) => log.error({ err: error, tool, reqId: request.id }, 'a tool failed'),
    });
    reply.code(response.status).headers(Object.fromEntries(response.headers));
    return reply.send(response.body === null ? undefined : Readable.fromWeb(response.body as ReadableStream));
  }

  app.addHook('onReady', () =>
    sessions
      .start()
      .catch((error: unknown) => log.warn({ err: error }, 'LISTEN failed; subscriptions of MCP hold in one process')),
  );
  // Streams would be waited for.
  app.addHook('preClose', () => sessions.close());
  await app.register(async (door) => {
    door.setErrorHandler(renderMcpError);
    leaveBodies(door);
    door.addHook('onRequest', async (_request, reply) => {
      reply.headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
    });
    door.post('/mcp', described(postMessage), answer);
    door.route({
      method: ['GET', 'DELETE'],
      url: '/mcp',
      ...unlisted('Of sessions of revision 2025-11-25'),
      handler: answer,
    });
  });
}

/** Pages of other origins, also such as were led to this address by their own name, don't get in. */
function refuseOrigin({ headers: { origin } }: FastifyRequest, { config, siteUrl }: Services): void {
  if (origin === undefined) return;
  const own = [siteUrl, config.server.apiExternalUrl ?? siteUrl].map((url) => new URL(url).origin);
  if (own.includes(origin) || config.server.corsOrigins.includes(origin)) return;
  // Tools for trying servers on one's own machine are pages of another port of it.
  if (URL.canParse(origin) && isLoopbackHost(new URL(siteUrl).hostname) && isLoopbackHost(new URL(origin).hostname))
    return;
  throw mcpError('KB882', 'This origin isn’t allowed');
}

function asWebRequest(request: FastifyRequest, apiUrl: string, signal: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers))
    if (value !== undefined && name !== 'content-length')
      headers.set(name, Array.isArray(value) ? value.join(', ') : value);
  return new Request(`${apiUrl}/mcp`, { method: request.method, headers, signal });
}

function renderMcpError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { status, code, message, hint, headers } = asCatalogError(thrown, request);
  const number = code === 'KB400' ? -32_700 : status >= 500 ? -32_603 : -32_600;
  return reply
    .code(status)
    .headers({ ...headers })
    .send({ jsonrpc: '2.0', id: null, error: { code: number, message, data: { code, hint } } });
}
