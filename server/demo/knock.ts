// Requests through the service's own public doors, as one of the sample people or with the service key.

import type { House } from '../house.ts';

export interface Visitor {
  get<T>(path: string): Promise<T>;
  post<T>(path: string, body: unknown): Promise<T>;
  patch<T>(path: string, body: unknown): Promise<T>;
}

/** A door that said no: the sample cannot be filled in, and why. */
export class DoorRefused extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
    this.name = 'DoorRefused';
  }
}

export function visitor(house: House, token: string): Visitor {
  async function send<T>(path: string, init: RequestInit): Promise<T> {
    const answer = await house.fetch(`${house.siteUrl}${path}`, {
      ...init,
      headers: {
        apikey: house.sessions.anonKey,
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        prefer: 'return=representation',
      },
    });
    const text = await answer.text();
    if (!answer.ok) throw new DoorRefused(answer.status, `${path} answered ${answer.status}: ${text}`);
    return (text === '' ? null : JSON.parse(text)) as T;
  }
  return {
    get: (path) => send(path, { method: 'GET' }),
    post: (path, body) => send(path, { method: 'POST', body: JSON.stringify(body) }),
    patch: (path, body) => send(path, { method: 'PATCH', body: JSON.stringify(body) }),
  };
}
