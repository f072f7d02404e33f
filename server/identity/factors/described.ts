// OpenAPI descriptions of the routes of two-factor authentication and passkeys.

import { body, CALLER, KEY, object, orSay, response, text } from '../../http/open-api.ts';
import {
  checkedOperation,
  done,
  FACTORS,
  factor,
  PASSKEYS,
  passkey as passkeyId,
  session,
} from '../description-terms.ts';

export const enrollFactor = checkedOperation(FACTORS, 'enrollFactor', 'Begin with an authenticator app', {
  security: CALLER,
  requestBody: body(
    object({
      factor_type: orSay(
        text('totp or webauthn', { minLength: 1 }),
        'factor_type needs to be totp, phone, or webauthn',
      ),
      'friendly_name?': text('How to tell it apart'),
      'issuer?': text('What the authenticator app calls this service'),
    }),
  ),
  responses: { 200: response('The factor with its secret and a QR code', { type: 'object' }) },
});

export const removeFactor = checkedOperation(FACTORS, 'removeFactor', 'Remove a factor', {
  security: CALLER,
  parameters: [factor],
  responses: done,
});

export const challengeFactor = checkedOperation(FACTORS, 'challengeFactor', 'Ask for a code', {
  security: CALLER,
  parameters: [factor],
  requestBody: body(
    object({ 'webauthn?': object({ 'rpId?': text('The host of the page'), 'rp_id?': text('The same') }) }),
    false,
  ),
  responses: done,
});

export const verifyFactor = checkedOperation(FACTORS, 'verifyFactor', 'Answer with the code', {
  security: CALLER,
  parameters: [factor],
  requestBody: body(
    object({
      'challenge_id?': text('From the challenge', { format: 'uuid' }),
      'code?': text('Six digits, of an authenticator app'),
      'webauthn?': object({ 'credential_response?': {} }, { description: 'The answer of a passkey' }),
    }),
  ),
  responses: session,
});

const recoveryCodes = { 200: response('The codes, told in this answer alone', { type: 'object' }) };

export const recoveryCodesStatus = checkedOperation(FACTORS, 'recoveryCodesStatus', 'Count recovery codes', {
  security: CALLER,
  responses: { 200: response('How many there are, and how many are unused', { type: 'object' }) },
});

export const generateRecoveryCodes = checkedOperation(FACTORS, 'generateRecoveryCodes', 'Make recovery codes', {
  description: 'For a session that used another factor.',
  security: CALLER,
  requestBody: body(object({ 'friendly_name?': text('How to tell it apart') }), false),
  responses: recoveryCodes,
});

export const regenerateRecoveryCodes = checkedOperation(
  FACTORS,
  'regenerateRecoveryCodes',
  'Replace recovery codes with new ones',
  { security: CALLER, responses: recoveryCodes },
);

export const verifyRecoveryCode = checkedOperation(FACTORS, 'verifyRecoveryCode', 'Use a recovery code', {
  description: 'Each works once. Other sessions that used no second factor end.',
  security: CALLER,
  requestBody: body(object({ code: text('Letter case, spaces and hyphens don’t matter') })),
  responses: session,
});

export const removeRecoveryCodes = checkedOperation(FACTORS, 'removeRecoveryCodes', 'Remove recovery codes', {
  security: CALLER,
  responses: done,
});

const name = text('How to tell it apart', { minLength: 1 });
const passkey = {
  'challenge_id?': text('From the beginning', { format: 'uuid' }),
  'credential?': { description: 'As the browser gives it' },
};

export const listPasskeys = checkedOperation(PASSKEYS, 'listPasskeys', 'One’s own passkeys', {
  security: CALLER,
  responses: { 200: response('Passkeys', { type: 'array', items: { type: 'object' } }) },
});

export const beginPasskey = checkedOperation(PASSKEYS, 'beginPasskey', 'Begin to make a passkey', {
  security: CALLER,
  responses: done,
});

export const finishPasskey = checkedOperation(PASSKEYS, 'finishPasskey', 'Finish making it', {
  security: CALLER,
  requestBody: body(object({ ...passkey, 'friendly_name?': text('How to tell it apart') })),
  responses: done,
});

export const beginPasskeySignIn = checkedOperation(PASSKEYS, 'beginPasskeySignIn', 'Begin to sign in with a passkey', {
  security: KEY,
  responses: done,
});

export const finishPasskeySignIn = checkedOperation(PASSKEYS, 'finishPasskeySignIn', 'Finish signing in', {
  security: KEY,
  requestBody: body(object(passkey)),
  responses: session,
});

export const renamePasskey = checkedOperation(PASSKEYS, 'renamePasskey', 'Rename a passkey', {
  security: CALLER,
  parameters: [passkeyId],
  requestBody: body(object({ friendly_name: name })),
  responses: done,
});

export const removePasskey = checkedOperation(PASSKEYS, 'removePasskey', 'Remove a passkey', {
  security: CALLER,
  parameters: [passkeyId],
  responses: done,
});
