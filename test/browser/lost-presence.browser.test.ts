// Presence of people whose connection breaks off: a closed lid, a crashed browser, a private window. They disappear for others, and see all changes
// when they return.

import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Laptop, openLaptop } from '../helpers/open-browser.ts';
import {
  cardOf,
  makeHarbour,
  type SampleProject,
  type Settled,
  type Site,
  startSite,
  type Visitor,
  whenLive,
} from './pages.ts';

let site: Site;
let ada: Visitor;
let adaSettled: Settled;
let sample: SampleProject;
let laptop: Laptop;
let bob: Visitor;

beforeAll(async () => {
  // Ten seconds where nobody sets it: whoever is silent is gone after twice that at most.
  site = await startSite({ REALTIME_PING_SECONDS: '1' });
  ada = await site.visit();
  adaSettled = await ada.settle('Ada Lovelace');
}, 120_000);
/** A project with Ada at its board, and Bob, who has come with a laptop of his own. */
beforeEach(async () => {
  [sample, laptop] = await Promise.all([makeHarbour(site, ada, adaSettled), openLaptop()]);
  // Every context is a private window.
  bob = await site.visit({}, laptop.browser);
  await sample.join((await bob.settle('Bob Babbage')).email, 'editor');
  await Promise.all([sample.openBoard(ada.page), sample.openBoard(bob.page)]);
  await whenLive(bob.page);
  await face(ada.page).waitFor();
});
afterEach(async () => {
  await laptop?.close();
});
afterAll(async () => {
  await site?.close();
  expect(ada.troubles).toEqual([]);
});

const face = (page: Page) => page.locator('header [data-present]');
const onCard = (title: string) =>
  cardOf(ada.page, title).locator('[data-others]').getByText('Bob Babbage', { exact: true });

test('a closed lid takes the face and the name on the card along, and an opened one brings them back', async () => {
  await cardOf(bob.page, 'Paint the crane').click();
  await onCard('Paint the crane').waitFor();
  laptop.closeLid();
  await face(ada.page).waitFor({ state: 'detached' });
  await onCard('Paint the crane').waitFor({ state: 'detached' });
  await sample.rows("update tasks set title = 'Count all ships' where project_id = $1 and title = 'Count the ships'");
  laptop.openLid();
  await face(ada.page).waitFor();
  await onCard('Paint the crane').waitFor();
  await cardOf(bob.page, 'Count all ships').waitFor();
  await whenLive(bob.page);
});

test('a private window that is closed is gone', async () => {
  await bob.close();
  await face(ada.page).waitFor({ state: 'detached' });
});

test('a browser that crashes is gone', async () => {
  laptop.crash();
  await face(ada.page).waitFor({ state: 'detached' });
});
