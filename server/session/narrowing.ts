// Claims that narrow what a person may do: of keys and apps. A caller who has one is a program, of a database role of its own; restrictive policies
// of that role read the claims (sql/rules/access). The claim `role` stays what it was, for clients and for policies of others.

import type { Claims } from './types.ts';

const narrowing = ['scope', 'projects', 'client_id', 'act'] as const;

export const isNarrowed = (claims: Claims): boolean => narrowing.some((claim) => claims[claim] !== undefined);

/** The one role whose rights can be narrowed, and that guests have beside their own. */
export const narrowableRole = 'authenticated';
const guestRole = 'task_guest';

/** No token names them. */
export const isOwnRole = (role: string): boolean => role === guestRole || role === 'program';

/** null: the claims narrow a role that has no narrowed form. `isGuest`: they may see tasks of projects they are not in. */
export function databaseRole(role: string, claims: Claims, isGuest: boolean): string | null {
  if (isNarrowed(claims)) return role === narrowableRole ? 'program' : null;
  return isGuest && role === narrowableRole ? guestRole : role;
}

interface WithRole {
  readonly role: string;
}

export const isProgram = ({ role }: WithRole): boolean => role === 'program';

/** Somebody who signed in themselves. */
export const isPerson = ({ role }: WithRole): boolean => role === narrowableRole || role === guestRole;

/** People become guests while they work: what is kept of them says the same before and after. */
export const lastingRole = (caller: WithRole): string => (isPerson(caller) ? narrowableRole : caller.role);
