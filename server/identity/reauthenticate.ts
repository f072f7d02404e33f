// GET /reauthenticate: a code by mail for someone who is signed in, to be sent along with a new password.

import type { FastifyRequest } from 'fastify';
import { sql } from '../database/sql.ts';
import { refuse } from './errors.ts';
import { countVisit, requireUser, spaceOutMail, visitorOf } from './guards.ts';
import { sendLetter } from './mails.ts';
import { makeToken } from './one-time-tokens.ts';
import { note } from './proofs.ts';
import type { Room } from './room.ts';

export async function reauthenticate(room: Room, request: FastifyRequest): Promise<Record<string, never>> {
  const { user } = await requireUser(room, request);
  if (user.email === '')
    throw refuse('validation_failed', 'Reauthentication requires the user to have an email or a phone number');
  if (user.email_confirmed_at === undefined)
    throw refuse('email_not_confirmed', 'Please verify your email first.', { status: 422 });
  await countVisit(room, request, 'mail');
  await spaceOutMail(room, 'reauthentication', user.email);
  await room.transact(async (desk) => {
    await desk.query(sql`update auth.users set reauthentication_sent_at = now() where id = ${user.id}`);
    const proof = await makeToken(room, desk, user.id, 'reauthentication', user.email);
    await note(desk, 'user_reauthenticate_requested', user.id, visitorOf(request));
    await sendLetter(room, desk, 'reauthentication', user.email, proof, room.siteUrl);
  });
  return {};
}
