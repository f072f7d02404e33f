// Headers for pages: only our own scripts, no framing, no sniffing, a referrer without path.

import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Config } from '../config/config.ts';
import type { Services } from '../services.ts';

/**
 * Styles may stand on elements (virtual lists place rows so); scripts come from our own files alone, and pictures too unless
 * IMAGE_ORIGINS names others: a picture from elsewhere tells its server who looks at it, and when.
 */
const contentSecurityPolicy = (images: readonly string[], ancestors: readonly string[] = []) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    ["img-src 'self' data: blob:", ...images].join(' '),
    "media-src 'self'",
    // PDFs that the app has fetched itself.
    'frame-src blob:',
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    ['frame-ancestors', ...(ancestors.length > 0 ? ancestors : ["'none'"])].join(' '),
  ].join('; ');

export function securityHeaders(app: FastifyInstance, services: Pick<Services, 'siteUrl' | 'config'>): void {
  const headers: Record<string, string> = {
    'content-security-policy': contentSecurityPolicy(services.config.server.imageOrigins),
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    // The origin alone, to ourselves too: proxies log referrers, and some addresses hold a secret by their protocol.
    'referrer-policy': 'strict-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=()',
    'cross-origin-opener-policy': 'same-origin-allow-popups',
  };
  if (services.siteUrl.startsWith('https:')) headers['strict-transport-security'] = 'max-age=31536000';
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers);
    done();
  });
}

/** Of the page of a public link: no search engine lists it, no cache stores it, and SHARE_FRAME_ANCESTORS may embed it. */
export function sharedPageHeaders(reply: FastifyReply, { imageOrigins, shareFrameAncestors }: Config['server']): void {
  reply.headers({
    'content-security-policy': contentSecurityPolicy(imageOrigins, shareFrameAncestors),
    'x-robots-tag': 'noindex',
    'referrer-policy': 'no-referrer',
  });
  if (shareFrameAncestors.length > 0) reply.removeHeader('x-frame-options');
}
