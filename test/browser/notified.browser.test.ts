// Notifications by inbox, email and push message: one person mentions another, who answers.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { startPush } from '../../server/background/push/start-push.ts';
import { makeBrowser, startPushService } from '../background/push/push-service.ts';
import type { AppOptions } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { openWholeBrowser } from '../helpers/open-browser.ts';
import { type MailedApp, startMailedApp } from '../identity/mailed-app.ts';
import { openHarbour, type Site, startSite } from './pages.ts';
import { t } from './words.ts';

let site: Site<MailedApp>;
let push: Awaited<ReturnType<typeof startPush>>;
const service = forSuite(startPushService);
beforeAll(async () => {
  const settings = { PUSH_SERVICES: service.host, AUTH_AUTOCONFIRM: 'true' };
  site = await startSite(settings, (options: AppOptions) => startMailedApp(options), openWholeBrowser);
  push = await startPush(site.app.services);
});
afterAll(async () => {
  await push?.stop();
  await site?.close();
});

test('a mention is in the inbox, in the mail and on the lock screen, and the answer comes back', async () => {
  const sample = await openHarbour(site, undefined, { serviceWorkers: 'allow' });
  const { page, troubles } = sample.ada;
  const bob = await site.visit();
  const bobs = await bob.settle('Bob Byron');
  await sample.join(bobs.email, 'editor');

  // Ada's browser takes push messages; the push service of a real one is out of reach here, its keys are not.
  const browser = makeBrowser();
  await page.context().grantPermissions(['notifications', 'clipboard-read', 'clipboard-write']);
  await page.addInitScript(
    ({ endpoint, keys }) => {
      PushManager.prototype.subscribe = async () =>
        ({
          endpoint,
          toJSON: () => ({ endpoint, keys }),
          unsubscribe: async () => true,
        }) as unknown as PushSubscription;
    },
    { endpoint: `http://${service.host}/ada`, keys: { p256dh: browser.p256dh, auth: browser.auth } },
  );
  await page.goto('/app/account');
  const section = page.getByRole('region', { name: t('common.news') });
  await section.getByRole('button', { name: t('notificationSettings.pushOn') }).click();
  await section.getByText(t('notificationSettings.pushStates.on')).waitFor();
  await sample.expectRows('select count(*)::int as n from push_subscriptions', [{ n: 1 }]);
  // What she hears of is hers to choose, here for one project.
  await section.getByLabel(t('property.project'), { exact: true }).selectOption('Harbour');
  await section
    .getByLabel(t('notificationSettings.emailOf', { kind: t('notificationSettings.kinds.commented') }))
    .selectOption(t('notificationSettings.emailChoices.daily'));
  await section
    .getByLabel(t('notificationSettings.pushOf', { kind: t('notificationSettings.kinds.commented') }))
    .uncheck();
  await sample.expectRows('select kind, inbox, mail, push from notification_settings where project_id = $1', [
    { kind: 'commented', inbox: true, mail: 'daily', push: false },
  ]);

  // Bob writes, by his own page.
  await bob.page.goto(`/app/projects/${sample.projectId}/board/1`);
  const field = bob.page.getByRole('textbox', { name: t('task.comment') });
  await field.fill('Which colour, @Ada Lovelace?');
  await field.press('Control+Enter');

  const { body } = await service.next('/ada');
  expect(browser.open(body)).toMatchObject({
    title: 'HAR-1 Paint the crane',
    body: t('push.mentioned', { who: 'Bob Byron', excerpt: 'Which colour, @Ada Lovelace?' }),
    url: `/app/inbox/${sample.projectId}/1`,
    unread: 1,
  });

  await site.app.sql(`update private.notification_deliveries set due_at = now() where way = 'mail'`);
  await site.app.sql('select private.compose_notification_mails()');
  const mail = await site.app.post.next(sample.adaMail);
  expect(mail.subject).toBe('HAR-1 Paint the crane');
  expect(mail.text).toContain('Bob Byron mentioned you.\n> Which colour, @Ada Lovelace?');

  await page.goto(`/app/inbox/${sample.projectId}/1`);
  await page.locator('[data-entry]', { hasText: t('inbox.lines.mentioned', { who: 'Bob Byron' }) }).waitFor();
  const answer = page.getByRole('textbox', { name: t('task.comment') });
  await answer.fill('Red, I think');
  await answer.press('Control+Enter');

  await bob.page.goto('/app/inbox');
  await bob.page
    .locator('[data-entry]', { hasText: t('inbox.lines.commented', { who: 'Ada Lovelace' }) })
    .getByText('Red, I think')
    .waitFor();
  expect([...troubles, ...bob.troubles]).toEqual([]);
  await bob.close();
  await sample.ada.close();
});
