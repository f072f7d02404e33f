// Verified tokens by their text, until they expire. Bounded: the oldest entry leaves first.
// Only what has been verified gets in, so a guess never meets a comparison here.

import type { Session } from './types.ts';

interface Entry {
  readonly session: Session;
  readonly expiresAt: number;
}

/** Longer tokens are verified every time: a bounded number of entries should mean bounded memory. */
const longestCached = 8192;

export class TokenCache {
  readonly #entries = new Map<string, Entry>();

  constructor(
    private readonly limit: number,
    private readonly now: () => number = Date.now,
  ) {}

  get(token: string): Session | undefined {
    const entry = this.#entries.get(token);
    if (entry === undefined) return undefined;
    if (entry.expiresAt > this.now()) return entry.session;
    this.#entries.delete(token);
    return undefined;
  }

  /** Until it expires, or `until` at the latest. */
  keep(token: string, session: Session, until = Number.POSITIVE_INFINITY): void {
    if (token.length > longestCached) return;
    const { exp } = session.claims;
    this.#entries.set(token, { session, expiresAt: exp === undefined ? until : Math.min(exp * 1000, until) });
    if (this.#entries.size <= this.limit) return;
    const oldest = this.#entries.keys().next();
    if (!oldest.done) this.#entries.delete(oldest.value);
  }

  /** Forgets those of sessions that have ended. */
  drop(isOver: (claims: Session['claims']) => boolean): void {
    for (const [token, { session }] of this.#entries) if (isOver(session.claims)) this.#entries.delete(token);
  }

  get size(): number {
    return this.#entries.size;
  }
}
