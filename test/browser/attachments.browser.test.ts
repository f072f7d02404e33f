// Attachments in the app: chosen, dropped, pasted, viewed, refused, removed, and their look for a viewer.

import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { offences } from './accessibility.ts';
import { dropFiles, note, pasteFile, picture } from './files.ts';
import { cardOf, news, openHarbour, type SampleProject, startSite, type Visitor, written } from './pages.ts';
import { eachStory } from './stories.ts';
import { either, saying, t } from './words.ts';

let sample: SampleProject;
let ada: Visitor;
let page: Page;

eachStory(
  async (site) => {
    sample = await openHarbour(site);
    ({ ada } = sample);
    ({ page } = ada);
    page.setDefaultTimeout(60_000);
    return [ada];
  },
  () => startSite({ STORAGE_FILE_SIZE_LIMIT: '3000000' }),
);

const attachments = (on: Page = page) => on.getByRole('region', { name: t('common.attachments') });
/** Files are dropped anywhere on it. */
const panel = (on: Page = page) =>
  on.locator('[data-open-task]').getByRole('region', { name: t('property.description') });
const tile = (name: string, on: Page = page) => attachments(on).locator('[data-attachment-id]', { hasText: name });
/** Where bytes go. */
const sending = '**/storage/v1/upload/resumable**';
const open = (name: string) => attachments().getByRole('button', { name: t('common.openNamed', { name }) });

async function openTask(title = 'Paint the crane', on: Page = page): Promise<void> {
  await cardOf(on, title).click();
  await on.getByRole('heading', { name: t('property.description') }).waitFor();
}

const rows = () =>
  sample.rows<{ name: string; content_type: string; has_file: boolean }>(
    `select a.name, a.content_type,
       exists (select from storage.objects o where o.bucket_id = 'attachments' and o.name = a.object_path) as has_file
     from task_attachments a where project_id = $1 order by a.name`,
  );

test('several files are chosen at once, and stand there with size, author and time', async () => {
  await openTask();
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: t('task.addPart.files'), exact: true }).click();
  await (await chooser).setFiles([await picture('crane.png', undefined, undefined, 1600, 1000), note('plan.txt')]);
  await tile('crane.png').waitFor();
  await tile('plan.txt').waitFor();
  await tile('plan.txt')
    .getByText(/13 bytes, Ada Lovelace, /)
    .waitFor();
  await tile('crane.png').locator('img').waitFor();
  const sizes = await tile('crane.png')
    .locator('img')
    .evaluate(async (image: HTMLImageElement) => {
      await image.decode();
      return [image.naturalWidth, image.naturalHeight];
    });
  // No larger than it is, and never the whole of a large one.
  expect(Math.max(...sizes)).toBeLessThanOrEqual(360);
  await expect.poll(rows, { timeout: 60_000 }).toEqual([
    { name: 'crane.png', content_type: 'image/png', has_file: true },
    { name: 'plan.txt', content_type: 'text/plain', has_file: true },
  ]);
  // Either file may be there first.
  await page.getByRole('button', { name: t('task.stream.more', { n: 1 }) }).click();
  await page.getByText(t('task.history.attached', { name: 'plan.txt' })).waitFor();
  const download = page.waitForEvent('download');
  await attachments()
    .getByRole('button', { name: t('files.downloadAll') })
    .click();
  const zip = await download;
  expect(zip.suggestedFilename()).toBe('HAR-1.zip');
  const listed = readFileSync(await zip.path()).toString('latin1');
  for (const part of ['crane.png', 'plan.txt', 'Mind the gap.']) expect(listed).toContain(part);
  expect(await offences(page)).toEqual([]);
});

test('files dropped on a card are attached to its task; the card counts them and wears its cover', async () => {
  await dropFiles(cardOf(page, 'Count the ships'), [picture('ship.png'), note('ships.csv')]);
  await cardOf(page, 'Count the ships')
    .getByText(t('board.attachments', { n: 2 }))
    .waitFor();
  await openTask('Count the ships');
  await tile('ship.png')
    .getByRole('button', { name: t('files.more', { name: 'ship.png' }) })
    .click();
  await page.getByRole('menuitem', { name: t('files.makeCover') }).click();
  await cardOf(page, 'Count the ships').locator('img').waitFor();
  await sample.expectRows(
    `select a.name from tasks t join task_attachments a on a.id = t.cover_attachment_id where t.project_id = $1`,
    [{ name: 'ship.png' }],
  );
  await page.getByText(t('task.history.covered', { name: 'ship.png' })).waitFor();
  await tile('ship.png')
    .getByRole('button', { name: t('files.more', { name: 'ship.png' }) })
    .click();
  await page.getByRole('menuitem', { name: t('files.clearCover') }).click();
  await cardOf(page, 'Count the ships').locator('img').waitFor({ state: 'detached' });
});

test('a picture pasted into the description shows while it is on its way, and from the bucket once it is there', async () => {
  await openTask();
  let letGo = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  await page.route(sending, async (route) => {
    await held;
    await route.continue();
  });
  await page
    .getByRole('button', { name: 'Describe the task' })
    .or(page.getByText(t('task.descriptionPlaceholder')))
    .first()
    .click();
  const field = page.getByRole('textbox', { name: t('property.description') });
  await field.fill('Before ');
  await pasteFile(field, await picture('image.png'));
  const shown = page.getByRole('region', { name: t('property.description') }).locator('img');
  await shown.waitFor();
  await field.pressSequentially('after');
  await expect.poll(() => shown.getAttribute('data-state')).toBe('sending');
  expect(await shown.getAttribute('src')).toMatch(/^blob:/);
  await page.getByRole('button', { name: t('common.save') }).click();
  letGo();
  // Saved once the picture is there.
  const saved = async (): Promise<string | undefined> => {
    const [row] = await sample.rows<{ description: string }>(
      `select description from tasks where project_id = $1 and title = 'Paint the crane'`,
    );
    return row?.description;
  };
  await expect.poll(saved, { timeout: 60_000 }).toMatch(/^Before !\[image [^\]]+\]\(attachment:[0-9a-f-]{36}\) after$/);
  await expect.poll(() => shown.getAttribute('data-state')).toBeNull();
  // It is asked for once its words stand there.
  await expect.poll(() => shown.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(320);
  // Dropped onto the words, it is shown among them as well.
  await page
    .getByRole('region', { name: t('property.description') })
    .getByRole('button', { name: t('common.edit'), exact: true })
    .click();
  await dropFiles(field, [picture('dropped.png')]);
  await page.getByRole('button', { name: t('common.save') }).click();
  await page
    .getByRole('region', { name: t('property.description') })
    .locator('img[alt*="dropped"]')
    .waitFor();
  // Nothing that could be copied from the page holds a token.
  expect(await page.content()).not.toMatch(/token=/);
});

test('a file that is too large is refused with the reason and can be discarded; the comment keeps its words', async () => {
  await openTask();
  const field = page.getByRole('textbox', { name: t('task.comment') });
  await field.fill('Look at this');
  await pasteFile(field, { name: 'huge.bin', mimeType: 'application/octet-stream', buffer: Buffer.alloc(3_200_000) });
  const failed = attachments().locator('[data-upload="failed"]');
  await failed
    .getByRole('alert')
    .getByText(t('files.fault.tooLarge', { size: '3.2 MB' }))
    .waitFor();
  await expect.poll(() => written(field)).toBe('Look at this huge.bin');
  await failed.getByRole('button', { name: t('files.dismiss', { name: 'huge.bin' }) }).click();
  await failed.waitFor({ state: 'detached' });
  await expect.poll(() => written(field)).toBe('Look at this');
});

test('a failed upload arrives when retried, and a discarded one leaves nothing', async () => {
  await openTask();
  await page.route(sending, (route) =>
    route.fulfill({ status: 507, json: { statusCode: '507', error: 'StorageFull', message: 'No room' } }),
  );
  await dropFiles(panel(), [note('first.txt'), note('second.txt')]);
  await attachments().getByText(t('files.fault.full')).first().waitFor();
  // Both have failed before there is room again.
  for (const name of [t('files.retryNamed', { name: 'first.txt' }), t('files.dismiss', { name: 'second.txt' })])
    await attachments().getByRole('button', { name }).waitFor();
  await page.unroute(sending);
  await attachments()
    .getByRole('button', { name: t('files.dismiss', { name: 'second.txt' }) })
    .click();
  await attachments()
    .getByRole('button', { name: t('files.retryNamed', { name: 'first.txt' }) })
    .click();
  await tile('first.txt').waitFor();
  await expect
    .poll(rows, { timeout: 60_000 })
    .toEqual([{ name: 'first.txt', content_type: 'text/plain', has_file: true }]);
});

test('a removal can be undone; when it is not, the file goes after it', async () => {
  await openTask();
  await dropFiles(panel(), [note('keep.txt'), note('drop.txt')]);
  await tile('drop.txt').waitFor();
  await tile('keep.txt').waitFor();
  await expect.poll(async () => (await rows()).length, { timeout: 60_000 }).toBe(2);
  const remove = async (name: string): Promise<void> => {
    await tile(name)
      .getByRole('button', { name: t('files.more', { name }) })
      .click();
    await page.getByRole('menuitem', { name: t('files.remove') }).click();
    await tile(name).waitFor({ state: 'detached' });
  };
  await remove('keep.txt');
  await news(page)
    .getByRole('button', { name: t('common.undo') })
    .click();
  await tile('keep.txt').waitFor();
  await remove('drop.txt');
  // Listed to go when nobody can bring it back any more.
  await expect
    .poll(
      () => sample.rows(`select split_part(name, '/', 4) as file from private.removed_files where name like $1 || '%'`),
      { timeout: 60_000 },
    )
    .toEqual([{ file: 'drop.txt' }]);
  expect(await rows()).toEqual([{ name: 'keep.txt', content_type: 'text/plain', has_file: true }]);
});

test('the viewer goes through all of them by keys, zooms and downloads', async () => {
  await openTask();
  await dropFiles(panel(), [picture('one.png'), picture('two.png', [200, 40, 40])]);
  await tile('two.png').waitFor();
  await tile('one.png').waitFor();
  await dropFiles(panel(), [note('three.txt', 'All hands on deck.')]);
  await tile('three.txt').waitFor();
  const names = await attachments().locator('[data-attachment-id] strong').allInnerTexts();
  await open(names[0] ?? '').click();
  const viewer = page.getByRole('dialog');
  await viewer.getByText(t('common.numberOf', { n: 1, all: 3 })).waitFor();
  const image = viewer.locator('img');
  await image.waitFor();
  await page.keyboard.press('+');
  await expect.poll(() => image.evaluate((one: HTMLElement) => one.style.transform)).toContain('scale(1.5)');
  await page.keyboard.press('0');
  await expect.poll(() => image.evaluate((one: HTMLElement) => one.style.transform)).toContain('scale(1)');
  expect(await offences(page)).toEqual([]);
  await page.keyboard.press('ArrowRight');
  await viewer.getByText(t('common.numberOf', { n: 2, all: 3 })).waitFor();
  await page.keyboard.press('ArrowRight');
  await viewer.getByText('All hands on deck.').waitFor();
  const download = page.waitForEvent('download');
  await viewer.getByRole('button', { name: t('common.downloadNamed', { name: 'three.txt' }) }).click();
  expect((await download).suggestedFilename()).toBe('three.txt');
  await page.keyboard.press('ArrowLeft');
  await viewer.getByText(t('common.numberOf', { n: 2, all: 3 })).waitFor();
  await page.keyboard.press('Escape');
  await viewer.waitFor({ state: 'detached' });
  await page.getByRole('complementary', { name: t('task.panel', { key: 'HAR-1' }) }).waitFor();
});

test('a viewer sees and downloads, and is offered nothing that would be refused', async () => {
  await openTask();
  await dropFiles(panel(), [picture('crane.png')]);
  await tile('crane.png').waitFor();
  await expect.poll(async () => (await rows()).length, { timeout: 60_000 }).toBe(1);
  const vera = await sample.site.visit();
  const { email } = await vera.settle('Vera Lund');
  await sample.join(email, 'viewer');
  vera.page.setDefaultTimeout(60_000);
  await sample.openBoard(vera.page);
  await openTask('Paint the crane', vera.page);
  await tile('crane.png', vera.page).locator('img').waitFor();
  await attachments(vera.page)
    .getByRole('button', { name: t('files.more', { name: 'crane.png' }) })
    .click();
  expect(await vera.page.getByRole('menuitem').allInnerTexts()).toEqual([
    t('common.download'),
    t('files.copyMarkdown'),
  ]);
  const download = vera.page.waitForEvent('download');
  await vera.page.getByRole('menuitem', { name: t('common.download') }).click();
  expect((await download).suggestedFilename()).toBe('crane.png');
  const adding = either(saying('files.add'), saying('task.addPart.files'));
  expect(await vera.page.getByRole('complementary').getByRole('button', { name: adding }).count()).toBe(0);
  await dropFiles(panel(vera.page), [note('sneaked.txt')]);
  await dropFiles(cardOf(vera.page, 'Sweep the quay'), [note('sneaked.txt')]);
  expect(await vera.page.locator('[data-upload]').count()).toBe(0);
  await vera.close();
});
