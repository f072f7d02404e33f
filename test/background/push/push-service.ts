// A push service of a test's own, and browsers that can read what it was sent.

import { createECDH, randomBytes } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';

const ece = createRequire(createRequire(import.meta.url).resolve('web-push'))('http_ece') as {
  decrypt(body: Buffer, options: object): Buffer;
};

interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/**
 * Keeps what it is sent, and answers with the status that its path asks for: always (`status=503`), or the first time (`first=503`);
 * under `/held` only once it is told to.
 */
export async function startPushService() {
  const received: Received[] = [];
  const waiting = new Set<() => void>();
  const held: (() => void)[] = [];
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const path = request.url ?? '';
      const isFirst = received.every((one) => one.path !== path);
      received.push({ path, headers: request.headers, body: Buffer.concat(chunks) });
      const asked = (isFirst ? /(?:status|first)=(\d+)/ : /status=(\d+)/).exec(path);
      const answer = (): void => void response.writeHead(Number(asked?.[1] ?? 201)).end();
      if (path.startsWith('/held')) held.push(answer);
      else answer();
      for (const look of waiting) look();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    host,
    received,
    release: () => {
      for (const answer of held.splice(0)) answer();
    },
    next: (path: string) =>
      new Promise<Received>((resolve) => {
        const look = (): void => {
          const found = received.find((one) => one.path === path);
          if (!found) return;
          waiting.delete(look);
          resolve(found);
        };
        waiting.add(look);
        look();
      }),
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

/** The keys of a browser. */
export function makeBrowser() {
  const ecdh = createECDH('prime256v1');
  ecdh.generateKeys();
  const secret = randomBytes(16);
  return {
    p256dh: ecdh.getPublicKey('base64url'),
    auth: secret.toString('base64url'),
    open: (body: Buffer) =>
      JSON.parse(
        ece
          .decrypt(body, { version: 'aes128gcm', privateKey: ecdh, authSecret: secret.toString('base64url') })
          .toString(),
      ) as Record<string, unknown>,
  };
}
