// The admin pages in a browser: the first one comes by the link of the banner, helps and stops accounts, and reads what was done.

import { expect, test } from 'vitest';
import { makeOperatorLink } from '../../server/admin/ask.ts';
import { tabTo, walk } from './keys-alone.ts';
import { offences } from './offences.ts';
import { fillSignUp, password, type Site, type Visitor } from './pages.ts';
import { noteRequests } from './sent-secrets.ts';
import { eachStory } from './stories.ts';

let site: Site;
let olga: Visitor;
const pictures = process.env.DESK_PICTURES;

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
  await olga.page.getByRole('heading', { name: 'Admin' }).waitFor();
  return email;
}

test('the link of the banner leads a newcomer by way of signing up to the desk', async () => {
  const { page } = olga;
  const link = new URL((await makeOperatorLink(site.app.services)) ?? '');
  const requestsWith = noteRequests(page);
  await page.goto(link.pathname + link.hash);
  await page.getByRole('link', { name: 'Create an account' }).click();
  await fillSignUp(page, 'Olga', 'first@example.test');
  await page.getByRole('heading', { name: 'Run this server' }).waitFor();
  expect(await offences(page)).toEqual([]);
  expect(await site.app.sql('select email from auth.users where is_operator')).toEqual([]);
  await page.getByRole('button', { name: 'Become the operator' }).click();
  await page.getByRole('heading', { name: 'Admin' }).waitFor();
  expect(new URL(page.url()).hash).toBe('');
  // Neither an address nor a referrer had the secret, also on the way by signing up.
  expect(await requestsWith(link.hash.slice('#first='.length))).toEqual([]);
  // From now on the menu leads there.
  await page.goto('/app');
  await page.getByRole('button', { name: 'Olga' }).click();
  await page.getByRole('menuitem', { name: 'Admin' }).click();
  await page.getByRole('heading', { name: 'Admin' }).waitFor();
  expect(await site.app.sql('select email from auth.users where is_operator')).toEqual([
    { email: 'first@example.test' },
  ]);
});

test('a person who is no operator is told so', async () => {
  await olga.settle('Mallory');
  await olga.page.goto('/admin');
  await olga.page.getByText('This account isn’t an operator of this server.').waitFor();
  expect(await offences(olga.page)).toEqual([]);
});

test('an account is found, disabled, enabled and deleted, and the log tells it', async () => {
  const { page } = olga;
  const ada = await site.visit();
  const { email, client } = await ada.settle('Ada Lovelace');
  await client.rpc('create_project_with_defaults', { name: 'Lonely' });
  await asOperator();
  await page.getByRole('searchbox', { name: 'Address or name' }).fill('lovelace');
  const line = page.getByRole('button', { name: /Ada Lovelace/ });
  await line.waitFor();
  await expect.poll(() => page.getByRole('list', { name: 'Accounts' }).getByRole('button').count()).toBe(1);
  await picture('accounts-light');
  expect(await offences(page)).toEqual([]);
  // By keys alone.
  await line.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Ada Lovelace' });
  await dialog.getByText('Lonely (Owner)').waitFor();
  await picture('account-light');
  expect(await offences(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Disable' }).click();
  await dialog.getByText('The account is disabled and signed out everywhere.').waitFor();
  expect(
    await site.app.sql('select s.id from auth.sessions s join auth.users u on u.id = s.user_id where u.email = $1', [
      email,
    ]),
  ).toEqual([]);
  await dialog.getByRole('button', { name: 'Enable' }).click();
  await dialog.getByText('The account is open again.').waitFor();
  await dialog.getByRole('button', { name: 'Delete the account' }).click();
  await dialog.getByText('Lonely is deleted: nobody else is in it.').waitFor();
  const remove = dialog.getByRole('button', { name: 'Delete permanently' });
  expect(await remove.isDisabled()).toBe(true);
  await dialog.getByLabel(`Type ${email}`).fill(email);
  await remove.click();
  await dialog.waitFor({ state: 'hidden' });
  expect(await site.app.sql('select id from auth.users where email = $1', [email])).toEqual([]);

  await page.getByRole('button', { name: 'Log', exact: true }).click();
  await page.getByText(`Deleted ${email}`).waitFor();
  await page.getByText(`Disabled ${email}`).waitFor();
  await picture('log-light');
  expect(await offences(page)).toEqual([]);
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save as CSV' }).click(),
  ]);
  expect(file.suggestedFilename()).toBe('kanbase-operators.csv');
  await page.emulateMedia({ colorScheme: 'dark' });
  await picture('log-dark');
  expect(await offences(page, 'colours')).toEqual([]);
  await page.getByRole('button', { name: 'Accounts', exact: true }).click();
  await page.getByRole('list', { name: 'Accounts' }).waitFor();
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
  for (const part of ['state', 'accounts', 'projects', 'mail', 'log']) {
    await page.goto(`/admin/${part}`);
    await page.getByRole('heading', { name: 'Admin' }).waitFor();
    await page.waitForLoadState('networkidle');
    expect(await walk(page), part).toEqual({ missed: [], unseen: [] });
  }
  await tabTo(page, 'Accounts');
  await page.keyboard.press('Enter');
  await tabTo(page, 'Address or name');
  await page.keyboard.type('hopper');
  await expect.poll(() => page.getByRole('list', { name: 'Accounts' }).getByRole('button').count()).toBe(1);
  await tabTo(page, /Grace Hopper/);
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Grace Hopper' });
  await dialog.getByRole('button', { name: 'Disable' }).waitFor();
  await tabTo(page, 'Disable');
  await page.keyboard.press('Enter');
  await dialog.getByText('The account is disabled and signed out everywhere.').waitFor();
  expect(await site.app.sql('select banned_until > now() as banned from auth.users where email = $1', [email])).toEqual(
    [{ banned: true }],
  );
  await page.keyboard.press('Escape');
  await page.locator('main :focus', { hasText: 'Grace Hopper' }).waitFor();
  await grace.close();
});

test('the desk begins with the state of the server', async () => {
  const { page } = olga;
  await asOperator();
  await site.app.sql('delete from private.request_counts');
  // Twelve quarters of a morning that went wrong at its end, and a day before.
  await site.app.sql(`select private.count_requests(now() - n * interval '15 minutes', 500 - 4 * n, case when n < 13 then 40 else n % 4 end, case when n < 13 then 10 else 0 end)
    from generate_series(1, 95) as n`);
  await page.getByRole('button', { name: 'State', exact: true }).click();
  expect(new URL(page.url()).pathname).toBe('/admin/state');
  await page.getByRole('region', { name: 'Server' }).getByText('Kanbase', { exact: false }).first().waitFor();
  const day = page.getByRole('region', { name: 'Requests of the last day' });
  await day.getByRole('figure', { name: 'Requests' }).locator('rect').first().waitFor();
  await day.getByText('120 failed', { exact: false }).waitFor();
  await day.getByRole('figure', { name: 'Failed (5xx)' }).waitFor();
  await day.scrollIntoViewIfNeeded();
  await picture('requests-light');
  await day.getByText('As table').click();
  await day
    .getByRole('row', { name: / 492 40 10$/ })
    .first()
    .waitFor();
  await page.getByText("pg_stat_statements isn't installed", { exact: false }).waitFor();
  await page.getByRole('region', { name: 'The largest tables' }).getByText('auth.users').waitFor();
  await page.getByRole('row', { name: /^Sweep of messages/ }).waitFor();
  await page.getByText("The service doesn't back itself up", { exact: false }).first().waitFor();
  await page.getByRole('button', { name: /^All / }).click();
  await page.getByText('SMTP_URL', { exact: true }).waitFor();
  await picture('state-light');
  expect(await offences(page)).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.setViewportSize({ width: 390, height: 844 });
  await picture('state-phone-dark');
  await day.getByRole('heading', { name: 'Requests', exact: true }).scrollIntoViewIfNeeded();
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
  await page.getByRole('button', { name: 'Projects', exact: true }).last().click();
  await page.getByRole('searchbox', { name: 'Name, key or owner' }).fill('secret gar');
  await page.getByRole('button', { name: /^Secret garden/ }).click();
  const dialog = page.getByRole('dialog', { name: /^Secret garden/ });
  await dialog.getByRole('button', { name: 'Enter as operator' }).click();
  await dialog.getByLabel('Why').fill('Ada asked for help');
  await picture('project-light');
  expect(await offences(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Enter', exact: true }).click();
  await dialog.getByText("You're in the project for a day.").waitFor();
  await dialog.getByRole('link', { name: 'Open the project' }).waitFor();
  await ada.page.goto(`/app/projects/${project.id}/people`);
  const entries = ada.page.getByRole('region', { name: 'Operators of this server' });
  await entries.getByText(`${email} looked in`).waitFor();
  await entries.getByText('Ada asked for help').waitFor();
  expect(await offences(ada.page)).toEqual([]);
  if (pictures) await ada.page.screenshot({ path: `${pictures}/entered-light.png` });
  await dialog.getByRole('button', { name: 'Leave again' }).click();
  await dialog.getByText("You've left the project.").waitFor();
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: 'Email', exact: true }).click();
  await page.getByText('No mail server is set', { exact: false }).waitFor();
  await page
    .getByRole('list', { name: 'Email' })
    .getByText(/^Project visit to/)
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
  await page.getByRole('button', { name: 'Projects', exact: true }).last().click();
  await page.getByLabel('Which projects').selectOption({ label: 'Deleted' });
  const line = page.getByRole('button', { name: /^Lost garden/ });
  await line.getByText('deleted, kept until', { exact: false }).waitFor();
  await picture('deleted-projects-light');
  expect(await offences(page)).toEqual([]);
  await line.click();
  const dialog = page.getByRole('dialog', { name: /^Lost garden/ });
  await dialog.getByRole('button', { name: 'Restore' }).click();
  await dialog.getByLabel('Why').fill('Ada slipped');
  await picture('restore-light');
  expect(await offences(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Restore' }).click();
  await page.getByText('The project is restored.').waitFor();
  await dialog.waitFor({ state: 'hidden' });
  await line.waitFor({ state: 'detached' });
  await ada.page.goto(`/app/projects/${project.id}/people`);
  const entries = ada.page.getByRole('region', { name: 'Operators of this server' });
  await entries.getByText(`${email} restored the project`).waitFor();
  await entries.getByText('Ada slipped').waitFor();
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByLabel('Which projects').selectOption({ label: 'All projects' });
  await line.waitFor();
  await picture('projects-phone-dark');
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  expect(await offences(page, 'colours')).toEqual([]);
  await ada.close();
});

test('an account is made by a link, whose reader chooses a password and is in', async () => {
  const { page } = olga;
  await asOperator();
  await page.getByRole('button', { name: 'New account' }).click();
  const dialog = page.getByRole('dialog', { name: 'New account' });
  await dialog.getByLabel('Email').fill('grace@example.test');
  await dialog.getByLabel('Name').fill('Grace');
  expect(await offences(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Create account' }).click();
  const link = await dialog.getByLabel('Link', { exact: true }).inputValue();
  const grace = await site.visit();
  await grace.page.goto(link);
  await grace.page.getByLabel('New password').fill(password);
  expect(new URL(grace.page.url()).hash).toBe('');
  await grace.page.getByRole('button', { name: 'Save password' }).click();
  await grace.page.getByRole('heading', { name: 'Projects', level: 1 }).waitFor();
  await grace.close();
  // Once.
  const late = await site.visit();
  await late.page.goto(link);
  await late.page.getByText('This link has expired or was used already.').waitFor();
  await late.close();
});

test('in German, on a phone', async () => {
  const { email } = await olga.settle('Olga');
  await site.app.sql('select private.set_operator($1, true)', [email]);
  const german = await site.visit({ locale: 'de-DE', viewport: { width: 390, height: 844 } });
  await german.page.context().addCookies(await olga.page.context().cookies());
  await german.page.goto('/admin/accounts');
  await german.page.getByRole('heading', { name: 'Administration' }).waitFor();
  await german.page.getByRole('button', { name: /Olga/ }).first().click();
  await german.page.getByRole('dialog').getByText('Konten der Administration lassen sich hier nicht ändern.').waitFor();
  if (pictures) await german.page.screenshot({ path: `${pictures}/account-phone-german.png` });
  expect(await offences(german.page)).toEqual([]);
  await german.close();
});
