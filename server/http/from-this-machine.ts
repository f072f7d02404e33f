// Whether a request comes from this machine: by the socket itself, with no proxy in between, and under a name of this
// machine, so that no page elsewhere gets here by a name that it points to us.

import type { FastifyRequest } from 'fastify';

/** What a proxy adds in one way or another. */
const proxyHeaders = new Set(['forwarded', 'via', 'x-real-ip', 'cf-connecting-ip', 'true-client-ip']);

export function isFromThisMachine(request: FastifyRequest): boolean {
  const address = request.socket.remoteAddress ?? '';
  const host = (request.headers.host ?? '').replace(/:\d+$/, '');
  return (
    (address === '::1' || /^(::ffff:)?127\./.test(address)) &&
    isLocalName(host) &&
    !Object.keys(request.headers).some((name) => name.startsWith('x-forwarded-') || proxyHeaders.has(name))
  );
}

export function isLocalName(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);
}
