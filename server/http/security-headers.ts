// Headers for pages: only our own scripts, no framing, no sniffing, little said to other sites.

import type { FastifyInstance } from 'fastify';
import type { House } from '../house.ts';

/** Styles may stand on elements (virtual lists place rows so); scripts come from our own files alone. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob: https:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

export function securityHeaders(app: FastifyInstance, house: Pick<House, 'siteUrl'>): void {
  const headers: Record<string, string> = {
    'content-security-policy': contentSecurityPolicy,
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=()',
    'cross-origin-opener-policy': 'same-origin-allow-popups',
  };
  if (house.siteUrl.startsWith('https:')) headers['strict-transport-security'] = 'max-age=31536000';
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers);
    done();
  });
}
