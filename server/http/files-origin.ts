// The origin for files alone (STORAGE_PUBLIC_URL): what people upload may be shown there as pages, for nothing of the app is served there.

import type { IncomingMessage, ServerResponse } from 'node:http';

/** Public and signed addresses: they need no token, which this origin should never see. */
const served = /^\/storage\/v1\/(object|render\/image)\/(public|sign)\//;

/** Whether the request was answered here, because it came to that origin for something else. */
export function refuseAllButFiles(host: string | null, request: IncomingMessage, response: ServerResponse): boolean {
  if (host === null || request.headers.host !== host) return false;
  if (served.test(request.url ?? '') && /^(GET|HEAD|OPTIONS)$/.test(request.method ?? '')) return false;
  response.writeHead(404, { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' });
  response.end('Only files are served here.\n');
  // A body that comes along is read past.
  request.resume();
  return true;
}
