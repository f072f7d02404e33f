// Reads a session from `apikey` and `Authorization`: both, or a key alone where that is enough. Remembers the sessions by the whole
// Authorization header, the way of nearly every request, without cutting it up first.

import { isKey } from './personal-keys.ts';
import { TokenCache } from './token-cache.ts';
import { type Claims, type Session, SessionFault, type Sessions } from './types.ts';

interface Headers extends Pick<Sessions, 'fromHeaders' | 'fromHeadersOrKey'> {
  drop(isOver: (claims: Claims) => boolean): void;
}

export function openHeaders(verify: Sessions['verify']): Headers {
  const headers = new TokenCache(10_000);
  // The public key that clients sent last. It is no secret, so comparing it tells nobody anything.
  let publicKey: string | null = null;

  /** The key is good; who is the bearer? Remembers both as they were sent, for the next request of this client. */
  function enter(apikey: string, key: Session, authorization: string): Session | Promise<Session> {
    // A key of a person is both, as clients send it that are given no other.
    if (key.claims.key_id !== undefined && authorization.endsWith(` ${apikey}`)) return key;
    asApiKey(key);
    if (key.caller.role === 'anon') publicKey = apikey;
    const session = verify(bearerOf(authorization));
    // Keys of people are remembered where they are looked up, for a while only.
    if (!(session instanceof Promise) && session.claims.key_id === undefined) headers.keep(authorization, session);
    return session;
  }

  function keyAlone(apikey: string): Session | Promise<Session> {
    const key = verify(apikey, 'apikey');
    if (isKey(apikey)) return key;
    return key instanceof Promise ? key.then(asApiKey) : asApiKey(key);
  }

  function both(apikey: string, authorization: string): Session | Promise<Session> {
    if (apikey === publicKey) {
      const known = headers.get(authorization);
      if (known !== undefined) return known;
    }
    const key = verify(apikey, 'apikey');
    if (key instanceof Promise) return key.then((found) => enter(apikey, found, authorization));
    return enter(apikey, key, authorization);
  }

  /** A key of a person says who asks and needs no other beside it. */
  function ownKey(authorization: string | undefined): Session | Promise<Session> {
    const token = /^bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
    if (token === undefined || !isKey(token)) throw noKey();
    return verify(token);
  }

  /** A wrong key is told as such; a good one lacks its token. */
  async function refuseKeyAlone(apikey: string): Promise<never> {
    await keyAlone(apikey);
    throw new SessionFault('missing', 'No Authorization header found in request', 'authorization', null, wantsToken);
  }

  return {
    fromHeaders({ apikey, authorization }) {
      if (!apikey) return ownKey(authorization);
      return authorization ? both(apikey, authorization) : refuseKeyAlone(apikey);
    },
    fromHeadersOrKey({ apikey, authorization }) {
      if (!apikey) return ownKey(authorization);
      // Without a token of somebody's the key is the token, as behind Supabase's gateway.
      return authorization ? both(apikey, authorization) : keyAlone(apikey);
    },
    drop: (isOver) => headers.drop(isOver),
  };
}

const wantsToken = 'Send Authorization: Bearer <token> beside apikey: the access token of a session, or the key again.';

const noKey = (): SessionFault => new SessionFault('missing', 'No API key found in request', 'apikey');

function bearerOf(authorization: string): string {
  if (/^bearer( |$)/i.test(authorization)) return authorization.slice(7).trim();
  throw new SessionFault('no_bearer', 'Authorization must be "Bearer <token>"', 'authorization');
}

/** An access token of a person is no API key: the API key names the client, the bearer token names the person. */
function asApiKey(session: Session): Session {
  if (session.claims.sub !== undefined)
    throw new SessionFault('bad_claims', 'The apikey header must hold an API key, not an access token', 'apikey');
  return session;
}
