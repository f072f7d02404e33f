// After each test: how often it was tried, which `npm test` reads in the report, and what the pages show that it left failed.

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
});
