// Holds answers to these requests of a page until the returned function is called.

import type { Page, Route } from 'playwright-core';

export async function holdAnswers(
  page: Page,
  url: RegExp,
  end = (route: Route) => route.continue(),
): Promise<() => void> {
  let go = (): void => undefined;
  const gone = new Promise<void>((resolve) => {
    go = resolve;
  });
  await page.route(url, async (route) => {
    await gone;
    await end(route);
  });
  return go;
}
