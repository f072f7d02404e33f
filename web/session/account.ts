// Operations on the own account, by name, over the identity API. Each throws the API's error as it came.

import type { Door } from '../sync/door.ts';

export interface AuthRefusal {
  readonly message: string;
  readonly code?: string | undefined;
  readonly status?: number | undefined;
  /** What is wrong with a password. */
  readonly reasons?: readonly string[] | undefined;
}

async function orThrow<T>(
  result: Promise<{ data: T; error: null } | { data: unknown; error: AuthRefusal }>,
): Promise<NonNullable<T>> {
  const { data, error } = await result;
  if (error) throw error;
  return data as NonNullable<T>;
}

export function isAuthRefusal(thrown: unknown): thrown is AuthRefusal {
  return typeof thrown === 'object' && thrown !== null && 'message' in thrown;
}

/** True: changed at once. False: a message has to be followed first. */
export async function changeEmail(door: Door, email: string, backTo: string): Promise<boolean> {
  const { user } = await orThrow(door.auth.updateUser({ email }, { emailRedirectTo: backTo }));
  return user?.email?.toLowerCase() === email.toLowerCase();
}

export async function changePassword(door: Door, password: string, nonce: string): Promise<void> {
  await orThrow(door.auth.updateUser({ password, ...(nonce === '' ? {} : { nonce }) }));
}

/** Sends a code to the person's address. */
export async function askForCode(door: Door): Promise<void> {
  await orThrow(door.auth.reauthenticate());
}

export interface Factor {
  readonly id: string;
  readonly name: string | null;
  readonly since: string;
}

export async function listFactors(door: Door): Promise<Factor[]> {
  const { totp } = await orThrow(door.auth.mfa.listFactors());
  return totp.map((factor) => ({
    id: factor.id,
    name: factor.friendly_name ?? null,
    since: factor.created_at,
  }));
}

export interface Enrolment {
  readonly factorId: string;
  /** An image as a data: address. */
  readonly qr: string;
  readonly secret: string;
}

/** Attempts that were never confirmed are cleared away first: their names would be in the way. */
export async function enrolFactor(door: Door): Promise<Enrolment> {
  const { all } = await orThrow(door.auth.mfa.listFactors());
  for (const factor of all)
    if (factor.status === 'unverified') await orThrow(door.auth.mfa.unenroll({ factorId: factor.id }));
  const made = await orThrow(door.auth.mfa.enroll({ factorType: 'totp' }));
  return { factorId: made.id, qr: made.totp.qr_code, secret: made.totp.secret };
}

export async function confirmFactor(door: Door, factorId: string, code: string): Promise<void> {
  await orThrow(door.auth.mfa.challengeAndVerify({ factorId, code: code.replace(/\s/g, '') }));
}

/** A code may come from any of the apps one has set up; the refusal of the last one tried is shown. */
export async function answerFactor(door: Door, code: string): Promise<void> {
  const factors = await listFactors(door);
  // Removed meanwhile, elsewhere: a fresh session no longer asks for it.
  if (factors.length === 0) await orThrow(door.auth.refreshSession());
  for (const [at, factor] of factors.entries()) {
    try {
      await confirmFactor(door, factor.id, code);
      return;
    } catch (refusal) {
      if (at === factors.length - 1) throw refusal;
    }
  }
}

/** The session is begun anew: it says that the password was given just now. */
export async function proveByPassword(door: Door, email: string, password: string): Promise<void> {
  await orThrow(door.auth.signInWithPassword({ email, password }));
}

export async function removeFactor(door: Door, factorId: string): Promise<void> {
  await orThrow(door.auth.mfa.unenroll({ factorId }));
}

export interface Passkey {
  readonly id: string;
  readonly name: string | null;
  readonly since: string;
}

export async function listPasskeys(door: Door): Promise<Passkey[]> {
  const passkeys = await orThrow(door.auth.passkey.list());
  return passkeys.map((one) => ({ id: one.id, name: one.friendly_name ?? null, since: one.created_at }));
}

/** Named after the device it was added on, until somebody renames it. */
export async function addPasskey(door: Door, name: string): Promise<void> {
  const { id } = await orThrow(door.auth.registerPasskey());
  await renamePasskey(door, id, name);
}

export async function renamePasskey(door: Door, passkeyId: string, name: string): Promise<void> {
  await orThrow(door.auth.passkey.update({ passkeyId, friendlyName: name }));
}

export async function removePasskey(door: Door, passkeyId: string): Promise<void> {
  const { error } = await door.auth.passkey.delete({ passkeyId });
  if (error) throw error;
}

export async function signOutOthers(door: Door): Promise<void> {
  const { error } = await door.auth.signOut({ scope: 'others' });
  if (error) throw error;
}

/** For the account, on whatever device, and for what is sent to it. */
export async function changeLanguage(door: Door, language: string): Promise<void> {
  await orThrow(door.auth.updateUser({ data: { language } }));
}

/** The list of first steps is for accounts that are new and have not put it away. */
export async function wantsFirstSteps(door: Door): Promise<boolean> {
  const { session } = (await door.auth.getSession()).data;
  if (session === null) return false;
  const { created_at, user_metadata } = session.user;
  const isNew = Date.now() - Date.parse(created_at) < 30 * 86_400_000;
  return isNew && user_metadata.first_steps !== 'put away';
}

/** For the account, on whatever device. */
export async function putAwayFirstSteps(door: Door): Promise<void> {
  await orThrow(door.auth.updateUser({ data: { first_steps: 'put away' } }));
}
