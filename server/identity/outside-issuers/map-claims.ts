// Claims of a provider under the names that we know, as an administrator mapped them.

import { claimAt } from './claim-at.ts';
import type { Provider } from './providers.ts';

export function mapClaims(
  { custom }: Provider,
  claims: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  if (custom === undefined) return claims;
  const { mapping, userinfoUrl } = custom;
  const mapped = Object.entries(mapping).flatMap(([name, from]) => {
    const value = typeof from === 'string' ? claimAt(claims, from) : from;
    return value === undefined || value === null ? [] : [[name, value] as const];
  });
  const found: Record<string, unknown> = { ...claims };
  // These decide whose account it is: a mapped one has no other source, so that nobody passes by leaving it out.
  for (const name of ['sub', 'email', 'email_verified']) if (mapping[name] !== undefined) delete found[name];
  // The provider vouches for its own address, not for one in another claim.
  if (mapping.email !== undefined && mapping.email !== 'email') delete found.email_verified;
  Object.assign(found, Object.fromEntries(mapped));
  // Providers without OpenID call it `id`, and some write it as a number.
  const subject = found.sub ?? (userinfoUrl === null || mapping.sub !== undefined ? undefined : found.id);
  if (typeof subject === 'number' || typeof subject === 'string') found.sub = String(subject);
  return found;
}
