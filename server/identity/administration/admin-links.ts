// POST /admin/generate_link and POST /invite: proofs of a mailbox, handed to the holder of the service key or mailed.

import type { FastifyRequest } from 'fastify';
import { sql } from '../../database/sql.ts';
import type { BodyOf } from '../../http/check-body.ts';
import { addAccount } from '../accounts/add-account.ts';
import { checkPassword } from '../accounts/password-rules.ts';
import { noteAdminEvent, noteEvent } from '../audit-log.ts';
import { refuse } from '../errors.ts';
import type { IdentityContext } from '../identity-context.ts';
import { type FreshToken, handedOver, makeToken } from '../mail/one-time-tokens.ts';
import { actionLink, queueMail } from '../mail/send-mail.ts';
import { clientInfoOf } from '../requests/client-info.ts';
import { asEmail, metadataIn, readBody } from '../requests/read-body.ts';
import { redirectRulesOf } from '../requests/redirect-rules.ts';
import { acceptRedirect, redirectOf } from '../requests/redirects.ts';
import { requireAdmin } from '../requests/require-user.ts';
import type { Db, User } from '../types.ts';
import { describe } from './admin-users.ts';
import { invite as describedInvite, generateLink as describedLink } from './described.ts';

const emailTaken = 'A user with this email address has already been registered';

interface Known {
  readonly id: string;
  readonly confirmed: boolean;
}

export async function invite(context: IdentityContext, request: FastifyRequest): Promise<User> {
  await requireAdmin(context, request);
  const body = await readBody(request, describedInvite);
  const email = asEmail(body.email.trim());
  const redirectTo = redirectOf(redirectRulesOf(context), request);
  return context.transact(async (db) => {
    const { id, proof } = await prepareInvite(context, db, request, email, body);
    await queueMail(context, db, 'invite', email, proof, redirectTo);
    return describe(db, id);
  });
}

type LinkType = 'signup' | 'invite' | 'magiclink' | 'recovery' | 'email_change_current' | 'email_change_new';

export async function generateLink(
  context: IdentityContext,
  request: FastifyRequest,
): Promise<Record<string, unknown>> {
  await requireAdmin(context, request);
  const body = await readBody(request, describedLink);
  const email = asEmail(body.email.trim());
  const { type: asked = '', password = '', redirect_to: returnTo = '' } = body;
  const redirectTo =
    acceptRedirect(redirectRulesOf(context), returnTo) ?? redirectOf(redirectRulesOf(context), request);
  if (asked === 'signup' && password === '') throw refuse('validation_failed', 'Signup requires a valid password');
  if (password !== '') checkPassword(context.settings, password);
  const hash = asked === 'signup' ? await context.passwords.hash(password) : null;
  return context.transact(async (db) => {
    const known = await findByEmail(db, email);
    const type = known === null && asked === 'magiclink' ? 'signup' : (asked as LinkType);
    const { id, proof, verification } = await prepare(context, db, request, { type, email, body, hash, known });
    return {
      ...(await describe(db, id)),
      action_link: actionLink(context, proof.token, verification, redirectTo),
      email_otp: proof.code,
      hashed_token: proof.token,
      verification_type: type,
      redirect_to: redirectTo,
    };
  });
}

interface Wanted {
  readonly type: LinkType;
  readonly email: string;
  readonly body: BodyOf<typeof describedLink>;
  readonly hash: string | null;
  readonly known: Known | null;
}

interface Prepared {
  readonly id: string;
  readonly proof: FreshToken;
  /** The `type` that /verify is asked for. */
  readonly verification: string;
}

async function prepare(context: IdentityContext, db: Db, request: FastifyRequest, wanted: Wanted): Promise<Prepared> {
  const { type, email, body, hash, known } = wanted;
  const clientInfo = clientInfoOf(request);
  switch (type) {
    case 'invite':
      return { ...(await prepareInvite(context, db, request, email, body)), verification: 'invite' };
    case 'signup': {
      if (known?.confirmed) throw refuse('email_exists', emailTaken);
      const id =
        known?.id ?? (await addAccount(context, db, { email, hash, metadata: metadataIn(body), confirmed: false }));
      if (known !== null && hash !== null)
        await db.query(sql`update auth.users set encrypted_password = ${hash} where id = ${id}`);
      await noteEvent(db, 'user_confirmation_requested', id, clientInfo, { by: 'service_role' });
      return { id, proof: await makeToken(context, db, id, 'confirmation', email), verification: 'signup' };
    }
    case 'magiclink':
    case 'recovery': {
      if (known === null) throw refuse('user_not_found', 'User with this email not found');
      await noteEvent(db, 'user_recovery_requested', known.id, clientInfo, { by: 'service_role' });
      return { id: known.id, proof: await makeToken(context, db, known.id, 'recovery', email), verification: type };
    }
    case 'email_change_current':
    case 'email_change_new': {
      if (known === null) throw refuse('user_not_found', 'User with this email not found');
      const newEmail = asEmail(body.new_email?.trim() ?? '');
      const taken = await findByEmail(db, newEmail);
      if (taken !== null && taken.id !== known.id) throw refuse('email_exists', emailTaken);
      await db.query(sql`
        update auth.users set email_change = ${newEmail}, email_change_sent_at = now(),
          email_change_confirm_status = case when email_change = ${newEmail} then email_change_confirm_status else 0 end
        where id = ${known.id}`);
      const to = type === 'email_change_current' ? email : newEmail;
      return { id: known.id, proof: await makeToken(context, db, known.id, type, to), verification: 'email_change' };
    }
    default:
      throw refuse('validation_failed', `Invalid email action link type requested: ${String(type).slice(0, 40)}`);
  }
}

async function prepareInvite(
  context: IdentityContext,
  db: Db,
  request: FastifyRequest,
  email: string,
  body: BodyOf<typeof describedInvite>,
): Promise<{ id: string; proof: FreshToken }> {
  const known = await findByEmail(db, email);
  if (known?.confirmed) throw refuse('email_exists', emailTaken);
  const id =
    known?.id ?? (await addAccount(context, db, { email, hash: null, metadata: metadataIn(body), confirmed: false }));
  // A stranger may have signed up with the address before: their password must not open the invited account.
  await db.query(sql`
    update auth.users set invited_at = now(), confirmation_sent_at = now(), encrypted_password = null where id = ${id}`);
  await noteAdminEvent(db, 'user_invited', id, clientInfoOf(request));
  const sentTo = body.handed_over ? handedOver : email;
  return { id, proof: await makeToken(context, db, id, 'confirmation', sentTo) };
}

async function findByEmail(db: Db, email: string): Promise<Known | null> {
  const [row] = await db.query<Known>(sql`
    select id, email_confirmed_at is not null as confirmed from auth.users
    where lower(email) = ${email} and not is_sso_user for update`);
  return row ?? null;
}
