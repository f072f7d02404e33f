// OpenAPI descriptions of the routes of external providers.

import { CALLER, NOBODY, object, query, refer, response, text } from '../../http/open-api.ts';
import { checkedOperation, done, IDENTITY, identity, operation, redirectTo } from '../description-terms.ts';

/** Any other parameter goes on to the issuer. */
const leaving = [
  query('code_challenge', 'For the PKCE flow'),
  query('code_challenge_method', 'How the challenge was made: s256 or plain'),
  query('scopes', 'Asked of the issuer beside its own'),
];

export const authorize = operation(IDENTITY, 'authorize', 'Go to an external provider', {
  description: 'A browser goes here and comes back to `/auth/callback` with a code.',
  security: NOBODY,
  parameters: [
    query('provider', 'Who vouches for the user', {
      required: true,
      schema: text(undefined, { examples: ['google'] }),
    }),
    redirectTo,
    ...leaving,
  ],
  responses: {
    302: response('To the provider’s consent screen'),
    400: response('No such provider', refer('IdentityError')),
  },
});

export const providerCallback = checkedOperation(
  IDENTITY,
  'providerCallback',
  'Where an external provider sends a browser back to',
  {
    security: NOBODY,
    parameters: [
      query('code', 'From the provider'),
      query('state', 'What was sent along', { required: true }),
      query('error', 'Why there is no code'),
      query('error_description', 'The same, for people'),
    ],
    responses: {
      200: { description: 'A page that asks before an account gets a way in', content: { 'text/html': {} } },
      302: response('Back to the app, with a code or an error in the address'),
    },
  },
);

export const consentToLink = checkedOperation(IDENTITY, 'consentToLink', 'The button on that page', {
  security: NOBODY,
  requestBody: {
    required: true,
    content: { 'application/x-www-form-urlencoded': { schema: object({ ticket: text('From the page') }) } },
  },
  responses: { 303: response('Back to the app, with a session or an error in the fragment') },
});

export const linkIdentity = checkedOperation(
  IDENTITY,
  'linkIdentity',
  'Tie an account at an external provider to one’s own',
  {
    security: CALLER,
    parameters: [
      query('provider', 'Which', { required: true }),
      redirectTo,
      ...leaving,
      query('skip_http_redirect', 'true: the address in the answer instead of a redirect'),
    ],
    responses: {
      200: response('Where to send the browser', object({ url: text() })),
      302: response('To the provider'),
    },
  },
);

export const unlinkIdentity = checkedOperation(IDENTITY, 'unlinkIdentity', 'Let go of one', {
  security: CALLER,
  parameters: [identity],
  responses: done,
});
