// Errors of /api/imports. Messages about a file are written for the person who chose it.

import { CatalogError, declareErrors } from '../../errors.ts';

export const importErrors = declareErrors({
  KB821: {
    status: 401,
    when: 'An import is asked for without the token of a person who is signed in.',
    next: 'Sign in, and send the access token in the Authorization header.',
  },
  KB822: {
    status: 404,
    when: 'There is no such import, or it is another person’s, or its file was thrown away (after a day).',
    next: 'Upload the file again.',
  },
  KB823: {
    status: 422,
    when: 'The file cannot be read, or comes from no product that is known; the message says what is wrong with it.',
    next: 'Export it again as the guide says, or choose the product by hand.',
  },
  KB824: {
    status: 400,
    when: 'A choice is incomplete or not one of those offered; the message says which.',
    next: 'Correct it.',
  },
  KB825: {
    status: 409,
    when: 'The import is not in a state for it: it is running, done or undone.',
    next: 'Ask for its state first.',
  },
  KB826: {
    status: 403,
    when: 'The caller may not write in the project.',
    next: 'Ask an owner of it, or import into a new one.',
  },
  KB827: { status: 429, when: 'Too many files were uploaded or tried in a short time.', next: 'Wait, then try again.' },
  KB828: {
    status: 422,
    when: 'The zip holds several tables or boards; `details` has their names, one a line.',
    next: 'Upload it again with `part`, the name of the one that is meant: each is an import of its own.',
  },
  KB829: {
    status: 422,
    when: 'Reading the file took longer than 20 seconds of processor time, or more memory than an import may use.',
    next: 'Export less at once, or have it brought in by `npx kanbase import`, which has no such limits.',
  },
});

export function importError(
  code: keyof typeof importErrors,
  message: string,
  hint: string | null = null,
  details: string | null = null,
  cause?: unknown,
): CatalogError {
  return new CatalogError(code, importErrors[code].status, { message, hint, details, cause });
}
