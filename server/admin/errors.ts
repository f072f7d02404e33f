// Errors of /api/admin. A caller who is no operator gets one of the first two, whatever they ask for.

import { declareErrors } from '../errors.ts';

export const adminErrors = declareErrors({
  KB801: {
    status: 401,
    when: 'An admin route is called without the token of a current session.',
    next: 'Sign in, and send the access token in the Authorization header.',
  },
  KB802: {
    status: 403,
    when: 'The caller is no operator of this server.',
    next: 'Make the account one with `npx kanbase operator ADDRESS`.',
  },
  KB803: {
    status: 404,
    when: 'The account, project or email does not exist (any more), or a one-time link was used or has expired.',
    next: 'Search again; for a link, restart the server while there is no operator, or use `npx kanbase operator`.',
  },
  KB804: {
    status: 409,
    when: 'The account is not in a state for it: an operator’s, of another address, with a running subscription; the message says which.',
    next: 'Do what the message says first.',
  },
  KB805: {
    status: 400,
    when: 'A request to an admin route lacks a field, or a field cannot be read; the message names it.',
    next: 'Send it, or correct it.',
  },
});
