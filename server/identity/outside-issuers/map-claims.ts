// Claims of a provider under the names that we know, as an administrator mapped them.

import { claimAt } from './claim-at.ts';
import type { Provider } from './providers.ts';

export function mapClaims(
  { custom }: Provider,
  claims: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  if (custom === undefined) return claims;
  const mapped = Object.entries(custom.mapping).flatMap(([name, from]) => {
    const value = typeof from === 'string' ? claimAt(claims, from) : from;
    return value === undefined || value === null ? [] : [[name, value] as const];
  });
  const found: Record<string, unknown> = { ...claims, ...Object.fromEntries(mapped) };
  // Providers without OpenID call it `id`, and some write it as a number.
  const subject = found.sub ?? (custom.userinfoUrl === null ? undefined : found.id);
  if (typeof subject === 'number' || typeof subject === 'string') found.sub = String(subject);
  return found;
}
