// List, my tasks, dashboard, search, account and the landing page, used as people use them, against the real server.
// Each test has a project and a browser of its own.

import { Secret, TOTP } from 'otpauth';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { offences } from './offences.ts';
import { news, refocus, type SampleProject, type Site, settleHarbour, startSite, type Visitor } from './pages.ts';

let site: Site;
let sample: SampleProject;
let ada: Visitor;
let projectId: string;

beforeAll(async () => {
  site = await startSite();
}, 120_000);
beforeEach(async () => {
  sample = await settleHarbour(site);
  ({ ada, projectId } = sample);
  await sample.rows(
    `insert into task_assignees (project_id, task_id, user_id)
     select t.project_id, t.id, t.created_by from tasks t where t.project_id = $1 and t.title <> 'Sweep the quay'`,
  );
  await sample.rows(
    "update tasks set due_date = current_date - 3, description = 'Mind the barnacles' where project_id = $1 and title = 'Count the ships'",
  );
});
afterEach(async () => {
  const { troubles } = ada;
  await ada.close();
  expect(troubles).toEqual([]);
});
afterAll(async () => {
  await site?.close();
});

const rows = (visitor: Visitor) => visitor.page.locator('[data-row-link]');

/** How many tasks the server has in columns of a kind, once what was done has arrived there. */
const expectIn = (kind: string, n: number): Promise<void> =>
  sample.expectRows(
    `select count(*)::int as n from tasks t join workflow_columns c on c.id = t.column_id where c.kind = '${kind}' and t.project_id = $1`,
    [{ n }],
  );

describe('the list', () => {
  test('many tasks are changed at once and come back with one undo', async () => {
    const { page } = ada;
    await page.goto(`/app/projects/${projectId}/list`);
    await rows(ada).nth(2).waitFor();
    await page.getByLabel('Select all in To do').check();
    await expect.poll(() => page.getByText('3 selected').count()).toBe(1);
    await page.getByRole('toolbar').getByRole('button', { name: 'Move to' }).click();
    await page.getByRole('option', { name: 'In progress' }).click();
    await page.getByRole('button', { name: /In progress 3/ }).waitFor();
    await expectIn('in_progress', 3);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+z');
    await page.getByRole('button', { name: /To do 3/ }).waitFor();
    await expectIn('todo', 3);
    await sample.expectRows(
      'select title from tasks where project_id = $1 order by order_rank',
      ['Paint the crane', 'Count the ships', 'Sweep the quay'].map((title) => ({ title })),
    );
  });

  test('many of which one may not be changed: none is, and the message names the one', async () => {
    const { page } = ada;
    await sample.rows(
      `insert into task_dependencies (project_id, predecessor_id, successor_id)
       select $1, a.id, b.id from tasks a, tasks b where a.project_id = $1 and b.project_id = $1 and a.number = 1 and b.number = 3`,
    );
    await page.goto(`/app/projects/${projectId}/list`);
    for (const number of [2, 3]) await page.getByLabel(`Select HAR-${number}`).check();
    await page.getByRole('toolbar').getByRole('button', { name: 'Move to' }).click();
    await page.getByRole('option', { name: 'Done' }).click();
    await news(page).getByText('Taken back: Moved 2 tasks to Done').waitFor();
    await news(page).getByText('HAR-3: It waits for HAR-1').waitFor();
    await page.getByRole('button', { name: /To do 3/ }).waitFor();
    await expectIn('todo', 3);
  });

  test('keys move through the rows, select and rename; the address keeps the grouping', async () => {
    const { page } = ada;
    await page.goto(`/app/projects/${projectId}/list`);
    await rows(ada).nth(2).waitFor();
    await rows(ada).first().focus();
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Count the ships');
    await page.keyboard.press('x');
    await page.getByText('1 selected').waitFor();
    await page.keyboard.press('Shift+ArrowDown');
    await page.getByText('2 selected').waitFor();
    await page.keyboard.press('e');
    await page.getByRole('textbox', { name: /^Title of/ }).fill('Sweep the whole quay');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Sweep the whole quay' }).waitFor();
    await sample.expectRows("select number from tasks where project_id = $1 and title = 'Sweep the whole quay'", [
      { number: 3 },
    ]);
    // A tick is not typing; and the focus goes with a row that its new title puts elsewhere.
    await page.getByLabel('Select HAR-1').focus();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('toolbar').count()).toBe(0);
    await page.goto(`/app/projects/${projectId}/list?sort=title`);
    await page.getByRole('link', { name: 'Paint the crane' }).focus();
    await page.keyboard.press('e');
    await page.getByRole('textbox', { name: /^Title of/ }).fill('A crane to paint');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('A crane to paint');
    await page.keyboard.press('Control+z');
    await page.getByRole('link', { name: 'Paint the crane' }).waitFor();
    await page.getByRole('button', { name: /^Group/ }).click();
    await page.getByRole('menuitemradio', { name: 'Assignee' }).click();
    await page.getByRole('button', { name: /Ada Lovelace 2/ }).waitFor();
    expect(page.url()).toContain('group=assignee');
  });
});

test('my tasks stand by the day they are due, and one press finishes one', async () => {
  const { page } = ada;
  await page.goto('/app/my-tasks');
  await page
    .getByRole('region', { name: /Overdue/ })
    .getByText('Count the ships')
    .waitFor();
  await page
    .getByRole('region', { name: /No date/ })
    .getByText('Paint the crane')
    .waitFor();
  await page.getByRole('button', { name: /^Mark .*-1 as done/ }).click();
  await expect.poll(() => page.getByText('Paint the crane', { exact: true }).count()).toBe(0);
  await page.getByText('1 open task').waitFor();
});

test('what is due today is overdue tomorrow, also on a page that stays open', async () => {
  await sample.rows(
    'insert into task_assignees (project_id, task_id, user_id) select project_id, id, created_by from tasks where project_id = $1 and number = 3',
  );
  await sample.rows('update tasks set due_date = current_date where project_id = $1 and number = 3');
  const page = await ada.page.context().newPage();
  await page.goto('/app/my-tasks');
  await page
    .getByRole('region', { name: /^Today/ })
    .getByText('quay')
    .waitFor();
  await page.clock.setFixedTime(Date.now() + 86_400_000);
  await refocus(page);
  await page
    .getByRole('region', { name: /^Overdue/ })
    .getByText('quay')
    .waitFor();
  await page.close();
});

test('every figure of the dashboard can be read as a table', async () => {
  const { page } = ada;
  await page.goto('/app/dashboard');
  await page.locator('.recharts-surface').first().waitFor();
  const switches = page.getByRole('button', { name: /As table/ });
  await switches.first().waitFor();
  while ((await switches.count()) > 0) await switches.first().click();
  await page
    .getByRole('region', { name: 'Cumulative flow' })
    .getByRole('columnheader', { name: 'In progress' })
    .waitFor();
  await page.getByRole('region', { name: 'By assignee' }).getByRole('rowheader', { name: 'Ada Lovelace' }).waitFor();
  await page.goto(`/app/projects/${projectId}/dashboard`);
  await page.getByRole('heading', { name: 'By column' }).waitFor();
  expect(await offences(page)).toEqual([]);
});

test('charts stand at once, also where nobody asks for less motion', async () => {
  const guest = await site.visit({
    reducedMotion: 'no-preference',
    storageState: await ada.page.context().storageState(),
  });
  const { page } = guest;
  await page.goto('/app');
  await page.getByRole('heading', { name: 'Projects', level: 1 }).waitFor();
  // How large each bar, each area and what areas are cut by is in every picture that is drawn.
  await page.evaluate(() => {
    const sizes = new Map<Element, { kind: string; least: number; most: number }>();
    let calm = 0;
    const look = (): void => {
      calm++;
      const parts = 'figure svg :is(.recharts-bar-rectangle path, .recharts-area-area, clipPath rect)';
      for (const one of document.querySelectorAll<SVGGraphicsElement>(parts)) {
        const box = one.getBBox();
        const size = box.width * box.height;
        const seen = sizes.get(one);
        if (seen === undefined) calm = 0;
        const { least = size, most = size } = seen ?? {};
        const kind = one.closest('.recharts-bar') ? 'bar' : one instanceof SVGRectElement ? 'clip' : 'area';
        sizes.set(one, { kind, least: Math.min(least, size), most: Math.max(most, size) });
      }
      requestAnimationFrame(look);
    };
    look();
    Object.assign(window, { drawnSizes: () => ({ calm, sizes: [...sizes.values()] }) });
  });
  type Drawn = { calm: number; sizes: { kind: string; least: number; most: number }[] };
  const drawn = () => page.evaluate(() => (window as unknown as { drawnSizes: () => Drawn }).drawnSizes());
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Dashboard' }).click();
  await page.locator('.recharts-surface').nth(2).waitFor();
  // Longer than any of the library's own motions.
  await expect.poll(async () => (await drawn()).calm).toBeGreaterThan(120);
  const { sizes } = await drawn();
  expect(new Set(sizes.filter(({ most }) => most > 0).map(({ kind }) => kind))).toEqual(
    new Set(['area', 'bar', 'clip']),
  );
  expect(sizes.filter(({ least, most }) => least < 0.9 * most)).toEqual([]);
  await guest.close();
});

test('the palette finds titles here, words on the server, and runs commands', async () => {
  const { page } = ada;
  await page.goto(`/app/projects/${projectId}/list`);
  await rows(ada).first().waitFor();
  await page.keyboard.press('Control+k');
  const field = page.getByRole('combobox');
  await field.fill('ships');
  await page.getByRole('option', { name: /Count the ships/ }).waitFor();
  await field.fill('barnacles');
  await page.getByRole('option', { name: /Count the ships.*in its text/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/board\/2$/);
  await page.goto('/app');
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('my tasks');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/my-tasks$/);
});

describe('the account', () => {
  test('a new name shows everywhere, and a theme is kept', async () => {
    const { page } = ada;
    await page.goto('/app/account');
    await page.getByLabel('Display name').fill('Ada King');
    await page.getByRole('button', { name: 'Save profile' }).click();
    await page.getByRole('button', { name: 'Ada King' }).waitFor();
    await page.getByText('Dark', { exact: true }).click();
    await page.reload();
    await page.getByRole('heading', { name: 'Account', exact: true }).waitFor();
    expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe('dark');
  });

  test('a password that is too short is shown beside the field, a good one is taken', async () => {
    const { page } = ada;
    await page.goto('/app/account');
    await page.getByLabel('New password').fill('abc');
    await page.getByRole('button', { name: 'Change password' }).click();
    await page
      .getByRole('alert')
      .getByText(/at least 6 characters/i)
      .waitFor();
    await page.getByLabel('New password').fill('a much better battery');
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('Your password is changed.').waitFor();
  });

  test('a second factor is set up with the code of an authenticator', async () => {
    const { page } = ada;
    await page.goto('/app/account');
    await page.getByRole('button', { name: 'Set up' }).click();
    await page.getByRole('img', { name: /QR code/ }).waitFor();
    const secret = (await page.locator('code').innerText()).replaceAll(' ', '');
    await page.getByLabel(/^Code from/).fill(new TOTP({ secret: Secret.fromBase32(secret) }).generate());
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByText('The second factor is set up.').waitFor();
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('The second factor is removed.').waitFor();
  });
});

test('the landing page takes an address, and says what is wrong with a bad one', async () => {
  const guest = await site.visit();
  const { page } = guest;
  await page.goto('/');
  await page.getByRole('button', { name: 'Keep me posted' }).click();
  await page.getByText(/Enter an e-mail address/).waitFor();
  await page.getByLabel('E-mail address').fill('grace@example.com');
  await page.getByRole('button', { name: 'Keep me posted' }).click();
  await page.getByText(/Thank you/).waitFor();
  expect(await site.app.sql('select email, source from private.leads')).toEqual([
    { email: 'grace@example.com', source: 'landing' },
  ]);
  expect(await page.locator('meta[property="og:image"]').getAttribute('content')).toBe(`${site.app.url}/social.png`);
  expect(await page.locator('#prices').isVisible()).toBe(false);
  expect(guest.troubles).toEqual([]);
  await guest.close();
});
