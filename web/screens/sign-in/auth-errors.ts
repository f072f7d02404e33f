// Words for refusals of the identity door.

import type { AuthRefusal } from '../../session/account.ts';
import { t } from '../../strings/messages.ts';

export function wrongEmail(email: string): string | null {
  if (email.trim() === '') return t('signIn.errors.emailMissing');
  return /^[^\s@]+@[^\s@]+$/.test(email.trim()) ? null : t('signIn.errors.emailWrong');
}

/** Who may sign up, where that is not everybody. */
export function sayWhoMaySignUp(
  allowed: { readonly invited: boolean; readonly domains: readonly string[] } | null,
): string | null {
  if (allowed === null) return null;
  const domains = allowed.domains.join(', ');
  if (!allowed.invited) return domains === '' ? t('signIn.upClosed') : t('signIn.upDomains', { domains });
  return domains === '' ? t('signIn.upInvited') : t('signIn.upBoth', { domains });
}

export function sayAuthError(fault: AuthRefusal, passwordMin: number): string {
  switch (fault.code) {
    case 'invalid_credentials':
      return t('signIn.errors.credentials');
    case 'email_not_confirmed':
      return t('signIn.errors.unconfirmed');
    case 'user_already_exists':
    case 'email_exists':
      return t('signIn.errors.exists');
    case 'weak_password':
      return fault.reasons?.includes('length')
        ? t('signIn.errors.passwordShort', { n: passwordMin })
        : t('signIn.errors.weak');
    case 'same_password':
      return t('signIn.errors.samePassword');
    case 'signup_disabled':
      return t('signIn.errors.closed');
    case 'validation_failed':
    case 'email_address_invalid':
      return t('signIn.errors.emailWrong');
    case 'over_email_send_rate_limit':
      return t('signIn.errors.mailSoon');
    case 'mfa_verification_failed':
    case 'otp_expired':
      return t('signIn.errors.codeWrong');
    default:
      if (fault.status === 429) return t('signIn.errors.tooMany');
      if (fault.status === undefined || fault.status === 0) return t('common.refused.unreachable');
      return t('signIn.errors.other', { message: fault.message });
  }
}
