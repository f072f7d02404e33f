// Webhooks in the settings of a project: an owner adds one, copies its secret, tests it, reads payload and answer, sends again, replaces the secret,
// turns it off and removes it; on a phone and in the dark.

import { mkdirSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startOutbox } from '../../server/outbox/start-outbox.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { openReceiver, type Received, type Receiver } from '../outbox/receiver.ts';
import { offences } from './accessibility.ts';
import { settleHarbour, startSite } from './pages.ts';
import { t } from './words.ts';

/** Where to put pictures of what was looked at. */
const pictures = process.env.KANBASE_PICTURES;

const sample = forSuite(
  async () => settleHarbour(await startSite({ WEBHOOKS_ALLOWED_NETWORKS: 'loopback' }), ['Paint the crane']),
  (sample) => sample.site.close(),
);
let receiver: Receiver;
let outbox: { stop(): Promise<void> };
beforeAll(async () => {
  receiver = await openReceiver();
  receiver.answer = (_one, response) => void response.writeHead(200).end('thank you');
  outbox = await startOutbox(sample.site.app.services);
});
afterAll(async () => {
  await outbox.stop();
  await receiver.close();
});

async function picture(page: Page, name: string): Promise<void> {
  if (pictures === undefined) return;
  mkdirSync(pictures, { recursive: true });
  await page.screenshot({ path: `${pictures}/webhooks-${name}.png` });
}

const headersOf = ({ headers }: Received) => headers as Record<string, string>;

test('an owner adds a webhook, tests it, sees what was said and removes it', async () => {
  const { page } = sample.ada;
  await page.goto(`/app/projects/${sample.projectId}/settings`);
  const section = page.getByRole('region', { name: t('webhooks.title') });
  await section.getByRole('button', { name: t('webhooks.add') }).click();
  const form = page.getByRole('dialog', { name: t('webhooks.add') });
  await form.getByRole('textbox', { name: t('common.name') }).fill('Harbour bell');
  await form.getByRole('textbox', { name: t('webhooks.url') }).fill(`${receiver.url}/bell`);
  expect(await offences(page)).toEqual([]);
  await picture(page, 'form');
  await form.getByRole('button', { name: t('webhooks.add') }).click();
  const secret = await form.getByRole('textbox', { name: t('webhooks.secret') }).inputValue();
  expect(secret).toMatch(/^whsec_/);
  await picture(page, 'secret');
  await form
    .getByRole('button', { name: t('common.close') })
    .last()
    .click();

  const { error } = await sample.client.from('tasks').insert({ project_id: sample.projectId, title: 'Ring the bell' });
  expect(error).toBeNull();
  const [sent] = (await receiver.until(1)) as [Received];
  new Webhook(secret).verify(sent.body, headersOf(sent));

  await section.getByText('Harbour bell').waitFor();
  await picture(page, 'list');
  await section.getByRole('button', { name: t('webhooks.deliveries') }).click();
  const deliveries = page.getByRole('dialog', { name: t('webhooks.deliveriesOf', { name: 'Harbour bell' }) });
  await deliveries.getByRole('button', { name: t('webhooks.test') }).click();
  await receiver.until(2);
  const created = deliveries.getByRole('listitem').filter({ hasText: 'task.created' });
  await created.getByText(t('webhooks.states.delivered')).waitFor();
  await created.getByText('task.created', { exact: true }).click();
  await created.getByText('"title": "Ring the bell"').waitFor();
  await created.getByText('thank you').waitFor();
  expect(await offences(page)).toEqual([]);
  await picture(page, 'deliveries');
  await page.emulateMedia({ colorScheme: 'dark' });
  await picture(page, 'deliveries-dark');
  await page.setViewportSize({ width: 390, height: 800 });
  expect(await offences(page)).toEqual([]);
  await picture(page, 'deliveries-phone');
  await page.emulateMedia({ colorScheme: 'light' });
  await created.getByRole('button', { name: t('webhooks.again') }).click();
  const again = (await receiver.until(3)).at(2) as Received;
  expect(again.headers['webhook-id']).toBe(sent.headers['webhook-id']);
  await page.keyboard.press('Escape');
  await section.getByText('Harbour bell').scrollIntoViewIfNeeded();
  await picture(page, 'list-phone');
  await page.setViewportSize({ width: 1280, height: 800 });

  await section.getByRole('button', { name: t('common.edit') }).click();
  const edit = page.getByRole('dialog', { name: 'Harbour bell' });
  await edit.getByRole('button', { name: t('webhooks.rotate') }).click();
  const next = await edit.getByRole('textbox', { name: t('webhooks.secret') }).inputValue();
  expect(next).not.toBe(secret);
  await edit
    .getByRole('button', { name: t('common.close') })
    .last()
    .click();

  await section.getByRole('button', { name: t('webhooks.turnOff') }).click();
  await section.getByText(t('webhooks.off.owner'), { exact: true }).waitFor();
  await section.getByRole('button', { name: t('webhooks.turnOn') }).click();
  await section.getByRole('button', { name: t('webhooks.turnOff') }).waitFor();
  const remove = async () => {
    await section.getByRole('button', { name: t('webhooks.remove') }).click();
    await page
      .getByRole('dialog', { name: t('webhooks.removeTitle', { name: 'Harbour bell' }) })
      .getByRole('button', { name: t('webhooks.remove') })
      .click();
    await section.getByText('Harbour bell').waitFor({ state: 'detached' });
  };
  await remove();
  await page.getByText(t('webhooks.removed', { name: 'Harbour bell' })).waitFor();
  await picture(page, 'removed');
  await page.getByRole('button', { name: t('common.undo') }).click();
  await section.getByText('Harbour bell').waitFor();
  await section.getByRole('button', { name: t('webhooks.deliveries') }).click();
  await page.getByText(t('webhooks.states.delivered')).first().waitFor();
  await page.keyboard.press('Escape');
  await remove();
  expect(await sample.rows('select 1 from webhooks where project_id = $1')).toEqual([]);
});
