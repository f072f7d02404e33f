// Reads X-Forwarded-For as addresses alone; ports that some proxies add are dropped. An entry that is no address ends the list: what stands before
// it was not written by a trusted proxy. Without any, the address of the connection counts.

import { isIP } from 'node:net';
import type { FastifyInstance } from 'fastify';

export function readForwardedFor(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const { headers } = request.raw;
    const given = headers['x-forwarded-for'];
    if (given !== undefined) headers['x-forwarded-for'] = addressesIn(String(given));
    if (headers['x-forwarded-for'] === '') delete headers['x-forwarded-for'];
    done();
  });
}

/** From the left: who asked first, then each proxy but the last. */
export function addressesIn(forwardedFor: string): string {
  const all = forwardedFor.split(',').map(withoutPort);
  return all.slice(all.findLastIndex((one) => isIP(one) === 0) + 1).join(', ');
}

function withoutPort(text: string): string {
  const [, ipv4, ipv6] = /^(?:([\d.]+):\d+|\[([^\]]*)\](?::\d+)?)$/.exec(text.trim()) ?? [];
  return ipv4 ?? ipv6 ?? text.trim();
}
