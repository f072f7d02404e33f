// Account page: name, theme, password, two-factor authentication. Each test has a project and a browser of its own.

import { readFileSync } from 'node:fs';
import { Secret, TOTP } from 'otpauth';
import { expect, test } from 'vitest';
import { fillSignIn, settleHarbour, type Visitor } from './pages.ts';
import { eachStory } from './stories.ts';
import { t } from './words.ts';

let ada: Visitor;
let adaMail: string;

eachStory(async (site) => {
  ({ ada, adaMail } = await settleHarbour(site));
  return [ada];
});

test('a new name shows everywhere, and a theme is kept', async () => {
  const { page } = ada;
  await page.goto('/app/account');
  await page.getByLabel(t('account.name')).fill('Ada King');
  await page.getByRole('button', { name: t('account.saveProfile') }).click();
  await page.getByRole('button', { name: 'Ada King' }).waitFor();
  await page.getByText(t('common.themes.dark'), { exact: true }).click();
  await page.reload();
  await page.getByRole('heading', { name: t('common.nav.account'), exact: true }).waitFor();
  expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe('dark');
});

test('a password that is too short is shown beside the field, a good one is taken', async () => {
  const { page } = ada;
  await page.goto('/app/account');
  await page.getByLabel(t('common.newPassword')).fill('abc');
  await page.getByRole('button', { name: t('account.changePassword') }).click();
  await page
    .getByRole('alert')
    .getByText(t('signIn.passwordHint', { n: 6 }))
    .waitFor();
  await page.getByLabel(t('common.newPassword')).fill('a much better battery');
  await page.getByRole('button', { name: t('account.changePassword') }).click();
  await page.getByText(t('account.passwordDone')).waitFor();
});

test('a second factor is set up with the code of an authenticator', async () => {
  const { page } = ada;
  await page.goto('/app/account');
  await page.getByRole('button', { name: t('account.enrol') }).click();
  await page.getByRole('img', { name: t('account.qr') }).waitFor();
  const secret = (await page.locator('code').innerText()).replaceAll(' ', '');
  await page.getByLabel(t('signIn.code')).fill(new TOTP({ secret: Secret.fromBase32(secret) }).generate());
  await page.getByRole('button', { name: t('account.confirm') }).click();
  await page.getByText(t('account.factorDone')).waitFor();
  await page.getByRole('button', { name: t('account.removeFactor'), exact: true }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('account.removeFactor') })
    .click();
  await page.getByText(t('account.factorRemoved')).waitFor();
});

test('recovery codes are shown once, sign in without the app, and are replaced', async () => {
  const { page } = ada;
  await page.goto('/app/account');
  await page.getByRole('button', { name: t('account.enrol') }).click();
  const secret = (await page.locator('code').innerText()).replaceAll(' ', '');
  await page.getByLabel(t('signIn.code')).fill(new TOTP({ secret: Secret.fromBase32(secret) }).generate());
  await page.getByRole('button', { name: t('account.confirm') }).click();
  await page.getByText(t('recovery.none')).waitFor();
  await page.getByRole('button', { name: t('recovery.make') }).click();
  const list = page.getByRole('list', { name: t('recovery.title') });
  await list.waitFor();
  const codes = await list.getByRole('listitem').allInnerTexts();
  expect(codes.length).toBe(10);
  for (const code of codes) expect(code).toMatch(/^[2-9a-z]{4}(-[2-9a-z]{4}){3}$/);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: t('common.download'), exact: true }).click();
  const file = await (await download).path();
  expect(readFileSync(file, 'utf8')).toContain(codes.join('\n'));
  await page.evaluate(() => {
    const append = document.body.append.bind(document.body);
    document.body.append = (frame) => {
      append(frame);
      const view = frame instanceof HTMLIFrameElement ? frame.contentWindow : null;
      if (view) view.print = () => document.body.setAttribute('data-printed', view.document.body.innerText);
    };
  });
  await page.getByRole('button', { name: t('recovery.print') }).click();
  expect(await page.locator('body').getAttribute('data-printed')).toContain(codes[9]);
  await page.getByRole('button', { name: t('recovery.saved') }).click();
  await list.waitFor({ state: 'detached' });
  // This browser never said that it had printed.
  await page.locator('iframe').waitFor({ state: 'detached' });

  await page.getByRole('button', { name: t('account.signOut') }).click();
  await page.getByRole('heading', { name: t('common.signIn') }).waitFor();
  await fillSignIn(page, adaMail);
  await page.getByRole('button', { name: t('recovery.use') }).click();
  await page.getByLabel(t('recovery.code')).fill('none of them');
  await page.getByRole('button', { name: t('common.continue') }).click();
  await page.getByRole('alert').getByText(t('recovery.wrong')).waitFor();
  await page.getByLabel(t('recovery.code')).fill((codes[0] ?? '').toUpperCase());
  await page.getByRole('button', { name: t('common.continue') }).click();
  await page.waitForURL(/\/app/);
  await page.goto('/app/account');
  await page.getByText(t('recovery.left', { n: 9, all: 10 })).waitFor();
  await page.route('**/factors/recovery-codes', (route) => route.abort());
  await page.getByRole('button', { name: t('recovery.replace') }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('recovery.replace') })
    .click();
  await list.waitFor();
  expect(await list.getByRole('listitem').allInnerTexts()).not.toContain(codes[1]);
  await page.getByText(t('recovery.left', { n: 10, all: 10 })).waitFor();
});

test('a part that is brought into view scrolls the page and nothing around it', async () => {
  const { page } = ada;
  await page.setViewportSize({ width: 390, height: 700 });
  await page.goto('/app/account');
  const keys = page.getByRole('region', { name: t('keys.title') });
  await keys.getByRole('button', { name: t('keys.make') }).waitFor();
  await page
    .getByRole('main')
    .getByRole('region')
    .last()
    .evaluate((last) => last.scrollIntoView({ block: 'start' }));
  const around = await page.getByRole('main').evaluate((main) => {
    const tops: number[] = [];
    for (let one = main.parentElement; one !== null; one = one.parentElement) tops.push(one.scrollTop);
    return tops;
  });
  expect(around.filter((top) => top !== 0)).toEqual([]);
});
