// The session as the cookies of this browser hold it, for when its token is over and nobody can be reached to renew it: what this device
// remembers is then shown to the one it belongs to. The server decides by itself once it is reached.

import { combineChunks, stringFromBase64URL } from '@supabase/ssr';
import { sessionCookie } from '../sync/door.ts';

export interface StoredSession {
  readonly access_token: string;
  readonly expires_at: number;
  readonly user: { readonly id: string; readonly email?: string; readonly factors?: readonly { status: string }[] };
}

/** How the client marks what it has encoded. */
const encoded = 'base64-';

export async function readStoredSession(cookies: string): Promise<StoredSession | null> {
  const values = new Map(
    cookies.split(';').map((pair) => {
      const [name = '', ...value] = pair.split('=');
      return [name.trim(), value.join('=')];
    }),
  );
  const found = await combineChunks(sessionCookie, (name) => values.get(name) ?? null);
  if (found === null) return null;
  try {
    const text = found.startsWith(encoded) ? stringFromBase64URL(found.slice(encoded.length)) : found;
    const session = JSON.parse(text) as Partial<StoredSession>;
    return session.user?.id && session.access_token && session.expires_at ? (session as StoredSession) : null;
  } catch {
    return null;
  }
}

/** The client renews it a moment before its end. */
const margin = 90_000;

export const isExpired = (session: StoredSession, now = Date.now()): boolean =>
  session.expires_at * 1000 - now < margin;

export async function isServerThere(): Promise<boolean> {
  try {
    const { status } = await fetch('/health', { cache: 'no-store', signal: AbortSignal.timeout(4000) });
    // A proxy in front of a server that is away answers for it.
    return status < 502;
  } catch {
    return false;
  }
}
