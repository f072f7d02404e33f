// What SQL may know of the request: method, path, headers, cookies, and where names without a schema are looked up.

import type { Routine } from './catalog/catalog.ts';
import { ident } from './query/fragments.ts';
import type { ApiRequest } from './request/api-request.ts';
import type { RawRequest } from './request/read-request.ts';

type Setting = readonly [name: string, value: string];

const searchPaths = new Map<string, string>();

/** Few values: one for each exposed schema. */
function searchPath(schema: string, extra: readonly string[]): string {
  let found = searchPaths.get(schema);
  if (found === undefined) {
    found = [schema, ...extra].map(ident).join(', ');
    searchPaths.set(schema, found);
  }
  return found;
}

export function requestSettings(
  raw: RawRequest,
  request: ApiRequest,
  extraSearchPath: readonly string[],
  routine: Routine | null,
): Setting[] {
  const settings: Setting[] = [
    ['search_path', searchPath(request.schema, extraSearchPath)],
    ['request.method', raw.method],
    ['request.path', raw.path],
    ['request.headers', headersAsJson(raw.headers)],
    ['request.cookies', raw.headers['cookie'] === undefined ? '{}' : cookiesAsJson(String(raw.headers['cookie']))],
  ];
  if (request.preferences.timezone !== null) settings.push(['timezone', request.preferences.timezone]);
  if (routine !== null)
    for (const setting of routine.settings) if (setting[0] !== 'statement_timeout') settings.push(setting);
  return settings;
}

function headersAsJson(headers: RawRequest['headers']): string {
  let text = '{';
  for (const name in headers) {
    const value = headers[name];
    if (name === 'cookie' || value === undefined) continue;
    text += `${text === '{' ? '' : ','}${JSON.stringify(name)}:${JSON.stringify(typeof value === 'string' ? value : value.join(', '))}`;
  }
  return `${text}}`;
}

function cookiesAsJson(header: string): string {
  const cookies: Record<string, string> = {};
  for (const part of header.split(';')) {
    const at = part.indexOf('=');
    if (at > 0) cookies[part.slice(0, at).trim()] = part.slice(at + 1).trim();
  }
  return JSON.stringify(cookies);
}
