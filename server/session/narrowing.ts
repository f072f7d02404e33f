// Claims that narrow what a person may do: of keys and apps. A caller who has one is a program, of a database role of its own; restrictive policies
// of that role read the claims (sql/rules/access). The claim `role` stays what it was, for clients and for policies of others.

import type { Claims } from './types.ts';

const narrowing = ['scope', 'projects', 'client_id', 'act'] as const;

export const isNarrowed = (claims: Claims): boolean => narrowing.some((claim) => claims[claim] !== undefined);

/** The one role whose rights can be narrowed. */
export const narrowableRole = 'authenticated';

/** null: the claims narrow a role that has no narrowed form. */
export function databaseRole(role: string, claims: Claims): string | null {
  if (!isNarrowed(claims)) return role;
  return role === narrowableRole ? 'program' : null;
}

export const isProgram = ({ role }: { readonly role: string }): boolean => role === 'program';
