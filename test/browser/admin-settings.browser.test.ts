// Settings on the admin pages in a browser: changes hold for the next visitor, values of the environment are locked, and an invalid value is refused
// with an example of a valid one.

import { expect, test } from 'vitest';
import { offences } from './accessibility.ts';
import type { Site, Visitor } from './pages.ts';
import { eachStory } from './stories.ts';
import { saying, t } from './words.ts';

let site: Site;
let olga: Visitor;
const pictures = process.env.ADMIN_PICTURES;

eachStory(async (opened) => {
  site = opened;
  olga = await site.visit();
  return [olga];
});

test('the sign-up policy is changed and reset, and an invalid backup schedule is refused', async () => {
  const { page } = olga;
  const { email } = await olga.settle('Olga Operator');
  await site.app.sql('select private.set_operator($1, true)', [email]);
  await page.goto('/admin');
  const section = page.getByRole('region', { name: t('admin.change.title') });
  const policy = section.getByLabel(t('admin.change.names.AUTH_SIGN_UP'));
  await policy.waitFor();
  if (pictures) {
    for (const scheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: scheme });
      await section.screenshot({ path: `${pictures}/settings-${scheme}.png` });
    }
    const size = page.viewportSize();
    await page.setViewportSize({ width: 390, height: 844 });
    await section.screenshot({ path: `${pictures}/settings-phone.png` });
    if (size !== null) await page.setViewportSize(size);
  }
  expect(await offences(page)).toEqual([]);
  const line = (label: string) => section.getByRole('listitem').filter({ has: page.getByLabel(label) });
  await policy.selectOption({ label: t('common.nobody') });
  await line(t('admin.change.names.AUTH_SIGN_UP'))
    .getByRole('button', { name: t('common.save') })
    .click();
  await expect.poll(() => site.app.services.config.identity.signUp).toBe('off');
  await line(t('admin.change.names.AUTH_SIGN_UP'))
    .getByRole('button', { name: saying('common.reset') })
    .click();
  await expect.poll(() => site.app.services.config.identity.signUp).toBe('open');
  const schedule = section.getByLabel(t('admin.change.names.BACKUP_SCHEDULE'));
  await schedule.fill('nightly');
  await line(t('admin.change.names.BACKUP_SCHEDULE'))
    .getByRole('button', { name: t('common.save') })
    .click();
  await section.getByText(t('admin.change.faults.BACKUP_SCHEDULE')).waitFor();
  await schedule.fill('0 3 * * *');
  await line(t('admin.change.names.BACKUP_SCHEDULE'))
    .getByRole('button', { name: t('common.save') })
    .click();
  await expect.poll(() => site.app.services.config.backup.schedule).toBe('0 3 * * *');
  await line(t('admin.change.names.BACKUP_SCHEDULE'))
    .getByRole('button', { name: saying('common.reset') })
    .click();
  await expect.poll(() => site.app.services.config.backup.schedule).toBeNull();
});
