// The first task of a sample project, opened and shared with people outside the project.

import type { Locator, Page } from 'playwright-core';
import { type SampleProject, whenLive } from './pages.ts';
import { t } from './words.ts';

export const boardOf = ({ projectId }: Pick<SampleProject, 'projectId'>): string => `/app/projects/${projectId}/board`;
export const panel = (page: Page): Locator =>
  page.getByRole('complementary', { name: t('task.panel', { key: 'HAR-1' }) });
/** Of the task, in its head. */
export const menuButton = (page: Page): Locator =>
  panel(page)
    .locator('header')
    .first()
    .getByRole('button', { name: t('common.more'), exact: true });

export async function openTask(page: Page, sample: Pick<SampleProject, 'projectId'>): Promise<void> {
  await page.goto(`${boardOf(sample)}/1`);
  await panel(page).locator('[data-properties]').waitFor();
  await whenLive(page);
}

export async function openShare(page: Page): Promise<Locator> {
  await menuButton(page).click();
  await page.getByRole('menuitem', { name: t('task.share') }).click();
  return page.getByRole('dialog', { name: t('people.guests.share', { name: 'Paint the boat' }) });
}
