// X-Forwarded-For as addresses alone, for everything that asks where a request comes from: some proxies write the port behind
// the address. What is no address names nobody, and what stands before it was not said by a proxy of ours: without both, the
// request comes from the next one, at the last from the other end of the connection.

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
