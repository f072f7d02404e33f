// The errors the identity door may answer with. Codes are GoTrue's, because clients show and compare them.

import { CatalogError, declareErrors } from '../errors.ts';

export const identityErrors = declareErrors({
  anonymous_provider_disabled: {
    status: 422,
    when: 'Anonymous sign-in is switched off.',
    next: 'Sign up with an email address, or set AUTH_ANONYMOUS.',
  },
  bad_code_verifier: {
    status: 400,
    when: 'The code verifier does not belong to the code.',
    next: 'Start the sign-in again in the same browser.',
  },
  bad_json: {
    status: 400,
    when: 'The body is not the JSON object that was expected.',
    next: 'Send a JSON object with Content-Type application/json.',
  },
  bad_jwt: {
    status: 401,
    when: 'The token is malformed, expired, not yet valid, or signed with another key.',
    next: 'Refresh the session or sign in again.',
  },
  bad_oauth_callback: {
    status: 400,
    when: 'The provider came back without what it should have brought.',
    next: 'Start the sign-in again; look at the provider settings if it persists.',
  },
  bad_oauth_state: {
    status: 400,
    when: 'The sign-in at the provider was not started here, was started in another browser, or took too long.',
    next: 'Start the sign-in again.',
  },
  conflict: { status: 409, when: 'Two requests changed the same thing at once.', next: 'Try again.' },
  email_conflict_identity_not_deletable: {
    status: 422,
    when: 'Without this identity the account would have an address that another account has.',
    next: 'Change the email address first.',
  },
  email_exists: {
    status: 422,
    when: 'Another account has this email address.',
    next: 'Sign in to that account, or use another address.',
  },
  email_not_confirmed: {
    status: 400,
    when: 'The password is right, but the address has not been confirmed.',
    next: 'Open the link in the email, or request a new one.',
  },
  feature_disabled: {
    status: 404,
    when: 'This part of the protocol is not offered here; the message says which.',
    next: 'Do without it: GET /settings says what is offered.',
  },
  flow_state_expired: { status: 422, when: 'The code was not exchanged in time.', next: 'Start the sign-in again.' },
  flow_state_not_found: {
    status: 404,
    when: 'The code is unknown or was used before.',
    next: 'Start the sign-in again.',
  },
  hook_failed: {
    status: 500,
    when: 'The claims hook in Postgres failed, returned no claims, or refused (then with its own status and words).',
    next: 'Look at the function named by AUTH_CLAIMS_HOOK and its grants.',
  },
  identity_already_exists: {
    status: 422,
    when: 'The identity belongs to an account already.',
    next: 'Sign in with it, or unlink it there.',
  },
  identity_not_found: {
    status: 404,
    when: 'The account has no such identity.',
    next: 'List the identities of the account.',
  },
  insufficient_aal: {
    status: 401,
    when: 'The account uses two-factor authentication, and this session has not passed it.',
    next: 'Answer a challenge of one of its factors first.',
  },
  invalid_api_key: {
    status: 401,
    when: 'The apikey header holds no key of this service.',
    next: 'Use the anon key that `npx kanbase keys` prints.',
  },
  invalid_credentials: {
    status: 400,
    when: 'No account has this address and password.',
    next: 'Check both, or reset the password.',
  },
  manual_linking_disabled: {
    status: 404,
    when: 'Linking identities by hand is switched off.',
    next: 'Set AUTH_MANUAL_LINKING.',
  },
  mfa_challenge_expired: {
    status: 422,
    when: 'The challenge was not answered in time.',
    next: 'Ask for a new challenge.',
  },
  mfa_factor_name_conflict: {
    status: 422,
    when: 'The account has a factor of this name.',
    next: 'Give the factor another name.',
  },
  mfa_factor_not_found: {
    status: 404,
    when: 'The account has no such factor.',
    next: 'List the factors of the account.',
  },
  mfa_phone_enroll_not_enabled: {
    status: 422,
    when: 'Codes by phone are not offered.',
    next: 'Use an authenticator app or a passkey.',
  },
  mfa_verification_failed: {
    status: 422,
    when: 'The code or the passkey answer is wrong.',
    next: 'Try the current code.',
  },
  no_authorization: {
    status: 401,
    when: 'A header that this path needs is missing.',
    next: 'Send apikey and Authorization.',
  },
  not_admin: {
    status: 403,
    when: 'The path is for the service key.',
    next: 'Call it from a server with the service key.',
  },
  not_found: { status: 404, when: 'There is no such path in the identity API.', next: 'Check method and path.' },
  otp_expired: {
    status: 403,
    when: 'The link or code is wrong, was used, or is too old.',
    next: 'Request a new email.',
  },
  over_email_send_rate_limit: {
    status: 429,
    when: 'Too many emails were requested.',
    next: 'Wait as long as Retry-After says.',
  },
  over_request_rate_limit: {
    status: 429,
    when: 'Too many requests from this address or for this account.',
    next: 'Wait as long as Retry-After says.',
  },
  passkey_disabled: { status: 422, when: 'Passkeys are switched off.', next: 'Set AUTH_PASSKEYS.' },
  phone_exists: {
    status: 422,
    when: 'Another account has this phone number.',
    next: 'Use another number.',
  },
  phone_provider_disabled: {
    status: 400,
    when: 'Sign-in by phone number is not supported.',
    next: 'Use an email address.',
  },
  provider_disabled: {
    status: 400,
    when: 'The provider is not configured.',
    next: 'Configure it, or use one that GET /settings lists.',
  },
  provider_email_needs_verification: {
    status: 422,
    when: 'The provider has not verified the email address.',
    next: 'Verify the address at the provider.',
  },
  reauthentication_needed: {
    status: 400,
    when: 'Changing the password needs a more recent sign-in.',
    next: 'Call /reauthenticate and send the code as nonce.',
  },
  reauthentication_not_valid: { status: 422, when: 'The reauthentication code is wrong.', next: 'Ask for a new one.' },
  refresh_token_already_used: {
    status: 400,
    when: 'A refresh token was shown twice; its session has been ended.',
    next: 'Sign in again.',
  },
  refresh_token_not_found: {
    status: 400,
    when: 'The refresh token is not ours, or its session has ended.',
    next: 'Sign in again.',
  },
  saml_provider_disabled: { status: 404, when: 'SAML is not offered.', next: 'Use an OpenID Connect provider.' },
  same_password: { status: 422, when: 'The new password is the old one.', next: 'Choose another.' },
  session_expired: { status: 400, when: 'The session has expired.', next: 'Sign in again.' },
  session_not_found: { status: 401, when: 'The session of this token has been signed out.', next: 'Sign in again.' },
  signup_disabled: {
    status: 422,
    when: 'Sign-up is closed, or closed for this address (AUTH_SIGN_UP).',
    next: 'Ask for an invitation, or use the address that was invited.',
  },
  single_identity_not_deletable: {
    status: 422,
    when: 'It is the only way into the account.',
    next: 'Link another identity first.',
  },
  too_many_enrolled_mfa_factors: {
    status: 422,
    when: 'The account has as many factors as it may.',
    next: 'Remove one first.',
  },
  unexpected_failure: {
    status: 500,
    when: 'The server failed in a way nobody foresaw.',
    next: 'Look for the request id in the log and report it.',
  },
  unsupported_grant_type: {
    status: 400,
    when: 'grant_type is missing or none of password, refresh_token, pkce, id_token.',
    next: 'Use one of them.',
  },
  user_already_exists: { status: 422, when: 'The address has an account.', next: 'Sign in instead.' },
  user_banned: { status: 400, when: 'The account is banned.', next: 'Write to the administrator.' },
  user_not_found: {
    status: 404,
    when: 'There is no such account (401 when it is the account of the token).',
    next: 'Check the id.',
  },
  validation_failed: {
    status: 400,
    when: 'Something in the request is missing or malformed; the message says what.',
    next: 'Correct it.',
  },
  weak_password: {
    status: 400,
    when: 'The password is too short or too common; weak_password.reasons says which.',
    next: 'Choose a better one.',
  },
  web3_provider_disabled: {
    status: 422,
    when: 'Sign-in with a wallet is not offered.',
    next: 'Use another way to sign in.',
  },
  too_many_passkeys: { status: 422, when: 'The account has as many passkeys as it may.', next: 'Remove one first.' },
  webauthn_challenge_expired: { status: 400, when: 'The passkey ceremony took too long.', next: 'Start it again.' },
  webauthn_challenge_not_found: {
    status: 400,
    when: 'The passkey ceremony is unknown or was finished before.',
    next: 'Start it again.',
  },
  webauthn_credential_exists: {
    status: 422,
    when: 'The passkey belongs to an account already.',
    next: 'Use another authenticator, or sign in with it.',
  },
  webauthn_credential_not_found: {
    status: 404,
    when: 'The account has no such passkey.',
    next: 'List the passkeys of the account.',
  },
  webauthn_verification_failed: {
    status: 400,
    when: 'The passkey answer could not be verified.',
    next: 'Try again, or use another way to sign in.',
  },
});

export type IdentityCode = keyof typeof identityErrors;

interface RefuseOptions {
  /** When it differs from the usual one of the code. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

export function refuse(code: IdentityCode, message: string, error: RefuseOptions = {}): CatalogError {
  return new CatalogError(code, error.status ?? identityErrors[code].status, {
    message,
    hint: identityErrors[code].next,
    ...(error.headers === undefined ? {} : { headers: error.headers }),
    cause: error.cause,
  });
}

/** Carries the reasons that clients show as a list. */
export class WeakPassword extends CatalogError {
  constructor(
    message: string,
    readonly reasons: readonly ('length' | 'characters' | 'pwned')[],
  ) {
    super('weak_password', identityErrors.weak_password.status, { message, hint: identityErrors.weak_password.next });
  }
}
