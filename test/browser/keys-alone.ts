// Tab order of a page: visits every control by the Tab key and checks that its focus is visible.

import type { Page } from 'playwright-core';

/** Names of what can be used on the screen and was not met on the way round it, and of what did not show that it had the focus. */
export async function walk(page: Page): Promise<{ readonly missed: string[]; readonly unseen: string[] }> {
  await page.evaluate(() => {
    (document.activeElement as HTMLElement | null)?.blur();
    for (const one of document.querySelectorAll('[data-met]')) one.removeAttribute('data-met');
  });
  const unseen: string[] = [];
  for (let step = 0; step < 150; step++) {
    await page.keyboard.press('Tab');
    const met = await page.evaluate(() => {
      const it = document.activeElement as HTMLElement | null;
      if (it === null || it === document.body) return 'outside';
      if (it.dataset.met !== undefined) return 'again';
      it.dataset.met = '';
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(it);
      // What surrounds it may show it in its place.
      const around = it.parentElement?.matches(':focus-within') ? getComputedStyle(it.parentElement) : null;
      const shows =
        (outlineStyle !== 'none' && outlineWidth !== '0px') ||
        boxShadow !== 'none' ||
        (around !== null && (around.outlineStyle !== 'none' || around.boxShadow !== 'none'));
      return { name: it.getAttribute('aria-label') ?? it.textContent ?? it.tagName, shows };
    });
    if (met === 'again') break;
    // Behind the last one the browser's own follow, and then the first.
    if (met === 'outside') continue;
    if (!met.shows) unseen.push(met.name);
  }
  const missed = await page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('main :is(a[href], button, input, select, textarea, [tabindex="0"])')]
      .filter((one) => one.tabIndex >= 0 && !one.matches(':disabled, [type="file"], [data-met]'))
      // One of several radios stands for all of them.
      .filter((one) => !(one instanceof HTMLInputElement && one.type === 'radio'))
      .filter((one) => one.checkVisibility({ visibilityProperty: true }) && one.closest('[inert]') === null)
      .map((one) => one.getAttribute('aria-label') ?? (one.textContent || one.outerHTML.slice(0, 80))),
  );
  return { missed, unseen };
}

/** Presses Tab until what is focused is called so. */
export async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  const fits = (text: string): boolean => (typeof name === 'string' ? text === name : name.test(text));
  for (let step = 0; step < 150; step++) {
    await page.keyboard.press('Tab');
    const text = await page.evaluate(() => {
      const it = document.activeElement as HTMLInputElement | null;
      return it?.getAttribute('aria-label') ?? it?.labels?.[0]?.textContent ?? it?.textContent ?? '';
    });
    if (fits(text.trim())) return;
  }
  throw new Error(`Tab does not lead to ${name}`);
}
