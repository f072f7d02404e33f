// Reads the key and the token of a request: the `apikey` header, or `?apikey=` for clients that cannot set headers, and `Authorization`.
// `Sessions.fromHeaders` checks them.

import type { IncomingHttpHeaders } from 'node:http';

export interface Credentials {
  readonly apikey: string | undefined;
  readonly authorization: string | undefined;
}

export function readCredentials(headers: IncomingHttpHeaders, url: string): Credentials {
  const { apikey, authorization } = headers;
  const sent = Array.isArray(apikey) ? apikey[0] : apikey;
  return { apikey: sent || keyInQuery(url), authorization: authorization || undefined };
}

/** The header counts first; the address is only looked through when it could hold a key. */
function keyInQuery(url: string): string | undefined {
  const start = url.indexOf('?');
  if (start < 0 || !url.includes('apikey=', start)) return undefined;
  return new URLSearchParams(url.slice(start + 1)).get('apikey') || undefined;
}
