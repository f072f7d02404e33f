// Records after each test how often it was tried, which `npm test` reports; shows the pages that a failed test left open, and why a try failed
// that may be followed by another.

import { afterEach } from 'vitest';
import { openPages, showIfFailed } from './failed-pages.ts';

declare module 'vitest' {
  interface TaskMeta {
    /** How often it was tried again. */
    triedAgain?: number;
  }
}

afterEach(async ({ task }) => {
  task.meta.triedAgain = task.result?.retryCount ?? 0;
  for (const page of openPages) await showIfFailed(page);
  const error = process.env.CI && task.result?.state === 'fail' ? task.result.errors?.at(-1) : undefined;
  if (error)
    console.error(
      [`“${task.name}” failed: ${error.message}`, error.expected, error.actual]
        .map((part) => (typeof part === 'string' ? part : (JSON.stringify(part) ?? '')).slice(0, 1500))
        .join('\n'),
    );
});
