// Admin pages in a browser: the first administrator comes by the link of the banner, manages accounts, and reads the log.

import { expect, test } from 'vitest';
import { makeOperatorLink } from '../../server/admin/call-admin.ts';
import { offences } from './accessibility.ts';
import { tabTo, walk } from './keys-alone.ts';
import { fillSignUp, password, type Site, type Visitor } from './pages.ts';
import { noteRequests } from './sent-secrets.ts';
import { eachStory } from './stories.ts';
import { holding, saying, t, wordsIn } from './words.ts';

let site: Site;
let olga: Visitor;
const pictures = process.env.ADMIN_PICTURES;

eachStory(async (opened) => {
  site = opened;
  olga = await site.visit();
  return [olga];
});

const picture = async (name: string): Promise<void> => {
  if (pictures) await olga.page.screenshot({ path: `${pictures}/${name}.png` });
};

async function asOperator(): Promise<string> {
  const { email } = await olga.settle('Olga Operator');
  await site.app.sql('select private.set_operator($1, true)', [email]);
  await olga.page.goto('/admin/accounts');
  await olga.page.getByRole('heading', { name: t('common.nav.admin') }).waitFor();
  return email;
}

test('the link of the banner leads a newcomer by way of signing up to the admin pages', async () => {
  const { page } = olga;
  const link = new URL((await makeOperatorLink(site.app.services)) ?? '');
  const requestsWith = noteRequests(page);
  await page.goto(link.pathname + link.hash);
  await page.getByRole('link', { name: t('signIn.toUp') }).click();
  await fillSignUp(page, 'Olga', 'first@example.test');
  await page.getByRole('heading', { name: t('admin.claim') }).waitFor();
  expect(await offences(page)).toEqual([]);
  expect(await site.app.sql('select email from auth.users where is_operator')).toEqual([]);
  await page.getByRole('button', { name: t('admin.doClaim') }).click();
  await page.getByRole('heading', { name: t('common.nav.admin'), exact: true }).waitFor();
  expect(new URL(page.url()).hash).toBe('');
  // Neither an address nor a referrer had the secret, also on the way by signing up.
  expect(await requestsWith(link.hash.slice('#first='.length))).toEqual([]);
  // From now on the menu leads there.
  await page.goto('/app');
  await page.getByRole('button', { name: 'Olga' }).click();
  await page.getByRole('menuitem', { name: t('common.nav.admin') }).click();
  await page.getByRole('heading', { name: t('common.nav.admin') }).waitFor();
  expect(await site.app.sql('select email from auth.users where is_operator')).toEqual([
    { email: 'first@example.test' },
  ]);
});

test('a person who is no operator is told so', async () => {
  await olga.settle('Mallory');
  await olga.page.goto('/admin');
  await olga.page.getByText(t('admin.refused.KB802')).waitFor();
  expect(await offences(olga.page)).toEqual([]);
});

test('an account is found, disabled, enabled and deleted, and the log tells it', async () => {
  const { page } = olga;
  const ada = await site.visit();
  const { email, client } = await ada.settle('Ada Lovelace');
  await client.rpc('create_project_with_defaults', { name: 'Lonely' });
  await asOperator();
  await page.getByRole('searchbox', { name: t('admin.search') }).fill('lovelace');
  const line = page.getByRole('button', { name: /Ada Lovelace/ });
  await line.waitFor();
  await expect
    .poll(() =>
      page
        .getByRole('list', { name: t('admin.part.accounts') })
        .getByRole('button')
        .count(),
    )
    .toBe(1);
  await picture('accounts-light');
  expect(await offences(page)).toEqual([]);
  // By keys alone.
  await line.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Ada Lovelace' });
  await dialog.getByText(t('admin.member', { name: 'Lonely', role: t('common.roles.owner') })).waitFor();
  await picture('account-light');
  expect(await offences(page)).toEqual([]);
  await dialog.getByRole('button', { name: t('admin.do.disable') }).click();
  await dialog.getByText(t('admin.done.disable')).waitFor();
  expect(
    await site.app.sql('select s.id from auth.sessions s join auth.users u on u.id = s.user_id where u.email = $1', [
      email,
    ]),
  ).toEqual([]);
  await dialog.getByRole('button', { name: t('admin.do.enable') }).click();
  await dialog.getByText(t('admin.done.enable')).waitFor();
  await dialog.getByRole('button', { name: t('admin.do.delete') }).click();
  await dialog.getByText(t('admin.becomes', { becomes: 'deleted', name: 'Lonely', newOwner: '' })).waitFor();
  const remove = dialog.getByRole('button', { name: t('people.archive.doEnd') });
  expect(await remove.isDisabled()).toBe(true);
  await dialog.getByLabel(t('admin.typeAddress', { email })).fill(email);
  await remove.click();
  await dialog.waitFor({ state: 'hidden' });
  expect(await site.app.sql('select id from auth.users where email = $1', [email])).toEqual([]);

  await page.getByRole('button', { name: t('admin.part.log'), exact: true }).click();
  await page.getByText(t('admin.did.account_deleted', { subject: email })).waitFor();
  await page.getByText(t('admin.did.account_disabled', { subject: email })).waitFor();
  await picture('log-light');
  expect(await offences(page)).toEqual([]);
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: t('admin.save') }).click(),
  ]);
  expect(file.suggestedFilename()).toBe('kanbase-operators.csv');
  await page.emulateMedia({ colorScheme: 'dark' });
  await picture('log-dark');
  expect(await offences(page, 'colours')).toEqual([]);
  await page.getByRole('button', { name: t('admin.part.accounts'), exact: true }).click();
  await page.getByRole('list', { name: t('admin.part.accounts') }).waitFor();
  await page.setViewportSize({ width: 390, height: 844 });
  await picture('accounts-phone-dark');
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  expect(await offences(page, 'colours')).toEqual([]);
  await ada.close();
});

test('without a mouse: every part of it is gone over, and an account is found and disabled', async () => {
  const { page } = olga;
  const grace = await site.visit();
  const { email } = await grace.settle('Grace Hopper');
  await asOperator();
  for (const part of ['state', 'accounts', 'provisioning', 'projects', 'mail', 'log', 'access']) {
    await page.goto(`/admin/${part}`);
    await page.getByRole('heading', { name: t('common.nav.admin') }).waitFor();
    await page.waitForLoadState('networkidle');
    expect(await walk(page), part).toEqual({ missed: [], unseen: [] });
  }
  await tabTo(page, t('admin.part.accounts'));
  await page.keyboard.press('Enter');
  await tabTo(page, t('admin.search'));
  await page.keyboard.type('hopper');
  await expect
    .poll(() =>
      page
        .getByRole('list', { name: t('admin.part.accounts') })
        .getByRole('button')
        .count(),
    )
    .toBe(1);
  await tabTo(page, /Grace Hopper/);
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Grace Hopper' });
  await dialog.getByRole('button', { name: t('admin.do.disable') }).waitFor();
  await tabTo(page, t('admin.do.disable'));
  await page.keyboard.press('Enter');
  await dialog.getByText(t('admin.done.disable')).waitFor();
  expect(await site.app.sql('select banned_until > now() as banned from auth.users where email = $1', [email])).toEqual(
    [{ banned: true }],
  );
  await page.keyboard.press('Escape');
  await page.locator('main :focus', { hasText: 'Grace Hopper' }).waitFor();
  await grace.close();
});

test('the admin pages begin with the state of the server', async () => {
  const { page } = olga;
  await asOperator();
  await site.app.sql('delete from private.request_counts');
  // Twelve quarters of a morning that went wrong at its end, and a day before.
  await site.app.sql(`select private.count_requests(now() - n * interval '15 minutes', 500 - 4 * n, case when n < 13 then 40 else n % 4 end, case when n < 13 then 10 else 0 end)
    from generate_series(1, 95) as n`);
  await page.getByRole('button', { name: t('admin.part.state'), exact: true }).click();
  expect(new URL(page.url()).pathname).toBe('/admin/state');
  await page
    .getByRole('region', { name: t('admin.server.server') })
    .getByText(t('common.product'), { exact: false })
    .first()
    .waitFor();
  const day = page.getByRole('region', { name: t('admin.server.lastDay') });
  await day
    .getByRole('figure', { name: t('admin.server.requests') })
    .locator('rect')
    .first()
    .waitFor();
  await day.getByText('120 failed', { exact: false }).waitFor();
  await day.getByRole('figure', { name: t('admin.server.failedRequests') }).waitFor();
  await day.scrollIntoViewIfNeeded();
  await picture('requests-light');
  await day.getByText(t('dashboard.asTable')).click();
  await day
    .getByRole('row', { name: / 492 40 10$/ })
    .first()
    .waitFor();
  await page.getByText(t('admin.server.noStatements'), { exact: false }).waitFor();
  await page
    .getByRole('region', { name: t('admin.server.tables') })
    .getByText('auth.users')
    .waitFor();
  await page.getByRole('row', { name: saying('admin.job.sweep_messages') }).waitFor();
  await page.getByText(t('health.backups.off'), { exact: false }).first().waitFor();
  await page.getByRole('button', { name: saying('admin.server.allSettings') }).click();
  await page.getByText('SMTP_URL', { exact: true }).waitFor();
  await picture('state-light');
  expect(await offences(page)).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.setViewportSize({ width: 390, height: 844 });
  await picture('state-phone-dark');
  await day.getByRole('heading', { name: t('admin.server.requests'), exact: true }).scrollIntoViewIfNeeded();
  await picture('requests-phone-dark');
  // Wide tables scroll by themselves, not the page.
  const wider = page.evaluate(() =>
    [document.documentElement, ...document.querySelectorAll('main, main *:has(section)')]
      .filter((element) => element.scrollWidth > element.clientWidth + 1)
      .map((element) => element.className || element.tagName),
  );
  expect(await wider).toEqual([]);
  expect(await offences(page, 'colours')).toEqual([]);
});

test('a project is entered openly, and its people read who did and why; mail is tried', async () => {
  const { page } = olga;
  const ada = await site.visit();
  const { client } = await ada.settle('Ada Owner');
  const { data: project } = await client.rpc('create_project_with_defaults', { name: 'Secret garden' });
  const email = await asOperator();
  await page
    .getByRole('button', { name: t('admin.part.projects'), exact: true })
    .last()
    .click();
  await page.getByRole('searchbox', { name: t('admin.project.search') }).fill('secret gar');
  await page.getByRole('button', { name: /^Secret garden/ }).click();
  const dialog = page.getByRole('dialog', { name: /^Secret garden/ });
  await dialog.getByRole('button', { name: t('admin.project.enter') }).click();
  await dialog.getByLabel(t('admin.project.why')).fill('Ada asked for help');
  await picture('project-light');
  expect(await offences(page)).toEqual([]);
  await dialog.getByRole('button', { name: t('admin.project.doEnter'), exact: true }).click();
  await dialog.getByText(t('admin.project.entered')).waitFor();
  await dialog.getByRole('link', { name: t('common.openProject') }).waitFor();
  await ada.page.goto(`/app/projects/${project.id}/people`);
  const entries = ada.page.getByRole('region', { name: t('people.operators.title') });
  await entries.getByText(t('people.operators.line', { action: 'entered', operator: email })).waitFor();
  await entries.getByText('Ada asked for help').waitFor();
  expect(await offences(ada.page)).toEqual([]);
  if (pictures) await ada.page.screenshot({ path: `${pictures}/entered-light.png` });
  await dialog.getByRole('button', { name: t('admin.project.leave') }).click();
  await dialog.getByText(t('admin.project.left')).waitFor();
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: t('admin.part.mail'), exact: true }).click();
  await page.getByText(t('admin.mail.noServer')).waitFor();
  await page
    .getByRole('list', { name: t('admin.part.mail') })
    .getByText(saying('admin.mail.kind.operator_entered'))
    .waitFor();
  await picture('mail-light');
  expect(await offences(page)).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.setViewportSize({ width: 390, height: 844 });
  await picture('mail-phone-dark');
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  expect(await offences(page, 'colours')).toEqual([]);
  await ada.close();
});

test('a deleted project is found and brought back, and its people read who did and why', async () => {
  const { page } = olga;
  const ada = await site.visit();
  const { client } = await ada.settle('Ada Owner');
  const { data: project } = await client.rpc('create_project_with_defaults', { name: 'Lost garden' });
  await client.from('projects').delete().eq('id', project.id);
  const email = await asOperator();
  await page
    .getByRole('button', { name: t('admin.part.projects'), exact: true })
    .last()
    .click();
  await page.getByLabel(t('admin.project.which')).selectOption({ label: t('admin.project.kind.deleted') });
  const line = page.getByRole('button', { name: /^Lost garden/ });
  await line.getByText(holding('admin.project.deleted')).waitFor();
  await picture('deleted-projects-light');
  expect(await offences(page)).toEqual([]);
  await line.click();
  const dialog = page.getByRole('dialog', { name: /^Lost garden/ });
  await dialog.getByRole('button', { name: t('common.restore') }).click();
  await dialog.getByLabel(t('admin.project.why')).fill('Ada slipped');
  await picture('restore-light');
  expect(await offences(page)).toEqual([]);
  await dialog.getByRole('button', { name: t('common.restore') }).click();
  await page.getByText(t('admin.project.restored')).waitFor();
  await dialog.waitFor({ state: 'hidden' });
  await line.waitFor({ state: 'detached' });
  await ada.page.goto(`/app/projects/${project.id}/people`);
  const entries = ada.page.getByRole('region', { name: t('people.operators.title') });
  await entries.getByText(t('people.operators.line', { action: 'restored', operator: email })).waitFor();
  await entries.getByText('Ada slipped').waitFor();
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByLabel(t('admin.project.which')).selectOption({ label: t('admin.project.kind.all') });
  await line.waitFor();
  await picture('projects-phone-dark');
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  expect(await offences(page, 'colours')).toEqual([]);
  await ada.close();
});

test('an account is made by a link, whose reader chooses a password and is in', async () => {
  const { page } = olga;
  await asOperator();
  await page.getByRole('button', { name: t('admin.create') }).click();
  const dialog = page.getByRole('dialog', { name: t('admin.create') });
  await dialog.getByLabel(t('signIn.email')).fill('grace@example.test');
  await dialog.getByLabel(t('common.name')).fill('Grace');
  expect(await offences(page)).toEqual([]);
  await dialog.getByRole('button', { name: t('signIn.doUp') }).click();
  const link = await dialog.getByLabel(t('admin.link'), { exact: true }).inputValue();
  const grace = await site.visit();
  await grace.page.goto(link);
  await grace.page.getByLabel(t('common.newPassword')).fill(password);
  expect(new URL(grace.page.url()).hash).toBe('');
  await grace.page.getByRole('button', { name: t('signIn.doReset') }).click();
  await grace.page.getByRole('heading', { name: t('common.nav.projects'), level: 1 }).waitFor();
  await grace.close();
  // Once.
  const late = await site.visit();
  await late.page.goto(link);
  await late.page.getByText(t('signIn.resetNoSession')).waitFor();
  await late.close();
});

test('in German, on a phone', async () => {
  const { email } = await olga.settle('Olga');
  await site.app.sql('select private.set_operator($1, true)', [email]);
  const { t: inGerman } = wordsIn('de', 'de-DE');
  const german = await site.visit({ locale: 'de-DE', viewport: { width: 390, height: 844 } });
  await german.page.context().addCookies(await olga.page.context().cookies());
  await german.page.goto('/admin/accounts');
  await german.page.getByRole('heading', { name: inGerman('common.nav.admin') }).waitFor();
  await german.page.getByRole('button', { name: /Olga/ }).first().click();
  await german.page.getByRole('dialog').getByText(inGerman('admin.operatorWords')).waitFor();
  if (pictures) await german.page.screenshot({ path: `${pictures}/account-phone-german.png` });
  expect(await offences(german.page)).toEqual([]);
  await german.close();
});
