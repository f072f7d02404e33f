// A way to a server for the conformance suite, which sends no tokens: each request goes on with one.

import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** `work` gets the address in front of `url`. */
export async function withToken<T>(url: string, token: string, work: (url: string) => Promise<T>): Promise<T> {
  const proxy = createServer((asked, answer) => {
    const headers = { ...asked.headers, authorization: `Bearer ${token}` };
    const sent = request(new URL(asked.url ?? '/', url), { method: asked.method ?? 'GET', headers }, (response) => {
      answer.writeHead(response.statusCode ?? 500, response.headers);
      response.pipe(answer);
    });
    sent.on('error', () => answer.destroy());
    answer.on('close', () => sent.destroy());
    asked.pipe(sent);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  try {
    return await work(`http://localhost:${(proxy.address() as AddressInfo).port}`);
  } finally {
    proxy.close();
    proxy.closeAllConnections();
  }
}
