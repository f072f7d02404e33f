// Share target of the installed app: what another app shares becomes a new task, also for people who have to sign in first.

import { expect, test } from 'vitest';
import { forSuite } from '../helpers/for-suite.ts';
import { offences } from './accessibility.ts';
import { password, settleHarbour, startSite } from './pages.ts';
import { saying, t } from './words.ts';

const site = forSuite(startSite);

test('a page that a phone shares becomes a task with its title, text and link, after signing in', async () => {
  const sample = await settleHarbour(site);
  const phone = await site.visit({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  const { page } = phone;
  await page.goto('/sign-in');
  // The address as a phone makes it of the manifest.
  const address = await page.evaluate(async () => {
    const manifest = document.querySelector<HTMLLinkElement>('link[rel="manifest"]');
    const { share_target: target } = await (await fetch(manifest?.href ?? '')).json();
    const parts = {
      title: 'Tides & #harbour, tomorrow',
      text: 'High water\nat 100%41',
      url: 'https://tides.example/?a=1',
    };
    const query = new URLSearchParams();
    for (const [part, name] of Object.entries(target.params as Record<keyof typeof parts, string>))
      query.set(name, parts[part as keyof typeof parts]);
    return `${target.action}?${query}`;
  });
  await page.goto(address);
  await page.getByLabel(t('signIn.email')).fill(sample.adaMail);
  await page.getByLabel(t('common.password'), { exact: true }).fill(password);
  await page.getByRole('button', { name: t('common.signIn'), exact: true }).tap();
  const sheet = page.getByRole('dialog', { name: t('common.newTask') });
  const line = sheet.getByRole('textbox');
  await expect.poll(() => line.inputValue()).toBe('Tides & #harbour, tomorrow');
  await sheet.getByText('https://tides.example/?a=1').waitFor();
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

  // Closed without a task, it leads to the projects.
  await page.goto('/app/share?text=Order+rope');
  await expect.poll(() => line.inputValue()).toBe('Order rope');
  await sheet.getByRole('button', { name: t('common.close') }).tap();
  await page.getByRole('heading', { name: t('common.nav.projects'), level: 1 }).waitFor();
  expect(phone.troubles).toEqual([]);
  await phone.close();
  await sample.ada.close();
});
