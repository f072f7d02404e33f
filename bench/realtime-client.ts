// A client of /realtime/v1 for measuring: a socket and as little else as can be, since it shares the processors with what
// it measures. It knows frames of a server (not masked, never in parts) and hands each on as bytes.

import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';

export interface BenchClient {
  readonly socket: Socket;
  /** A frame's payload lies between start and end; valid only during the call. */
  onFrame: (bytes: Buffer, start: number, end: number) => void;
  /** Resolves with the code of the close frame, or 1006. */
  readonly closed: Promise<number>;
  send(text: string): void;
  close(): Promise<void>;
}

export function openClient(
  { url, anonKey }: { readonly url: string; readonly anonKey: string },
  version = '2.0.0',
): Promise<BenchClient> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    socket.setNoDelay(true);
    let code = 1006;
    let open = false;
    let rest: Buffer | null = null;
    const closed = new Promise<number>((done) => socket.once('close', () => done(code)));
    const client: BenchClient = {
      socket,
      closed,
      onFrame: () => undefined,
      send: (text) => void socket.write(masked(1, Buffer.from(text))),
      async close() {
        socket.write(masked(8, Buffer.from([3, 232])));
        socket.resume();
        await closed;
      },
    };
    const read = (chunk: Buffer): void => {
      const bytes: Buffer = rest === null ? chunk : Buffer.concat([rest, chunk]);
      rest = null;
      let at = 0;
      if (!open) {
        const end = bytes.indexOf('\r\n\r\n');
        if (end < 0) {
          rest = bytes;
          return;
        }
        if (!bytes.toString('latin1', 0, 12).endsWith('101')) {
          reject(new Error(bytes.toString('latin1', 0, 200)));
          socket.destroy();
          return;
        }
        open = true;
        at = end + 4;
        resolve(client);
      }
      while (bytes.length - at >= 2) {
        let size = (bytes[at + 1] ?? 0) & 0x7f;
        let start = at + 2;
        if (size === 126) {
          if (bytes.length - at < 4) break;
          size = bytes.readUInt16BE(at + 2);
          start = at + 4;
        } else if (size === 127) {
          if (bytes.length - at < 10) break;
          size = Number(bytes.readBigUInt64BE(at + 2));
          start = at + 10;
        }
        const end = start + size;
        if (end > bytes.length) break;
        const kind = (bytes[at] ?? 0) & 0x0f;
        if (kind === 8) code = size >= 2 ? bytes.readUInt16BE(start) : 1005;
        else if (kind === 9) socket.write(masked(10, bytes.subarray(start, end)));
        else client.onFrame(bytes, start, end);
        at = end;
      }
      if (at < bytes.length) rest = Buffer.from(bytes.subarray(at));
    };
    socket.on('data', read);
    socket.on('error', (error) => {
      if (!open) reject(error);
    });
    socket.write(
      `GET /realtime/v1/websocket?apikey=${anonKey}&vsn=${version} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
        `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\nSec-WebSocket-Version: 13\r\n\r\n`,
    );
  });
}

interface Followed {
  readonly topic: string;
  readonly tables: readonly string[];
  readonly filter: string;
  readonly event?: 'INSERT';
}

/** Joins a channel that follows changes of these tables. */
export function follow(client: BenchClient, token: string, { topic, tables, filter, event }: Followed): void {
  const changes = tables.map((table) => ({ event: event ?? '*', schema: 'public', table, filter }));
  const payload = { access_token: token, config: { postgres_changes: changes } };
  client.send(JSON.stringify(['1', '1', `realtime:${topic}`, 'phx_join', payload]));
}

/** A client's frame: masked, as the protocol demands; with zeros, so that nothing has to be computed. */
function masked(kind: number, payload: Buffer): Buffer {
  const size = payload.length;
  const head = Buffer.from(size < 126 ? [0x80 | kind, 0x80 | size] : [0x80 | kind, 0xfe, size >> 8, size & 0xff]);
  return Buffer.concat([head, Buffer.alloc(4), payload]);
}
