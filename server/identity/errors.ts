// The errors the identity door may answer with. Codes are GoTrue's, because clients show and compare them.

import { CatalogError, declareErrors, errorsOf } from '../errors.ts';

export const identityErrors = declareErrors({
  anonymous_provider_disabled: {
    status: 422,
    when: 'Anonymous sign-in is off.',
    next: 'Sign up with an email address, or set AUTH_ANONYMOUS.',
  },
  bad_code_verifier: {
    status: 400,
    when: 'The code verifier does not belong to the code.',
    next: 'Start the sign-in again in the same browser.',
  },
  bad_json: {
    status: 400,
    when: 'The body is not the expected JSON object.',
    next: 'Send a JSON object with Content-Type application/json.',
  },
  bad_jwt: {
    status: 401,
    when: 'The token is malformed, expired, not yet valid, or signed with another key.',
    next: 'Refresh the session or sign in again.',
  },
  bad_oauth_callback: {
    status: 400,
    when: 'The provider’s callback lacks something.',
    next: 'Start the sign-in again; look at the provider settings if it persists.',
  },
  bad_oauth_state: {
    status: 400,
    when: 'The sign-in wasn’t started here in this browser, or took too long.',
    next: 'Start the sign-in again.',
  },
  conflict: { status: 409, when: 'Two requests changed the same thing at once.', next: 'Try again.' },
  custom_provider_not_found: { status: 404, when: 'No such custom provider.', next: 'List the providers.' },
  email_conflict_identity_not_deletable: {
    status: 422,
    when: 'Without this identity the account would have another account’s address.',
    next: 'Change the email address first.',
  },
  email_exists: {
    status: 422,
    when: 'Another account has this email address.',
    next: 'Sign in to that account, or use another address.',
  },
  email_not_confirmed: {
    status: 400,
    when: 'Right password, unconfirmed address.',
    next: 'Open the link in the email, or request a new one.',
  },
  flow_state_expired: { status: 422, when: 'The code was exchanged too late.', next: 'Start the sign-in again.' },
  flow_state_not_found: {
    status: 404,
    when: 'The code is unknown or used.',
    next: 'Start the sign-in again.',
  },
  hook_failed: {
    status: 500,
    when: 'The claims hook failed, returned no claims, or refused (with its own status and words).',
    next: 'Look at the function named by AUTH_CLAIMS_HOOK and its grants.',
  },
  identity_already_exists: {
    status: 422,
    when: 'The identity belongs to an account.',
    next: 'Sign in with it, or unlink it there.',
  },
  identity_not_found: {
    status: 404,
    when: 'No such identity.',
    next: 'List the identities of the account.',
  },
  insufficient_aal: {
    status: 401,
    when: 'The session has not completed two-factor authentication.',
    next: 'Answer a challenge of one of its factors first.',
  },
  invalid_api_key: {
    status: 401,
    when: 'The apikey header holds no key of this service.',
    next: 'Use the anon key that `npx kanbase keys` prints.',
  },
  insufficient_scope: {
    status: 403,
    when: 'A key or app asked for what only the person may do.',
    next: 'Sign in yourself: accounts, passwords and factors are for people.',
  },
  invalid_credentials: {
    status: 400,
    when: 'Unknown address or wrong password.',
    next: 'Check both, or reset the password.',
  },
  manual_linking_disabled: {
    status: 404,
    when: 'Linking by hand is off.',
    next: 'Set AUTH_MANUAL_LINKING.',
  },
  mfa_challenge_expired: {
    status: 422,
    when: 'The challenge was answered too late.',
    next: 'Ask for a new challenge.',
  },
  mfa_factor_name_conflict: {
    status: 422,
    when: 'The account has a factor of this name.',
    next: 'Give the factor another name.',
  },
  mfa_factor_not_found: {
    status: 404,
    when: 'No such factor.',
    next: 'List the factors of the account.',
  },
  mfa_phone_enroll_not_enabled: {
    status: 422,
    when: 'No codes by phone.',
    next: 'Use an authenticator app or a passkey.',
  },
  mfa_recovery_codes_locked: {
    status: 429,
    when: 'Too many wrong recovery codes.',
    next: 'Wait as long as Retry-After says, or use another factor.',
  },
  mfa_recovery_codes_sole_factor: {
    status: 422,
    when: 'Recovery codes can’t be the only factor.',
    next: 'Set up an authenticator app first.',
  },
  mfa_verified_factor_exists: {
    status: 422,
    when: 'The account has recovery codes.',
    next: 'Regenerate them.',
  },
  mfa_verification_failed: {
    status: 422,
    when: 'Wrong code or passkey answer.',
    next: 'Try the current code.',
  },
  no_authorization: {
    status: 401,
    when: 'A required header is missing.',
    next: 'Send apikey and Authorization.',
  },
  not_admin: {
    status: 403,
    when: 'Needs the service key.',
    next: 'Call it from a server with the service key.',
  },
  not_found: { status: 404, when: 'No such path here.', next: 'Check method and path.' },
  oauth_authorization_not_found: {
    status: 404,
    when: 'The request of the program is unknown, answered, too old, or somebody else’s.',
    next: 'Start again in the program.',
  },
  oauth_client_not_found: { status: 404, when: 'No such OAuth client.', next: 'List the clients.' },
  oauth_grant_not_found: { status: 404, when: 'The program isn’t let in.', next: 'List the grants.' },
  oauth_role_not_supported: {
    status: 422,
    when: 'The account has another role than authenticated.',
    next: 'Use another account.',
  },
  otp_disabled: {
    status: 422,
    when: 'No account has the address, and create_user is false (only with AUTH_AUTOCONFIRM).',
    next: 'Sign up first.',
  },
  otp_expired: {
    status: 403,
    when: 'The link or code is wrong, used or too old.',
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
  passkey_disabled: { status: 422, when: 'Passkeys are off.', next: 'Set AUTH_PASSKEYS.' },
  phone_exists: {
    status: 422,
    when: 'Another account has this number.',
    next: 'Use another number.',
  },
  phone_provider_disabled: {
    status: 400,
    when: 'No sign-in by phone.',
    next: 'Use an email address.',
  },
  provider_disabled: {
    status: 400,
    when: 'The provider is not configured.',
    next: 'Configure it, or use one that GET /settings lists.',
  },
  provider_email_needs_verification: {
    status: 422,
    when: 'The provider doesn’t vouch for the address.',
    next: 'Verify the address at the provider.',
  },
  reauthentication_needed: {
    status: 400,
    when: 'A new password needs a more recent sign-in.',
    next: 'Call /reauthenticate and send the code as nonce.',
  },
  reauthentication_not_valid: { status: 422, when: 'Wrong reauthentication code.', next: 'Ask for a new one.' },
  refresh_token_already_used: {
    status: 400,
    when: 'A refresh token came twice; its session has ended.',
    next: 'Sign in again.',
  },
  refresh_token_not_found: {
    status: 400,
    when: 'The token is not ours, or its session has ended.',
    next: 'Sign in again.',
  },
  saml_provider_disabled: { status: 404, when: 'SAML is not offered.', next: 'Use an OpenID Connect provider.' },
  same_password: { status: 422, when: 'The new password is the old one.', next: 'Choose another.' },
  session_expired: { status: 400, when: 'The session has expired.', next: 'Sign in again.' },
  session_not_found: { status: 401, when: 'The session is signed out.', next: 'Sign in again.' },
  share_link_not_found: {
    status: 404,
    when: 'No public link has this token, or it was revoked or has expired.',
    next: 'Check that the whole link was copied, or ask for a new one.',
  },
  share_link_password: {
    status: 401,
    when: 'The public link asks for a password, or the one sent is wrong.',
    next: 'Ask an owner of the project.',
  },
  signup_disabled: {
    status: 422,
    when: 'AUTH_SIGN_UP lets nobody, or not this address, make an account.',
    next: 'Ask for an invitation, or use the address that was invited.',
  },
  single_identity_not_deletable: {
    status: 422,
    when: 'The only way into the account.',
    next: 'Link another identity first.',
  },
  too_many_enrolled_mfa_factors: {
    status: 422,
    when: 'The account has the most factors allowed.',
    next: 'Remove one first.',
  },
  unexpected_failure: {
    status: 500,
    when: 'Unforeseen failure.',
    next: 'Look for the request id in the log and report it.',
  },
  unsupported_grant_type: {
    status: 400,
    when: 'grant_type is none of password, refresh_token, pkce, id_token; at /oauth/token, none of its metadata.',
    next: 'Use one of them.',
  },
  user_already_exists: { status: 422, when: 'The address has an account.', next: 'Sign in instead.' },
  user_banned: { status: 400, when: 'The account is banned.', next: 'Write to the administrator.' },
  user_not_found: {
    status: 404,
    when: 'No such account (401: the token’s own).',
    next: 'Check the id.',
  },
  validation_failed: {
    status: 400,
    when: 'Something is missing or malformed; the message says what.',
    next: 'Correct it.',
  },
  weak_password: {
    status: 400,
    when: 'Too short or too common; weak_password.reasons says which.',
    next: 'Choose a better one.',
  },
  web3_provider_disabled: {
    status: 422,
    when: 'No sign-in with a wallet.',
    next: 'Use another way to sign in.',
  },
  too_many_passkeys: { status: 422, when: 'The account has the most passkeys allowed.', next: 'Remove one first.' },
  webauthn_challenge_expired: { status: 400, when: 'The ceremony took too long.', next: 'Start it again.' },
  webauthn_challenge_not_found: {
    status: 400,
    when: 'The ceremony is unknown or finished.',
    next: 'Start it again.',
  },
  webauthn_credential_exists: {
    status: 422,
    when: 'The passkey belongs to an account.',
    next: 'Use another authenticator, or sign in with it.',
  },
  webauthn_credential_not_found: {
    status: 404,
    when: 'No such passkey.',
    next: 'List the passkeys of the account.',
  },
  webauthn_verification_failed: {
    status: 400,
    when: 'The passkey’s answer can’t be verified.',
    next: 'Try again, or use another way to sign in.',
  },
});

export type IdentityCode = keyof typeof identityErrors;

export const refuse = errorsOf(identityErrors, { hints: true });

/** Carries the reasons that clients show as a list. */
export class WeakPassword extends CatalogError {
  constructor(
    message: string,
    readonly reasons: readonly ('length' | 'characters' | 'pwned')[],
  ) {
    super('weak_password', identityErrors.weak_password.status, { message, hint: identityErrors.weak_password.next });
  }
}
