// Pictures of people and projects: chosen, cropped, shown, removed; initials and keys otherwise.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { offences } from './accessibility.ts';
import { note, picture } from './files.ts';
import { openSampleProject, type SampleProject } from './pages.ts';
import { t } from './words.ts';

let sample: SampleProject;
beforeAll(async () => {
  sample = await openSampleProject();
  sample.ada.page.setDefaultTimeout(60_000);
}, 120_000);
afterAll(async () => {
  const { troubles } = sample.ada;
  await sample.site.close();
  expect(troubles).toEqual([]);
});

/** Those of people. */
const files = () =>
  sample.rows<{ name: string }>(
    `select name from storage.objects where bucket_id = 'avatars' and name not like 'projects/%' order by name`,
  );

test('a picture of oneself: one that is none is refused, a part is chosen, others see it; undone, replaced, removed', async () => {
  const { page } = sample.ada;
  await page.goto('/app/account');
  const profile = page.getByRole('region', { name: t('account.profile') });
  const shown = page.getByRole('navigation').locator('img[src*="/avatars/"]:not([src*="/avatars/projects/"])');
  await profile.getByText('AL').waitFor();
  const choose = (file: ReturnType<typeof note>) => profile.locator('input[type="file"]').setInputFiles(file);
  const dialog = page.getByRole('dialog');
  await choose(note('words.txt'));
  await dialog.getByRole('alert').getByText(t('files.crop.unreadable')).waitFor();
  await dialog.getByRole('button', { name: t('common.cancel') }).click();

  await choose(await picture('wide.png', [255, 0, 0], [0, 0, 255], 800, 200));
  const room = dialog.getByRole('application', { name: t('files.crop.shape') });
  await room.waitFor();
  expect(await offences(page)).toEqual([]);
  await dialog.getByRole('slider', { name: t('files.crop.zoom') }).fill('2');
  // To the left end of it, which is red.
  await room.focus();
  for (let press = 0; press < 60; press++) await page.keyboard.press('Shift+ArrowRight');
  await dialog.getByRole('button', { name: t('files.crop.use') }).click();
  await dialog.waitFor({ state: 'detached' });
  await shown.waitFor();
  const colour = await shown.evaluate(async (image: HTMLImageElement) => {
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = image.naturalWidth;
    canvas.height = image.naturalHeight;
    const drawing = canvas.getContext('2d');
    drawing?.drawImage(image, 0, 0);
    const [red = 0, , blue = 0] = drawing?.getImageData(10, 128, 1, 1).data ?? [];
    return { size: [canvas.width, canvas.height], isRed: red > blue };
  });
  expect(colour).toEqual({ size: [256, 256], isRed: true });
  await sample.expectRows(
    `select avatar_url like '/storage/v1/object/public/avatars/' || id || '/%' as is_here from profiles
     where display_name = 'Ada Lovelace'`,
    [{ is_here: true }],
  );

  const first = await shown.getAttribute('src');
  await choose(await picture('second.png', [0, 160, 0], [0, 200, 80]));
  await dialog.getByRole('button', { name: t('files.crop.use') }).click();
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(() => shown.getAttribute('src'), { timeout: 60_000 }).not.toBe(first);
  await page.keyboard.press('Control+z');
  await expect.poll(() => shown.getAttribute('src'), { timeout: 60_000 }).toBe(first);
  await choose(await picture('third.png'));
  await dialog.getByRole('button', { name: t('files.crop.use') }).click();
  await dialog.waitFor({ state: 'detached' });
  // The one before stays for an undo, those before that are gone.
  await expect.poll(async () => (await files()).length, { timeout: 60_000 }).toBe(2);
  await profile.getByRole('button', { name: t('common.picture.remove') }).click();
  await shown.waitFor({ state: 'detached' });
  await sample.expectRows(`select avatar_url from profiles where display_name = 'Ada Lovelace'`, [
    { avatar_url: null },
  ]);
}, 180_000);

test('a picture of a project stands wherever the project does, and only its owners may change it', async () => {
  const { page } = sample.ada;
  await page.goto(`/app/projects/${sample.projectId}/settings`);
  const general = page.getByRole('region', { name: t('settings.sections.general') });
  await general.locator('input[type="file"]').setInputFiles(await picture('harbour.png', [20, 40, 90], [240, 150, 70]));
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('files.crop.use') })
    .click();
  const shown = page.locator('img[src*="/avatars/projects/"]');
  // The field, the head of the project, and the list at the side.
  await expect.poll(() => shown.count(), { timeout: 60_000 }).toBe(3);
  await sample.expectRows(
    `select avatar_url like '/storage/v1/object/public/avatars/projects/' || id || '/%' as is_here from projects where id = $1`,
    [{ is_here: true }],
  );
  await page.goto('/app');
  await page.getByRole('main').locator('img[src*="/avatars/projects/"]').waitFor();
  const eve = await sample.site.visit();
  const { email } = await eve.settle('Eve Holt');
  await sample.join(email, 'editor');
  eve.page.setDefaultTimeout(60_000);
  await eve.page.goto(`/app/projects/${sample.projectId}/settings`);
  await eve.page.getByRole('region', { name: t('property.labels') }).waitFor();
  expect(await eve.page.getByRole('button', { name: t('common.picture.choose') }).count()).toBe(0);
  expect(await eve.page.getByRole('button', { name: t('common.picture.change') }).count()).toBe(0);
  await eve.close();
  await page.goto(`/app/projects/${sample.projectId}/settings`);
  await general.getByRole('button', { name: t('common.picture.remove') }).click();
  await shown.first().waitFor({ state: 'detached' });
}, 180_000);
