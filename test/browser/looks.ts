// Looks of a page: wide and on a phone, light and dark. With `KANBASE_PICTURES=folder` each is pictured.

import { mkdirSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { offences } from './accessibility.ts';

const folder = process.env.KANBASE_PICTURES;
const sizes = { wide: { width: 1280, height: 900 }, narrow: { width: 390, height: 844 } };

/** Afterwards the page is light, and as large as before. */
async function eachLook(page: Page, see: (look: string) => Promise<void>): Promise<void> {
  const before = page.viewportSize();
  for (const [where, size] of Object.entries(sizes)) {
    await page.setViewportSize(size);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await see(`${where}-${colorScheme}`);
    }
  }
  await page.emulateMedia({ colorScheme: 'light' });
  if (before !== null) await page.setViewportSize(before);
}

/** `part` is scrolled to first; without one the whole page is pictured. */
async function picture(page: Page, name: string, part?: Locator): Promise<void> {
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  await part?.scrollIntoViewIfNeeded();
  await page.screenshot({ path: `${folder}/${name}.png`, fullPage: part === undefined });
}

export async function pictureLooks(page: Page, name: string, part?: Locator): Promise<void> {
  if (folder !== undefined) await eachLook(page, (look) => picture(page, `${name}-${look}`, part));
}

/** Colours that can be told apart, and nothing that goes past the edge of the screen. */
export async function expectGoodLooks(page: Page, name: string, part?: Locator): Promise<void> {
  await eachLook(page, async (look) => {
    await picture(page, `${name}-${look}`, part);
    expect(await offences(page, 'colours'), `${name} ${look}`).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${name} ${look}`).toBe(true);
  });
}
