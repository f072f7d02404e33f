// Cross-origin rules of the API doors, as the gateway in front of Supabase's services has them: any origin, no
// credentials, any header that is asked for. The landing and billing doors work with cookies and have no CORS at all.

import type { IncomingMessage, ServerResponse } from 'node:http';

const apiPrefixes = ['/auth/v1', '/rest/v1', '/realtime/v1', '/storage/v1', '/mcp', '/.well-known'];

/** What pages may read of an answer's head. */
export const exposedHeaders =
  'Content-Encoding, Content-Location, Content-Profile, Content-Range, Content-Type, Date, ETag, Location, Mcp-Session-Id, Preference-Applied, Proposal, Range-Unit, Retry-After, Server, Server-Timing, WWW-Authenticate, X-Request-Id, X-Supabase-Api-Version';
const anyOrigin = ['access-control-allow-origin', '*', 'access-control-expose-headers', exposedHeaders] as const;
const otherOrigin = ['vary', 'Origin'] as const;

/** Names and values in turn, for every response of an API door. */
export type Cors = (origin: string | undefined) => readonly string[];

/** Where origins are named, only they may read answers; and what is cached for one is not shown to another. */
export function corsOf(origins: readonly string[]): Cors {
  if (origins.length === 0) return () => anyOrigin;
  return (origin) =>
    origin === undefined || !origins.includes(origin)
      ? otherOrigin
      : [
          ...['access-control-allow-origin', origin, 'access-control-allow-credentials', 'true'],
          ...['access-control-expose-headers', exposedHeaders, ...otherOrigin],
        ];
}

export function isApiPath(url: string): boolean {
  return apiPrefixes.some((prefix) => url.startsWith(prefix) && /^($|[/?])/.test(url.slice(prefix.length)));
}

export function isPreflight(request: IncomingMessage): boolean {
  return (
    request.headers.origin !== undefined &&
    request.headers['access-control-request-method'] !== undefined &&
    isApiPath(request.url ?? '')
  );
}

export function answerPreflight(request: IncomingMessage, response: ServerResponse, cors: Cors): void {
  const { origin } = request.headers;
  const asked = request.headers['access-control-request-headers'];
  const allowed = cors(origin);
  const at = allowed.indexOf('access-control-allow-origin');
  const headers = ['vary', `${allowed.includes('vary') ? 'Origin, ' : ''}Access-Control-Request-Headers`];
  headers.push('content-length', '0');
  if (at >= 0) {
    headers.push('access-control-allow-origin', allowed[at + 1] ?? '*');
    if (allowed.includes('access-control-allow-credentials')) headers.push('access-control-allow-credentials', 'true');
    headers.push('access-control-allow-methods', 'GET,HEAD,PUT,PATCH,POST,DELETE,OPTIONS,TRACE,CONNECT');
    if (asked !== undefined) headers.push('access-control-allow-headers', asked);
    headers.push('access-control-max-age', '3600');
  }
  response.writeHead(200, headers);
  response.end();
}
