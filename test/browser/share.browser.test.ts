// Share target of the installed app: what another app shares becomes a new task, also for people who have to sign in first.

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { forSuite } from '../helpers/for-suite.ts';
import { offences } from './accessibility.ts';
import { password, settleHarbour, startSite } from './pages.ts';
import { saying, t } from './words.ts';

const site = forSuite(startSite);

const onPhone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

interface SharedParts {
  readonly title?: string;
  readonly text?: string;
  readonly url?: string;
  readonly files: readonly string[];
}

/** The worker takes what is sent from here on. */
async function whenKept(page: Page): Promise<void> {
  await expect
    .poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null), { timeout: 30_000 })
    .toBe(true);
}

/** Sends the form that a phone makes of the manifest, from whichever page is open. */
async function sendForm(page: Page, shared: SharedParts): Promise<void> {
  const address = new URL('/manifest.webmanifest', site.app.services.siteUrl).href;
  const { share_target: asked } = await (await fetch(address)).json();
  const target = { ...asked, action: new URL(asked.action, address).href };
  await page.evaluate(
    ([target, parts]) => {
      const form = document.createElement('form');
      Object.assign(form, { action: target.action, method: target.method, enctype: target.enctype });
      for (const part of ['title', 'text', 'url'] as const) {
        const field = document.createElement('textarea');
        Object.assign(field, { name: target.params[part], value: parts[part] ?? '' });
        form.append(field);
      }
      const chooser = document.createElement('input');
      Object.assign(chooser, { type: 'file', multiple: true, name: target.params.files[0].name });
      const files = new DataTransfer();
      for (const name of parts.files) files.items.add(new File([`in ${name}`], name, { type: 'text/plain' }));
      chooser.files = files.files;
      form.append(chooser);
      document.body.append(form);
      form.submit();
    },
    [target, shared] as const,
  );
}

async function share(page: Page, shared: SharedParts): Promise<void> {
  await sendForm(page, shared);
  await page.waitForURL(/\/app\/share|\/sign-in\?/);
}

test('things that a phone shares become a task with their title, text, link and files, after signing in', async () => {
  const sample = await settleHarbour(site);
  const phone = await site.visit({ ...onPhone, serviceWorkers: 'allow' });
  const { page } = phone;
  const signIn = async (): Promise<void> => {
    await page.getByLabel(t('signIn.email')).fill(sample.adaMail);
    await page.getByLabel(t('common.password'), { exact: true }).fill(password);
    await page.getByRole('button', { name: t('common.signIn'), exact: true }).tap();
  };
  await page.goto('/sign-in');
  await signIn();
  await page.getByRole('heading', { name: t('common.nav.projects'), level: 1 }).waitFor();
  await whenKept(page);
  // The session of an installed app may be over when something is shared.
  await page.context().clearCookies();
  await page.goto('/sign-in');
  await share(page, {
    title: 'Tides & #harbour, tomorrow',
    text: 'High water\nat 100%41',
    url: 'https://tides.example/?a=1',
    files: ['Tide table.txt', 'Ebbe & Flut.txt'],
  });
  await signIn();
  const sheet = page.getByRole('dialog', { name: t('common.newTask') });
  const line = sheet.getByRole('textbox');
  await expect.poll(() => line.inputValue()).toBe('Tides & #harbour, tomorrow');
  await sheet.getByText('https://tides.example/?a=1').waitFor();
  await sheet.getByText('Tide table.txt, Ebbe & Flut.txt').waitFor();
  // They wait there, also for who loads the page again.
  await page.reload();
  await sheet.getByText('Tide table.txt, Ebbe & Flut.txt').waitFor();
  await sheet.getByRole('button', { name: t('common.bar.project', { name: 'Harbour' }) }).waitFor();
  expect(await offences(page)).toEqual([]);
  await sheet.getByRole('button', { name: t('board.add'), exact: true }).tap();
  // The task opens; all of the shared title is title.
  await page.getByRole('complementary', { name: saying('task.panel') }).waitFor();
  await sample.expectRows(
    'select title, description, due_date is null as undated from tasks where project_id = $1 and number = 4',
    [
      {
        title: 'Tides & #harbour, tomorrow',
        description: 'High water\nat 100%41\n\nhttps://tides.example/?a=1',
        undated: true,
      },
    ],
  );

  await sample.expectRows(
    'select name, size_bytes::int as size from task_attachments where project_id = $1 order by name',
    [
      { name: 'Ebbe & Flut.txt', size: 'in Ebbe & Flut.txt'.length },
      { name: 'Tide table.txt', size: 'in Tide table.txt'.length },
    ],
  );

  // Closed without a task, it leads to the projects, and files are forgotten.
  await share(page, { title: 'Thrown away', files: ['Rope.txt'] });
  await sheet.getByText('Rope.txt').waitFor();
  await sheet.getByRole('button', { name: t('common.close') }).tap();
  await page.getByRole('heading', { name: t('common.nav.projects'), level: 1 }).waitFor();
  // Nor are they there where no worker has taken them.
  const form = new FormData();
  form.set('files', new File(['in Rope'], 'Rope.txt'));
  const { status, headers } = await fetch(`${site.app.url}/app/share`, {
    method: 'POST',
    body: form,
    redirect: 'manual',
  });
  expect(status).toBe(303);
  await page.goto(headers.get('location') ?? '');
  await page.getByText(t('files.sharedLost')).waitFor();
  // A page of another site shares nothing.
  await page.route('http://elsewhere.example/', (route) => route.fulfill({ contentType: 'text/html', body: '' }));
  await page.goto('http://elsewhere.example/');
  const refused = page.waitForResponse(/\/app\/share$/);
  await sendForm(page, { title: 'Bait', files: ['Bait.txt'] });
  expect((await refused).status()).toBe(403);
  await page.waitForURL(/\/app\/share$/);
  await page.goto('/app/share?files=1');
  await page.getByText(t('files.sharedLost')).waitFor();
  await page.goto('/app/share?text=Order+rope');
  await expect.poll(() => line.inputValue()).toBe('Order rope');
  await sheet.getByRole('button', { name: t('common.close') }).tap();
  await page.getByRole('heading', { name: t('common.nav.projects'), level: 1 }).waitFor();
  expect(phone.troubles).toEqual([]);
  await phone.close();
  await sample.ada.close();
});
