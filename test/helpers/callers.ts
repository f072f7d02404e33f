// Callers of a running server, by its address: the official client, and raw HTTP with `apikey` and `Authorization`.

import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { WebSocket } from 'ws';
import { notedFetch } from './records.ts';

export interface Callers {
  /** The official client: anonymous, or with someone's access token (or the service key as `key`). */
  client(options?: { token?: string; key?: string; schema?: string }): SupabaseClient;
  /** Raw HTTP with apikey and Authorization filled in (token: anon by default; null: neither header). */
  request(path: string, init?: RequestInit & { token?: string | null }): Promise<Response>;
}

export function openCallers(url: string, anonKey: string): Callers {
  return {
    client({ token, key = anonKey, schema } = {}) {
      const made = createClient(url, key, {
        auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
        ...(schema === undefined ? {} : { db: { schema } }),
        global: {
          fetch: notedFetch,
          ...(token === undefined ? {} : { headers: { Authorization: `Bearer ${token}` } }),
        },
        realtime: { transport: WebSocket as never },
      }) as SupabaseClient;
      // Its sockets speak for the same person as its requests.
      if (token !== undefined) {
        made.realtime.accessToken = async () => token;
        void made.realtime.setAuth();
      }
      return made;
    },
    request(path, { token = anonKey, ...init } = {}) {
      const headers = new Headers(init.headers);
      if (token !== null) {
        if (!headers.has('apikey')) headers.set('apikey', anonKey);
        if (!headers.has('authorization')) headers.set('authorization', `Bearer ${token}`);
      }
      return notedFetch(new URL(path, url), { redirect: 'manual', ...init, headers });
    },
  };
}
