// Screens of keys, apps, agents, webhooks and claims.

import { app, button, dialog, inRegion, region } from './waiting.mjs';

const regions = {
  keys: 'Keys for programs',
  agents: 'Agents',
  apps: 'Connected apps',
  hooks: 'Webhooks',
};

const session = app('/projects/:release/agents?session=:planned');

export const programScreens = {
  keys: { path: app('/account'), there: inRegion(regions.keys, 2), part: region(regions.keys) },
  agents: {
    path: app('/account'),
    there: async (page) => {
      const agents = region(regions.agents)(page);
      await agents.getByRole('button', { name: 'Copy' }).waitFor();
      await agents.evaluate((one) => one.scrollIntoView({ block: 'center' }));
    },
    part: region(regions.agents),
  },
  'agent-session': {
    path: session,
    there: (page) => region('Changes')(page).getByRole('listitem').nth(6).waitFor(),
    part: (page) => page.locator('[data-session-body]'),
    height: 1250,
  },
  'agent-proposals': {
    path: app('/projects/:release/board/:proposed'),
    there: async (page) => {
      const proposals = region('Proposals')(page);
      await proposals.getByRole('button', { name: 'Accept all 2' }).waitFor();
      await proposals.evaluate((one) => one.scrollIntoView({ block: 'end' }));
    },
    part: region('Proposals'),
    height: 1250,
  },
  'agent-undo': {
    path: session,
    there: async (page) => {
      await page.getByRole('button', { name: 'Undo session…' }).click();
      await dialog(page)
        .getByRole('region', { name: / stays?$/ })
        .waitFor();
    },
    part: dialog,
  },
  consent: { path: ':consent', there: button('Allow') },
  'connected-apps': {
    path: app('/account'),
    before: async (page, places) => {
      await page.route('https://planner.example/**', (route) => route.fulfill({ body: 'Thank you' }));
      await page.goto(places[':consent']);
      await page.getByRole('button', { name: 'Allow', exact: true }).click();
      await page.waitForURL('https://planner.example/**');
    },
    there: inRegion(regions.apps, 1),
    part: region(regions.apps),
  },
  'service-accounts': {
    path: app('/projects/:shared/settings'),
    there: async (page) => {
      await page.getByRole('button', { name: 'Keys and clients of Release bot' }).click();
      await dialog(page).getByText('Release notes').waitFor();
    },
    part: dialog,
  },
  webhooks: { path: app('/projects/:shared/settings'), there: inRegion(regions.hooks, 2), part: region(regions.hooks) },
  deliveries: {
    path: app('/projects/:shared/settings'),
    there: async (page) => {
      const hook = page.getByRole('listitem').filter({ hasText: 'warehouse.example.com' });
      await hook.getByRole('button', { name: 'Deliveries' }).click();
      await dialog(page).locator('summary').first().click();
      await dialog(page).getByText('"type"').waitFor();
    },
    part: dialog,
  },
  claim: {
    path: app('/projects/:shared/board/:claimed'),
    there: async (page) => {
      await page.locator('[data-task-id] [data-claim]').first().waitFor({ state: 'attached' });
      await page.getByRole('complementary', { name: /^Task/ }).locator('[data-claim]').waitFor();
    },
    part: (page) => page.getByRole('complementary', { name: /^Task/ }),
    height: 640,
  },
  'claimed-cards': {
    path: app('/projects/:shared/board'),
    there: (page) => page.locator('[data-task-id] [data-claim]').first().waitFor(),
  },
};
