// Requests through the service's own public API, as one of the sample people or with the service key.

import type { Services } from '../services.ts';

export interface ApiClient {
  get<T>(path: string): Promise<T>;
  post<T>(path: string, body: unknown): Promise<T>;
  patch<T>(path: string, body: unknown): Promise<T>;
  /** A file, as it is. */
  upload(path: string, type: string, bytes: Buffer): Promise<void>;
}

/** A request that failed: the sample cannot be filled in, and why. */
export class RequestFailed extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
    this.name = 'RequestFailed';
  }
}

export function openApiClient(services: Services, token: string): ApiClient {
  async function send<T>(path: string, init: RequestInit): Promise<T> {
    const response = await services.fetch(`${services.siteUrl}${path}`, {
      ...init,
      headers: {
        apikey: services.sessions.anonKey,
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        prefer: 'return=representation',
        ...init.headers,
      },
    });
    const text = await response.text();
    if (!response.ok) throw new RequestFailed(response.status, `${path} answered ${response.status}: ${text}`);
    return (text === '' ? null : JSON.parse(text)) as T;
  }
  return {
    get: (path) => send(path, { method: 'GET' }),
    post: (path, body) => send(path, { method: 'POST', body: JSON.stringify(body) }),
    patch: (path, body) => send(path, { method: 'PATCH', body: JSON.stringify(body) }),
    upload: (path, type, bytes) =>
      send(`/storage/v1/object/${path}`, {
        method: 'POST',
        body: new Uint8Array(bytes),
        headers: { 'content-type': type },
      }),
  };
}
