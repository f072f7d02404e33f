// Requests to /storage/v1: the token goes into a header, never into the address, and a refusal is read as one of the data door.

import { type Door, Refusal } from '../sync/door.ts';

export async function authHeaders(door: Door): Promise<{ readonly authorization: string }> {
  const { data, error } = await door.auth.getSession();
  if (data.session === null) throw new Refusal(error?.message ?? 'signed out', '', error ? 0 : 401);
  return { authorization: `Bearer ${data.session.access_token}` };
}

/** Refusals tell the real status in their body; those of a resumable upload come in words, with the code in a header. */
export function readRefusal(body: string, status: number, knownCode = ''): Refusal {
  try {
    const { message = '', error = '', code = error, statusCode } = JSON.parse(body) as Readonly<Record<string, string>>;
    return new Refusal(message || error, code, Number(statusCode) || status);
  } catch {
    return new Refusal(body.slice(0, 300), knownCode, status);
  }
}

/** A path as part of an address. */
export const encodePath = (path: string): string => path.split('/').map(encodeURIComponent).join('/');

export type Asked = Omit<RequestInit, 'headers'> & { readonly headers?: Readonly<Record<string, string>> };

export async function askFiles(door: Door, path: string, asked: Asked = {}): Promise<Response> {
  const response = await fetch(`/storage/v1/${path}`, {
    ...asked,
    headers: { ...(await authHeaders(door)), ...asked.headers },
  });
  if (!response.ok) throw readRefusal(await response.text(), response.status);
  return response;
}

export async function askFilesInJson<T>(door: Door, method: 'POST' | 'DELETE', path: string, body: object): Promise<T> {
  const headers = { 'content-type': 'application/json' };
  const response = await askFiles(door, path, { method, headers, body: JSON.stringify(body) });
  return (await response.json()) as T;
}
