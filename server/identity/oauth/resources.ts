// Resources that a token may be bound to (RFC 8707): this service as a whole, or one of its doors.

import type { IdentityContext } from '../identity-context.ts';
import { refuseOAuth } from './errors.ts';

/** Paths of doors that programs call. */
export const protectedPaths = ['', '/rest/v1', '/realtime/v1', '/storage/v1', '/mcp'] as const;

export function readResources(context: Pick<IdentityContext, 'apiUrl'>, asked: readonly string[]): readonly string[] {
  const known = new Set(protectedPaths.map((path) => context.apiUrl + path));
  const named = new Set(asked.map((one) => one.replace(/\/$/, '')));
  for (const one of named)
    if (!known.has(one)) throw refuseOAuth('invalid_target', `No resource of this service: ${one.slice(0, 200)}`);
  return [...named];
}
