// GET /reauthenticate: a code by mail for someone who is signed in, to be sent along with a new password.

import type { FastifyRequest } from 'fastify';
import { sql } from '../../database/sql.ts';
import { noteEvent } from '../audit-log.ts';
import { refuse } from '../errors.ts';
import type { IdentityContext } from '../identity-context.ts';
import { clientInfoOf } from '../requests/client-info.ts';
import { countRequest, spaceOutMail } from '../requests/rate-limits.ts';
import { requireUser } from '../requests/require-user.ts';
import { makeToken } from './one-time-tokens.ts';
import { queueMail } from './send-mail.ts';

export async function reauthenticate(
  context: IdentityContext,
  request: FastifyRequest,
): Promise<Record<string, never>> {
  const { user } = await requireUser(context, request);
  if (user.email === '')
    throw refuse('validation_failed', 'Reauthentication requires the user to have an email or a phone number');
  if (user.email_confirmed_at === undefined)
    throw refuse('email_not_confirmed', 'Please verify your email first.', { status: 422 });
  await countRequest(context, request, 'mail');
  await spaceOutMail(context, 'reauthentication', user.email);
  await context.transact(async (db) => {
    await db.query(sql`update auth.users set reauthentication_sent_at = now() where id = ${user.id}`);
    const proof = await makeToken(context, db, user.id, 'reauthentication', user.email);
    await noteEvent(db, 'user_reauthenticate_requested', user.id, clientInfoOf(request));
    await queueMail(context, db, 'reauthentication', user.email, proof, context.siteUrl);
  });
  return {};
}
