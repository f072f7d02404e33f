// Errors of limits that belong to no door alone: each door writes them in its own dialect.

import { CatalogError, declareErrors } from '../errors.ts';

export const limitErrors = declareErrors({
  KB429: {
    status: 429,
    when: 'The person or signed-out address has used up its share of slow statements, resized images, exports and parsing (WORK_BUDGET_SECONDS).',
    next: 'Wait for Retry-After, then ask for less; quick requests are still answered.',
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
