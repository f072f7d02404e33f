// OpenAPI descriptions of the routes that send email, and of their links and codes.

import {
  body,
  CALLER,
  choice,
  flag,
  KEY,
  NOBODY,
  object,
  orSay,
  query,
  refer,
  response,
  text,
} from '../../http/open-api.ts';
import {
  challenge,
  checkedOperation,
  done,
  email,
  IDENTITY,
  metadata,
  operation,
  phone,
  redirectTo,
  refusals,
  session,
} from '../description-terms.ts';

export const recover = operation(IDENTITY, 'recover', 'Send a link to a forgotten account', {
  description: 'Answers the same whether the address is known or not.',
  security: KEY,
  parameters: [redirectTo],
  requestBody: body(
    object({ email: orSay({ ...email, minLength: 1 }, 'Password recovery requires an email'), ...challenge }),
  ),
  responses: { 200: response('A mail is on its way, if the address is known', { type: 'object' }), ...refusals },
});

const code = body(
  object({
    'email?': email,
    'phone?': phone,
    'channel?': text('Of a phone; not used here'),
    'create_user?': flag('Whether a new address gets an account, true unless said'),
    ...metadata,
    ...challenge,
  }),
);

export const sendCode = operation(IDENTITY, 'sendCode', 'Send a link and a code to sign in with', {
  security: KEY,
  parameters: [redirectTo],
  requestBody: code,
  responses: { 200: response('A mail is on its way', { type: 'object' }), ...refusals },
});

export const sendMagicLink = checkedOperation(IDENTITY, 'sendMagicLink', 'Send a link to sign in with', {
  security: KEY,
  parameters: [redirectTo],
  requestBody: code,
  responses: done,
});

export const resend = operation(IDENTITY, 'resend', 'Send a confirmation again', {
  security: KEY,
  parameters: [redirectTo],
  requestBody: body(
    object({
      type: orSay(
        choice(['signup', 'email_change', 'sms', 'phone_change'], 'Which one; those of phones are refused'),
        'Missing one of these types: signup, email_change, sms, phone_change',
      ),
      'email?': email,
      'phone?': phone,
      ...challenge,
    }),
  ),
  responses: { 200: response('A mail is on its way', { type: 'object' }), ...refusals },
});

export const verifyLink = operation(IDENTITY, 'verifyLink', 'Follow a link from a mail', {
  security: NOBODY,
  parameters: [
    query('token', 'From the link', { required: true }),
    query('token_hash', 'The same, of some clients'),
    query('type', 'From the link', { required: true }),
    redirectTo,
  ],
  responses: { 303: response('Back to the app, signed in or with an error in the address') },
});

export const verifyCode = operation(IDENTITY, 'verifyCode', 'Turn a code from a mail into a session', {
  security: KEY,
  requestBody: body(
    object({
      type: orSay(text('Of the code', { minLength: 1 }), 'Verify requires a verification type'),
      'email?': email,
      'phone?': phone,
      'token?': text('The code, with the address it went to'),
      'token_hash?': text('Of a link, alone'),
      'redirect_to?': text('Only with a code'),
    }),
  ),
  responses: { ...session, 403: response('The code is wrong or too old', refer('IdentityError')), ...refusals },
});

export const confirmPage = checkedOperation(
  IDENTITY,
  'confirmPage',
  'A page that asks before a link from a mail is used up',
  {
    security: NOBODY,
    parameters: [query('token', 'From the link'), query('type', 'From the link'), redirectTo],
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
