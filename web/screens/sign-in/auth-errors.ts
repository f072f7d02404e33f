// What the identity door refuses, in a person's words.

import { words } from '../../strings/words.ts';

const say = words.signIn.errors;

export function wrongEmail(email: string): string | null {
  if (email.trim() === '') return say.emailMissing;
  return /^[^\s@]+@[^\s@]+$/.test(email.trim()) ? null : say.emailWrong;
}

interface Fault {
  readonly message: string;
  readonly code?: string | undefined;
  readonly status?: number | undefined;
}

export function sayAuthError(fault: Fault, passwordMin: number): string {
  switch (fault.code) {
    case 'invalid_credentials':
      return say.credentials;
    case 'email_not_confirmed':
      return say.unconfirmed;
    case 'user_already_exists':
    case 'email_exists':
      return say.exists;
    case 'weak_password':
      return /characters/.test(fault.message) ? say.passwordShort(passwordMin) : say.weak;
    case 'same_password':
      return say.samePassword;
    case 'signup_disabled':
      return say.closed;
    case 'validation_failed':
    case 'email_address_invalid':
      return say.emailWrong;
    case 'mfa_verification_failed':
    case 'otp_expired':
      return say.codeWrong;
    default:
      if (fault.status === 429) return say.tooMany;
      if (fault.status === undefined || fault.status === 0) return say.unreachable;
      return say.other(fault.message);
  }
}
