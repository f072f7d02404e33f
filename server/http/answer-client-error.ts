// Answers bytes that never became a request: headers too large, invalid HTTP, too slow. No response object exists at that point, so the
// answer is written to the socket by hand.

import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';

interface Fault {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly hint: string;
}

const faults: Readonly<Record<string, Fault>> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    code: 'KB431',
    message: 'The request headers are too large',
    hint: 'Headers and address together may hold 64 KB: send long filters in the body of an rpc call, or ask in several requests.',
  },
  KB408: {
    status: 408,
    code: 'KB408',
    message: 'The request body did not arrive in time',
    hint: 'Send it without pauses, or in smaller parts.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    code: 'KB408',
    message: 'The request did not arrive in time',
    hint: 'Send the whole request within five minutes.',
  },
};

const bodyPauseMs = 50;
/** What else comes in of their heads is read past. */
const awaitingBody = new WeakSet<Duplex>();

const notHttp: Fault = {
  status: 400,
  code: 'KB400',
  message: 'This is not a valid HTTP request',
  hint: 'Check what sits between client and server; TLS ends at the proxy in front.',
};

/** `rawPacket`: the bytes that could not be read. */
export function answerClientError(
  { code: fault, rawPacket }: { readonly code?: string; readonly rawPacket?: unknown },
  socket: Duplex,
): void {
  // Bytes behind the last request of a connection: that one is answered, and they are not.
  if (fault === 'HPE_CLOSED_CONNECTION' || awaitingBody.has(socket)) return;
  if (fault === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const { status, code, message, hint } = faults[fault ?? ''] ?? notHttp;
  const body = JSON.stringify({ code, message, details: null, hint, error: message });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
    '\r\n',
  ].join('\r\n');
  // Whoever asked for the head alone would take a body for the next answer.
  const method = /^([A-Z]+) /.exec(Buffer.isBuffer(rawPacket) ? rawPacket.toString('latin1', 0, 20) : '')?.[1];
  if (method !== undefined || fault !== 'HPE_HEADER_OVERFLOW') {
    socket.end(method === 'HEAD' ? head : head + body);
    return;
  }
  // A long head comes in several packets, and what was asked stood in the first: who wanted no more is gone when the body comes.
  awaitingBody.add(socket);
  socket.write(head);
  setTimeout(() => {
    awaitingBody.delete(socket);
    socket.end(body);
  }, bodyPauseMs);
}
