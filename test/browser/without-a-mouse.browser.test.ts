// Screens by keys alone: everything on them is reached by Tab and shows that it is, and what one does there is done so. Boards, lists
// and the inbox have keys of their own (keys.browser.test.ts, inbox.browser.test.ts).

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { offences } from './offences.ts';
import { openSampleProject, type SampleProject } from './pages.ts';

let sample: SampleProject;
let page: Page;
let bobId: string;
let viewId = '';

beforeAll(async () => {
  sample = await openSampleProject();
  ({ page } = sample.ada);
  await sample.rows("update tasks set archived_at = now() where project_id = $1 and title = 'Sweep the quay'");
  const bob = await sample.site.app.createUser({ name: 'Bob' });
  bobId = bob.id;
  await sample.rows(`insert into project_members (project_id, user_id, role) values ($1, '${bobId}', 'editor')`);
  await sample.rows(
    `insert into task_assignees (project_id, task_id, user_id) select project_id, id, '${bobId}' from tasks where project_id = $1 and number = 1`,
  );
  await sample.rows('update tasks set due_date = current_date where project_id = $1 and number = 1');
  await sample.client.rpc('invite_member', { project_id: sample.projectId, email: 'dan@example.test' });
  const [view] = await sample.rows<{ id: string }>(
    "insert into saved_views (owner_id, name, layout) select created_by, 'All of it', 'list' from projects where id = $1 returning id",
  );
  viewId = view?.id ?? '';
  const [task] = await sample.rows<{ id: string }>('select id from tasks where project_id = $1 and number = 1');
  await bob.client.from('task_comments').insert({ task_id: task?.id, body: 'Which red?' });
}, 120_000);
afterAll(async () => {
  expect(sample.ada.troubles).toEqual([]);
  await sample.site.close();
});

/** Names of what can be used on the screen and was not met on the way round it, and of what did not show that it had the focus. */
async function walk(): Promise<{ readonly missed: string[]; readonly unseen: string[] }> {
  await page.evaluate(() => {
    (document.activeElement as HTMLElement | null)?.blur();
    for (const one of document.querySelectorAll('[data-met]')) one.removeAttribute('data-met');
  });
  const unseen: string[] = [];
  for (let step = 0; step < 150; step++) {
    await page.keyboard.press('Tab');
    const met = await page.evaluate(() => {
      const it = document.activeElement as HTMLElement | null;
      if (it === null || it === document.body) return 'outside';
      if (it.dataset.met !== undefined) return 'again';
      it.dataset.met = '';
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(it);
      // What surrounds it may show it in its place.
      const around = it.parentElement?.matches(':focus-within') ? getComputedStyle(it.parentElement) : null;
      const shows =
        (outlineStyle !== 'none' && outlineWidth !== '0px') ||
        boxShadow !== 'none' ||
        (around !== null && (around.outlineStyle !== 'none' || around.boxShadow !== 'none'));
      return { name: it.getAttribute('aria-label') ?? it.textContent ?? it.tagName, shows };
    });
    if (met === 'again') break;
    // Behind the last one the browser's own follow, and then the first.
    if (met === 'outside') continue;
    if (!met.shows) unseen.push(met.name);
  }
  const missed = await page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('main :is(a[href], button, input, select, textarea, [tabindex="0"])')]
      .filter((one) => one.tabIndex >= 0 && !one.matches(':disabled, [type="file"], [data-met]'))
      // One of several radios stands for all of them.
      .filter((one) => !(one instanceof HTMLInputElement && one.type === 'radio'))
      .filter((one) => one.checkVisibility({ visibilityProperty: true }) && one.closest('[inert]') === null)
      .map((one) => one.getAttribute('aria-label') ?? (one.textContent || one.outerHTML.slice(0, 80))),
  );
  return { missed, unseen };
}

/** Presses Tab until what is focused is called so. */
async function tabTo(name: string | RegExp): Promise<void> {
  const fits = (text: string): boolean => (typeof name === 'string' ? text === name : name.test(text));
  for (let step = 0; step < 150; step++) {
    await page.keyboard.press('Tab');
    const text = await page.evaluate(() => {
      const it = document.activeElement as HTMLInputElement | null;
      return it?.getAttribute('aria-label') ?? it?.labels?.[0]?.textContent ?? it?.textContent ?? '';
    });
    if (fits(text.trim())) return;
  }
  throw new Error(`Tab does not lead to ${name}`);
}

const screens: Readonly<Record<string, readonly [path: () => string, there: string]>> = {
  inbox: [() => '/app/inbox', '[data-entry]'],
  archive: [() => '/app/archive', 'main section li'],
  person: [() => `/app/people/${bobId}`, 'main section li'],
  people: [() => `/app/projects/${sample.projectId}/people`, 'main li'],
  account: [() => '/app/account', 'main section li'],
  invitations: [() => `/app/projects/${sample.projectId}/people`, 'text=dan@example.test'],
  calendar: [() => `/app/projects/${sample.projectId}/calendar`, '[data-calendar] [data-task-id]'],
  view: [() => `/app/views/${viewId}`, 'main [data-task-id]'],
  'a task with a thread': [() => `/app/projects/${sample.projectId}/board/1`, '[aria-label="Comments"] li'],
};

test.each(Object.entries(screens))(
  '%s: all there is can be reached, and shows when it is',
  async (_, [path, there]) => {
    await page.goto(path());
    await page.locator(there).first().waitFor();
    expect(await walk()).toEqual({ missed: [], unseen: [] });
    expect(await offences(page)).toEqual([]);
  },
);

test('an invitation is read and taken up', async () => {
  const { data } = await sample.client.rpc('invite_member', {
    project_id: sample.projectId,
    email: 'cyd@example.test',
  });
  const guest = await sample.site.visit();
  const mine = page;
  page = guest.page;
  await page.goto(`/invitation/${(data as { token: string }).token}`);
  await page.getByText('cyd@example.test').first().waitFor();
  expect((await walk()).missed).toEqual([]);
  page = mine;
  await guest.close();
});

test('what was put away is brought back', async () => {
  await page.goto('/app/archive');
  await page.getByText('Sweep the quay').waitFor();
  await tabTo(/^Bring back .*Sweep the quay|^Bring back HAR-3/);
  await page.keyboard.press('Enter');
  await sample.expectRows('select count(*)::int as n from tasks where project_id = $1 and archived_at is not null', [
    { n: 0 },
  ]);
});

test('a comment is written, another answered and reacted to, and its thread resolved', async () => {
  const open = async (): Promise<void> => {
    await page.goto(`/app/projects/${sample.projectId}/board/1`);
    await page.getByText('Which red?').first().waitFor();
  };
  await open();
  await tabTo('Write a comment');
  await page.keyboard.type('Signal red');
  await page.keyboard.press('Control+Enter');
  await sample.expectRows("select body from task_comments where project_id = $1 and body like 'Signal%'", [
    { body: 'Signal red' },
  ]);
  await open();
  await tabTo('Reply to Bob');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Reply');
  await page.keyboard.type('Number 3');
  await page.keyboard.press('Control+Enter');
  await sample.expectRows('select body from task_comments where project_id = $1 and parent_id is not null', [
    { body: 'Number 3' },
  ]);
  await open();
  await tabTo('React');
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem').first().waitFor();
  await page.keyboard.press('Enter');
  await sample.expectRows('select count(*)::int as n from comment_reactions where project_id = $1', [{ n: 1 }]);
  await tabTo('More');
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Resolve thread' }).waitFor();
  await page.keyboard.type('Res');
  await page.locator('[role=menuitem]:focus', { hasText: 'Resolve thread' }).waitFor();
  await page.keyboard.press('Enter');
  await sample.expectRows('select count(*)::int as n from comment_resolutions where project_id = $1', [{ n: 1 }]);
});
