// A question to one of the server's own doors beside rows and procedures (/api/admin, /api/imports). The token goes in the header: cookies
// open nothing there.

import { type Door, Refusal } from './door.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

export async function askServer(door: Door, path: string, method: Method = 'GET', body?: object): Promise<Response> {
  const { data, error } = await door.auth.getSession();
  if (data.session === null) throw new Refusal(error?.message ?? 'signed out', '', error ? 0 : 401);
  const isFile = body instanceof File;
  const response = await fetch(path, {
    method,
    headers: {
      authorization: `Bearer ${data.session.access_token}`,
      ...(body === undefined ? {} : { 'content-type': isFile ? 'application/octet-stream' : 'application/json' }),
    },
    ...(body === undefined ? {} : { body: isFile ? body : JSON.stringify(body) }),
  }).catch((reason: Error) => {
    throw new Refusal(reason.message, '', 0);
  });
  if (response.ok) return response;
  const refused = (await response.json().catch(() => ({}))) as Partial<
    Record<'message' | 'error' | 'code' | 'details', string>
  >;
  const words = refused.message ?? refused.error ?? `HTTP ${response.status}`;
  throw new Refusal(words, refused.code ?? '', response.status, refused.details ?? null);
}

export const resultOf = async <T>(response: Promise<Response>): Promise<T> => (await (await response).json()) as T;
