// POST /token?grant_type=password. Bounded by the hash: one read before it, one write after it. An unknown
// address, a wrong password and an account without password take the same time and get the same answer.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { sql } from '../../database/sql.ts';
import { CatalogError } from '../../errors.ts';
import { refuse, WeakPassword } from '../errors.ts';
import type { IdentityContext } from '../identity-context.ts';
import { clientInfoOf } from '../requests/client-info.ts';
import {
  comesFromKnownNetwork,
  findKnownDevice,
  guessKeyOf,
  knownDevice,
  rememberDevice,
  takeGuess,
} from '../requests/guess-limits.ts';
import { readLimitedBody } from '../requests/limited-body.ts';
import { countAddressOrDevice, countRequest, refuseWhenSpent } from '../requests/rate-limits.ts';
import { longestEmail } from '../requests/read-body.ts';
import { getToken } from '../tokens/described.ts';
import { openSession, type TokenResponse, tokensOf } from '../tokens/session-tokens.ts';
import { checkPassword } from './password-rules.ts';

interface Candidate {
  readonly id: string;
  readonly hash: string | null;
  readonly confirmed: boolean;
  readonly banned: boolean;
  readonly familiar: boolean;
}

export async function signInWithPassword(
  context: IdentityContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<TokenResponse> {
  const { email: given = '', password = '', phone = '' } = await readLimitedBody(context, request, 'signIn', getToken);
  const email = given.trim().toLowerCase();
  if (phone !== '') {
    if (email !== '')
      throw refuse('validation_failed', 'Only an email address or phone number should be provided on login.');
    throw refuse('phone_provider_disabled', 'Phone logins are disabled', { status: 422 });
  }
  if (email === '') throw refuse('validation_failed', 'missing email or phone');
  await countAddressOrDevice(context, request, 'signIn', () => findKnownDevice(context, request, email));
  // No account has one so long, and limits keep what they count by.
  if (email.length > longestEmail) throw refuse('invalid_credentials', 'Invalid login credentials');
  const [user] = await context.query<Candidate>(sql`
    select id, encrypted_password as hash, email_confirmed_at is not null as confirmed,
      coalesce(banned_until > now(), false) as banned, ${comesFromKnownNetwork(request)} as familiar
    from auth.users where lower(email) = ${email} and not is_sso_user and deleted_at is null`);
  // At an address that many share, a known device has a count of its own.
  const guesser = (user && knownDevice(context, request, user.id)) ?? email;
  // Who has guessed too often does not learn that a guess is right either.
  await refuseWhenSpent(context, request, 'failure', guesser);
  const guessKey = guessKeyOf(context, request, user, email);
  // Counted whatever the address: behind a proxy that is not trusted, all are one.
  const giveBack = await takeGuess(context, guessKey);
  const { matches, outdated } = await context.passwords.matches(password, user?.hash ?? null);
  if (!user || !matches) {
    await countRequest(context, request, 'failure', guesser);
    throw refuse('invalid_credentials', 'Invalid login credentials');
  }
  await giveBack();
  if (user.banned) throw refuse('user_banned', 'User is banned');
  if (!user.confirmed) throw refuse('email_not_confirmed', 'Email not confirmed');
  if (outdated) await keepNewHash(context, user, password);
  const opened = await openSession(context, context, user.id, 'password', clientInfoOf(request), { provider: 'email' });
  rememberDevice(context, request, reply, opened);
  const tokens = await tokensOf(context, opened, 'password');
  const weakness = weaknessOf(context, password);
  return weakness === null
    ? tokens
    : { ...tokens, weak_password: { message: weakness.message, reasons: weakness.reasons } };
}

/** A hash brought from elsewhere, or made with older settings, is replaced while the password is at hand. */
async function keepNewHash(context: IdentityContext, user: Candidate, password: string): Promise<void> {
  const hash = await context.passwords.hash(password);
  await context.query(sql`select auth.rehash_password(${user.id}, ${user.hash}, ${hash})::text`);
}

/** The password fits but would not be accepted today: clients may say so. */
function weaknessOf(context: IdentityContext, password: string): WeakPassword | null {
  try {
    checkPassword(context.settings, password);
    return null;
  } catch (error) {
    if (error instanceof WeakPassword) return error;
    if (error instanceof CatalogError) return null;
    throw error;
  }
}
