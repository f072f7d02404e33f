// Who goes without a word is gone for the others: a closed lid, a browser that crashes, a private window that is closed. And
// whoever comes back sees what happened meanwhile.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Laptop, openLaptop } from '../helpers/open-browser.ts';
import { cardOf, openHarbour, type SampleProject, startSite, type Visitor, whenLive } from './pages.ts';

let sample: SampleProject;
let laptop: Laptop;
let bob: Visitor;

beforeAll(async () => {
  // Ten seconds where nobody sets it: whoever is silent is gone after twice that at most.
  const [site, opened] = await Promise.all([startSite({ REALTIME_PING_SECONDS: '1' }), openLaptop()]);
  laptop = opened;
  sample = await openHarbour(site);
  // Every context is a private window.
  bob = await site.visit({}, laptop.browser);
  await sample.join((await bob.settle('Bob Babbage')).email, 'editor');
  await come(bob.page);
}, 120_000);
afterAll(async () => {
  await laptop?.close();
  await sample?.site.close();
});

const face = (page: Page) => page.locator('header [data-present]');
const onCard = (title: string) =>
  cardOf(sample.ada.page, title).locator('[data-others]').getByText('Bob Babbage', { exact: true });

async function come(page: Page): Promise<void> {
  await sample.openBoard(page);
  await whenLive(page);
  await face(sample.ada.page).waitFor();
}

test('a closed lid takes the face and the name on the card along, and an opened one brings them back', async () => {
  await cardOf(bob.page, 'Paint the crane').click();
  await onCard('Paint the crane').waitFor();
  laptop.closeLid();
  await face(sample.ada.page).waitFor({ state: 'detached' });
  await onCard('Paint the crane').waitFor({ state: 'detached' });
  await sample.rows("update tasks set title = 'Count all ships' where project_id = $1 and title = 'Count the ships'");
  laptop.openLid();
  await face(sample.ada.page).waitFor();
  await onCard('Paint the crane').waitFor();
  await cardOf(bob.page, 'Count all ships').waitFor();
  await whenLive(bob.page);
});

test('a private window that is closed is gone', async () => {
  await bob.close();
  await face(sample.ada.page).waitFor({ state: 'detached' });
});

test('a browser that crashes is gone', async () => {
  const eve = await sample.site.visit({}, laptop.browser);
  await sample.join((await eve.settle('Eve Viewer')).email, 'viewer');
  await come(eve.page);
  laptop.crash();
  await face(sample.ada.page).waitFor({ state: 'detached' });
  expect(sample.ada.troubles).toEqual([]);
});
