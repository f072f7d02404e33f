// OpenAPI descriptions of the identity routes for the service key.

import { body, CALLER, fields, flag, object, orSay, query, refer, response, text, whole } from '../../http/open-api.ts';
import {
  ADMIN,
  checkedOperation,
  done,
  email,
  factor,
  metadata,
  passkey,
  password,
  redirectTo,
  user,
} from '../description-terms.ts';

export const paging = [
  query('page', 'Which page, from 1', { schema: whole(undefined, { minimum: 1 }) }),
  query('per_page', 'How many in one: 50 unless said, 1,000 at most', { schema: whole(undefined, { minimum: 1 }) }),
];
const address = orSay({ ...email, minLength: 1 }, 'An email address is required');
const handedOver = flag(
  'Of an invite: whoever opens the link has shown no mailbox; the address counts as confirmed, not as proved',
);
const accountFields = {
  'email?': email,
  'password?': password,
  'password_hash?': text('A bcrypt or argon2 hash brought from elsewhere, instead of a password'),
  'email_confirm?': flag('Whether the address counts as confirmed'),
  'phone?': text('Kept and shown; nobody signs in by it'),
  'phone_confirm?': flag('Whether the number counts as confirmed'),
  'role?': text('The database role of its tokens'),
  'ban_duration?': text('Such as 24h; none lifts a ban'),
  'user_metadata?': fields('Its own; null takes a field away'),
  'app_metadata?': fields('The service’s own; null takes a field away'),
};
const account = { 200: response('The account', refer('User')) };

export const invite = checkedOperation(ADMIN, 'invite', 'Invite someone by mail', {
  security: CALLER,
  parameters: [redirectTo],
  requestBody: body(object({ email: address, 'handed_over?': handedOver, ...metadata })),
  responses: account,
});

export const listUsers = checkedOperation(ADMIN, 'listUsers', 'All accounts, in pages', {
  security: CALLER,
  parameters: [
    ...paging,
    query('filter', 'What address or name holds'),
    query('sort', 'created_at asc or created_at desc'),
  ],
  responses: { 200: response('Accounts', object({ users: { type: 'array', items: refer('User') } })) },
});

export const createUser = checkedOperation(ADMIN, 'createUser', 'Make an account', {
  security: CALLER,
  requestBody: body(object({ ...accountFields, 'id?': text('A uuid, where it is to be a certain one') })),
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
  requestBody: body(object(accountFields)),
  responses: account,
});

export const deleteUser = checkedOperation(ADMIN, 'deleteUser', 'Delete an account', {
  security: CALLER,
  parameters: [user],
  requestBody: body(object({ 'should_soft_delete?': flag('Keeps a row without a name for what refers to it') }), false),
  responses: done,
});

export const listUserFactors = checkedOperation(ADMIN, 'listUserFactors', 'Its second factors', {
  security: CALLER,
  parameters: [user],
  responses: { 200: response('Factors', { type: 'array', items: { type: 'object' } }) },
});

export const updateUserFactor = checkedOperation(ADMIN, 'updateUserFactor', 'Rename one of them', {
  security: CALLER,
  parameters: [user, factor],
  requestBody: body(object({ friendly_name: text('Its new name', { minLength: 1 }) })),
  responses: done,
});

export const deleteUserFactor = checkedOperation(ADMIN, 'deleteUserFactor', 'Remove one of them', {
  security: CALLER,
  parameters: [user, factor],
  responses: done,
});

export const listUserPasskeys = checkedOperation(ADMIN, 'listUserPasskeys', 'Its passkeys', {
  security: CALLER,
  parameters: [user],
  responses: { 200: response('Passkeys', { type: 'array', items: { type: 'object' } }) },
});

export const deleteUserPasskey = checkedOperation(ADMIN, 'deleteUserPasskey', 'Remove one of them', {
  security: CALLER,
  parameters: [user, passkey],
  responses: done,
});

export const generateLink = checkedOperation(ADMIN, 'generateLink', 'Make a link instead of sending it', {
  security: CALLER,
  parameters: [redirectTo],
  requestBody: body(
    object({
      'type?': text('signup, invite, magiclink, recovery, email_change_current or email_change_new'),
      email: address,
      'new_email?': email,
      'password?': password,
      'redirect_to?': text('Where the link leads afterwards'),
      'handed_over?': handedOver,
      ...metadata,
    }),
  ),
  responses: { 200: response('The account and the link', { type: 'object' }) },
});

export const readAudit = checkedOperation(ADMIN, 'readAudit', 'What happened to accounts', {
  security: CALLER,
  parameters: [...paging, query('query', 'author:, action: or type: and what it holds')],
  responses: { 200: response('Entries, newest first', { type: 'array', items: { type: 'object' } }) },
});
