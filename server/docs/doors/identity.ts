// What stands behind /auth/v1, in words: accounts, sessions, proofs by mail.

import {
  answer,
  body,
  CALLER,
  KEY,
  NOBODY,
  type Operation,
  object,
  type Paths,
  query,
  refer,
  text,
} from '../open-api.ts';

const email = text('An e-mail address', { format: 'email' });
const password = text('At least 6 characters', { minLength: 6 });
const refusals = {
  400: answer('What was sent cannot be accepted', refer('IdentityError')),
  429: answer('Too often; `Retry-After` says when again', refer('IdentityError')),
};
const session = answer('A session', refer('Session'));

const operation = (
  operationId: string,
  summary: string,
  rest: Omit<Operation, 'operationId' | 'summary' | 'tags'>,
): Operation => ({ operationId, tags: ['Identity'], summary, ...rest });

export const identityPaths: Paths = {
  '/auth/v1/signup': {
    post: operation('signUp', 'Create an account', {
      description: 'Answers a session, or only the user when the address must be confirmed first.',
      security: KEY,
      requestBody: body(
        object({
          email,
          password,
          'data?': object({ 'name?': text('Display name') }, { description: 'Kept as `user_metadata`' }),
        }),
      ),
      responses: { 200: session, 422: answer('The account cannot be made so', refer('IdentityError')), ...refusals },
    }),
  },
  '/auth/v1/token': {
    post: operation('getToken', 'Sign in, or refresh a session', {
      description:
        'The body depends on `grant_type`: `password` takes an address and a password, `refresh_token` a refresh token, `pkce` the code of a redirect with its verifier.',
      security: KEY,
      parameters: [
        query('grant_type', 'How the caller proves who they are', {
          required: true,
          schema: { type: 'string', enum: ['password', 'refresh_token', 'pkce', 'id_token'] },
        }),
      ],
      requestBody: body(
        object({
          'email?': email,
          'password?': text(),
          'refresh_token?': text(),
          'auth_code?': text(),
          'code_verifier?': text(),
        }),
      ),
      responses: { 200: session, ...refusals },
    }),
  },
  '/auth/v1/user': {
    get: operation('getUser', 'Who the token belongs to', {
      security: CALLER,
      responses: { 200: answer('The user', refer('User')), 401: answer('No valid token', refer('IdentityError')) },
    }),
    put: operation('updateUser', 'Change address, password or metadata', {
      security: CALLER,
      requestBody: body(
        object({ 'email?': email, 'password?': password, 'data?': { type: 'object' }, 'nonce?': text() }),
      ),
      responses: { 200: answer('The user', refer('User')), ...refusals },
    }),
  },
  '/auth/v1/logout': {
    post: operation('logout', 'End the session', {
      security: CALLER,
      parameters: [
        query('scope', 'Which sessions end', {
          schema: { type: 'string', enum: ['global', 'local', 'others'], default: 'global' },
        }),
      ],
      responses: { 204: answer('The session has ended'), 401: answer('No valid token', refer('IdentityError')) },
    }),
  },
  '/auth/v1/authorize': {
    get: operation('authorize', 'Go to an external provider', {
      description: 'A browser goes here and comes back to `/auth/callback` with a code.',
      security: NOBODY,
      parameters: [
        query('provider', 'Who vouches for the user', {
          required: true,
          schema: { type: 'string', examples: ['google'] },
        }),
        query('redirect_to', 'Where to go afterwards', { schema: { type: 'string', format: 'uri' } }),
        query('code_challenge', 'For the PKCE flow'),
        query('code_challenge_method', 'How the challenge was made', {
          schema: { type: 'string', enum: ['s256', 'plain'] },
        }),
      ],
      responses: {
        302: answer('To the provider’s consent screen'),
        400: answer('No such provider', refer('IdentityError')),
      },
    }),
  },
  '/auth/v1/recover': {
    post: operation('recover', 'Send a link to a forgotten account', {
      description: 'Answers the same whether the address is known or not.',
      security: KEY,
      requestBody: body(object({ email })),
      responses: { 200: answer('A mail is on its way, if the address is known', { type: 'object' }), ...refusals },
    }),
  },
  '/auth/v1/otp': {
    post: operation('sendCode', 'Send a link and a code to sign in with', {
      security: KEY,
      requestBody: body(
        object({ email, 'create_user?': { type: 'boolean', default: true }, 'data?': { type: 'object' } }),
      ),
      responses: { 200: answer('A mail is on its way', { type: 'object' }), ...refusals },
    }),
  },
  '/auth/v1/resend': {
    post: operation('resend', 'Send a confirmation again', {
      security: KEY,
      requestBody: body(object({ type: text('Which one', { enum: ['signup', 'email_change'] }), email })),
      responses: { 200: answer('A mail is on its way', { type: 'object' }), ...refusals },
    }),
  },
  '/auth/v1/verify': {
    get: operation('verifyLink', 'Follow a link from a mail', {
      security: NOBODY,
      parameters: [
        query('token', 'From the link', { required: true }),
        query('type', 'From the link', { required: true }),
        query('redirect_to', 'Where to go afterwards', { schema: { type: 'string', format: 'uri' } }),
      ],
      responses: { 303: answer('Back to the app, signed in or with an error in the address') },
    }),
    post: operation('verifyCode', 'Turn a code from a mail into a session', {
      security: KEY,
      requestBody: body(object({ type: text(), 'email?': email, 'token?': text(), 'token_hash?': text() })),
      responses: { 200: session, 403: answer('The code is wrong or too old', refer('IdentityError')), ...refusals },
    }),
  },
  '/auth/v1/settings': {
    get: operation('identitySettings', 'What this service allows', {
      security: KEY,
      responses: { 200: answer('Providers and switches', { type: 'object' }) },
    }),
  },
  '/auth/v1/.well-known/jwks.json': {
    get: operation('publicKeys', 'The keys that verify tokens', {
      security: NOBODY,
      responses: {
        200: answer('A JSON Web Key Set', object({ keys: { type: 'array', items: { type: 'object' } } })),
      },
    }),
  },
  '/auth/v1/.well-known/openid-configuration': {
    get: operation('discovery', 'Who signs the tokens', {
      security: NOBODY,
      responses: {
        200: answer(
          'Issuer and key set',
          object({ issuer: text('Its address'), jwks_uri: text('Where its keys are') }),
        ),
      },
    }),
  },
  '/auth/v1/health': {
    get: operation('identityHealth', 'Whether the identity door answers', {
      security: NOBODY,
      responses: { 200: answer('It does', { type: 'object' }) },
    }),
  },
};

export const identitySchemas = {
  User: object({
    id: text('', { format: 'uuid' }),
    email,
    user_metadata: object({ 'name?': text('Display name') }, { description: 'The user’s own; `name` from sign-up' }),
    app_metadata: { type: 'object', description: 'The service’s own' },
    'created_at?': text('', { format: 'date-time' }),
  }),
  Session: object({
    access_token: text('Goes into `Authorization: Bearer …`'),
    refresh_token: text('For a new access token, once'),
    expires_in: { type: 'integer', description: 'Seconds' },
    token_type: { const: 'bearer' },
    user: refer('User'),
  }),
  IdentityError: object({
    code: text('Stable, for programs; the meanings are in docs/errors.md'),
    message: text('For people'),
  }),
};
