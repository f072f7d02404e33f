// /factors and /passkeys: second factors, recovery codes and passkeys, a table of contents.

import type { FastifyInstance } from 'fastify';
import { described } from '../../http/describe-routes.ts';
import type { IdentityContext } from '../identity-context.ts';
import { serving } from '../serving.ts';
import { challengeFactor } from './challenge-factor.ts';
import * as factors from './described.ts';
import { enrollFactor, unenrollFactor } from './factors.ts';
import {
  finishRegistration,
  finishSignIn,
  listPasskeys,
  removePasskey,
  renamePasskey,
  startRegistration,
  startSignIn,
} from './passkeys.ts';
import {
  generateCodes,
  recoveryCodesStatus,
  regenerateCodes,
  removeCodes,
  verifyRecoveryCode,
} from './recovery-codes.ts';
import { verifyFactor } from './verify-factor.ts';

export function mountFactors(door: FastifyInstance, context: IdentityContext): void {
  const serve = serving(context);

  door.post('/factors', described(factors.enrollFactor), serve(enrollFactor));
  door.post('/factors/:factor_id/challenge', described(factors.challengeFactor), serve(challengeFactor));
  door.post('/factors/:factor_id/verify', described(factors.verifyFactor), serve(verifyFactor));
  door.delete('/factors/:factor_id', described(factors.removeFactor), serve(unenrollFactor));
  door.get('/factors/recovery-codes', described(factors.recoveryCodesStatus), serve(recoveryCodesStatus));
  door.post('/factors/recovery-codes', described(factors.generateRecoveryCodes), serve(generateCodes));
  door.delete('/factors/recovery-codes', described(factors.removeRecoveryCodes), serve(removeCodes));
  door.post('/factors/recovery-codes/verify', described(factors.verifyRecoveryCode), serve(verifyRecoveryCode));
  door.post('/factors/recovery-codes/regenerate', described(factors.regenerateRecoveryCodes), serve(regenerateCodes));

  door.get('/passkeys', described(factors.listPasskeys), serve(listPasskeys));
  door.post('/passkeys/registration/options', described(factors.beginPasskey), serve(startRegistration));
  door.post('/passkeys/registration/verify', described(factors.finishPasskey), serve(finishRegistration));
  door.post('/passkeys/authentication/options', described(factors.beginPasskeySignIn), serve(startSignIn));
  door.post('/passkeys/authentication/verify', described(factors.finishPasskeySignIn), serve(finishSignIn));
  door.patch('/passkeys/:passkey_id', described(factors.renamePasskey), serve(renamePasskey));
  door.delete('/passkeys/:passkey_id', described(factors.removePasskey), serve(removePasskey));
}
