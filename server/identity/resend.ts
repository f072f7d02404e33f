// POST /resend: the mail of a sign-up or of a change of address once more, if one is waiting to be answered.

import type { FastifyRequest } from 'fastify';
import { sql } from '../database/sql.ts';
import { askForEmailChange } from './email-change.ts';
import { refuse } from './errors.ts';
import { type Challenge, challengeIn, startMailFlow } from './flows.ts';
import { countVisit, spaceOutMail, visitorOf } from './guards.ts';
import { sendLetter } from './mails.ts';
import { onTheBeat } from './on-the-beat.ts';
import { makeToken } from './one-time-tokens.ts';
import { note } from './proofs.ts';
import { asEmail, type Body, readBody, textIn } from './read-body.ts';
import { redirectOf } from './redirects.ts';
import type { Desk, Room } from './room.ts';
import { rulesOf } from './sign-up.ts';

export async function resend(room: Room, request: FastifyRequest): Promise<Record<string, never>> {
  const body = readBody(request);
  const type = typeIn(body);
  const email = asEmail(textIn(body, 'email').trim());
  const challenge = challengeIn(body);
  await countVisit(room, request, 'mail');
  await spaceOutMail(room, type === 'signup' ? 'confirmation' : 'email_change', email);
  const redirectTo = redirectOf(rulesOf(room), request);
  await onTheBeat(() =>
    room.transact((desk) =>
      type === 'signup'
        ? confirmationAgain(room, desk, request, email, challenge, redirectTo)
        : emailChangeAgain(room, desk, email, challenge, redirectTo),
    ),
  );
  return {};
}

/** What is to be sent again, and that it goes to an address: phones are not offered. */
function typeIn(body: Body): 'signup' | 'email_change' {
  const type = textIn(body, 'type');
  const email = textIn(body, 'email') !== '';
  const phone = textIn(body, 'phone') !== '';
  if (!['signup', 'email_change', 'sms', 'phone_change'].includes(type))
    throw refuse('validation_failed', 'Missing one of these types: signup, email_change, sms, phone_change');
  if (type === 'signup' && !email) throw refuse('validation_failed', 'Type provided requires an email address');
  if (type === 'sms' && !phone) throw refuse('validation_failed', 'Type provided requires a phone number');
  if (email && phone) throw refuse('validation_failed', 'Only an email address or phone number should be provided.');
  if (!email && !phone) throw refuse('validation_failed', 'Missing email address or phone number');
  if (phone || (type !== 'signup' && type !== 'email_change'))
    throw refuse('phone_provider_disabled', 'Phone logins are disabled');
  return type;
}

async function confirmationAgain(
  room: Room,
  desk: Desk,
  request: FastifyRequest,
  email: string,
  challenge: Challenge | null,
  redirectTo: string,
): Promise<void> {
  const [user] = await desk.query<{ id: string; invited: boolean }>(sql`
    update auth.users set confirmation_sent_at = now()
    where lower(email) = ${email} and not is_sso_user and deleted_at is null and email_confirmed_at is null
    returning id, invited_at is not null as invited`);
  if (!user) return;
  await note(desk, 'user_confirmation_requested', user.id, visitorOf(request));
  const flowId = await startMailFlow(room, desk, user.id, 'email/signup', challenge);
  const proof = await makeToken(room, desk, user.id, 'confirmation', email, flowId);
  await sendLetter(room, desk, user.invited ? 'invite' : 'confirmation', email, proof, redirectTo);
}

async function emailChangeAgain(
  room: Room,
  desk: Desk,
  email: string,
  challenge: Challenge | null,
  redirectTo: string,
): Promise<void> {
  const [user] = await desk.query<{ id: string; email: string | null; email_change: string }>(sql`
    select id, email, email_change from auth.users
    where (lower(email) = ${email} or lower(email_change) = ${email}) and email_change is not null and deleted_at is null
    limit 1 for update`);
  if (!user) return;
  await askForEmailChange(
    room,
    desk,
    { id: user.id, email: user.email, newEmail: user.email_change },
    challenge,
    redirectTo,
  );
}
