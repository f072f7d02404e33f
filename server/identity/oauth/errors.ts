// The errors of the OAuth server, by the names that RFC 6749 and those beside it give them.

import { declareErrors, errorsOf } from '../../errors.ts';

export const oauthErrors = declareErrors({
  access_denied: { status: 400, when: 'The person refused.', next: 'Ask again only when they start it.' },
  authorization_pending: {
    status: 400,
    when: 'The code of the device isn’t entered yet.',
    next: 'Ask again after the interval.',
  },
  expired_token: { status: 400, when: 'The code of the device is too old.', next: 'Start again.' },
  interaction_required: {
    status: 400,
    when: 'prompt=none, but a person has to look at the consent page.',
    next: 'Leave prompt out.',
  },
  invalid_client: { status: 401, when: 'Unknown client, or wrong secret.', next: 'Check id, secret and method.' },
  invalid_client_metadata: {
    status: 400,
    when: 'A client cannot be registered so; the words say why.',
    next: 'Correct it.',
  },
  invalid_grant: {
    status: 400,
    when: 'The code or token is unknown, used, too old, or another client’s.',
    next: 'Start the authorization again.',
  },
  invalid_redirect_uri: {
    status: 400,
    when: 'A redirect address is not acceptable.',
    next: 'https, http on a loopback address, or a scheme of an app; no fragment, no wildcard.',
  },
  invalid_request: { status: 400, when: 'A parameter is missing, malformed or twice there.', next: 'Correct it.' },
  invalid_scope: { status: 400, when: 'A scope is unknown, or more than was granted.', next: 'Ask for less.' },
  invalid_target: {
    status: 400,
    when: 'The resource is none of this service.',
    next: 'See /.well-known/oauth-protected-resource.',
  },
  invalid_token: { status: 401, when: 'The token is malformed, expired or revoked.', next: 'Refresh it.' },
  request_not_supported: { status: 400, when: 'Requests as JWT are not read.', next: 'Send plain parameters.' },
  slow_down: { status: 400, when: 'The device asks too often.', next: 'Wait five seconds longer.' },
  temporarily_unavailable: { status: 429, when: 'Too many requests.', next: 'Wait as long as Retry-After says.' },
  unauthorized_client: { status: 400, when: 'The client may not use this grant.', next: 'Register it for it.' },
  unsupported_response_type: { status: 400, when: 'response_type is not code.', next: 'Use code, with PKCE.' },
});

export const refuseOAuth = errorsOf(oauthErrors, { hints: true });
