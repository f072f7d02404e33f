// Recovery codes of the own account, over the identity API. Each throws the API's error as it came.

import type { Door } from '../sync/door.ts';
import { isAuthRefusal } from './account.ts';

/** Switched on here, since the client itself is part of the first load. */
function codesOf({ auth }: Door): Door['auth']['mfa']['recoveryCodes'] {
  Object.assign(auth, { experimental: { recoveryCodes: true } });
  return auth.mfa.recoveryCodes;
}

export interface RecoveryStatus {
  readonly total: number;
  readonly remaining: number;
}

/** Null where there are none. */
export async function readRecoveryStatus(door: Door): Promise<RecoveryStatus | null> {
  const { data, error } = await codesOf(door).getStatus();
  if (error?.code === 'mfa_factor_not_found') return null;
  if (error) throw error;
  return data;
}

/** New codes, in place of those there are. */
export async function drawRecoveryCodes(door: Door): Promise<readonly string[]> {
  const codes = codesOf(door);
  const replaced = await codes.regenerate();
  const { data, error } = replaced.error?.code === 'mfa_factor_not_found' ? await codes.generate() : replaced;
  if (error) throw error;
  return data.codes;
}

export async function spendRecoveryCode(door: Door, code: string): Promise<void> {
  const { error } = await codesOf(door).verify({ code });
  if (error) throw error;
}

export const isLocked = (thrown: unknown): boolean =>
  isAuthRefusal(thrown) && thrown.code === 'mfa_recovery_codes_locked';

/** In blocks of four, as people copy them from paper. */
export const sayRecoveryCode = (code: string): string => code.match(/.{1,4}/g)?.join('-') ?? code;
