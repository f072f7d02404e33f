// The listener in front of Fastify. It answers preflights of the API doors, hands a request to a fast door when
// one is open under its path, and everything else to Fastify. A fast door is a plain (request, response) function for
// the few paths where Fastify's own cost would show; the same paths stay mounted in Fastify too.

import { createServer, type IncomingMessage, type RequestListener, type Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { answerClientError } from './answer-client-error.ts';
import { answerPreflight, isPreflight } from './cors.ts';

/** Returns false to decline: Fastify then takes the request. */
export type FastDoor = (request: IncomingMessage, response: ServerResponse) => boolean;

/** Open fast doors by path prefix, such as `/rest/v1/`. */
export type FastDoors = Map<string, FastDoor>;

/** Longer than any common proxy keeps an idle connection, so that the proxy closes first and never meets a closed one. */
const keepAliveTimeoutMs = 76_000;
/** JWTs, cookies and long `in.(…)` filters share this with the request line. */
const maxHeaderBytes = 64 * 1024;

export function createHttpServer(handler: RequestListener, doors: FastDoors): Server {
  /** Once the server stops, an answer is the last on its connection, also to a request from before. */
  class Answer extends ServerResponse {
    override writeHead(...all: unknown[]): this {
      if (!server.listening) this.shouldKeepAlive = false;
      return (super.writeHead as (...all: unknown[]) => this).apply(this, all);
    }
  }
  const server: Server = createServer(
    {
      ServerResponse: Answer,
      maxHeaderSize: maxHeaderBytes,
      keepAlive: true,
      keepAliveTimeout: keepAliveTimeoutMs,
      requestTimeout: 300_000,
    },
    (request, response) => {
      if (request.method === 'OPTIONS' && isPreflight(request)) return answerPreflight(request, response);
      const door = doors.size > 0 ? doorFor(doors, request.url ?? '/') : undefined;
      if (door?.(request, response)) return;
      handler(request, response);
    },
  );
  // Must exceed the keep-alive time, or an idle connection's next request is cut off.
  server.headersTimeout = keepAliveTimeoutMs + 1_000;
  server.on('clientError', answerClientError);
  closeSilentOnesToo(server);
  return server;
}

/** Node waits for connections on which nothing was asked yet, such as browsers open ahead; a stop would wait with it. */
function closeSilentOnesToo(server: Server): void {
  const open = new Set<Socket>();
  server.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  const closeIdle = server.closeIdleConnections.bind(server);
  server.closeIdleConnections = () => {
    closeIdle();
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
  };
}

function doorFor(doors: FastDoors, url: string): FastDoor | undefined {
  for (const [prefix, door] of doors) if (url.startsWith(prefix)) return door;
  return undefined;
}
