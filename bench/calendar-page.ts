// The calendar in `npm run bench -- --pages`: months of 10,000 tasks turned one by one, each until the picture of it.

import type { Page } from 'playwright-core';

export async function measureCalendar(page: Page, projectId: string): Promise<readonly number[]> {
  await page.goto(`/app/projects/${projectId}/calendar?day=2030-02-15&show=month`, { waitUntil: 'commit' });
  await page.locator('[data-day="2030-02-15"] [data-task-id]').first().waitFor();
  // What follows a first visit has its time.
  await page.waitForTimeout(4000);
  const months: number[] = [];
  for (let turn = 0; turn < 8; turn++) {
    months.push(await page.evaluate(turnPage));
    await page.waitForTimeout(300);
  }
  return months;
}

/** From the press to the picture of the tasks of another month. */
async function turnPage(): Promise<number> {
  const next = document.querySelector<HTMLElement>('[data-turn="1"]');
  const named = (): string | null | undefined => document.querySelector('[role="grid"]')?.getAttribute('aria-label');
  const before = named();
  const start = performance.now();
  next?.click();
  await new Promise<void>((resolve) => {
    const look = (): void => {
      if (named() === before || document.querySelector('[data-day] [data-task-id]') === null) {
        requestAnimationFrame(look);
        return;
      }
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => resolve();
        port2.postMessage(0);
      });
    };
    look();
  });
  return performance.now() - start;
}
