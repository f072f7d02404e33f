// Chapters, fields, answers and schemas that the OpenAPI descriptions of the identity routes share.

import { fields, inPath, type Operation, object, query, refer, response, type Tag, text } from '../http/open-api.ts';

export const IDENTITY = 'Identity';
export const FACTORS = 'Second factors';
export const PASSKEYS = 'Passkeys';
export const SHARING = 'Public links';
export const PROGRAMS = 'Programs';
export const ADMIN = 'Accounts, for the service key';

type Rest = Omit<Operation, 'operationId' | 'summary' | 'tags'>;

export const operation = <R extends Rest>(tag: string, operationId: string, summary: string, rest: R) => ({
  operationId,
  tags: [tag],
  summary,
  ...rest,
});

/** One that may find fault with what was sent. */
export const checkedOperation = <R extends Rest>(tag: string, operationId: string, summary: string, rest: R) =>
  operation(tag, operationId, summary, { ...rest, responses: { ...rest.responses, 400: unacceptable } });

const unacceptable = response('What was sent cannot be accepted', refer('IdentityError'));
export const refusals = {
  400: unacceptable,
  429: response('Too often; `Retry-After` says when again', refer('IdentityError')),
};

export const email = text('An email address', { format: 'email' });
export const password = text('At least 6 characters');
/** What becomes `user_metadata`, in both places where clients put it. */
export const metadata = {
  'data?': fields('Becomes `user_metadata`; `name` is the display name'),
  'options?': object({ 'data?': fields('The same') }),
};
/** Of a client that wants a code instead of tokens in the address. */
export const challenge = {
  'code_challenge?': text('For the PKCE flow'),
  'code_challenge_method?': text('How the challenge was made: s256 or plain'),
};
/** Other services sign people in by it; here it is refused by name. */
export const phone = text('Not used here');
const id = <const N extends string>(name: N, what: string) => inPath(name, what, { format: 'uuid' });
export const user = id('user_id', 'The account');
export const factor = id('factor_id', 'Which');
export const passkey = id('passkey_id', 'Which');
export const identity = id('identity_id', 'Which');
export const redirectTo = query('redirect_to', 'Where to go afterwards', {
  schema: text(undefined, { format: 'uri' }),
});

export const done = { 200: response('Done', { type: 'object' }) };
export const session = { 200: response('A session', refer('Session')) };

export const identityTags: readonly Tag[] = [
  { name: IDENTITY, description: 'Accounts and sessions.' },
  { name: FACTORS },
  { name: PASSKEYS },
  { name: SHARING, description: 'Read a project or a task without an account.' },
  {
    name: PROGRAMS,
    description:
      'OAuth 2.1 and OpenID Connect: programs that people let in, or where they sign in with their account here.',
  },
  { name: ADMIN, description: 'Authorization carries the service key. Never from a client.' },
];

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
