// POST /admin/generate_link and POST /invite: proofs of a mailbox, handed to the holder of the service key or mailed.

import type { FastifyRequest } from 'fastify';
import { sql } from '../database/sql.ts';
import { addAccount } from './accounts.ts';
import { describe } from './admin-users.ts';
import { refuse } from './errors.ts';
import { requireAdmin, visitorOf } from './guards.ts';
import { actionLink, sendLetter } from './mails.ts';
import { type FreshToken, makeToken } from './one-time-tokens.ts';
import { checkPassword } from './password-rules.ts';
import { note, noteByAdmin } from './proofs.ts';
import { asEmail, type Body, metadataIn, readBody, textIn } from './read-body.ts';
import { acceptRedirect, redirectOf } from './redirects.ts';
import type { Desk, Room } from './room.ts';
import type { User } from './session-tokens.ts';
import { rulesOf } from './sign-up.ts';

const emailTaken = 'A user with this email address has already been registered';

interface Known {
  readonly id: string;
  readonly confirmed: boolean;
}

export async function invite(room: Room, request: FastifyRequest): Promise<User> {
  await requireAdmin(room, request);
  const body = readBody(request);
  const email = asEmail(textIn(body, 'email').trim());
  const redirectTo = redirectOf(rulesOf(room), request);
  return room.transact(async (desk) => {
    const { id, proof } = await prepareInvite(room, desk, request, email, body);
    await sendLetter(room, desk, 'invite', email, proof, redirectTo);
    return describe(desk, id);
  });
}

type LinkType = 'signup' | 'invite' | 'magiclink' | 'recovery' | 'email_change_current' | 'email_change_new';

export async function generateLink(room: Room, request: FastifyRequest): Promise<Record<string, unknown>> {
  await requireAdmin(room, request);
  const body = readBody(request);
  const email = asEmail(textIn(body, 'email').trim());
  const redirectTo = acceptRedirect(rulesOf(room), textIn(body, 'redirect_to')) ?? redirectOf(rulesOf(room), request);
  const asked = textIn(body, 'type');
  const password = textIn(body, 'password');
  if (asked === 'signup' && password === '') throw refuse('validation_failed', 'Signup requires a valid password');
  if (password !== '') checkPassword(room.settings, password);
  const hash = asked === 'signup' ? await room.passwords.hash(password) : null;
  return room.transact(async (desk) => {
    const known = await findByEmail(desk, email);
    const type = known === null && asked === 'magiclink' ? 'signup' : (asked as LinkType);
    const { id, proof, verification } = await prepare(room, desk, request, { type, email, body, hash, known });
    return {
      ...(await describe(desk, id)),
      action_link: actionLink(room, proof.token, verification, redirectTo),
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
  readonly body: Body;
  readonly hash: string | null;
  readonly known: Known | null;
}

interface Prepared {
  readonly id: string;
  readonly proof: FreshToken;
  /** The `type` that /verify is asked for. */
  readonly verification: string;
}

async function prepare(room: Room, desk: Desk, request: FastifyRequest, wanted: Wanted): Promise<Prepared> {
  const { type, email, body, hash, known } = wanted;
  const visitor = visitorOf(request);
  switch (type) {
    case 'invite':
      return { ...(await prepareInvite(room, desk, request, email, body)), verification: 'invite' };
    case 'signup': {
      if (known?.confirmed) throw refuse('email_exists', emailTaken);
      const id =
        known?.id ?? (await addAccount(room, desk, { email, hash, metadata: metadataIn(body), confirmed: false }));
      if (known !== null && hash !== null)
        await desk.query(sql`update auth.users set encrypted_password = ${hash} where id = ${id}`);
      await note(desk, 'user_confirmation_requested', id, visitor, { by: 'service_role' });
      return { id, proof: await makeToken(room, desk, id, 'confirmation', email), verification: 'signup' };
    }
    case 'magiclink':
    case 'recovery': {
      if (known === null) throw refuse('user_not_found', 'User with this email not found');
      await note(desk, 'user_recovery_requested', known.id, visitor, { by: 'service_role' });
      return { id: known.id, proof: await makeToken(room, desk, known.id, 'recovery', email), verification: type };
    }
    case 'email_change_current':
    case 'email_change_new': {
      if (known === null) throw refuse('user_not_found', 'User with this email not found');
      const newEmail = asEmail(textIn(body, 'new_email').trim());
      const taken = await findByEmail(desk, newEmail);
      if (taken !== null && taken.id !== known.id) throw refuse('email_exists', emailTaken);
      await desk.query(sql`
        update auth.users set email_change = ${newEmail}, email_change_sent_at = now(),
          email_change_confirm_status = case when email_change = ${newEmail} then email_change_confirm_status else 0 end
        where id = ${known.id}`);
      const to = type === 'email_change_current' ? email : newEmail;
      return { id: known.id, proof: await makeToken(room, desk, known.id, type, to), verification: 'email_change' };
    }
    default:
      throw refuse('validation_failed', `Invalid email action link type requested: ${String(type).slice(0, 40)}`);
  }
}

async function prepareInvite(
  room: Room,
  desk: Desk,
  request: FastifyRequest,
  email: string,
  body: Body,
): Promise<{ id: string; proof: FreshToken }> {
  const known = await findByEmail(desk, email);
  if (known?.confirmed) throw refuse('email_exists', emailTaken);
  const id =
    known?.id ?? (await addAccount(room, desk, { email, hash: null, metadata: metadataIn(body), confirmed: false }));
  // A stranger may have signed up with the address before: their password must not open the invited account.
  await desk.query(sql`
    update auth.users set invited_at = now(), confirmation_sent_at = now(), encrypted_password = null where id = ${id}`);
  await noteByAdmin(desk, 'user_invited', id, visitorOf(request));
  return { id, proof: await makeToken(room, desk, id, 'confirmation', email) };
}

async function findByEmail(desk: Desk, email: string): Promise<Known | null> {
  const [row] = await desk.query<Known>(sql`
    select id, email_confirmed_at is not null as confirmed from auth.users
    where lower(email) = ${email} and not is_sso_user for update`);
  return row ?? null;
}
