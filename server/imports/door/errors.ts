// Errors of /api/imports. Messages about a file are written for the person who chose it.

import { declareErrors, errorsOf } from '../../errors.ts';

export const importErrors = declareErrors({
  KB821: {
    status: 401,
    when: 'No token of a signed-in person.',
    next: 'Sign in, send the access token as Authorization.',
  },
  KB822: {
    status: 404,
    when: 'No such import, another person’s, or its file was deleted (after a day).',
    next: 'Upload the file again.',
  },
  KB823: {
    status: 422,
    when: 'The file can’t be read, or its product is unknown; the message says what is wrong.',
    next: 'Export it again as the guide says, or choose the product.',
  },
  KB824: {
    status: 400,
    when: 'A choice is incomplete or not one of those offered; the message says which.',
    next: 'Correct it.',
  },
  KB825: {
    status: 409,
    when: 'The import runs, is done or was undone.',
    next: 'Ask for its state first.',
  },
  KB826: {
    status: 403,
    when: 'The caller may not write in the project, or, as no owner, invite and add people.',
    next: 'Ask an owner, or import into a new one.',
  },
  KB827: { status: 429, when: 'Too many files in a short time.', next: 'Wait, then try again.' },
  KB828: {
    status: 422,
    when: 'The zip holds several tables or boards, named in `details`.',
    next: 'Upload again with `part`: each is its own import.',
  },
  KB829: {
    status: 422,
    when: 'The file took over 20 seconds of processor time, or more memory than an import may use.',
    next: 'Export less, or use `npx kanbase import`, which has no such limits.',
  },
});

export const importError = errorsOf(importErrors);
