// German pages: chosen by the browser, stored with the account on every device, with one catalog loaded and German days and counts.

import type { Page } from 'playwright-core';
import { afterEach, expect, test } from 'vitest';
import { readPart } from '../../scripts/strings.mjs';
import { forSuite } from '../helpers/for-suite.ts';
import { cardOf, columnOf, openHarbour, password, startSite, type Visitor } from './pages.ts';
import { t, wordsIn } from './words.ts';

const german = wordsIn('de', 'de-DE');
const visitors: Visitor[] = [];

const site = forSuite(startSite);
afterEach(async () => {
  const troubles = visitors.flatMap((one) => one.troubles);
  for (const one of visitors.splice(0)) await one.close();
  expect(troubles).toEqual([]);
});

async function visit(locale: string): Promise<Page> {
  const visitor = await site.visit({ locale });
  visitors.push(visitor);
  return visitor.page;
}

const languageOf = (page: Page) => page.evaluate(() => document.documentElement.lang);
const signInGerman = async (page: Page, email: string) => {
  await page.getByLabel(german.t('signIn.email')).fill(email);
  await page.getByLabel(german.t('common.password'), { exact: true }).fill(password);
  await page.getByRole('button', { name: german.t('common.signIn'), exact: true }).click();
};

test('a German browser gets German alone, and the account keeps it on a device that speaks English', async () => {
  const page = await visit('de-AT');
  const scripts: Promise<string>[] = [];
  page.on('response', (response) => {
    if (response.request().resourceType() === 'script') scripts.push(response.text());
  });
  await page.goto('/sign-up');
  await page.getByRole('heading', { name: german.t('signIn.titleUp') }).waitFor();
  expect(await languageOf(page)).toBe('de');
  const texts = await Promise.all(scripts);
  expect(texts.some((text) => text.includes(german.t('signIn.titleForgot')))).toBe(true);
  expect(texts.filter((text) => text.includes(t('signIn.titleForgot')))).toEqual([]);

  await page.getByLabel(german.t('signIn.name')).fill('Grete');
  await page.getByLabel(german.t('signIn.email')).fill('grete@example.test');
  await page.getByLabel(german.t('common.password'), { exact: true }).fill(password);
  await page.getByRole('button', { name: german.t('signIn.doUp') }).click();
  await page.getByRole('heading', { name: german.t('common.nav.projects'), level: 1 }).waitFor();
  const kept = await site.app.sql(
    "select raw_user_meta_data ->> 'language' as language from auth.users where email = $1",
    ['grete@example.test'],
  );
  expect(kept).toEqual([{ language: 'de' }]);

  // Columns of a new project are named in German too.
  await page
    .getByRole('main')
    .getByRole('button', { name: german.t('common.nav.newProject') })
    .click();
  await page.getByLabel(german.t('common.name'), { exact: true }).fill('Hafen');
  await page.getByRole('button', { name: german.t('projects.doCreate') }).click();
  await page.getByRole('button', { name: german.t('people.invite.later') }).click();
  for (const kind of ['backlog', 'todo', 'in_progress', 'done'] as const)
    await columnOf(page, german.t(`common.kinds.${kind}`)).waitFor();

  const other = await visit('en-US');
  await other.goto('/sign-in');
  await other.getByLabel(t('signIn.email')).fill('grete@example.test');
  await other.getByLabel(t('common.password'), { exact: true }).fill(password);
  await other.getByRole('button', { name: t('common.signIn'), exact: true }).click();
  await other.getByRole('heading', { name: german.t('common.nav.projects'), level: 1 }).waitFor();
  expect(await languageOf(other)).toBe('de');
});

test('the front page and the doors change their language by a link, before there is an account', async () => {
  const page = await visit('en-GB');
  await page.goto('/');
  await page.getByRole('link', { name: 'Deutsch' }).click();
  await page.getByRole('heading', { level: 1, name: german.t('pages.landing.headline') }).waitFor();
  expect(await languageOf(page)).toBe('de');
  const toApi = /<link>(.*)</.exec(readPart('de', 'pages').get('pages.landing.apiDocs') ?? '')?.[1] ?? 'none';
  expect(await page.getByRole('link', { name: toApi, exact: true }).getAttribute('href')).toBe('/docs');
  expect(await page.content()).not.toContain('{{');
  // What an installed app offers at its icon.
  const offered = await page.evaluate(async () => {
    const manifest = document.querySelector<HTMLLinkElement>('link[rel="manifest"]');
    const { shortcuts } = await (await fetch(manifest?.href ?? '')).json();
    return (shortcuts as { name: string }[]).map(({ name }) => name);
  });
  expect(offered).toEqual([german.t('common.nav.myTasks'), german.t('common.nav.inbox')]);
  await page
    .getByRole('link', { name: german.t('common.signIn') })
    .first()
    .click();
  await page.getByRole('heading', { name: german.t('common.signIn') }).waitFor();
  await page.getByRole('button', { name: 'English' }).click();
  await page.getByRole('heading', { name: t('common.signIn') }).waitFor();
  await page.goto('/nothing-here');
  await page.getByRole('heading', { name: t('pages.lost.headline') }).waitFor();
});

test('the language is changed in the account, at once and for good', async () => {
  const page = await visit('en-GB');
  await visitors[0]?.settle('Hans', 'hans@example.test');
  await page.goto('/app/account');
  await page.getByRole('combobox', { name: t('common.language') }).selectOption('Deutsch');
  await page.getByRole('heading', { name: german.t('common.nav.account'), level: 1 }).waitFor();
  expect(await page.getByRole('combobox', { name: german.t('common.language') }).inputValue()).toBe('de');
  await page.reload();
  await page.getByRole('heading', { name: german.t('common.nav.account'), level: 1 }).waitFor();

  // Without its session the browser still knows it.
  const session = (await page.context().cookies()).filter(({ name }) => name.startsWith('sb-'));
  for (const { name } of session) await page.context().clearCookies({ name });
  await page.goto('/sign-in');
  await page.getByRole('heading', { name: german.t('common.signIn') }).waitFor();
  await signInGerman(page, 'hans@example.test');
  await page.getByRole('heading', { name: german.t('common.nav.projects'), level: 1 }).waitFor();
});

test('days are typed and read in German', async () => {
  const sample = await openHarbour(site);
  visitors.push(sample.ada);
  const { page } = sample.ada;
  await page.goto('/app/account');
  await page.getByRole('combobox', { name: t('common.language') }).selectOption('Deutsch');
  await page.getByRole('heading', { name: german.t('common.nav.account'), level: 1 }).waitFor();
  await sample.openBoard(page);
  await cardOf(page, 'Paint the crane').click();
  const panel = page.getByRole('complementary', { name: german.t('task.panel', { key: 'HAR-1' }) });
  await panel
    .getByRole('button', { name: german.saying('common.pair', { name: german.t('property.due_date') }) })
    .click();
  await page.keyboard.type('15. mai 2030');
  await page.getByRole('option', { name: 'Mittwoch, 15. Mai 2030' }).waitFor();
  await page.keyboard.press('Enter');
  await sample.expectRows('select due_date::text from tasks where project_id = $1 and number = 1', [
    { due_date: '2030-05-15' },
  ]);
  await panel.getByRole('button', { name: 'Fällig: 15. Mai 2030' }).waitFor();
  await page.keyboard.press('Escape');

  await columnOf(page, 'To do').locator('[data-add-task]').click();
  await page.getByRole('textbox', { name: 'Neue Aufgabe in To do' }).fill('Anker prüfen !hoch fällig in 2 Wochen');
  await page.keyboard.press('Enter');
  await cardOf(page, 'Anker prüfen').waitFor();
  await sample.expectRows(
    "select title, priority::text, due_date - current_date as days from tasks where project_id = $1 and title like 'Anker%'",
    [{ title: 'Anker prüfen', priority: 'p1', days: 14 }],
  );
});
