// More behind /auth/v1, in words: second factors, passkeys, identities elsewhere, and accounts in the hands of the
// service key.

import {
  answer,
  body,
  CALLER,
  KEY,
  NOBODY,
  type Operation,
  object,
  type Parameter,
  type Paths,
  query,
  refer,
  text,
} from '../open-api.ts';

const operation = (
  tag: string,
  operationId: string,
  summary: string,
  rest: Omit<Operation, 'operationId' | 'summary' | 'tags'>,
): Operation => ({
  operationId,
  tags: [tag],
  summary,
  ...rest,
  responses: { ...rest.responses, 400: answer('What was sent cannot be accepted', refer('IdentityError')) },
});

const id = (name: string, what: string): Parameter => ({
  name,
  in: 'path',
  required: true,
  description: what,
  schema: { type: 'string', format: 'uuid' },
});
const user = id('user_id', 'The account');
const done = { 200: answer('Done', { type: 'object' }) };
const session = { 200: answer('A session', refer('Session')) };
const account = { 200: answer('The account', refer('User')) };
const FACTORS = 'Second factors';
const PASSKEYS = 'Passkeys';
const ADMIN = 'Accounts, for the service key';

export const accountPaths: Paths = {
  '/auth/v1/magiclink': {
    post: operation('Identity', 'sendMagicLink', 'Send a link to sign in with', {
      security: KEY,
      requestBody: body(object({ email: text() })),
      responses: done,
    }),
  },
  '/auth/v1/reauthenticate': {
    get: operation('Identity', 'reauthenticate', 'Send a code that confirms a change of password', {
      security: CALLER,
      responses: done,
    }),
  },
  '/auth/v1/confirm': {
    get: operation('Identity', 'confirmPage', 'A page that asks before a link from a mail is used up', {
      security: NOBODY,
      responses: { 200: { description: 'The page', content: { 'text/html': {} } } },
    }),
    post: operation('Identity', 'confirm', 'The answer to that page', {
      security: NOBODY,
      responses: { 303: answer('Back to the app') },
    }),
  },
  '/auth/v1/callback': {
    get: operation('Identity', 'providerCallback', 'Where an external provider sends a browser back to', {
      security: NOBODY,
      parameters: [query('code', 'From the provider'), query('state', 'What was sent along', { required: true })],
      responses: {
        200: { description: 'A page that asks before an account gets a way in', content: { 'text/html': {} } },
        302: answer('Back to the app, with a code or an error in the address'),
      },
    }),
    post: operation('Identity', 'consentToLink', 'The button on that page', {
      security: NOBODY,
      requestBody: {
        required: true,
        content: { 'application/x-www-form-urlencoded': { schema: object({ ticket: text('From the page') }) } },
      },
      responses: { 303: answer('Back to the app, with a session or an error in the fragment') },
    }),
  },
  '/auth/v1/user/identities/authorize': {
    get: operation('Identity', 'linkIdentity', 'Tie an account at an external provider to one’s own', {
      security: CALLER,
      parameters: [query('provider', 'Which', { required: true })],
      responses: { 200: answer('Where to send the browser', object({ url: text() })), 302: answer('To the provider') },
    }),
  },
  '/auth/v1/user/identities/{identity_id}': {
    delete: operation('Identity', 'unlinkIdentity', 'Let go of one', {
      security: CALLER,
      parameters: [id('identity_id', 'Which')],
      responses: done,
    }),
  },
  '/auth/v1/factors': {
    post: operation(FACTORS, 'enrollFactor', 'Begin with an authenticator app', {
      security: CALLER,
      requestBody: body(object({ factor_type: { const: 'totp' }, 'friendly_name?': text('How to tell it apart') })),
      responses: { 200: answer('The factor with its secret and a QR code', { type: 'object' }) },
    }),
  },
  '/auth/v1/factors/{factor_id}': {
    delete: operation(FACTORS, 'removeFactor', 'Remove a factor', {
      security: CALLER,
      parameters: [id('factor_id', 'Which')],
      responses: done,
    }),
  },
  '/auth/v1/factors/{factor_id}/challenge': {
    post: operation(FACTORS, 'challengeFactor', 'Ask for a code', {
      security: CALLER,
      parameters: [id('factor_id', 'Which')],
      responses: done,
    }),
  },
  '/auth/v1/factors/{factor_id}/verify': {
    post: operation(FACTORS, 'verifyFactor', 'Answer with the code', {
      security: CALLER,
      parameters: [id('factor_id', 'Which')],
      requestBody: body(
        object({ challenge_id: text('From the challenge', { format: 'uuid' }), code: text('Six digits') }),
      ),
      responses: session,
    }),
  },
  '/auth/v1/passkeys': {
    get: operation(PASSKEYS, 'listPasskeys', 'One’s own passkeys', {
      security: CALLER,
      responses: { 200: answer('Passkeys', { type: 'array', items: { type: 'object' } }) },
    }),
  },
  '/auth/v1/passkeys/{passkey_id}': {
    patch: operation(PASSKEYS, 'renamePasskey', 'Rename a passkey', {
      security: CALLER,
      parameters: [id('passkey_id', 'Which')],
      requestBody: body(object({ friendly_name: text() })),
      responses: done,
    }),
    delete: operation(PASSKEYS, 'removePasskey', 'Remove a passkey', {
      security: CALLER,
      parameters: [id('passkey_id', 'Which')],
      responses: done,
    }),
  },
  '/auth/v1/passkeys/registration/options': {
    post: operation(PASSKEYS, 'beginPasskey', 'Begin to make a passkey', { security: CALLER, responses: done }),
  },
  '/auth/v1/passkeys/registration/verify': {
    post: operation(PASSKEYS, 'finishPasskey', 'Finish making it', {
      security: CALLER,
      requestBody: body({ type: 'object' }),
      responses: done,
    }),
  },
  '/auth/v1/passkeys/authentication/options': {
    post: operation(PASSKEYS, 'beginPasskeySignIn', 'Begin to sign in with a passkey', {
      security: KEY,
      responses: done,
    }),
  },
  '/auth/v1/passkeys/authentication/verify': {
    post: operation(PASSKEYS, 'finishPasskeySignIn', 'Finish signing in', {
      security: KEY,
      requestBody: body({ type: 'object' }),
      responses: session,
    }),
  },
  '/auth/v1/invite': {
    post: operation(ADMIN, 'invite', 'Invite someone by mail', {
      security: CALLER,
      requestBody: body(object({ email: text() })),
      responses: account,
    }),
  },
  '/auth/v1/admin/users': {
    get: operation(ADMIN, 'listUsers', 'All accounts, in pages', {
      security: CALLER,
      parameters: [query('page', 'Which page, from 1'), query('per_page', 'How many in one')],
      responses: { 200: answer('Accounts', object({ users: { type: 'array', items: refer('User') } })) },
    }),
    post: operation(ADMIN, 'createUser', 'Make an account', {
      security: CALLER,
      requestBody: body(
        object({
          'email?': text(),
          'password?': text(),
          'email_confirm?': { type: 'boolean' },
          'user_metadata?': { type: 'object' },
          'app_metadata?': { type: 'object' },
        }),
      ),
      responses: account,
    }),
  },
  '/auth/v1/admin/users/{user_id}': {
    get: operation(ADMIN, 'getUserById', 'One account', { security: CALLER, parameters: [user], responses: account }),
    put: operation(ADMIN, 'updateUserById', 'Change an account', {
      security: CALLER,
      parameters: [user],
      requestBody: body({ type: 'object' }),
      responses: account,
    }),
    delete: operation(ADMIN, 'deleteUser', 'Delete an account', {
      security: CALLER,
      parameters: [user],
      responses: done,
    }),
  },
  '/auth/v1/admin/users/{user_id}/factors': {
    get: operation(ADMIN, 'listUserFactors', 'Its second factors', {
      security: CALLER,
      parameters: [user],
      responses: { 200: answer('Factors', { type: 'array', items: { type: 'object' } }) },
    }),
  },
  '/auth/v1/admin/users/{user_id}/factors/{factor_id}': {
    put: operation(ADMIN, 'updateUserFactor', 'Rename one of them', {
      security: CALLER,
      parameters: [user, id('factor_id', 'Which')],
      requestBody: body(object({ friendly_name: text() })),
      responses: done,
    }),
    delete: operation(ADMIN, 'deleteUserFactor', 'Remove one of them', {
      security: CALLER,
      parameters: [user, id('factor_id', 'Which')],
      responses: done,
    }),
  },
  '/auth/v1/admin/users/{user_id}/passkeys': {
    get: operation(ADMIN, 'listUserPasskeys', 'Its passkeys', {
      security: CALLER,
      parameters: [user],
      responses: { 200: answer('Passkeys', { type: 'array', items: { type: 'object' } }) },
    }),
  },
  '/auth/v1/admin/users/{user_id}/passkeys/{passkey_id}': {
    delete: operation(ADMIN, 'deleteUserPasskey', 'Remove one of them', {
      security: CALLER,
      parameters: [user, id('passkey_id', 'Which')],
      responses: done,
    }),
  },
  '/auth/v1/admin/generate_link': {
    post: operation(ADMIN, 'generateLink', 'Make a link instead of sending it', {
      security: CALLER,
      requestBody: body(
        object({
          type: text('Which kind', {
            enum: ['signup', 'invite', 'magiclink', 'recovery', 'email_change_current', 'email_change_new'],
          }),
          email: text(),
        }),
      ),
      responses: { 200: answer('The account and the link', { type: 'object' }) },
    }),
  },
  '/auth/v1/admin/audit': {
    get: operation(ADMIN, 'readAudit', 'What happened to accounts', {
      security: CALLER,
      responses: { 200: answer('Entries, newest first', { type: 'array', items: { type: 'object' } }) },
    }),
  },
};

export const accountTags = [
  { name: FACTORS },
  { name: PASSKEYS },
  { name: ADMIN, description: 'Authorization carries the service key. Never from a client.' },
];
