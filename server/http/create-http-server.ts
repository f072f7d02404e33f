// The listener in front of Fastify. It answers preflights of the API doors, hands a request to a fast door when
// one is open under its path, and everything else to Fastify. A fast door is a plain (request, response) function for
// the few paths where Fastify's own cost would show; the same paths stay mounted in Fastify too.

import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
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
  const server = createServer(
    { maxHeaderSize: maxHeaderBytes, keepAlive: true, keepAliveTimeout: keepAliveTimeoutMs, requestTimeout: 300_000 },
    (request, response) => {
      // Stopping: this is the last answer on its connection.
      if (!server.listening) response.shouldKeepAlive = false;
      if (request.method === 'OPTIONS' && isPreflight(request)) return answerPreflight(request, response);
      const door = doors.size > 0 ? doorFor(doors, request.url ?? '/') : undefined;
      if (door?.(request, response)) return;
      handler(request, response);
    },
  );
  // Must exceed the keep-alive time, or an idle connection's next request is cut off.
  server.headersTimeout = keepAliveTimeoutMs + 1_000;
  server.on('clientError', answerClientError);
  return server;
}

function doorFor(doors: FastDoors, url: string): FastDoor | undefined {
  for (const [prefix, door] of doors) if (url.startsWith(prefix)) return door;
  return undefined;
}
