// Errors of the pages door. Their texts are part of the interface.

import { declareErrors, errorsOf } from '../errors.ts';

export const pagesErrors = declareErrors({
  KB600: { status: 400, when: 'POST /api/lead without an email address.', next: 'Send {"email": "…"}.' },
  KB601: {
    status: 400,
    when: 'POST /api/lead with no email address in it.',
    next: 'Correct the address.',
  },
  KB602: {
    status: 429,
    when: 'One caller leaves too many addresses.',
    next: 'Wait for Retry-After, or raise LEADS_PER_MINUTE.',
  },
  KB603: {
    status: 403,
    when: 'A page of another site posts to /app/share.',
    next: 'Share from the system’s share sheet.',
  },
});

export const pagesError = errorsOf(pagesErrors);
