// Reads and writes the path to go on to after signing in, only ever one of our own. It stands after #, which no server, proxy or other
// site sees, since it may hold a secret itself: an invitation, or the link that makes the first administrator.

import { useSyncExternalStore } from 'react';
import { paths } from '../../routes.ts';

/** The address of a door (sign-in, sign-up) from which one goes on to `next`. */
export function withReturnPath(door: string, next: string): string {
  return next === paths.projects ? door : `${door}#next=${encodeURIComponent(next)}`;
}

/** What stands after # now, also when somebody opens another such link over this page, which loads nothing. */
export function useHash(): string {
  return useSyncExternalStore(followHash, () => location.hash);
}

function followHash(changed: () => void): () => void {
  window.addEventListener('hashchange', changed);
  return () => window.removeEventListener('hashchange', changed);
}

/** Where the address of this page says to go on to; other pages and mails may name a path without secrets in the query. */
export function readReturnPath(): string {
  const inHash = new URLSearchParams(location.hash.slice(1)).get('next');
  const asked = inHash ?? new URLSearchParams(location.search).get('next');
  return asked === 'kept' || asked === storedMark ? (readStoredPath() ?? paths.projects) : safeNext(asked);
}

function safeNext(asked: string | null): string {
  if (asked === null || !/^\/(?![/\\])/.test(asked) || /[\\\s]/.test(asked)) return paths.projects;
  return asked;
}

/** Stands in an address for a path that is kept on this device. */
const storedMark = `${paths.signIn}?next=kept`;
const storageKey = 'kanbase-next';
const validMs = 3_600_000;

/** Where a mail's link or a provider leads back to. A path with a secret stays on this device meanwhile. */
export function callbackUrl(next: string): string {
  const shown = next.includes('#') ? storePath(next) : next;
  return `${location.origin}/auth/callback?next=${encodeURIComponent(shown)}`;
}

function storePath(next: string): string {
  localStorage.setItem(storageKey, JSON.stringify({ next, at: Date.now() }));
  return storedMark;
}

function readStoredPath(): string | null {
  try {
    const { next, at } = JSON.parse(localStorage.getItem(storageKey) ?? '{}') as { next?: string; at?: number };
    return next !== undefined && Date.now() - (at ?? 0) < validMs ? safeNext(next) : null;
  } catch {
    return null;
  }
}

/** Once gone there, it is used up. */
export function forgetReturnPath(): void {
  localStorage.removeItem(storageKey);
}
