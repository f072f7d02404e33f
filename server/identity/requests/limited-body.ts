// Body of a request that anybody may send, taken only within a ration of the address. A body that cannot be read counts as
// a request; one that can is counted by the operation, once it is known to ask for something.

import type { FastifyRequest } from 'fastify';
import type { WithBody } from '../../http/check-body.ts';
import type { IdentityContext } from '../identity-context.ts';
import { claimsKnownDevice } from './guess-limits.ts';
import { type Counted, countBodyBeyondRation, countRequest, refuseWhenSpent } from './rate-limits.ts';
import { type Body, fitting, takeFields } from './read-body.ts';

export async function readLimitedBody<T>(
  context: IdentityContext,
  request: FastifyRequest,
  what: Counted,
  route: WithBody<T>,
): Promise<T> {
  // At an address that many share, a session or a known device has a ration of its own, and its token is in the body.
  if (what === 'refresh' || claimsKnownDevice(request)) await countBodyBeyondRation(context, request, what);
  else await refuseWhenSpent(context, request, what);
  let sent: Body;
  try {
    sent = await takeFields(request);
  } catch (error) {
    await countRequest(context, request, what);
    throw error;
  }
  return fitting(route, sent);
}
