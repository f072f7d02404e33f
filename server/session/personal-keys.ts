// Keys of people, `kb_…`: text → session, by its hash. A key that was found is remembered for a short while, and forgotten at once where a node is told
// that it ended or reaches less. What lacks the checksum is refused without a question to the database.

import { createHash } from 'node:crypto';
import { TokenCache } from './token-cache.ts';
import { type Claims, type KeySource, type Session, SessionFault } from './types.ts';

type Which = 'apikey' | 'authorization';

/** Should a message be lost, a key is good for so long at most; looking at ended sessions now and then comes first. */
const rememberedMs = 5 * 60_000;
const noteEveryMs = 60_000;
/** Wrong keys that are remembered, so that one who repeats theirs asks the database once a minute. */
const mostUnknown = 1000;
const unknownMs = 60_000;

export const isKey = (token: string): boolean => token.startsWith('kb_');

/** `kb_`, 40 digits of chance, and the first 8 of the SHA-256 of these 43 characters. */
export function isWhole(key: string): boolean {
  if (!/^kb_[0-9a-f]{48}$/.test(key)) return false;
  return createHash('sha256').update(key.slice(0, 43)).digest('hex').startsWith(key.slice(43));
}

interface Keys {
  verify(key: string, which: Which): Session | Promise<Session>;
  /** By `keyHash` of a session. */
  verifyHash(name: string, which: Which): Session | Promise<Session>;
  forget(ids: readonly string[]): void;
  /** Who asks by them is told otherwise now. */
  readAgain(whose: (claims: Claims) => boolean): void;
  readFrom(source: KeySource): void;
  noteUse(keyId: string, address: string): void;
}

export function openKeys(sessionOf: (token: string, claims: Claims, which: Which) => Session): Keys {
  // By hash: the texts themselves are kept nowhere.
  const known = new TokenCache(10_000);
  const unknown = new Map<string, number>();
  const noted = new Map<string, number>();
  let source: KeySource | null = null;
  /** Keys that ended lately, by a count of ends. */
  const ended = new Map<string, number>();
  let ends = 0;

  async function find(name: string, which: Which): Promise<Session> {
    const began = ends;
    const claims = (await source?.find(Buffer.from(name, 'base64'))) ?? null;
    // It may have ended while the database answered.
    if (claims !== null && (ended.get(claims.key_id ?? '') ?? 0) > began) return find(name, which);
    if (claims === null) {
      if (unknown.size >= mostUnknown) unknown.clear();
      unknown.set(name, Date.now() + unknownMs);
      throw refused(which);
    }
    const { caller } = sessionOf('', claims, which);
    const session: Session = { caller: { ...caller, keyId: claims.key_id ?? '' }, claims, token: null, keyHash: name };
    known.keep(name, session, Date.now() + rememberedMs);
    return session;
  }

  function verifyHash(name: string, which: Which): Session | Promise<Session> {
    const session = known.get(name);
    if (session !== undefined) return session;
    if ((unknown.get(name) ?? 0) > Date.now()) throw refused(which);
    return find(name, which);
  }

  return {
    verify(key, which) {
      if (!isWhole(key)) throw new SessionFault('malformed', 'This is no key: its checksum is wrong', which);
      return verifyHash(createHash('sha256').update(key).digest('base64'), which);
    },
    verifyHash,
    forget(ids) {
      ends++;
      if (ended.size > mostUnknown) ended.clear();
      for (const id of ids) ended.set(id, ends);
      const gone = new Set(ids);
      known.drop(({ key_id: id }) => id !== undefined && gone.has(id));
    },
    readAgain(whose) {
      known.drop(whose);
    },
    readFrom(given) {
      source = given;
    },
    noteUse(id, address) {
      if (source === null) return;
      const now = Date.now();
      if ((noted.get(id) ?? 0) > now - noteEveryMs) return;
      if (noted.size >= mostUnknown) noted.clear();
      noted.set(id, now);
      source.noteUse(id, address);
    },
  };
}

const refused = (which: Which): SessionFault =>
  new SessionFault('expired', 'This key does not exist, has expired or was revoked', which);
