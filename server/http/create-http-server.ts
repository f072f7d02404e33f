// The listener in front of Fastify. It answers preflights of the API doors, hands a request to a fast door when
// one is open under its path, and everything else to Fastify. A fast door is a plain (request, response) function for
// the few paths where Fastify's own cost would show; the same paths stay mounted in Fastify too.

import { createServer, type IncomingMessage, type RequestListener, type Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { answerPreflight, type Cors, isPreflight } from './cors.ts';
import { refuseAllButFiles } from './files-origin.ts';
import { passTraceOn, type TraceRequest } from './trace-context.ts';
import { type BodyLimits, UnfinishedBodies } from './unfinished-bodies.ts';
import { type AnswerLimits, UnreadAnswers } from './unread-answers.ts';

/** Answers requests under its prefix; false: not this one, it goes to Fastify. */
export type FastDoor = (request: IncomingMessage, response: ServerResponse) => boolean;

/** Open fast doors by path prefix, such as `/rest/v1/`. */
export type FastDoors = Map<string, FastDoor>;

/** Longer than any common proxy keeps an idle connection, so that the proxy closes first and never meets a closed one. */
const keepAliveTimeoutMs = 76_000;
/** JWTs, cookies and long `in.(…)` filters share this with the request line. */
const maxHeaderBytes = 64 * 1024;

export interface HttpSettings {
  readonly cors: Cors;
  readonly bodies: BodyLimits;
  readonly answers: AnswerLimits;
  /** Told how to ask for the bytes of answers that wait to be read. */
  readonly onUnread: (bytes: () => number) => void;
  /** Where nothing but files is served. */
  readonly filesHost: string | null;
  /** Null: no spans are recorded. */
  readonly trace: TraceRequest | null;
}

export function createHttpServer(
  handler: RequestListener,
  doors: FastDoors,
  { cors, bodies, answers, onUnread, filesHost, trace }: HttpSettings,
): Server {
  /** Once the server stops, the connection closes after this response, also where the request came before. */
  class ClosingResponse extends ServerResponse {
    override writeHead(...all: unknown[]): this {
      if (!server.listening) this.shouldKeepAlive = false;
      return (super.writeHead as (...all: unknown[]) => this).apply(this, all);
    }

    override write(...all: unknown[]): boolean {
      const isRoomLeft = (super.write as (...all: unknown[]) => boolean).apply(this, all);
      if (!isRoomLeft) unread.wrote(this.socket, lengthOf(all[0]));
      return isRoomLeft;
    }

    override end(...all: unknown[]): this {
      const { socket } = this;
      (super.end as (...all: unknown[]) => this).apply(this, all);
      unread.wrote(socket, lengthOf(all[0]));
      return this;
    }
  }
  const unread = new UnreadAnswers(answers);
  const unfinished = new UnfinishedBodies(bodies);
  const server: Server = createServer(
    {
      IncomingMessage: unfinished.requests(),
      ServerResponse: ClosingResponse,
      maxHeaderSize: maxHeaderBytes,
      keepAlive: true,
      keepAliveTimeout: keepAliveTimeoutMs,
      // Heads are bounded below, bodies by who watches them: a large upload may take hours.
      requestTimeout: 0,
    },
    (request, response) => {
      if (refuseAllButFiles(filesHost, request, response)) return;
      unfinished.expect(request);
      if (request.method === 'OPTIONS' && isPreflight(request)) return answerPreflight(request, response, cors);
      if (trace !== null) return trace(request, response, () => answer(request, response));
      if (request.headers.traceparent !== undefined) passTraceOn(request, response);
      answer(request, response);
    },
  );
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    const door = doors.size > 0 ? doorFor(doors, request.url ?? '/') : undefined;
    if (door === undefined || !door(request, response)) handler(request, response);
  };
  // Must exceed the keep-alive time, or an idle connection's next request is cut off.
  server.headersTimeout = keepAliveTimeoutMs + 1_000;
  closeSilentOnesToo(server);
  unread.watch(server);
  onUnread(() => unread.bytes);
  return server;
}

const lengthOf = (chunk: unknown): number =>
  typeof chunk === 'string' || chunk instanceof Uint8Array ? chunk.length : 0;

/** A connection this young may have its first request on the way. */
const silentForMs = 1000;

/** Node waits for connections on which nothing was asked yet, such as browsers open ahead; a stop would wait with it. */
function closeSilentOnesToo(server: Server): void {
  const open = new Set<Socket>();
  const waited = new WeakSet<Socket>();
  server.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  const closeIdle = server.closeIdleConnections.bind(server);
  let closing: NodeJS.Timeout | null = null;
  server.closeIdleConnections = () => {
    closeIdle();
    // An answer whose head promised to keep the connection ends later: its connection is idle only then.
    closing ??= setInterval(() => {
      closeIdle();
      if (open.size === 0 && closing !== null) clearInterval(closing);
    }, 100).unref();
    for (const socket of open)
      if (socket.bytesRead === 0 && !waited.has(socket)) {
        waited.add(socket);
        setTimeout(() => {
          if (socket.bytesRead === 0) socket.destroy();
        }, silentForMs);
      }
  };
}

function doorFor(doors: FastDoors, url: string): FastDoor | undefined {
  for (const [prefix, door] of doors) if (url.startsWith(prefix)) return door;
  return undefined;
}
