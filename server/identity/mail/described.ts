// OpenAPI descriptions of the routes that send email, and of their links and codes.

import { body, CALLER, KEY, NOBODY, object, query, refer, response, text } from '../../http/open-api.ts';
import { checkedOperation, done, email, IDENTITY, operation, refusals, session } from '../description-terms.ts';

export const recover = operation(IDENTITY, 'recover', 'Send a link to a forgotten account', {
  description: 'Answers the same whether the address is known or not.',
  security: KEY,
  requestBody: body(object({ email })),
  responses: { 200: response('A mail is on its way, if the address is known', { type: 'object' }), ...refusals },
});

export const sendCode = operation(IDENTITY, 'sendCode', 'Send a link and a code to sign in with', {
  security: KEY,
  requestBody: body(object({ email, 'create_user?': { type: 'boolean', default: true }, 'data?': { type: 'object' } })),
  responses: { 200: response('A mail is on its way', { type: 'object' }), ...refusals },
});

export const sendMagicLink = checkedOperation(IDENTITY, 'sendMagicLink', 'Send a link to sign in with', {
  security: KEY,
  requestBody: body(object({ email: text() })),
  responses: done,
});

export const resend = operation(IDENTITY, 'resend', 'Send a confirmation again', {
  security: KEY,
  requestBody: body(object({ type: text('Which one', { enum: ['signup', 'email_change'] }), email })),
  responses: { 200: response('A mail is on its way', { type: 'object' }), ...refusals },
});

export const verifyLink = operation(IDENTITY, 'verifyLink', 'Follow a link from a mail', {
  security: NOBODY,
  parameters: [
    query('token', 'From the link', { required: true }),
    query('type', 'From the link', { required: true }),
    query('redirect_to', 'Where to go afterwards', { schema: { type: 'string', format: 'uri' } }),
  ],
  responses: { 303: response('Back to the app, signed in or with an error in the address') },
});

export const verifyCode = operation(IDENTITY, 'verifyCode', 'Turn a code from a mail into a session', {
  security: KEY,
  requestBody: body(object({ type: text(), 'email?': email, 'token?': text(), 'token_hash?': text() })),
  responses: { ...session, 403: response('The code is wrong or too old', refer('IdentityError')), ...refusals },
});

export const confirmPage = checkedOperation(
  IDENTITY,
  'confirmPage',
  'A page that asks before a link from a mail is used up',
  {
    security: NOBODY,
    responses: { 200: { description: 'The page', content: { 'text/html': {} } } },
  },
);

export const confirm = checkedOperation(IDENTITY, 'confirm', 'The answer to that page', {
  security: NOBODY,
  responses: { 303: response('Back to the app') },
});

export const reauthenticate = checkedOperation(
  IDENTITY,
  'reauthenticate',
  'Send a code that confirms a change of password',
  {
    security: CALLER,
    responses: done,
  },
);
