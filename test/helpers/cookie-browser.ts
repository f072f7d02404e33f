// Cookies of a browser, for tests without one: the official @supabase/ssr client over a jar, and requests that send the jar along and keep
// the cookies of answers.

import { createServerClient } from '@supabase/ssr';
import type { SupabaseClient } from '@supabase/supabase-js';
import { parse, serialize } from 'cookie';
import { WebSocket } from 'ws';

export interface CookieBrowser {
  readonly jar: Map<string, string>;
  readonly client: SupabaseClient;
  /** Same-origin requests, as a page of the site makes them. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
}

/** `name` is the cookie's; without it the client derives one from the address, as it does for everybody. */
export function cookieBrowser(url: string, anonKey: string, name?: string): CookieBrowser {
  const jar = new Map<string, string>();
  const client = createServerClient(url, anonKey, {
    ...(name === undefined ? {} : { cookieOptions: { name } }),
    cookies: {
      getAll: () => [...jar].map(([cookie, value]) => ({ name: cookie, value })),
      setAll: (changes) => {
        for (const change of changes) {
          if (change.value === '') jar.delete(change.name);
          else jar.set(change.name, change.value);
        }
      },
    },
    realtime: { transport: WebSocket as never },
  }) as SupabaseClient;
  return {
    jar,
    client,
    async fetch(path, init = {}) {
      const headers = new Headers(init.headers);
      if (jar.size > 0 && !headers.has('cookie'))
        headers.set('cookie', [...jar].map(([cookie, value]) => serialize(cookie, value)).join('; '));
      const answer = await fetch(new URL(path, url), { redirect: 'manual', ...init, headers });
      for (const line of answer.headers.getSetCookie()) {
        const [cookie = '', value = ''] = Object.entries(parse(line.split(';', 1)[0] ?? ''))[0] ?? [];
        if (value === '') jar.delete(cookie);
        else jar.set(cookie, value);
      }
      return answer;
    },
  };
}
