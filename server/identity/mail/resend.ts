// POST /resend: the mail of a sign-up or of a change of address once more, if one is waiting to be answered.

import type { FastifyRequest } from 'fastify';
import { sql } from '../../database/sql.ts';
import type { BodyOf } from '../../http/check-body.ts';
import { answerAtFixedTimes } from '../../http/fixed-answer-times.ts';
import { noteEvent } from '../audit-log.ts';
import { refuse } from '../errors.ts';
import type { IdentityContext } from '../identity-context.ts';
import { clientInfoOf } from '../requests/client-info.ts';
import { readLimitedBody } from '../requests/limited-body.ts';
import { countRequest, spaceOutMail } from '../requests/rate-limits.ts';
import { asEmail } from '../requests/read-body.ts';
import { redirectRulesOf } from '../requests/redirect-rules.ts';
import { redirectOf } from '../requests/redirects.ts';
import { type Challenge, challengeIn, startMailFlow } from '../tokens/flows.ts';
import type { Db } from '../types.ts';
import { resend as described } from './described.ts';
import { askForEmailChange } from './email-change.ts';
import { makeToken } from './one-time-tokens.ts';
import { queueMail } from './send-mail.ts';

export async function resend(context: IdentityContext, request: FastifyRequest): Promise<Record<string, never>> {
  const body = await readLimitedBody(context, request, 'mail', described);
  const type = typeIn(body);
  const email = asEmail(body.email?.trim() ?? '');
  const challenge = challengeIn(body);
  await countRequest(context, request, 'mail');
  await spaceOutMail(context, type === 'signup' ? 'confirmation' : 'email_change', email);
  const redirectTo = redirectOf(redirectRulesOf(context), request);
  await answerAtFixedTimes(() =>
    context.transact((db) =>
      type === 'signup'
        ? confirmationAgain(context, db, request, email, challenge, redirectTo)
        : emailChangeAgain(context, db, email, challenge, redirectTo),
    ),
  );
  return {};
}

type Asked = BodyOf<typeof described>;

/** What is to be sent again, and that it goes to an address: phones are not offered. */
function typeIn({ type, ...to }: Asked): 'signup' | 'email_change' {
  const email = Boolean(to.email);
  const phone = Boolean(to.phone);
  if (type === 'signup' && !email) throw refuse('validation_failed', 'Type provided requires an email address');
  if (type === 'sms' && !phone) throw refuse('validation_failed', 'Type provided requires a phone number');
  if (email && phone) throw refuse('validation_failed', 'Only an email address or phone number should be provided.');
  if (!email && !phone) throw refuse('validation_failed', 'Missing email address or phone number');
  if (phone || (type !== 'signup' && type !== 'email_change'))
    throw refuse('phone_provider_disabled', 'Phone logins are disabled');
  return type;
}

async function confirmationAgain(
  context: IdentityContext,
  db: Db,
  request: FastifyRequest,
  email: string,
  challenge: Challenge | null,
  redirectTo: string,
): Promise<void> {
  const [user] = await db.query<{ id: string; invited: boolean }>(sql`
    update auth.users set confirmation_sent_at = now()
    where lower(email) = ${email} and not is_sso_user and deleted_at is null and email_confirmed_at is null
    returning id, invited_at is not null as invited`);
  if (!user) return;
  await noteEvent(db, 'user_confirmation_requested', user.id, clientInfoOf(request));
  const flowId = await startMailFlow(context, db, user.id, 'email/signup', challenge);
  const proof = await makeToken(context, db, user.id, 'confirmation', email, flowId);
  await queueMail(context, db, user.invited ? 'invite' : 'confirmation', email, proof, redirectTo);
}

async function emailChangeAgain(
  context: IdentityContext,
  db: Db,
  email: string,
  challenge: Challenge | null,
  redirectTo: string,
): Promise<void> {
  const [user] = await db.query<{ id: string; email: string | null; email_change: string }>(sql`
    select id, email, email_change from auth.users
    where (lower(email) = ${email} or lower(email_change) = ${email}) and email_change is not null and deleted_at is null
    limit 1 for update`);
  if (!user) return;
  await askForEmailChange(
    context,
    db,
    { id: user.id, email: user.email, newEmail: user.email_change },
    challenge,
    redirectTo,
  );
}
