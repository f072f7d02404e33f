// POST /recover: a mail that lets its reader in to set a new password. Whether the address has an account does not show.

import type { FastifyRequest } from 'fastify';
import { sql } from '../database/sql.ts';
import { refuse } from './errors.ts';
import { challengeIn, startMailFlow } from './flows.ts';
import { countVisit, spaceOutMail, visitorOf } from './guards.ts';
import { sendLetter } from './mails.ts';
import { onTheBeat } from './on-the-beat.ts';
import { makeToken } from './one-time-tokens.ts';
import { note } from './proofs.ts';
import { asEmail, readBody, textIn } from './read-body.ts';
import { redirectOf } from './redirects.ts';
import type { Room } from './room.ts';
import { rulesOf } from './sign-up.ts';

export async function recover(room: Room, request: FastifyRequest): Promise<Record<string, never>> {
  const body = readBody(request);
  if (textIn(body, 'email') === '') throw refuse('validation_failed', 'Password recovery requires an email');
  const email = asEmail(textIn(body, 'email').trim());
  const challenge = challengeIn(body);
  await countVisit(room, request, 'mail');
  await spaceOutMail(room, 'recovery', email);
  const redirectTo = redirectOf(rulesOf(room), request);
  await onTheBeat(() =>
    room.transact(async (desk) => {
      const [user] = await desk.query<{ id: string }>(sql`
      update auth.users set recovery_sent_at = now()
      where lower(email) = ${email} and not is_sso_user and deleted_at is null returning id`);
      if (!user) return;
      await note(desk, 'user_recovery_requested', user.id, visitorOf(request));
      const flowId = await startMailFlow(room, desk, user.id, 'recovery', challenge);
      const proof = await makeToken(room, desk, user.id, 'recovery', email, flowId);
      await sendLetter(room, desk, 'recovery', email, proof, redirectTo);
    }),
  );
  return {};
}
