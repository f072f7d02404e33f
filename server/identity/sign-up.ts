// POST /signup: an account with an address and a password, or an anonymous one. A second sign-up with an address
// that is taken answers like a first one, unless accounts need no confirmation and the answer would be a session.

import { createHmac, randomInt } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { sql } from '../database/sql.ts';
import { PostgresError } from '../database/types.ts';
import { addAccount } from './accounts.ts';
import { refuse } from './errors.ts';
import { type Challenge, challengeIn, startMailFlow } from './flows.ts';
import { countVisit, spaceOutMail, visitorOf } from './guards.ts';
import { sendLetter } from './mails.ts';
import { onTheBeat } from './on-the-beat.ts';
import { makeToken } from './one-time-tokens.ts';
import { checkPassword } from './password-rules.ts';
import { asEmail, type Body, metadataIn, readBody, textIn } from './read-body.ts';
import { redirectOf } from './redirects.ts';
import type { Desk, Room } from './room.ts';
import { openSession, type TokenResponse, tokensOf, type User } from './session-tokens.ts';

export async function signUp(room: Room, request: FastifyRequest): Promise<TokenResponse | User> {
  const body = readBody(request);
  // Other clients send null for what they do not have. A password without an address is a mistake, not a wish.
  if (['email', 'phone', 'password'].every((name) => textIn(body, name) === ''))
    return signUpAnonymously(room, request, body);
  if (room.settings.disableSignup) throw refuse('signup_disabled', 'Signups not allowed for this instance');
  if (textIn(body, 'phone') !== '')
    throw textIn(body, 'email') === ''
      ? refuse('phone_provider_disabled', 'Phone signups are disabled')
      : refuse('validation_failed', 'Only an email address or phone number should be provided on signup.');
  const email = asEmail(textIn(body, 'email').trim());
  const password = textIn(body, 'password');
  if (password === '') throw refuse('validation_failed', 'Signup requires a valid password');
  checkPassword(room.settings, password);
  const challenge = challengeIn(body);
  const metadata = metadataIn(body);
  await countVisit(room, request, 'signUp');
  // Hashed before anyone looks whether the address is taken: both answers take their time.
  const hash = await room.passwords.hash(password);
  const draft = { email, hash, metadata };
  return room.autoconfirm ? signUpAtOnce(room, request, draft) : signUpByMail(room, request, draft, challenge);
}

interface Draft {
  readonly email: string;
  readonly hash: string;
  readonly metadata: Record<string, unknown>;
}

async function signUpAtOnce(room: Room, request: FastifyRequest, draft: Draft): Promise<TokenResponse> {
  const visitor = visitorOf(request);
  const opened = await room
    .transact(async (desk) => {
      const known = await findByEmail(desk, draft.email);
      // An account that waits for its owner (invited, made by an administrator) is theirs to open, by mail.
      if (known !== null) throw taken();
      const id = await addAccount(room, desk, { ...draft, confirmed: true, proven: false });
      await noteSignUp(desk, id, 'user_signedup', visitor.address);
      return openSession(room, desk, id, 'password', visitor, { provider: 'email' });
    })
    .catch((error: unknown) => {
      throw isTaken(error) ? taken() : error;
    });
  return tokensOf(room, opened, 'password');
}

async function signUpByMail(
  room: Room,
  request: FastifyRequest,
  draft: Draft,
  challenge: Challenge | null,
): Promise<User> {
  await countVisit(room, request, 'mail');
  await spaceOutMail(room, 'confirmation', draft.email);
  const redirectTo = redirectOf(rulesOf(room), request);
  const { address } = visitorOf(request);
  const sign = (): Promise<User> =>
    room.transact(async (desk) => {
      const known = await findByEmail(desk, draft.email);
      if (known?.confirmed) {
        await noteSignUp(desk, known.id, 'user_repeated_signup', address);
        await sendLetter(room, desk, 'already_registered', draft.email, null, redirectTo);
        return lookalike(room, desk, draft);
      }
      const id = await claimAddress(room, desk, known, draft);
      await noteSignUp(desk, id, 'user_confirmation_requested', address);
      const flowId = await startMailFlow(room, desk, id, 'email/signup', challenge);
      const proof = await makeToken(room, desk, id, 'confirmation', draft.email, flowId);
      await sendLetter(room, desk, known?.invited ? 'invite' : 'confirmation', draft.email, proof, redirectTo);
      if (known?.invited) return lookalike(room, desk, draft);
      const user = await readUser(
        desk,
        sql`update auth.users set confirmation_sent_at = now() where id = ${id}
        returning auth.describe_user(users) as user`,
      );
      return known === null ? user : asNew(user);
    });
  // Two sign-ups raced: the second one finds the account the first one made.
  return onTheBeat(() => sign().catch((error: unknown) => (isTaken(error) ? sign() : Promise.reject(error))));
}

async function signUpAnonymously(room: Room, request: FastifyRequest, body: Body): Promise<TokenResponse> {
  if (!room.settings.anonymous) throw refuse('anonymous_provider_disabled', 'Anonymous sign-ins are disabled');
  if (room.settings.disableSignup) throw refuse('signup_disabled', 'Signups not allowed for this instance');
  const metadata = metadataIn(body);
  await countVisit(room, request, 'anonymous');
  const opened = await room.transact(async (desk) => {
    const [row] = await desk.query<{ id: string }>(sql`
      insert into auth.users (is_anonymous, raw_user_meta_data) values (true, ${metadata}) returning id`);
    return openSession(room, desk, row?.id ?? '', 'anonymous', visitorOf(request), { provider: 'anonymous' });
  });
  return tokensOf(room, opened, 'anonymous');
}

interface Known {
  readonly id: string;
  readonly confirmed: boolean;
  readonly invited: boolean;
}

async function findByEmail(desk: Desk, email: string): Promise<Known | null> {
  const [row] = await desk.query<Known>(sql`
    select id, email_confirmed_at is not null as confirmed, invited_at is not null as invited from auth.users
    where lower(email) = ${email} and not is_sso_user for update`);
  return row ?? null;
}

/**
 * Whoever signs up last and opens the mail has the account: an earlier stranger's password must not stay. An invited
 * account takes no password at all this way, because its reader expects a mail and would confirm a stranger's.
 */
async function claimAddress(room: Room, desk: Desk, known: Known | null, draft: Draft): Promise<string> {
  if (known === null) return addAccount(room, desk, { ...draft, confirmed: false });
  return known.invited ? known.id : takeOver(desk, known.id, draft);
}

async function takeOver(desk: Desk, id: string, draft: Draft): Promise<string> {
  await desk.query(sql`
    update auth.users set encrypted_password = ${draft.hash}, raw_user_meta_data = ${draft.metadata}, updated_at = now()
    where id = ${id}`);
  await desk.query(sql`delete from auth.one_time_tokens where user_id = ${id}`);
  return id;
}

async function noteSignUp(desk: Desk, id: string, action: string, address: string): Promise<void> {
  await desk.query(sql`
    select auth.note_event(${action}, users, '{"provider": "email"}', ${address}) from auth.users where id = ${id}`);
}

export async function readUser(desk: Desk, query: ReturnType<typeof sql>): Promise<User> {
  const [row] = await desk.query<{ user: User }>(query);
  if (!row) throw refuse('user_not_found', 'User not found');
  return row.user;
}

/**
 * What a new account looks like, for an address that has one: same fields in the same order (Postgres sorts them), and
 * the same ids each time, as an account that waits for its confirmation would have.
 */
function lookalike(room: Room, desk: Desk, draft: Draft): Promise<User> {
  const now = momentNow();
  const id = idFor(room, 'account', draft.email);
  const user = {
    id,
    aud: 'authenticated',
    role: 'authenticated',
    email: draft.email,
    phone: '',
    app_metadata: room.settings.providerMetadata ? { provider: 'email', providers: ['email'] } : {},
    user_metadata: draft.metadata,
    identities: [
      {
        id,
        email: draft.email,
        user_id: id,
        provider: 'email',
        created_at: now,
        updated_at: now,
        identity_id: idFor(room, 'identity', draft.email),
        identity_data: { sub: id, email: draft.email, email_verified: false, phone_verified: false },
        last_sign_in_at: now,
      },
    ],
    confirmation_sent_at: now,
    created_at: now,
    updated_at: now,
    is_anonymous: false,
  };
  return readUser(desk, sql`select ${user}::jsonb as user`);
}

/** An account that waits for its confirmation looks like one made just now: how long it waits is nobody's business. */
function asNew(user: User): User {
  const now = momentNow();
  const moments = { created_at: now, updated_at: now };
  const identities = user.identities.map((one) => ({ ...one, ...moments, last_sign_in_at: now }));
  return { ...user, ...moments, confirmation_sent_at: now, identities };
}

/** As Postgres writes it, to the microsecond. */
function momentNow(): string {
  return new Date().toISOString().replace('Z', `${String(randomInt(1000)).padStart(3, '0')}Z`);
}

function idFor(room: Room, what: string, email: string): string {
  const bytes = createHmac('sha256', room.keys.lookalike).update(`${what} ${email}`).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

export function rulesOf(room: Room): { siteUrl: string; redirectUrls: readonly string[] } {
  return { siteUrl: room.siteUrl, redirectUrls: room.settings.redirectUrls };
}

function taken(): Error {
  return refuse('user_already_exists', 'User already registered');
}

function isTaken(error: unknown): boolean {
  return error instanceof PostgresError && error.sqlstate === '23505';
}
