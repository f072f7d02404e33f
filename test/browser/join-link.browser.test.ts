// Join link of a project: an owner creates, copies, resets and turns it off; a new person signs up from it and joins by one press.

import { expect, test } from 'vitest';
import { forSuite } from '../helpers/for-suite.ts';
import { offences } from './accessibility.ts';
import { news, password, settleHarbour, startSite } from './pages.ts';
import { t } from './words.ts';

const site = forSuite(startSite);

test('a new person signs up from the link and joins by one press; after a reset the old link says why it no longer works', async () => {
  const sample = await settleHarbour(site);
  const { page } = sample.ada;
  await sample.openBoard(page);
  await page.getByRole('button', { name: t('projects.invite') }).click();
  const dialog = page.getByRole('dialog', { name: t('people.invite.title', { project: 'Harbour' }) });
  await dialog.getByLabel(t('people.link.life')).selectOption('30');
  await dialog.getByRole('button', { name: t('people.link.create') }).click();
  const link = await dialog.getByRole('textbox', { name: t('people.link.title') }).inputValue();
  expect(link).toMatch(/\/join#[\w-]{43}$/);
  expect(await offences(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: t('projects.views.people'), exact: true }).click();
  const part = page.getByRole('region', { name: t('people.link.title') });
  await part.getByText(t('people.link.joined', { n: 0 })).waitFor();

  const bob = await site.visit();
  await bob.page.goto(link);
  await bob.page.getByText(t('signIn.invitation.who', { who: 'Ada Lovelace', project: 'Harbour' })).waitFor();
  expect(await offences(bob.page)).toEqual([]);
  await bob.page.getByRole('link', { name: t('signIn.doUp') }).click();
  await bob.page.getByText(t('signIn.invitation.who', { who: 'Ada Lovelace', project: 'Harbour' })).waitFor();
  await bob.page.getByLabel(t('signIn.name')).fill('Bob Byron');
  await bob.page.getByLabel(t('signIn.email')).fill(`bob.${Date.now()}@example.test`);
  await bob.page.getByLabel(t('common.password')).fill(password);
  await bob.page.getByRole('button', { name: t('signIn.doUp') }).click();
  await bob.page.getByRole('button', { name: t('signIn.join.press') }).click();
  await bob.page.getByRole('heading', { name: 'Harbour' }).waitFor();

  // Ada sees him come; who is in already is led there.
  await part.getByText(t('people.link.joined', { n: 1 })).waitFor();
  const people = page.getByRole('list', { name: t('projects.views.people') });
  await people.getByRole('listitem').filter({ hasText: 'Bob Byron' }).waitFor();
  await bob.page.goto(link);
  await bob.page.getByText(t('signIn.join.member', { project: 'Harbour' })).waitFor();
  await bob.page.getByRole('link', { name: t('signIn.join.open') }).click();
  await bob.page.getByRole('heading', { name: 'Harbour' }).waitFor();

  await part.getByRole('button', { name: t('common.copyLink') }).click();
  const copy = await part.getByRole('textbox', { name: t('people.link.title') }).inputValue();
  await part.getByRole('button', { name: t('people.link.reset') }).click();
  await news(page).getByText(t('people.link.wasReset')).waitFor();
  await part.getByText(t('people.link.joined', { n: 0 })).waitFor();
  const cyd = await site.visit();
  for (const old of [link, copy]) {
    await cyd.page.goto('/sign-in');
    await cyd.page.goto(old);
    await cyd.page.getByText(t('signIn.join.revoked')).waitFor();
  }
  const latest = await part.getByRole('textbox', { name: t('people.link.title') }).inputValue();
  await part.getByRole('button', { name: t('people.link.revoke') }).click();
  await part.getByText(t('people.link.none')).waitFor();
  await cyd.page.goto('/sign-in');
  await cyd.page.goto(latest);
  await cyd.page.getByText(t('signIn.join.revoked')).waitFor();
  for (const { troubles } of [sample.ada, bob, cyd]) expect(troubles).toEqual([]);
  for (const visitor of [sample.ada, bob, cyd]) await visitor.close();
});
