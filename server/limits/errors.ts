// Errors of limits that belong to no door alone: each door writes them in its own dialect.

import { CatalogError, declareErrors } from '../errors.ts';

export const limitErrors = declareErrors({
  KB429: {
    status: 429,
    when: 'A person, or an address that is not signed in, has used up their share of the server for the moment: slow statements, resized images, exports and long parsing count (WORK_BUDGET_SECONDS).',
    next: 'Wait for the seconds in Retry-After, then ask for less at a time. Quick requests are still answered.',
  },
});

export function budgetUsedUp(retryAfterSeconds: number): CatalogError {
  return new CatalogError('KB429', limitErrors.KB429.status, {
    message: 'You have asked for a lot of work in a short time',
    details: 'Slow queries, exports and resized images share one budget per person.',
    hint: `Try again in ${retryAfterSeconds} s. Quick requests are still answered.`,
    headers: { 'Retry-After': String(retryAfterSeconds) },
  });
}
