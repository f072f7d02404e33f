// Cross-origin rules of the API doors, as the gateway in front of Supabase's services has them: any origin, no
// credentials, any header that is asked for. The landing and billing doors work with cookies and have no CORS at all.

import type { IncomingMessage, ServerResponse } from 'node:http';

const apiPrefixes = ['/auth/v1', '/rest/v1', '/realtime/v1', '/storage/v1'];

/** On every response of an API door. */
export const corsHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'Content-Encoding, Content-Location, Content-Profile, Content-Range, Content-Type, Date, ETag, Location, Preference-Applied, Range-Unit, Retry-After, Server, Server-Timing, X-Request-Id, X-Supabase-Api-Version',
} as const;

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

export function answerPreflight(request: IncomingMessage, response: ServerResponse): void {
  const asked = request.headers['access-control-request-headers'];
  response.writeHead(200, {
    'access-control-allow-origin': '*',
    'access-control-allow-methods': 'GET,HEAD,PUT,PATCH,POST,DELETE,OPTIONS,TRACE,CONNECT',
    ...(asked === undefined ? {} : { 'access-control-allow-headers': asked }),
    'access-control-max-age': '3600',
    vary: 'Access-Control-Request-Headers',
    'content-length': '0',
  });
  response.end();
}
