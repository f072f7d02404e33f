// Scopes: what a program may learn of a person (openid email profile phone), and what it may do in their projects (read, comment, write).

import { refuseOAuth } from './errors.ts';

const ofPerson = ['openid', 'email', 'profile', 'phone'] as const;
const ofProjects = ['read', 'comment', 'write'] as const;
export const scopes = [...ofPerson, ...ofProjects] as const;
type Scope = (typeof scopes)[number];

const implied: Partial<Record<string, readonly Scope[]>> = { comment: ['read'], write: ['comment', 'read'] };

/** Where a client asks for nothing: a sign-in. */
const defaultScopes: readonly Scope[] = ['openid', 'email', 'profile'];

/** What was asked for, with what that implies, in one order. `allowed`: what the client is registered for; null: all. */
export function readScopes(asked: string, allowed: readonly string[] | null): readonly string[] {
  const words = asked.split(' ').filter((word) => word !== '');
  // Every client that may refresh gets a refresh token; asking for it is allowed and changes nothing.
  const wanted = new Set<string>(
    words.length === 0 ? (allowed ?? defaultScopes) : words.filter((one) => one !== 'offline_access'),
  );
  for (const one of [...wanted]) for (const more of implied[one] ?? []) wanted.add(more);
  const reach = allowed === null ? null : new Set(allowed.flatMap((one) => [one, ...(implied[one] ?? [])]));
  for (const one of wanted) {
    if (!isScope(one)) throw refuseOAuth('invalid_scope', `Unknown scope: ${one.slice(0, 50)}`);
    if (reach !== null && !reach.has(one))
      throw refuseOAuth('invalid_scope', `The client is not registered for: ${one}`);
  }
  return scopes.filter((one) => wanted.has(one));
}

function isScope(word: string): word is Scope {
  return (scopes as readonly string[]).includes(word);
}
