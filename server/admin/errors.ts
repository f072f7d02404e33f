// Errors of /api/admin. A caller who is no operator gets one of the first two, whatever they ask for.

import { declareErrors, errorsOf } from '../errors.ts';

export const adminErrors = declareErrors({
  KB801: {
    status: 401,
    when: 'An admin route without the token of a current session.',
    next: 'Sign in, send the access token as Authorization.',
  },
  KB802: {
    status: 403,
    when: 'The caller is no operator.',
    next: '`npx kanbase operator ADDRESS` makes one.',
  },
  KB803: {
    status: 404,
    when: 'Account, project or email is gone, or a one-time link was used or has expired.',
    next: 'Search again. Link: restart while there is no operator, or `npx kanbase operator`.',
  },
  KB804: {
    status: 409,
    when: 'The account’s state forbids it: an operator’s, another address, a running subscription; the message says which.',
    next: 'Do what it says first.',
  },
  KB805: {
    status: 400,
    when: 'A field is missing or unreadable; the message names it.',
    next: 'Correct it.',
  },
});

export const adminError = errorsOf(adminErrors);
