// POST /recover: a mail that lets its reader in to set a new password. Whether the address has an account does not show.

import type { FastifyRequest } from 'fastify';
import { sql } from '../../database/sql.ts';
import { answerAtFixedTimes } from '../../http/fixed-answer-times.ts';
import { noteEvent } from '../audit-log.ts';
import type { IdentityContext } from '../identity-context.ts';
import { clientInfoOf } from '../requests/client-info.ts';
import { readLimitedBody } from '../requests/limited-body.ts';
import { countRequest, spaceOutMail } from '../requests/rate-limits.ts';
import { asEmail } from '../requests/read-body.ts';
import { redirectRulesOf } from '../requests/redirect-rules.ts';
import { redirectOf } from '../requests/redirects.ts';
import { challengeIn, startMailFlow } from '../tokens/flows.ts';
import { recover as described } from './described.ts';
import { makeToken } from './one-time-tokens.ts';
import { queueMail } from './send-mail.ts';

export async function recover(context: IdentityContext, request: FastifyRequest): Promise<Record<string, never>> {
  const body = await readLimitedBody(context, request, 'mail', described);
  const email = asEmail(body.email.trim());
  const challenge = challengeIn(body);
  await countRequest(context, request, 'mail');
  await spaceOutMail(context, 'recovery', email);
  const redirectTo = redirectOf(redirectRulesOf(context), request);
  await answerAtFixedTimes(() =>
    context.transact(async (db) => {
      const [user] = await db.query<{ id: string }>(sql`
      update auth.users set recovery_sent_at = now()
      where lower(email) = ${email} and not is_sso_user and deleted_at is null returning id`);
      if (!user) return;
      await noteEvent(db, 'user_recovery_requested', user.id, clientInfoOf(request));
      const flowId = await startMailFlow(context, db, user.id, 'recovery', challenge);
      const proof = await makeToken(context, db, user.id, 'recovery', email, flowId);
      await queueMail(context, db, 'recovery', email, proof, redirectTo);
    }),
  );
  return {};
}
