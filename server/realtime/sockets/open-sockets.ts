// The door for sockets: who may open one, how many, whether they are still there, and the end of all when the service
// stops.

import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { type Session, SessionFault } from '../../session/types.ts';
import type { Channel } from '../channels/channel.ts';
import { checkSession, errorOf } from '../channels/read-token.ts';
import { RealtimeError } from '../errors.ts';
import type { Realtime } from '../realtime.ts';
import { ClientSocket } from './client-socket.ts';
import { Bundle } from './frame.ts';
import type { FrameLimits } from './incoming-frames.ts';
import type { Version } from './messages.ts';
import { Outgoing } from './outgoing.ts';

export interface Sockets {
  count(): number;
  channels(): Iterable<Channel>;
  close(): Promise<void>;
}

const paths = /^\/realtime\/v1\/(websocket|socket\/websocket)\/?(\?|$)/;
const expiryEveryMs = 1000;
/** Sockets beyond the limit hear that from the answer to their join; beyond so many times the limit none is opened. */
const refusedShare = 2;
/** The frame around a payload. */
const frameOverhead = 16 * 1024;
/** A join with a hundred bindings has a tenth of it. */
const beforeJoinBytes = 256 * 1024;
const unfinishedBytes = 128 * 1024 * 1024;
/** Told sockets that do not read; what several hear counts once. */
const outgoingBytes = 128 * 1024 * 1024;
const serviceRestart = 1012;

export function openSockets(server: Server, realtime: Realtime, onFirst: () => void): Sockets {
  const { settings } = realtime;
  const sockets = new Set<ClientSocket>();
  /** They have something to say that is not written yet. */
  const speaking: ClientSocket[] = [];
  const frames: FrameLimits = {
    maxBytes: settings.maxPayloadKb * 1024 * 2 + frameOverhead,
    beforeJoin: Math.min(beforeJoinBytes, settings.maxPayloadKb * 1024 * 2 + frameOverhead),
    unfinished: unfinishedBytes,
    held: { bytes: 0 },
  };
  const outgoing = new Outgoing(outgoingBytes);
  const acceptor = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    // One message a turn of the event loop: others are served between two of many that came together.
    allowSynchronousEvents: false,
    maxPayload: frames.maxBytes,
    // Nothing is promised to those who name a subprotocol.
    handleProtocols: () => false,
  });

  /** Those that have joined something: whom the limit counts. */
  const users = new Set<ClientSocket>();
  let closed = false;
  const admit = (socket: ClientSocket): boolean => {
    if (settings.maxConnections > 0 && users.size >= settings.maxConnections && !users.has(socket)) return false;
    users.add(socket);
    return true;
  };

  let empty = new Bundle();
  const gather = (socket: ClientSocket): Bundle => {
    if (speaking.length === 0)
      process.nextTick(() => {
        empty = new Bundle();
        for (const one of speaking.splice(0)) one.flush();
      });
    speaking.push(socket);
    return empty;
  };

  async function open(request: IncomingMessage, stream: Duplex, head: Buffer): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const version = readVersion(url.searchParams.get('vsn'));
    if (version === null) return refuse(stream, 400, 'The version is 1.0.0 or 2.0.0: say vsn=2.0.0');
    if (settings.maxConnections > 0 && sockets.size >= settings.maxConnections * refusedShare)
      return refuse(stream, 429, 'Too many connected users');
    const key = keyOf(request, url);
    if (key === '') return refuse(stream, 401, 'API key is missing', realtime.challenge('GET'));
    const session = await sessionOf(realtime, key);
    if (session instanceof RealtimeError)
      return refuse(stream, session.status, session.message, realtime.challenge('GET'));
    // Nobody would close it any more.
    if (closed) return refuse(stream, 503, 'The service is restarting: try again in a moment');
    acceptor.handleUpgrade(request, stream, head, (ws) => {
      sockets.add(
        new ClientSocket({
          realtime,
          ws,
          stream,
          version,
          session,
          gather,
          frames,
          outgoing,
          admit,
          onClosed: (one) => {
            sockets.delete(one);
            users.delete(one);
          },
        }),
      );
      onFirst();
    });
  }

  const onUpgrade = (request: IncomingMessage, stream: Duplex, head: Buffer): void => {
    stream.on('error', () => stream.destroy());
    if (!paths.test(request.url ?? '')) {
      refuse(stream, 404, 'There is no socket at this path');
      return;
    }
    open(request, stream, head).catch((error: unknown) => {
      realtime.log.error({ err: error }, 'a socket could not be opened');
      refuse(stream, 500, 'Something unforeseen happened');
    });
  };
  server.on('upgrade', onUpgrade);

  const pinging = setInterval(() => {
    for (const socket of sockets) if (!socket.ping()) socket.terminate();
  }, settings.pingSeconds * 1000);
  const expiring = setInterval(() => {
    const now = Date.now() / 1000;
    for (const channel of channels()) channel.checkExpiry(now);
  }, expiryEveryMs);
  pinging.unref();
  expiring.unref();

  function* channels(): Iterable<Channel> {
    for (const socket of [...sockets]) yield* [...socket.channels()];
  }

  return {
    count: () => sockets.size,
    channels,
    async close() {
      closed = true;
      clearInterval(pinging);
      clearInterval(expiring);
      for (const socket of [...sockets]) socket.close(serviceRestart, 'the service is restarting');
      // What was said last leaves before the streams are cut.
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

function readVersion(text: string | null): Version | null {
  if (text === null || text === '' || text === '1.0.0') return '1.0.0';
  return text === '2.0.0' ? text : null;
}

function keyOf(request: IncomingMessage, url: URL): string {
  const header = request.headers['x-api-key'] ?? request.headers.apikey;
  return url.searchParams.get('apikey') ?? (Array.isArray(header) ? header[0] : header) ?? '';
}

/** The session of the API key, or why there is none. */
async function sessionOf(realtime: Realtime, key: string): Promise<Session | RealtimeError> {
  try {
    const session = await realtime.sessions.verify(key, 'apikey');
    checkSession(session);
    return session;
  } catch (error) {
    if (error instanceof SessionFault) return errorOf(error, key);
    if (error instanceof RealtimeError) return error;
    throw error;
  }
}

const reasons: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
};

function refuse(stream: Duplex, status: number, error: string, challenge = ''): void {
  if (stream.destroyed) return;
  const body = JSON.stringify({ error });
  const asks = status === 401 && challenge !== '' ? `WWW-Authenticate: ${challenge}\r\n` : '';
  stream.end(
    `HTTP/1.1 ${status} ${reasons[status]}\r\nConnection: close\r\nContent-Type: application/json; charset=utf-8\r\n${asks}` +
      `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}
