// Exports in the app: of a project from the palette, of everything in the account; progress, download link, deletion.

import { mkdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RunningJob } from '../../server/background/every.ts';
import { startExports } from '../../server/exports/start-exports.ts';
import { openForExports } from '../../server/files/open-for-exports.ts';
import { offences } from './accessibility.ts';
import { openSampleProject, type SampleProject } from './pages.ts';
import { t } from './words.ts';

let sample: SampleProject;
let exports: RunningJob | null = null;
beforeAll(async () => {
  sample = await openSampleProject();
}, 120_000);
afterAll(async () => {
  await exports?.stop();
  await sample?.ada.close();
  await sample?.site.close();
  expect(sample?.ada.troubles).toEqual([]);
});

/** For whoever wants to look: `KANBASE_LOOK` names the directory. */
async function look(name: string): Promise<void> {
  const directory = process.env.KANBASE_LOOK;
  if (directory === undefined) return;
  mkdirSync(directory, { recursive: true });
  await sample.ada.page.screenshot({ path: `${directory}/${name}.png` });
}

async function download(name: string): Promise<{ fileName: string; text: string }> {
  const { page } = sample.ada;
  const coming = page.waitForEvent('download');
  await page.getByRole('button', { name: t('common.downloadNamed', { name }), exact: true }).click();
  const file = await coming;
  return { fileName: file.suggestedFilename(), text: readFileSync(await file.path(), 'latin1') };
}

test('a project by the palette, and everything in the account', async () => {
  const { site, ada, rows } = sample;
  const { page } = ada;
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('export project');
  await page
    .getByRole('option', { name: t('projects.export') })
    .first()
    .waitFor();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: t('exports.titleOf', { name: 'Harbour' }) });
  await dialog.getByLabel(t('exports.format')).selectOption({ label: t('exports.formats.csv') });
  await dialog.getByText(t('exports.about.csv')).waitFor();
  await dialog.getByRole('button', { name: t('exports.begin'), exact: true }).click();
  await dialog.getByText(t('exports.waits')).waitFor();
  // A node writes it, and is not done.
  await rows("update private.exports set state = 'running', done = 1, total = 4 where project_id = $1");
  await dialog.getByText('25 %').waitFor();
  expect(await offences(page)).toEqual([]);
  await look('export-running');
  await rows("update private.exports set state = 'waiting', done = 0, total = 0 where project_id = $1");
  // Closed meanwhile, it is there when one comes back.
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  exports = await startExports(site.app.services, await openForExports(site.app.services.config));
  await page.goto(`/app/projects/${sample.projectId}/settings`);
  await page
    .getByRole('region', { name: t('exports.title') })
    .getByRole('button', { name: t('exports.open') })
    .click();
  const file = await download('CSV');
  expect(file.fileName).toMatch(/^[A-Z0-9]+-\d{4}-\d\d-\d\d\.csv$/);
  expect(file.text).toContain('Paint the crane');
  expect(await offences(page)).toEqual([]);
  await look('export-done');
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await offences(page, 'colours')).toEqual([]);
  await look('export-dark');
  await page.setViewportSize({ width: 390, height: 844 });
  await look('export-phone');
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1440, height: 900 });

  await page.goto('/app/account');
  const all = page.getByRole('region', { name: t('exports.all') });
  await all.getByLabel(t('exports.format')).selectOption({ label: t('exports.formats.markdown') });
  await all.getByRole('button', { name: t('exports.begin'), exact: true }).click();
  // What is of one project is found there.
  const zip = await download(t('exports.formats.markdown'));
  expect(zip.fileName).toMatch(/^kanbase-.*-markdown\.zip$/);
  expect(zip.text.slice(0, 2)).toBe('PK');
  await all.scrollIntoViewIfNeeded();
  await look('export-account');
  expect(await offences(page)).toEqual([]);
  await all.getByRole('button', { name: t('exports.removeOf', { name: t('exports.formats.markdown') }) }).click();
  await all
    .getByRole('button', { name: t('common.downloadNamed', { name: t('exports.formats.markdown') }) })
    .waitFor({ state: 'detached' });
  expect(await rows('select format from private.exports where project_id = $1')).toEqual([{ format: 'csv' }]);
});
