// Interrupted uploads: by a reload, and by a server killed in the middle of a large file.

import { createHash, randomFillSync } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, createWriteStream, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page, Request } from 'playwright-core';
import { expect, test } from 'vitest';
import { buildPagesAside } from '../../scripts/build.mjs';
import { scratch, startKanbase } from '../helpers/kanbase.ts';
import { openBrowser } from '../helpers/open-browser.ts';
import { putReadyCluster } from '../helpers/ready-cluster.ts';
import { addTasks, cardOf, createProject, fillSignUp, openSampleProject } from './pages.ts';
import { t } from './words.ts';

const resumable = '/storage/v1/upload/resumable';
const attachments = (page: Page) => page.getByRole('region', { name: t('common.attachments') });

/** Every request of uploads from now on, as "POST" or "HEAD", and so on. */
function watchUploads(page: Page): string[] {
  const seen: string[] = [];
  page.on('request', (request: Request) => {
    if (request.url().includes(resumable)) seen.push(request.method());
  });
  return seen;
}

/** A file of random bytes, and what they hash to. */
async function largeFile(path: string, megabytes: number): Promise<string> {
  const hash = createHash('sha256');
  const file = createWriteStream(path);
  const block = Buffer.alloc(1024 * 1024);
  for (let at = 0; at < megabytes; at++) {
    randomFillSync(block);
    hash.update(block);
    if (!file.write(Buffer.from(block))) await once(file, 'drain');
  }
  await new Promise<void>((resolve) => file.end(resolve));
  return hash.digest('hex');
}

async function hashOf(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of bytes) hash.update(chunk);
  return hash.digest('hex');
}

test('a reload goes on where the upload was, also from another page, and a folder brings all its files', async () => {
  const sample = await openSampleProject();
  const { page } = sample.ada;
  page.setDefaultTimeout(60_000);
  const place = scratch('reload');
  await largeFile(join(place.path, 'model.bin'), 14);
  let pieces = 0;
  // The first piece arrives; the second one hangs.
  await page.route(`**${resumable}/**`, (route) =>
    route.request().method() === 'PATCH' && ++pieces >= 1 ? undefined : route.continue(),
  );
  await cardOf(page, 'Paint the crane').click();
  const hanging = page.waitForRequest((request) => request.url().includes(resumable) && request.method() === 'PATCH');
  await page.locator('[data-first-field="files"]').setInputFiles(join(place.path, 'model.bin'));
  await hanging;
  await page.unroute(`**${resumable}/**`);
  // What the page that is left still sends does not count.
  await page.goto('about:blank');
  const seen = watchUploads(page);
  await page.goto('/app');
  // Nobody looks at the task: the corner of the window shows it, or it has arrived already.
  await sample.expectRows(
    `select a.name, (o.metadata ->> 'size')::int as size from task_attachments a
     join storage.objects o on o.name = a.object_path where a.project_id = $1`,
    [{ name: 'model.bin', size: 14 * 1024 * 1024 }],
  );
  expect(seen[0]).toBe('HEAD');
  expect(seen).not.toContain('POST');
  await expect
    .poll(() => page.evaluate(() => Object.keys(localStorage).filter((name) => name.endsWith(':uploads'))))
    .toEqual([]);

  // A folder, as the browser itself hands it over.
  mkdirSync(join(place.path, 'plans/old'), { recursive: true });
  writeFileSync(join(place.path, 'plans/new.txt'), 'new');
  writeFileSync(join(place.path, 'plans/old/first.txt'), 'first');
  writeFileSync(join(place.path, 'plans/.DS_Store'), 'left over');
  await sample.openBoard(page);
  const card = cardOf(page, 'Sweep the quay');
  const session = await page.context().newCDPSession(page);
  const drag = async (type: 'dragEnter' | 'dragOver' | 'drop'): Promise<void> => {
    const box = await card.boundingBox();
    const data = { items: [], files: [join(place.path, 'plans')], dragOperationsMask: 1 };
    await session.send('Input.dispatchDragEvent', { type, x: (box?.x ?? 0) + 40, y: (box?.y ?? 0) + 20, data });
  };
  await drag('dragEnter');
  // A browser says over and over where the files are, and lets them go only where the page has said that it takes them.
  await expect
    .poll(async () => {
      await drag('dragOver');
      return card.and(page.locator('[data-file-over]')).count();
    })
    .toBe(1);
  await drag('drop');
  await sample.expectRows(
    `select a.name from task_attachments a join tasks t on t.id = a.task_id and t.title = 'Sweep the quay'
     where a.project_id = $1 order by a.name`,
    [{ name: 'first.txt' }, { name: 'new.txt' }],
  );
  expect(sample.ada.troubles).toEqual([]);
  await sample.site.close();
  place.remove();
}, 300_000);

test('a server killed in the middle of 200 MB costs a pause: the upload goes on, and every byte is right', async () => {
  const place = scratch('killed');
  const [webDir, browser] = await Promise.all([buildPagesAside(), openBrowser()]);
  const dataDir = join(place.path, 'data');
  await putReadyCluster(dataDir);
  const args = ['--data-dir', dataDir];
  const env = { WEB_DIR: webDir, STORAGE_FILE_SIZE_LIMIT: String(1024 ** 3) };
  const first = await startKanbase(args, { env });
  const context = await browser.newContext({ baseURL: first.url, viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  page.setDefaultTimeout(120_000);
  await page.goto('/sign-up');
  await fillSignUp(page, 'Ada', 'ada@example.test');
  await createProject(page, 'Harbour');
  await addTasks(page, 'To do', ['Paint the crane']);
  await cardOf(page, 'Paint the crane').click();
  const path = join(place.path, 'film.bin');
  const expected = await largeFile(path, 200);
  await page.locator('[data-first-field="files"]').setInputFiles(path);
  const bar = attachments(page).getByRole('progressbar', { name: t('files.uploading', { name: 'film.bin' }) });
  const percent = async (): Promise<number> => Number(await bar.getAttribute('value'));
  await expect.poll(percent, { timeout: 120_000 }).toBeGreaterThan(20);
  const seen = watchUploads(page);
  await first.stop('SIGKILL');
  await attachments(page).getByText(t('files.unreachable')).waitFor();
  const before = await percent();
  expect(before).toBeLessThan(100);
  const answered = page.waitForResponse(
    (response) => response.url().includes(resumable) && response.request().method() === 'HEAD' && response.ok(),
  );
  const second = await startKanbase([...args, '--port', new URL(first.url).port], { env });
  expect(second.url).toBe(first.url);
  expect(Number(await (await answered).headerValue('upload-offset'))).toBeGreaterThan(0);
  await attachments(page).locator('[data-attachment-id]', { hasText: 'film.bin' }).waitFor();
  expect(seen).not.toContain('POST');
  const download = page.waitForEvent('download');
  await attachments(page)
    .getByRole('button', { name: t('files.more', { name: 'film.bin' }) })
    .click();
  await page.getByRole('menuitem', { name: t('common.download') }).click();
  expect(await hashOf(createReadStream(await (await download).path()))).toBe(expected);
  await browser.close();
  await second.stop();
  place.remove();
}, 500_000);
