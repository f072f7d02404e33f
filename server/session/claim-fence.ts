// `Claim-Fence: 12`: has the writes of a request refused unless its caller holds the claim with this fence (sql/rules/tasks/claims.sql).

import type { IncomingHttpHeaders } from 'node:http';
import type { Caller } from '../database/types.ts';

/** The caller as the doors run its writes; most requests name no fence, and their caller stays the one that sessions remember. */
export function underClaim(caller: Caller, headers: IncomingHttpHeaders): Caller {
  const fences = headers['claim-fence'];
  if (fences === undefined) return caller;
  // A link that was signed under a claim holds that one, too.
  const held = caller.beforeWrites?.values ?? [];
  return { ...caller, beforeWrites: { text: 'select private.hold_claims($1)', values: [[...held, fences].join()] } };
}
