// Owner of a statement's share of the pool: a signed-in person by the id in the token, all callers without one together. Roles of rooms and
// the service key do the operator's work and have no share.

import type { Caller } from './types.ts';

/** A caller is one object for as long as its token is remembered, so the claims are read once a token. */
const known = new WeakMap<Caller, string>();

/** Empty: nobody's share. */
export function shareOwnerOf(caller: Caller): string {
  let owner = known.get(caller);
  if (owner === undefined) {
    owner = readOwner(caller);
    known.set(caller, owner);
  }
  return owner;
}

/** Not many behind one key, as all who are signed out are, nor what the server asks for itself. */
export function isOnePerson(caller: Caller): boolean {
  const owner = shareOwnerOf(caller);
  return owner !== '' && owner !== caller.role;
}

/** Whose budget pays: the person's. All who are signed out share a role, and so none of them pays unless an address is named. */
export function payerOf(caller: Caller, named: string | undefined): string {
  return named ?? (isOnePerson(caller) ? shareOwnerOf(caller) : '');
}

function readOwner({ role, claims }: Caller): string {
  if (role === 'service_role' || role.startsWith('kanbase_')) return '';
  try {
    const { sub } = JSON.parse(claims) as { sub?: unknown };
    if (typeof sub === 'string' && sub !== '') return `${role} ${sub}`;
  } catch {
    // Claims that are no JSON come from no token: the role alone counts.
  }
  return role;
}
