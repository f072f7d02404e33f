// Claims that narrow what a person may do: of keys and apps. A caller who has one is a program, of a database role of its own; restrictive policies
// of that role read the claims (sql/rules/access). The claim `role` stays what it was, for clients and for policies of others.

import type { Claims } from './types.ts';

const narrowing = ['scope', 'projects', 'client_id', 'act'] as const;

export const isNarrowed = (claims: Claims): boolean => narrowing.some((claim) => claims[claim] !== undefined);

/** Only people are narrowed: other roles have no rights of a person. */
export const databaseRole = (role: string, claims: Claims): string =>
  role === 'authenticated' && isNarrowed(claims) ? 'program' : role;

export const isProgram = ({ role }: { readonly role: string }): boolean => role === 'program';
