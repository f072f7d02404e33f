// POST /otp and POST /magiclink: sign-in by a mail with a link and a code; makes the account first if it is asked to.

import type { FastifyRequest } from 'fastify';
import { sql } from '../database/sql.ts';
import { addAccount } from './accounts.ts';
import { refuse } from './errors.ts';
import { challengeIn, startMailFlow } from './flows.ts';
import { countVisit, spaceOutMail, visitorOf } from './guards.ts';
import { sendLetter } from './mails.ts';
import { onTheBeat } from './on-the-beat.ts';
import { makeToken } from './one-time-tokens.ts';
import { note } from './proofs.ts';
import { asEmail, flagIn, metadataIn, readBody, textIn } from './read-body.ts';
import { redirectOf } from './redirects.ts';
import type { Room } from './room.ts';
import { rulesOf } from './sign-up.ts';

export async function sendCode(room: Room, request: FastifyRequest): Promise<Record<string, never>> {
  const body = readBody(request);
  if (textIn(body, 'phone') !== '') {
    if (textIn(body, 'email') !== '')
      throw refuse('validation_failed', 'Only an email address or phone number should be provided');
    throw refuse('phone_provider_disabled', 'Unsupported phone provider');
  }
  if (textIn(body, 'email') === '') throw refuse('validation_failed', 'One of email or phone must be set');
  if (textIn(body, 'channel') !== '')
    throw refuse('validation_failed', 'Channel should only be specified with Phone OTP');
  const email = asEmail(textIn(body, 'email').trim());
  const mayCreate = flagIn(body, 'create_user') ?? true;
  const challenge = challengeIn(body);
  const metadata = metadataIn(body);
  await countVisit(room, request, 'mail');
  await spaceOutMail(room, 'recovery', email);
  const redirectTo = redirectOf(rulesOf(room), request);
  await onTheBeat(() =>
    room.transact(async (desk) => {
      const [known] = await desk.query<{ id: string; confirmed: boolean; gone: boolean }>(sql`
      select id, email_confirmed_at is not null as confirmed, deleted_at is not null as gone
      from auth.users where lower(email) = ${email} and not is_sso_user for update`);
      if (known?.gone) return;
      if (!known && !mayCreate) throw refuse('otp_disabled', 'Signups not allowed for otp');
      if (!known && room.settings.disableSignup)
        throw refuse('signup_disabled', 'Signups not allowed for this instance');
      const id =
        known?.id ??
        (await addAccount(room, desk, { email, hash: null, metadata, confirmed: room.autoconfirm, proven: false }));
      if (known?.confirmed || room.autoconfirm) {
        const flowId = await startMailFlow(room, desk, id, 'magiclink', challenge);
        const proof = await makeToken(room, desk, id, 'recovery', email, flowId);
        await desk.query(sql`update auth.users set recovery_sent_at = now() where id = ${id}`);
        await note(desk, 'user_recovery_requested', id, visitorOf(request));
        await sendLetter(room, desk, 'magic_link', email, proof, redirectTo);
        return;
      }
      // A first mail confirms the account too. A password somebody set before the mailbox was proven does not survive it.
      await desk.query(sql`
      update auth.users set confirmation_sent_at = now(), encrypted_password = null where id = ${id}`);
      const flowId = await startMailFlow(room, desk, id, 'email/signup', challenge);
      const proof = await makeToken(room, desk, id, 'confirmation', email, flowId);
      await note(desk, 'user_confirmation_requested', id, visitorOf(request));
      await sendLetter(room, desk, 'confirmation', email, proof, redirectTo);
    }),
  );
  return {};
}
