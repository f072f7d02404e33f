// Errors of the pages door. Their texts are part of the interface.

import { CatalogError, declareErrors, type ErrorWords } from '../errors.ts';

export const pagesErrors = declareErrors({
  KB600: { status: 400, when: 'POST /api/lead without an email address.', next: 'Send {"email": "…"}.' },
  KB601: {
    status: 400,
    when: 'The email address in POST /api/lead is not valid.',
    next: 'Correct the address.',
  },
  KB602: {
    status: 429,
    when: 'One caller leaves too many addresses.',
    next: 'Wait as long as Retry-After says, or raise LEADS_PER_MINUTE.',
  },
});

export function pagesError(code: keyof typeof pagesErrors, words: ErrorWords | string): CatalogError {
  return new CatalogError(code, pagesErrors[code].status, typeof words === 'string' ? { message: words } : words);
}
