// Records after each test how often it was tried, which `npm test` reports, and shows the pages that a failed test left open.

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
