// POST /otp and POST /magiclink: sign-in by a mail with a link and a code; makes the account first if it is asked to.

import type { FastifyRequest } from 'fastify';
import { sql } from '../../database/sql.ts';
import { answerAtFixedTimes } from '../../http/fixed-answer-times.ts';
import { addAccount } from '../accounts/add-account.ts';
import { maySignUp } from '../accounts/sign-up-policy.ts';
import { noteEvent } from '../audit-log.ts';
import { refuse } from '../errors.ts';
import type { IdentityContext } from '../identity-context.ts';
import { clientInfoOf } from '../requests/client-info.ts';
import { readLimitedBody } from '../requests/limited-body.ts';
import { countRequest, spaceOutMail } from '../requests/rate-limits.ts';
import { asEmail, metadataIn } from '../requests/read-body.ts';
import { redirectRulesOf } from '../requests/redirect-rules.ts';
import { redirectOf } from '../requests/redirects.ts';
import { challengeIn, startMailFlow } from '../tokens/flows.ts';
import { sendCode as described } from './described.ts';
import { makeToken } from './one-time-tokens.ts';
import { queueMail } from './send-mail.ts';

export async function sendCode(context: IdentityContext, request: FastifyRequest): Promise<Record<string, never>> {
  const body = await readLimitedBody(context, request, 'mail', described);
  const { email: given = '', phone = '', channel = '', create_user: mayCreate = true } = body;
  if (phone !== '') {
    if (given !== '') throw refuse('validation_failed', 'Only an email address or phone number should be provided');
    throw refuse('phone_provider_disabled', 'Unsupported phone provider');
  }
  if (given === '') throw refuse('validation_failed', 'One of email or phone must be set');
  if (channel !== '') throw refuse('validation_failed', 'Channel should only be specified with Phone OTP');
  const email = asEmail(given.trim());
  const challenge = challengeIn(body);
  const metadata = metadataIn(body);
  await countRequest(context, request, 'mail');
  await spaceOutMail(context, 'magic_link', email);
  const redirectTo = redirectOf(redirectRulesOf(context), request);
  await answerAtFixedTimes(() =>
    context.transact(async (db) => {
      const [known] = await db.query<{ id: string; confirmed: boolean; gone: boolean }>(sql`
      select id, email_confirmed_at is not null as confirmed, deleted_at is not null as gone
      from auth.users where lower(email) = ${email} and not is_sso_user for update`);
      if (known?.gone) return;
      if (!known && !(await maySignUp(context, db, email))) return;
      if (!known && !mayCreate) {
        // An error tells who has an account. Where none is confirmed, a sign-up tells it too.
        if (context.autoconfirm) throw refuse('otp_disabled', 'Signups not allowed for otp');
        return;
      }
      const id =
        known?.id ??
        (await addAccount(context, db, { email, hash: null, metadata, confirmed: context.autoconfirm, proven: false }));
      if (known?.confirmed || context.autoconfirm) {
        const flowId = await startMailFlow(context, db, id, 'magiclink', challenge);
        const proof = await makeToken(context, db, id, 'recovery', email, flowId);
        await db.query(sql`update auth.users set recovery_sent_at = now() where id = ${id}`);
        await noteEvent(db, 'user_recovery_requested', id, clientInfoOf(request));
        await queueMail(context, db, 'magic_link', email, proof, redirectTo);
        return;
      }
      // A first mail confirms the account too. A password somebody set before the mailbox was proven does not survive it.
      await db.query(sql`
      update auth.users set confirmation_sent_at = now(), encrypted_password = null where id = ${id}`);
      const flowId = await startMailFlow(context, db, id, 'email/signup', challenge);
      const proof = await makeToken(context, db, id, 'confirmation', email, flowId);
      await noteEvent(db, 'user_confirmation_requested', id, clientInfoOf(request));
      await queueMail(context, db, 'confirmation', email, proof, redirectTo);
    }),
  );
  return {};
}
