// Rate limits per address, account and mailbox, and the answer beyond them.

import type { FastifyRequest } from 'fastify';
import { networkOf } from '../../limits/network-of.ts';
import type { LimitResult } from '../../limits/types.ts';
import { isLoopbackAddress } from '../../loopback.ts';
import { refuse } from '../errors.ts';
import type { IdentityContext } from '../identity-context.ts';
import { clientInfoOf } from './client-info.ts';

const fiveMinutes = 300;

/** What is counted, for whom, and the words for too often. */
const counted = {
  signUp: { limit: 'signUpLimit', windowSeconds: fiveMinutes },
  signIn: { limit: 'signInLimit', windowSeconds: fiveMinutes },
  failure: { limit: 'failureLimit', windowSeconds: fiveMinutes },
  refresh: { limit: 'refreshLimit', windowSeconds: fiveMinutes, perNode: true },
  verify: { limit: 'verifyLimit', windowSeconds: fiveMinutes },
  anonymous: { limit: 'anonymousLimit', windowSeconds: 3600 },
  mail: { limit: 'mailLimit', windowSeconds: 3600 },
  factor: { limit: 'factorLimit', windowSeconds: 60 },
} as const;

export type Counted = keyof typeof counted;

/** Counts a request of this address. `account` narrows the count to one account, so that it cannot shut out others. */
export function countRequest(
  context: IdentityContext,
  request: FastifyRequest,
  what: Counted,
  account?: string,
): Promise<void> {
  return check(context, request, 'take', what, account);
}

/** Refuses whoever has used up what they have, and counts nothing. */
export function refuseWhenSpent(
  context: IdentityContext,
  request: FastifyRequest,
  what: Counted,
  account: string,
): Promise<void> {
  return check(context, request, 'look', what, account);
}

/** Behind a proxy that is not in TRUST_PROXY, loopback is everybody. */
function isCounted(context: IdentityContext, request: FastifyRequest): boolean {
  return context.settings.limitLoopback || !isLoopbackAddress(clientInfoOf(request).address);
}

async function check(
  context: IdentityContext,
  request: FastifyRequest,
  how: 'take' | 'look',
  what: Counted,
  account?: string,
): Promise<void> {
  const { limit, ...window } = counted[what];
  const points = context.settings[limit];
  const { address } = clientInfoOf(request);
  if (points === 0 || !isCounted(context, request)) return;
  const key = account === undefined ? networkOf(address) : `${networkOf(address)} ${account}`;
  const { allowed, retryAfterSeconds } = await context.limits[how](
    { name: `identity.${what}`, points, ...window },
    key,
  );
  if (!allowed)
    throw what === 'mail'
      ? refuse('over_email_send_rate_limit', 'email rate limit exceeded', wait(retryAfterSeconds))
      : refuse('over_request_rate_limit', 'Request rate limit reached', wait(retryAfterSeconds));
}

/** Counts by what is known of the caller beside the address: their session, or the place they come from. */
export async function countByKey(context: IdentityContext, what: Counted, key: string): Promise<void> {
  const { limit, windowSeconds } = counted[what];
  const points = context.settings[limit];
  if (points === 0) return;
  const { allowed, retryAfterSeconds } = await context.limits.take(
    { name: `identity.${what}`, points, windowSeconds },
    key,
  );
  if (!allowed) throw refuse('over_request_rate_limit', 'Request rate limit reached', wait(retryAfterSeconds));
}

/** One mail of a kind in a while, counted by address and not by account: who has none gets the same answer. */
export async function spaceOutMail(context: IdentityContext, kind: string, email: string): Promise<void> {
  const { allowed, retryAfterSeconds } = await takeMail(context, kind, email);
  if (!allowed)
    throw refuse(
      'over_email_send_rate_limit',
      `For security purposes, you can only request this after ${retryAfterSeconds} seconds.`,
      wait(retryAfterSeconds),
    );
}

/** The same for a mail that nobody waits for: false when it was too soon. */
export async function isMailDue(context: IdentityContext, kind: string, email: string): Promise<boolean> {
  return (await takeMail(context, kind, email)).allowed;
}

async function takeMail(context: IdentityContext, kind: string, email: string): Promise<LimitResult> {
  const windowSeconds = context.settings.mailInterval;
  if (windowSeconds === 0) return { allowed: true, retryAfterSeconds: 0 };
  return context.limits.take({ name: `identity.mail.${kind}`, points: 1, windowSeconds }, email);
}

export function wait(seconds: number): { headers: Record<string, string> } {
  return { headers: { 'retry-after': String(Math.max(1, Math.ceil(seconds))) } };
}
