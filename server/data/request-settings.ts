// Settings that tell SQL about the request: method, path, headers, cookies, address and search path.

import type { TransactionSettings } from './catalog/catalog.ts';
import { ident } from './query/fragments.ts';
import type { ApiRequest } from './request/api-request.ts';
import type { RawRequest } from './request/read-request.ts';

type Setting = readonly [name: string, value: string];

export interface RequestScope {
  /** `search_path` for each exposed schema. */
  readonly searchPaths: ReadonlyMap<string, string>;
  /** Settings of the operator's that SQL may read. */
  readonly appSettings: readonly Setting[];
}

const NONE: readonly Setting[] = [];

/** One for each exposed schema, made once. */
export function searchPaths(schemas: readonly string[], extra: readonly string[]): Map<string, string> {
  return new Map(schemas.map((schema) => [schema, [schema, ...extra].map(ident).join(', ')]));
}

export function requestSettings(
  raw: RawRequest,
  request: ApiRequest,
  { searchPaths: paths, appSettings }: RequestScope,
  role: TransactionSettings | undefined,
  routine: TransactionSettings | undefined,
): Setting[] {
  const settings: Setting[] = [
    ['search_path', paths.get(request.schema) ?? ''],
    ...appSettings,
    ...(role?.others ?? NONE),
    ['request.method', raw.method],
    ['request.path', raw.path],
    ['request.headers', headersAsJson(raw.headers)],
    ['request.cookies', raw.headers.cookie === undefined ? '{}' : cookiesAsJson(String(raw.headers.cookie))],
  ];
  // For the log of who changed what.
  if (raw.address !== undefined && raw.method !== 'GET' && raw.method !== 'HEAD')
    settings.push(['request.address', raw.address()]);
  if (request.preferences.timezone !== null) settings.push(['timezone', request.preferences.timezone]);
  if (routine !== undefined) settings.push(...routine.others);
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
