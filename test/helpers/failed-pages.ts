// Shows the page of a failed browser test: the test's own message only names the missing thing.

import type { Page } from 'playwright-core';
import { TestRunner } from 'vitest';

export const openPages = new Set<Page>();

/** Prints what a page shows, when the test that runs has failed. */
export async function showIfFailed(page: Page): Promise<void> {
  const test = TestRunner.getCurrentTest();
  if (test?.result?.state !== 'fail' || page.isClosed()) return;
  const shown = await page
    .evaluate(() => {
      const focused = document.activeElement;
      return {
        text: document.body.innerText.replaceAll(/\s+/g, ' ').slice(0, 1500),
        focus: `${focused?.tagName} ${focused?.getAttribute('aria-label') ?? focused?.textContent?.slice(0, 60)}`,
      };
    })
    .catch((error: Error) => ({ text: error.message, focus: '' }));
  console.error(`“${test.name}” failed at ${page.url()}; focus: ${shown.focus}; the page shows: ${shown.text}`);
}
