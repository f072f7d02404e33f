// Viewing files: PDF, sound and film in the viewer, a cancelled upload, a picture in a comment, and all files in the zip of the own data.

import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { offences } from './accessibility.ts';
import { dropFiles, film, note, paper, pasteFile, picture, sound } from './files.ts';
import { cardOf, openHarbour, type SampleProject } from './pages.ts';
import { eachStory } from './stories.ts';
import { t } from './words.ts';

let sample: SampleProject;
let page: Page;

eachStory(async (site) => {
  sample = await openHarbour(site);
  ({ page } = sample.ada);
  page.setDefaultTimeout(60_000);
  await cardOf(page, 'Paint the crane').click();
  await page.getByRole('heading', { name: t('property.description') }).waitFor();
  return [sample.ada];
});

const attachments = () => page.getByRole('region', { name: t('common.attachments') });
/** Files are dropped anywhere on its task. */
const panel = () => page.getByRole('region', { name: t('property.description') });
const tile = (name: string) => attachments().locator('[data-attachment-id]', { hasText: name });
const viewer = () => page.getByRole('dialog');
const resumable = '**/storage/v1/upload/resumable**';

async function attach(...files: Parameters<typeof dropFiles>[1]): Promise<void> {
  await dropFiles(panel(), files);
  for (const file of files) await tile((await file).name).waitFor();
}

async function look(name: string): Promise<void> {
  await attachments()
    .getByRole('button', { name: t('common.openNamed', { name }) })
    .click();
  await viewer().waitFor();
}

test('a PDF opens in the viewer, as bytes of this page alone', async () => {
  await attach(paper('plan.pdf', 'Harbour plan'));
  await look('plan.pdf');
  const frame = viewer().locator('iframe[title="plan.pdf"]');
  await frame.waitFor();
  expect(await frame.getAttribute('src')).toMatch(/^blob:/);
  expect(await offences(page)).toEqual([]);
});

test('sound and film play, and can be moved about in', async () => {
  await attach(sound('horn.wav', 20), film(page, 'tide.webm'));
  await look('horn.wav');
  const audio = viewer().locator('audio');
  await audio.waitFor();
  const length = () => audio.evaluate((one: HTMLAudioElement) => one.duration);
  await expect.poll(length).toBe(20);
  expect(
    await audio.evaluate(async (one: HTMLAudioElement) => {
      one.muted = true;
      one.currentTime = 15;
      await one.play();
      return one.currentTime >= 15 && one.error === null;
    }),
  ).toBe(true);
  expect(await offences(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await look('tide.webm');
  const video = viewer().locator('video');
  await expect
    .poll(() => video.evaluate((one: HTMLVideoElement) => [one.videoWidth, one.videoHeight]))
    .toEqual([64, 48]);
  expect(
    await video.evaluate(async (one: HTMLVideoElement) => {
      one.muted = true;
      await one.play();
      return one.error;
    }),
  ).toBeNull();
  // Its address, which is good for whoever has it, stands in nothing that is copied.
  expect(page.url()).not.toContain('token');
  expect(await offences(page)).toEqual([]);
});

test('of a long text the beginning is shown, and said so; what cannot be looked at is said to', async () => {
  await attach(note('log.txt', `first line\n${'and more\n'.repeat(40_000)}last line`), {
    name: 'model.bin',
    mimeType: 'application/octet-stream',
    buffer: Buffer.alloc(100),
  });
  await look('log.txt');
  await viewer().getByText(t('files.viewer.firstPart')).waitFor();
  const shown = await viewer().locator('pre').innerText();
  expect(shown).toContain('first line');
  expect(shown).not.toContain('last line');
  // Which of the two arrived first is chance.
  await page.keyboard.press('Escape');
  await look('model.bin');
  await viewer().getByText(t('files.viewer.noPreview')).waitFor();
});

test('an upload that is cancelled under way leaves nothing, here and on the server', async () => {
  let pieces = 0;
  await page.route(resumable, (route) =>
    route.request().method() === 'PATCH' && ++pieces > 1 ? undefined : route.continue(),
  );
  const ended = page.waitForRequest(
    (request) => request.method() === 'DELETE' && request.url().includes('/resumable/'),
  );
  const buffer = Buffer.alloc(14 * 1024 * 1024, 'x');
  await page
    .locator('[data-first-field="files"]')
    .setInputFiles({ name: 'large.bin', mimeType: 'application/octet-stream', buffer });
  const bar = attachments().getByRole('progressbar', { name: t('files.uploading', { name: 'large.bin' }) });
  // The bar tells what the browser has handed over; the second piece begins when the server has answered the first.
  await expect.poll(() => pieces, { timeout: 60_000 }).toBe(2);
  expect(Number(await bar.getAttribute('value'))).toBeGreaterThan(20);
  await attachments()
    .getByRole('button', { name: t('files.cancelNamed', { name: 'large.bin' }) })
    .click();
  await bar.waitFor({ state: 'detached' });
  await (await ended).response();
  await sample.expectRows('select name from task_attachments where project_id = $1', []);
  await sample.expectRows(`select name from private.resumable_uploads where name like $1 || '/%'`, []);
  expect(await page.evaluate(() => Object.keys(localStorage).filter((name) => name.endsWith(':uploads')))).toEqual([]);
  await page.unroute(resumable);
});

test('a picture pasted into a comment is sent with it, and its writer’s own data holds both', async () => {
  const field = page.getByRole('textbox', { name: t('task.comment') });
  await field.fill('Like this: ');
  await pasteFile(field, await picture('image.png'));
  await page.getByRole('button', { name: t('task.doComment'), exact: true }).click();
  const shown = page.getByRole('region', { name: t('task.activity') }).locator('img[data-path]');
  await shown.waitFor();
  await expect.poll(() => shown.getAttribute('data-state'), { timeout: 60_000 }).toBeNull();
  // The picture is shown from this device, before the comment has reached the server.
  const written = () =>
    sample.rows<{ id: string; name: string; body: string }>(
      'select f.id, f.name, c.body from task_attachments f join task_comments c using (project_id, task_id) where project_id = $1',
    );
  await expect.poll(async () => (await written()).length, { timeout: 60_000 }).toBe(1);
  const [row] = await written();
  expect(row?.body).toContain(`(attachment:${row?.id})`);

  await page.goto('/app/account');
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: t('people.account.doExport') }).click();
  const zip = await download;
  expect(zip.suggestedFilename()).toMatch(/^kanbase-[\d-]+\.zip$/);
  const packed = readFileSync(await zip.path()).toString('latin1');
  const place = `files/HAR-1/${row?.name}`;
  expect(packed).toContain(place);
  expect(packed).toContain('IHDR');
  expect(packed).toContain(`(${place.split('/').map(encodeURIComponent).join('/')})`);
  expect(packed).toContain(`"file": "${place}"`);
  expect(packed).not.toContain('(attachment:');
});
