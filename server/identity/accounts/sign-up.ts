// POST /signup: an account with an address and a password, or an anonymous one. An address that is confirmed answers like
// a new one without identities, as clients of GoTrue expect; where accounts need no confirmation, with an error.

import { createHmac, randomInt } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { sql } from '../../database/sql.ts';
import { PostgresError } from '../../database/types.ts';
import { answerAtFixedTimes } from '../../http/fixed-answer-times.ts';
import { refuse } from '../errors.ts';
import type { IdentityContext } from '../identity-context.ts';
import { makeToken } from '../mail/one-time-tokens.ts';
import { queueMail } from '../mail/send-mail.ts';
import { clientInfoOf } from '../requests/client-info.ts';
import { readLimitedBody } from '../requests/limited-body.ts';
import { countRequest, isMailDue, spaceOutMail } from '../requests/rate-limits.ts';
import { asEmail, metadataIn } from '../requests/read-body.ts';
import { redirectRulesOf } from '../requests/redirect-rules.ts';
import { redirectOf } from '../requests/redirects.ts';
import { type Challenge, challengeIn, startMailFlow } from '../tokens/flows.ts';
import { openSession, type TokenResponse, tokensOf } from '../tokens/session-tokens.ts';
import type { Db, User } from '../types.ts';
import { addAccount } from './add-account.ts';
import { signUp as described } from './described.ts';
import { checkPassword } from './password-rules.ts';
import { readUser } from './read-user.ts';
import { requireSignUp, signUpPolicy, signUpRefused } from './sign-up-policy.ts';

export async function signUp(context: IdentityContext, request: FastifyRequest): Promise<TokenResponse | User> {
  const body = await readLimitedBody(context, request, 'signUp', described);
  const { email: given = '', phone = '', password = '' } = body;
  const metadata = metadataIn(body);
  // A password without an address is a mistake, not a wish.
  if (given + phone + password === '') return signUpAnonymously(context, request, metadata);
  if (signUpPolicy(context.settings) === 'off') throw signUpRefused(context.settings);
  if (phone !== '')
    throw given === ''
      ? refuse('phone_provider_disabled', 'Phone signups are disabled')
      : refuse('validation_failed', 'Only an email address or phone number should be provided on signup.');
  const email = asEmail(given.trim());
  if (password === '') throw refuse('validation_failed', 'Signup requires a valid password');
  checkPassword(context.settings, password);
  const challenge = challengeIn(body);
  await countRequest(context, request, 'signUp');
  await requireSignUp(context, context, email);
  const draft = { email, password, metadata };
  return context.autoconfirm ? signUpAtOnce(context, request, draft) : signUpByMail(context, request, draft, challenge);
}

interface Draft {
  readonly email: string;
  readonly password: string;
  readonly metadata: Record<string, unknown>;
}

async function signUpAtOnce(context: IdentityContext, request: FastifyRequest, draft: Draft): Promise<TokenResponse> {
  const clientInfo = clientInfoOf(request);
  // Hashed before anyone looks whether the address is taken: both answers take their time.
  const hash = await context.passwords.hash(draft.password);
  const opened = await context
    .transact(async (db) => {
      const known = await findByEmail(db, draft.email);
      // An account that waits for its owner (invited, made by an administrator) is theirs to open, by mail.
      if (known !== null) throw taken();
      const id = await addAccount(context, db, { ...draft, hash, confirmed: true, proven: false });
      await noteSignUp(db, id, 'user_signedup', clientInfo.address);
      return openSession(context, db, id, 'password', clientInfo, { provider: 'email' });
    })
    .catch((error: unknown) => {
      throw isTaken(error) ? taken() : error;
    });
  return tokensOf(context, opened, 'password');
}

async function signUpByMail(
  context: IdentityContext,
  request: FastifyRequest,
  draft: Draft,
  challenge: Challenge | null,
): Promise<User> {
  await countRequest(context, request, 'mail');
  const redirectTo = redirectOf(redirectRulesOf(context), request);
  const { address } = clientInfoOf(request);
  const found = await findByEmail(context, draft.email);
  const taken = found?.confirmed ?? false;
  if (!taken) await spaceOutMail(context, 'confirmation', draft.email);
  // Its owner gets a mail about it, but not for every try.
  const tellOwner = taken && (await isMailDue(context, 'already_registered', draft.email));
  const sign = (hash: string | null): Promise<User> =>
    context.transact(async (db) => {
      const known = await findByEmail(db, draft.email);
      if (known?.confirmed) {
        await noteSignUp(db, known.id, 'user_repeated_signup', address);
        if (tellOwner) await queueMail(context, db, 'already_registered', draft.email, null, redirectTo);
        // Clients tell by the missing identity that the address is taken.
        return { ...(await lookalike(context, db, draft)), identities: [] };
      }
      const id = await claimAddress(context, db, known, draft, hash);
      await noteSignUp(db, id, 'user_confirmation_requested', address);
      const flowId = await startMailFlow(context, db, id, 'email/signup', challenge);
      const proof = await makeToken(context, db, id, 'confirmation', draft.email, flowId);
      await queueMail(context, db, known?.invited ? 'invite' : 'confirmation', draft.email, proof, redirectTo);
      if (known?.invited) return lookalike(context, db, draft);
      const user = await readUser(
        db,
        sql`update auth.users set confirmation_sent_at = now() where id = ${id}
        returning auth.describe_user(users) as user`,
      );
      return known === null ? user : asNew(user);
    });
  // Two sign-ups raced: the second one finds the account the first one made.
  const hash = await hashFor(context, found, draft.password);
  return answerAtFixedTimes(() =>
    sign(hash).catch(async (error: unknown) => {
      if (!isTaken(error)) throw error;
      return sign(await hashFor(context, await findByEmail(context, draft.email), draft.password));
    }),
  );
}

/** The hash to keep for a password; null when an open mail was asked for with another one. One hashing, whoever asks. */
async function hashFor(context: IdentityContext, known: Known | null, password: string): Promise<string | null> {
  if (!known?.waiting) return context.passwords.hash(password);
  return (await context.passwords.matches(password, known.hash)).matches ? known.hash : null;
}

async function signUpAnonymously(
  context: IdentityContext,
  request: FastifyRequest,
  metadata: Record<string, unknown>,
): Promise<TokenResponse> {
  if (!context.settings.anonymous) throw refuse('anonymous_provider_disabled', 'Anonymous sign-ins are disabled');
  await requireSignUp(context, context, null);
  await countRequest(context, request, 'anonymous');
  const opened = await context.transact(async (db) => {
    const [row] = await db.query<{ id: string }>(sql`
      insert into auth.users (is_anonymous, raw_user_meta_data) values (true, ${metadata}) returning id`);
    return openSession(context, db, row?.id ?? '', 'anonymous', clientInfoOf(request), { provider: 'anonymous' });
  });
  return tokensOf(context, opened, 'anonymous');
}

interface Known {
  readonly id: string;
  readonly confirmed: boolean;
  readonly invited: boolean;
  /** Whether a mail that would confirm it is on its way, and the password it was asked for with. */
  readonly waiting: boolean;
  readonly hash: string | null;
}

async function findByEmail(db: Db, email: string): Promise<Known | null> {
  const [row] = await db.query<Known>(sql`
    select id, email_confirmed_at is not null as confirmed, invited_at is not null as invited, encrypted_password as hash,
      exists (
        select from auth.one_time_tokens t
        where t.user_id = users.id and t.token_type = 'confirmation' and t.expires_at > now()
      ) as waiting
    from auth.users
    where lower(email) = ${email} and not is_sso_user for update`);
  return row ?? null;
}

/**
 * Whose the mailbox is, its mail finds out, but not which of several sign-ups was theirs. So a password that only one of
 * them knows opens nothing: the account has none until its owner, in by the mail, sets one. An invited account takes no
 * password at all this way, because its reader expects a mail and would confirm a stranger's.
 */
async function claimAddress(
  context: IdentityContext,
  db: Db,
  known: Known | null,
  draft: Draft,
  hash: string | null,
): Promise<string> {
  if (known === null) return addAccount(context, db, { ...draft, hash, confirmed: false });
  if (known.invited) return known.id;
  const storedHash = known.waiting && known.hash !== hash ? null : hash;
  await db.query(sql`
    update auth.users set encrypted_password = ${storedHash}, raw_user_meta_data = ${draft.metadata}, updated_at = now()
    where id = ${known.id}`);
  await db.query(sql`delete from auth.one_time_tokens where user_id = ${known.id}`);
  return known.id;
}

async function noteSignUp(db: Db, id: string, action: string, address: string): Promise<void> {
  await db.query(sql`
    select auth.note_event(${action}, users, '{"provider": "email"}', ${address}) from auth.users where id = ${id}`);
}

/**
 * What a new account looks like, for an address that has one: same fields in the same order (Postgres sorts them), and
 * the same ids each time, as an account that waits for its confirmation would have.
 */
function lookalike(context: IdentityContext, db: Db, draft: Draft): Promise<User> {
  const now = momentNow();
  const id = idFor(context, 'account', draft.email);
  const user = {
    id,
    aud: 'authenticated',
    role: 'authenticated',
    email: draft.email,
    phone: '',
    app_metadata: context.settings.providerMetadata ? { provider: 'email', providers: ['email'] } : {},
    user_metadata: draft.metadata,
    identities: [
      {
        id,
        email: draft.email,
        user_id: id,
        provider: 'email',
        created_at: now,
        updated_at: now,
        identity_id: idFor(context, 'identity', draft.email),
        identity_data: { sub: id, email: draft.email, email_verified: false, phone_verified: false },
        last_sign_in_at: now,
      },
    ],
    confirmation_sent_at: now,
    created_at: now,
    updated_at: now,
    is_anonymous: false,
  };
  return readUser(db, sql`select ${user}::jsonb as user`);
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

function idFor(context: IdentityContext, what: string, email: string): string {
  const bytes = createHmac('sha256', context.keys.lookalike).update(`${what} ${email}`).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

function taken(): Error {
  return refuse('user_already_exists', 'User already registered');
}

function isTaken(error: unknown): boolean {
  return error instanceof PostgresError && error.sqlstate === '23505';
}
