// Rules for passwords.

import { refuse, WeakPassword } from '../errors.ts';
import type { Settings } from '../identity-context.ts';
import { isCommonPassword } from './common-passwords.ts';

/** Hashing takes any length; this keeps someone from sending megabytes. */
const longest = 512;

export function checkPassword(settings: Settings, password: string): void {
  if (password.length > longest)
    throw refuse('validation_failed', `Password cannot be longer than ${longest} characters`);
  if ([...password].length < settings.passwordMin)
    throw new WeakPassword(`Password should be at least ${settings.passwordMin} characters.`, ['length']);
  if (settings.refuseCommonPasswords && isCommonPassword(password))
    throw new WeakPassword('Password is known to be weak and easy to guess, please choose a different one.', ['pwned']);
}
