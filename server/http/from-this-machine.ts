// Tells whether a request comes from this machine: by the socket itself, without a proxy, and under a name of this machine, so that no page
// elsewhere gets here by a name that it points to us.

import type { FastifyRequest } from 'fastify';
import { isLoopbackAddress, isLoopbackHost } from '../loopback.ts';
import type { Services } from '../services.ts';

/** Mails that nobody sends can be read at /dev/inbox: without a mail server, outside production, on this machine. */
export function keepsMailHere({ config, siteUrl }: Pick<Services, 'config' | 'siteUrl'>): boolean {
  return config.mail.smtpUrl === null && !config.server.production && isLoopbackHost(new URL(siteUrl).hostname);
}

/** What a proxy adds in one way or another. */
const proxyHeaders = new Set(['forwarded', 'via', 'x-real-ip', 'cf-connecting-ip', 'true-client-ip']);

export function isFromThisMachine(request: FastifyRequest): boolean {
  const address = request.socket.remoteAddress ?? '';
  const host = (request.headers.host ?? '').replace(/:\d+$/, '');
  return (
    isLoopbackAddress(address) &&
    isLoopbackHost(host) &&
    !Object.keys(request.headers).some((name) => name.startsWith('x-forwarded-') || proxyHeaders.has(name))
  );
}
