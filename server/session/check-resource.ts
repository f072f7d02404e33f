// Tokens bound to one door (RFC 8707): an audience that names /rest/v1 is good there alone, one that names the service as a whole everywhere.

import { type Session, SessionFault } from './types.ts';

export type Resource = '/rest/v1' | '/realtime/v1' | '/storage/v1' | '/mcp';
const doors = /\/(?:(?:rest|realtime|storage)\/v1|mcp)$/;

export function checkResource({ claims }: Session, door: Resource): void {
  const { aud } = claims;
  if (!Array.isArray(aud)) return;
  const named = aud.filter((one): one is string => typeof one === 'string' && /^https?:/.test(one));
  if (named.length === 0 || named.some((one) => one.endsWith(door) || !doors.test(one))) return;
  throw new SessionFault('bad_claims', 'JWT not in audience', 'authorization');
}
