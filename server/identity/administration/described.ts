// OpenAPI descriptions of the identity routes for the service key.

import { body, CALLER, object, query, refer, response, text } from '../../http/open-api.ts';
import { ADMIN, checkedOperation, done, id } from '../description-terms.ts';

const user = id('user_id', 'The account');
const account = { 200: response('The account', refer('User')) };

export const invite = checkedOperation(ADMIN, 'invite', 'Invite someone by mail', {
  security: CALLER,
  requestBody: body(object({ email: text() })),
  responses: account,
});

export const listUsers = checkedOperation(ADMIN, 'listUsers', 'All accounts, in pages', {
  security: CALLER,
  parameters: [query('page', 'Which page, from 1'), query('per_page', 'How many in one')],
  responses: { 200: response('Accounts', object({ users: { type: 'array', items: refer('User') } })) },
});

export const createUser = checkedOperation(ADMIN, 'createUser', 'Make an account', {
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
});

export const getUserById = checkedOperation(ADMIN, 'getUserById', 'One account', {
  security: CALLER,
  parameters: [user],
  responses: account,
});

export const updateUserById = checkedOperation(ADMIN, 'updateUserById', 'Change an account', {
  security: CALLER,
  parameters: [user],
  requestBody: body({ type: 'object' }),
  responses: account,
});

export const deleteUser = checkedOperation(ADMIN, 'deleteUser', 'Delete an account', {
  security: CALLER,
  parameters: [user],
  responses: done,
});

export const listUserFactors = checkedOperation(ADMIN, 'listUserFactors', 'Its second factors', {
  security: CALLER,
  parameters: [user],
  responses: { 200: response('Factors', { type: 'array', items: { type: 'object' } }) },
});

export const updateUserFactor = checkedOperation(ADMIN, 'updateUserFactor', 'Rename one of them', {
  security: CALLER,
  parameters: [user, id('factor_id', 'Which')],
  requestBody: body(object({ friendly_name: text() })),
  responses: done,
});

export const deleteUserFactor = checkedOperation(ADMIN, 'deleteUserFactor', 'Remove one of them', {
  security: CALLER,
  parameters: [user, id('factor_id', 'Which')],
  responses: done,
});

export const listUserPasskeys = checkedOperation(ADMIN, 'listUserPasskeys', 'Its passkeys', {
  security: CALLER,
  parameters: [user],
  responses: { 200: response('Passkeys', { type: 'array', items: { type: 'object' } }) },
});

export const deleteUserPasskey = checkedOperation(ADMIN, 'deleteUserPasskey', 'Remove one of them', {
  security: CALLER,
  parameters: [user, id('passkey_id', 'Which')],
  responses: done,
});

export const generateLink = checkedOperation(ADMIN, 'generateLink', 'Make a link instead of sending it', {
  security: CALLER,
  requestBody: body(
    object({
      type: text('Which kind', {
        enum: ['signup', 'invite', 'magiclink', 'recovery', 'email_change_current', 'email_change_new'],
      }),
      email: text(),
      'handed_over?': {
        type: 'boolean',
        description:
          'Of an invite: whoever opens the link has shown no mailbox; the address counts as confirmed, not as proved',
      },
    }),
  ),
  responses: { 200: response('The account and the link', { type: 'object' }) },
});

export const readAudit = checkedOperation(ADMIN, 'readAudit', 'What happened to accounts', {
  security: CALLER,
  responses: { 200: response('Entries, newest first', { type: 'array', items: { type: 'object' } }) },
});
