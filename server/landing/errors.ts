// Errors of the landing doors. Their texts are part of the interface.

import { CatalogError, declareErrors, type ErrorWords } from '../errors.ts';

export const landingErrors = declareErrors({
  KB600: { status: 400, when: 'POST /api/lead without an e-mail address.', next: 'Send {"email": "…"}.' },
  KB601: {
    status: 400,
    when: 'POST /api/lead with something that is no e-mail address.',
    next: 'Correct the address.',
  },
  KB602: {
    status: 429,
    when: 'One caller leaves too many addresses.',
    next: 'Wait as long as Retry-After says, or raise LEADS_PER_MINUTE.',
  },
});

export function landingError(code: keyof typeof landingErrors, words: ErrorWords | string): CatalogError {
  return new CatalogError(code, landingErrors[code].status, typeof words === 'string' ? { message: words } : words);
}
