// Types of a session: the outcome of reading `apikey`, `Authorization` or the session cookie.

import type { Caller } from '../database/types.ts';

/** The claims a token carries; what Supabase's tokens carry, and whatever else was signed. */
export interface Claims {
  readonly role?: string;
  readonly sub?: string;
  readonly email?: string;
  readonly session_id?: string;
  /** Of a key, which has no session. */
  readonly key_id?: string;
  /** What narrows the rights of a person: see narrowing.ts. */
  readonly scope?: string;
  readonly projects?: unknown;
  readonly client_id?: string;
  readonly act?: unknown;
  readonly aal?: string;
  readonly is_anonymous?: boolean;
  readonly exp?: number;
  readonly iat?: number;
  readonly [claim: string]: unknown;
}

export interface Session {
  readonly caller: Caller;
  readonly claims: Claims;
  /** The token as sent; null for an opaque key. */
  readonly token: string | null;
  /** Of a key of a person: what it is looked up by. */
  readonly keyHash?: string;
}

export type TokenFault =
  | 'missing'
  | 'no_bearer'
  | 'malformed'
  | 'bad_signature'
  | 'expired'
  | 'not_yet_valid'
  | 'bad_claims';

/** A token or key that is not good enough. Each door answers it in its own dialect, always 401. */
export class SessionFault extends Error {
  constructor(
    readonly fault: TokenFault,
    message: string,
    readonly which: 'apikey' | 'authorization',
    /** Set when nothing is wrong with the token but that its session has ended: who asks the database may say more. */
    readonly claims: Claims | null = null,
    /** What a protocol that has room for it adds. */
    readonly details: string | null = null,
  ) {
    super(message);
    this.name = 'SessionFault';
  }
}

export interface SentCredentials {
  readonly apikey?: string | undefined;
  readonly authorization?: string | undefined;
}

/** Keys of people for programs: found by the hash of their text. */
export interface KeySource {
  find(hash: Buffer): Promise<Claims | null>;
  /** Used just now, from this address; called at most once a minute for each key. */
  noteUse(keyId: string, address: string): void;
}

export interface Sessions {
  /** Both are needed: the key names the client, the bearer token says who asks and may be the key, too. Throws SessionFault. */
  fromHeaders(headers: SentCredentials): Session | Promise<Session>;
  /** The same, but without a token the key says who asks. */
  fromHeadersOrKey(headers: SentCredentials): Session | Promise<Session>;
  /** A single token (an access token, an API key), verified and cached until it expires; throws SessionFault. */
  verify(token: string, which?: 'apikey' | 'authorization'): Session | Promise<Session>;
  /** The same token or key, asked for anew: who holds a session for long has it as it is now. Throws SessionFault. */
  verifyAgain(session: Session): Session | Promise<Session>;
  /** Where keys are looked up; without it there are none. */
  readKeysFrom(source: KeySource): void;
  /** A request that came with this key, from an address. */
  noteUse(keyId: string, address: string): void;
  /** Tokens of these sessions, and these keys, are not good any more as they were; remembered until the last of them has expired. */
  end(sessionIds: readonly string[], untilMs: number): void;
  /** People who may see tasks of projects they are not in: what asks the database for them says so in its claims. */
  noteGuests(ids: readonly string[]): void;
  /** Called with the sessions that end, for whoever serves them over a lasting connection; gives back how to stop. */
  onEnd(tell: (sessionIds: ReadonlySet<string>) => void): () => void;
  /** Signs claims with the current key (HS256 secret, or the private key in use). `until`: the latest end, in seconds since 1970. */
  sign(claims: Record<string, unknown>, lifetimeSeconds: number, until?: number): Promise<string>;
  /** Public keys for /.well-known/jwks.json. */
  publicKeys(): { keys: readonly Record<string, unknown>[] };
  /** 32 bytes of our own for one purpose, derived from the JWT secret: the same on every node and after a restart. */
  deriveKey(purpose: string): Buffer;
  readonly anonKey: string;
  readonly serviceRoleKey: string;
}
