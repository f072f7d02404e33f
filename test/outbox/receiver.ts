// A receiver of webhooks on a port of its own: keeps what it is sent, and answers as it is told.

import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Payload } from '../../server/outbox/webhooks/write-payload.ts';

export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly json: Payload;
}

export interface Receiver {
  readonly url: string;
  readonly received: Received[];
  /** Answers from now on; 204 to begin with. */
  answer: (one: Received, response: ServerResponse) => void;
  /** Resolves once so many have come, the earlier ones included. */
  until(count: number): Promise<readonly Received[]>;
  close(): Promise<void>;
}

export async function openReceiver(): Promise<Receiver> {
  const waiting = new Set<() => void>();
  const server: Server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const body = Buffer.concat(parts).toString();
      const one = { path: request.url ?? '', headers: request.headers, body, json: JSON.parse(body) as Payload };
      receiver.received.push(one);
      receiver.answer(one, response);
      for (const look of waiting) look();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received: [],
    answer: (_one, response) => void response.writeHead(204).end(),
    until: (count) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (receiver.received.length < count) return;
          waiting.delete(look);
          resolve(receiver.received);
        };
        waiting.add(look);
        look();
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return receiver;
}
