// Token → caller. Verifies HS256 tokens with the JWT secret and ES256/RS256 tokens with the keys of our own key set,
// knows the opaque `sb_…` keys, and remembers every verified token until it expires (bounded), so that a
// client's second request costs one map lookup. How a fault looks on the wire is each door's business.

import { createHash, hkdfSync, timingSafeEqual } from 'node:crypto';
import { decodeProtectedHeader, errors, type JWK, jwtVerify, SignJWT } from 'jose';
import { mintApiKey } from './mint-api-key.ts';
import { databaseRole, isOwnRole } from './narrowing.ts';
import { openHeaders } from './open-headers.ts';
import { isKey, openKeys } from './personal-keys.ts';
import type { KeySet } from './read-key-set.ts';
import { TokenCache } from './token-cache.ts';
import { type Claims, type Session, SessionFault, type Sessions } from './types.ts';

export interface SessionSettings {
  readonly jwtSecret: string;
  /** Asymmetric keys; the signing one, if any, signs new tokens in place of the secret. */
  readonly keySet: KeySet | null;
  /** Minted from the secret when null. */
  readonly anonKey: string | null;
  readonly serviceRoleKey: string | null;
  /** Opaque keys for the role anon, and for service_role. */
  readonly publishableKeys: readonly string[];
  readonly secretKeys: readonly string[];
  /** Tokens made for somebody else are refused; null: no token is. */
  readonly audience: string | null;
}

type Which = 'apikey' | 'authorization';

const algorithms = ['HS256', 'ES256', 'RS256'];
/** Clocks of two machines differ a little; PostgREST forgives the same. */
const clockSkewSeconds = 30;

export async function openSessions(settings: SessionSettings): Promise<Sessions> {
  const secret = new TextEncoder().encode(settings.jwtSecret);
  const keySet = settings.keySet;
  const cache = new TokenCache(10_000);
  const headers = openHeaders(verify);
  // Sessions that ended while tokens of theirs were alive, and until when those are.
  const ended = new Map<string, number>();
  const guests = new Set<string>();
  const tellEnd = new Set<(sessionIds: ReadonlySet<string>) => void>();
  const anonKey = settings.anonKey ?? (await mintApiKey('anon', settings.jwtSecret));
  const serviceRoleKey = settings.serviceRoleKey ?? (await mintApiKey('service_role', settings.jwtSecret));
  const opaque = [
    ...[...settings.publishableKeys, ...notTokens(anonKey)].map((key) => opaqueKey(key, 'anon')),
    ...[...settings.secretKeys, ...notTokens(serviceRoleKey)].map((key) => opaqueKey(key, 'service_role')),
  ];

  const keys = openKeys((...of) => sessionOf(...of, guests.has(of[1].sub ?? '')));

  function verify(token: string, which: Which = 'authorization'): Session | Promise<Session> {
    return cache.get(token) ?? (isKey(token) ? keys.verify(token, which) : verifyNew(token, which));
  }

  function verifyNew(token: string, which: Which): Session | Promise<Session> {
    const digest = createHash('sha256').update(token).digest();
    let found: Session | null = null;
    // No early exit: how long it takes tells nothing about which key came close.
    for (const key of opaque) if (timingSafeEqual(key.digest, digest)) found = key.session;
    if (found === null) return verifyToken(token, which);
    cache.keep(token, found);
    return found;
  }

  async function verifyToken(token: string, which: Which): Promise<Session> {
    let payload: Claims;
    try {
      const verified = await jwtVerify(
        token,
        async (header) => {
          if (header.alg === 'HS256') return secret;
          const key = keySet?.find(header.kid, header.alg);
          if (!key) throw new errors.JWKSNoMatchingKey();
          return key;
        },
        { algorithms, clockTolerance: clockSkewSeconds },
      );
      payload = verified.payload as Claims;
    } catch (error) {
      // A claim of a wrong type fails in other words than it deserves; the signature was good then.
      if (error instanceof errors.JWTClaimValidationFailed) checkClaims(token, settings.audience, which);
      throw faultOf(error, which, token);
    }
    checkClaims(token, settings.audience, which);
    const session = sessionOf(token, payload, which, guests.has(payload.sub ?? ''));
    if (isOver(payload)) throw new SessionFault('expired', 'The session of this token has ended', which, payload);
    cache.keep(token, session);
    return session;
  }

  function isOver({ session_id, key_id: id = session_id }: Claims): boolean {
    return id !== undefined && ended.has(id);
  }

  return {
    anonKey,
    serviceRoleKey,
    verify,
    verifyAgain(session) {
      const { token, keyHash } = session;
      if (token !== null) return verify(token);
      return keyHash === undefined ? session : keys.verifyHash(keyHash, 'authorization');
    },
    fromHeaders: headers.fromHeaders,
    fromHeadersOrKey: headers.fromHeadersOrKey,
    end(sessionIds, untilMs) {
      for (const [id, until] of ended) if (until < Date.now()) ended.delete(id);
      for (const id of sessionIds) ended.set(id, untilMs);
      cache.drop(isOver);
      headers.drop(isOver);
      keys.forget(sessionIds);
      const ids = new Set(sessionIds);
      for (const tell of tellEnd) tell(ids);
    },
    noteGuests(ids) {
      const fresh = new Set(ids.filter((id) => !guests.has(id)));
      for (const id of fresh) guests.add(id);
      const isNew = ({ sub = '' }: Claims) => fresh.has(sub);
      if (fresh.size === 0) return;
      cache.drop(isNew);
      headers.drop(isNew);
      keys.readAgain(isNew);
    },
    readKeysFrom: keys.readFrom,
    noteUse: keys.noteUse,
    onEnd(tell) {
      tellEnd.add(tell);
      return () => void tellEnd.delete(tell);
    },
    async sign(claims, lifetimeSeconds, until = Infinity) {
      const now = Math.floor(Date.now() / 1000);
      const expiresAt = Math.min(now + lifetimeSeconds, until);
      const jwt = new SignJWT({ ...claims }).setIssuedAt(now).setExpirationTime(expiresAt);
      const signing = keySet?.signing;
      if (signing) return jwt.setProtectedHeader({ alg: signing.alg, kid: signing.kid, typ: 'JWT' }).sign(signing.key);
      return jwt.setProtectedHeader({ alg: 'HS256', typ: 'JWT' }).sign(secret);
    },
    deriveKey(purpose) {
      return Buffer.from(hkdfSync('sha256', secret, 'kanbase', purpose, 32));
    },
    publicKeys() {
      return { keys: (keySet?.publicKeys ?? []) as readonly (JWK & Record<string, unknown>)[] };
    },
  };
}

/** Keys that an operator chose and that are no tokens: they count as opaque keys. */
function notTokens(key: string): string[] {
  return key.split('.').length === 3 ? [] : [key];
}

function opaqueKey(key: string, role: string): { digest: Buffer; session: Session } {
  const claims = { role };
  return {
    digest: createHash('sha256').update(key).digest(),
    session: { caller: { role, claims: JSON.stringify(claims) }, claims, token: null },
  };
}

/** PostgREST's words, which clients know: a claim that is not a number is reported before it is compared. */
function checkClaims(token: string, audience: string | null, which: Which): void {
  const claims = claimsIn(token);
  if (claims === null) return;
  for (const name of ['exp', 'nbf', 'iat'])
    if (claims[name] !== undefined && claims[name] !== null && typeof claims[name] !== 'number')
      throw new SessionFault('bad_claims', `The JWT '${name}' claim must be a number`, which);
  const { aud } = claims;
  if (aud === undefined || aud === null) return;
  const all: readonly unknown[] = Array.isArray(aud) ? aud : [aud];
  if (!all.every((one) => typeof one === 'string'))
    throw new SessionFault('bad_claims', "The JWT 'aud' claim must be a string or an array of strings", which);
  if (audience !== null && all.length > 0 && !all.includes(audience))
    throw new SessionFault('bad_claims', 'JWT not in audience', which);
}

/** The claims of a token whose signature was found good. */
function claimsIn(token: string): Readonly<Record<string, unknown>> | null {
  try {
    const claims: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
    return typeof claims === 'object' && claims !== null ? (claims as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

function sessionOf(token: string, claims: Claims, which: Which, isGuest: boolean): Session {
  // No token of ours is from the future; PostgREST turns them away in these words.
  if (claims.iat !== undefined && claims.iat > Date.now() / 1000 + clockSkewSeconds)
    throw new SessionFault('not_yet_valid', 'JWT issued at future', which);
  const role = claims.role ?? 'anon';
  // The server's own roles are for its own work: no token, however well signed, becomes one of them.
  if (
    typeof role !== 'string' ||
    role === '' ||
    isOwnRole(role) ||
    role.startsWith('kanbase_') ||
    role.startsWith('pg_')
  )
    throw new SessionFault('bad_claims', 'The role in the token may not be used', which);
  const ownRole = databaseRole(role, claims, isGuest);
  if (ownRole === null)
    throw new SessionFault('bad_claims', `Claims of the token cannot narrow the role ${role}`, which);
  // Policies that ask for the role find it, whether the token had it or not; `sub` stands first, where private.person_of looks.
  const said = { sub: claims.sub, ...claims, role, ...(isGuest ? { guest: true } : {}) };
  return { caller: { role: ownRole, claims: JSON.stringify(said) }, claims, token };
}

/** As the token says of itself; null where it says nothing that can be read. */
function algorithmOf(token: string): unknown {
  try {
    return decodeProtectedHeader(token).alg ?? null;
  } catch {
    return null;
  }
}

function faultOf(error: unknown, which: Which, token: string): SessionFault {
  if (error instanceof errors.JWTExpired) return new SessionFault('expired', 'JWT expired', which);
  if (error instanceof errors.JWTClaimValidationFailed)
    return error.claim === 'nbf'
      ? new SessionFault('not_yet_valid', 'JWT not yet valid', which)
      : new SessionFault('bad_claims', `The claim "${error.claim}" of the token is not acceptable`, which);
  if (error instanceof errors.JWSSignatureVerificationFailed || error instanceof errors.JWKSNoMatchingKey)
    return new SessionFault(
      'bad_signature',
      'No suitable key or wrong key type',
      which,
      null,
      'None of the keys was able to decode the JWT',
    );
  // PostgREST's words: clients that speak to /rest/v1 know them.
  if (token === '') return new SessionFault('malformed', 'Empty JWT is sent in Authorization header', which);
  const parts = token.split('.').length;
  if (parts === 3 && algorithmOf(token) === 'none')
    return new SessionFault(
      'malformed',
      'Wrong or unsupported encoding algorithm',
      which,
      null,
      "JWT is unsecured but expected 'alg' was not 'none'",
    );
  const what = parts === 3 ? 'JWT cryptographic operation failed' : `Expected 3 parts in JWT; got ${parts}`;
  return new SessionFault('malformed', what, which);
}
