// Links and access in the account, and the transfer of a project by an operator: their display and their end.

import { expect, test } from 'vitest';
import { makeOperator } from '../admin/operator.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { offences } from './accessibility.ts';
import { openSampleProject } from './pages.ts';
import { saying, t } from './words.ts';

const sample = forSuite(openSampleProject, (sample) => sample.site.close());

test('a calendar link that opens without signing in is listed in the account, and ended there', async () => {
  const { page } = sample.ada;
  await page.goto('/app/account');
  const feeds = page.getByRole('region', { name: t('feeds.title') });
  await feeds.getByRole('combobox', { name: t('feeds.of') }).selectOption('Harbour');
  await feeds.getByRole('button', { name: t('feeds.make') }).click();
  const address = await feeds.getByRole('textbox', { name: t('feeds.address') }).inputValue();
  const status = async () => (await sample.site.app.request(new URL(address).pathname)).status;
  expect(await status()).toBe(200);

  await page.reload();
  const access = page.getByRole('region', { name: t('account.access.title') });
  await access.getByText(t('account.access.calendar', { name: 'Harbour' })).waitFor();
  await access.getByText(saying('account.access.used')).waitFor();
  expect(await offences(page)).toEqual([]);
  await access
    .getByRole('button', {
      name: t('account.access.endOf', { name: t('account.access.calendar', { name: 'Harbour' }) }),
    })
    .click();
  await access.getByText(t('account.access.none')).waitFor();
  expect(await status()).toBe(404);

  // The calendar stays in the list, and gets a new address.
  await page.reload();
  await feeds.getByText(t('feeds.ended')).waitFor();
  await feeds.getByRole('button', { name: t('feeds.renewOf', { name: 'Harbour' }) }).click();
  const renewed = await feeds.getByRole('textbox', { name: t('feeds.address') }).inputValue();
  expect((await sample.site.app.request(new URL(renewed).pathname)).status).toBe(200);
});

test('a transfer by an operator is in the inbox and on the page of people, and ends when someone objects', async () => {
  const { page } = sample.ada;
  const olga = await makeOperator(sample.site.app);
  const heir = await sample.site.app.createUser({ name: 'Hal' });
  const asked = { email: heir.email, reason: 'Ada has left' };
  expect((await olga.ask('POST', `/projects/${sample.projectId}/pass-on`, asked)).status).toBe(200);

  await page.goto('/app/inbox');
  await page
    .getByText(saying('inbox.lines.transfer', { state: 'waiting', owner: heir.email, project: 'Harbour' }))
    .waitFor();
  await page.goto(`/app/projects/${sample.projectId}/people`);
  await page.getByText(saying('people.transfer.words', { reason: 'Ada has left' })).waitFor();
  expect(await offences(page)).toEqual([]);
  await page.getByRole('button', { name: t('people.transfer.object') }).click();
  await sample.expectRows('select state from private.project_transfers', [{ state: 'objected' }]);
  await page.getByRole('button', { name: t('people.transfer.object') }).waitFor({ state: 'detached' });
});
