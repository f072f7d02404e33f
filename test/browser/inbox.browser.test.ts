// Inbox of one person while another works: entries are read, answered, snoozed and done, by keys alone.

import { describe, expect, test } from 'vitest';
import { offences } from './accessibility.ts';
import { type SampleProject, settleHarbour, type Visitor, whenLive } from './pages.ts';
import { eachStory } from './stories.ts';
import { saying, t } from './words.ts';

let sample: SampleProject;
let ada: Visitor;
let bob: Visitor;
let bobs: Awaited<ReturnType<Visitor['settle']>>;

eachStory(async (site) => {
  sample = await settleHarbour(site);
  ({ ada } = sample);
  bob = await site.visit();
  bobs = await bob.settle('Bob Byron');
  await sample.join(bobs.email, 'editor');
  await site.app.sql('delete from notifications');
  return [ada, bob];
});

const taskId = async (title: string): Promise<string> => {
  const [row] = await sample.site.app.sql<{ id: string }>('select id from tasks where project_id = $1 and title = $2', [
    sample.projectId,
    title,
  ]);
  return row?.id ?? '';
};
const says = async (title: string, body: string): Promise<void> => {
  const { error } = await bobs.client.from('task_comments').insert({ task_id: await taskId(title), body });
  expect(error).toBeNull();
};
const entry = (title: string) => ada.page.locator('[data-entry]', { hasText: title });

async function openInbox(): Promise<void> {
  await ada.page.goto('/app/inbox');
  await ada.page.getByRole('heading', { name: t('common.nav.inbox'), level: 1 }).waitFor();
}

describe('the inbox', () => {
  test('shows by task who did what, unread first, and opens the task beside it', async () => {
    const { page } = ada;
    // What an installed app is told to write on its icon.
    await page.addInitScript(() => {
      const icon = (n: number) => {
        Object.assign(window, { onIcon: n });
        return Promise.resolve();
      };
      Object.assign(navigator, { setAppBadge: icon, clearAppBadge: () => icon(0) });
    });
    const onIcon = () => page.evaluate(() => (window as unknown as { onIcon?: number }).onIcon);
    await openInbox();
    await page.getByRole('heading', { name: t('inbox.empty.all') }).waitFor();
    await expect.poll(onIcon).toBe(0);
    // It comes by itself.
    await says('Paint the crane', 'Which colour, @Ada Lovelace?');
    await says('Count the ships', 'Seven so far');
    await entry('Paint the crane')
      .getByText(t('inbox.lines.mentioned', { who: 'Bob Byron' }))
      .waitFor();
    await entry('Count the ships')
      .getByText(t('inbox.lines.commented', { who: 'Bob Byron' }))
      .waitFor();
    await entry('Count the ships').getByText('Seven so far').waitFor();
    await page
      .getByRole('link', { name: `${t('common.nav.inbox')} ${t('common.nav.inboxUnread', { n: 2 })}` })
      .waitFor();
    await expect.poll(() => page.title()).toBe(`(2) ${t('common.nav.inbox')} · ${t('common.product')}`);
    await expect.poll(onIcon).toBe(2);

    await page.getByRole('button', { name: t('inbox.filters.assigned') }).click();
    await page.getByRole('heading', { name: t('inbox.empty.assigned') }).waitFor();
    await page.getByRole('button', { name: t('inbox.filters.mentions') }).click();
    await expect.poll(() => page.locator('[data-entry]').count()).toBe(1);
    await entry('Paint the crane').getByRole('link').click();
    await page.getByRole('complementary', { name: t('task.panel', { key: 'HAR-1' }) }).waitFor();
    await page
      .getByRole('link', { name: `${t('common.nav.inbox')} ${t('common.nav.inboxUnread', { n: 1 })}` })
      .waitFor();
    await expect.poll(onIcon).toBe(1);
    // the answer goes out from beside the inbox
    await page.getByRole('textbox', { name: t('task.comment') }).fill('Red');
    await page.keyboard.press('Control+Enter');
    await sample.expectRows("select body from task_comments where project_id = $1 and body = 'Red'", [{ body: 'Red' }]);
    await sample.expectRows(
      `select n.kind from notifications n join auth.users u on u.id = n.user_id
       where n.project_id = $1 and u.raw_user_meta_data ->> 'name' = 'Bob Byron'`,
      [{ kind: 'commented' }],
    );
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await expect.poll(() => new URL(page.url()).pathname).toBe('/app/inbox');
  });

  test('goes by keys: along it, done, unread and back, put off, several at once, undone', async () => {
    for (const title of ['Paint the crane', 'Count the ships', 'Sweep the quay']) await says(title, 'Hello');
    await openInbox();
    const { page } = ada;
    const unread = (n: number) =>
      page
        .getByRole('link', {
          name: n === 0 ? t('common.nav.inbox') : `${t('common.nav.inbox')} ${t('common.nav.inboxUnread', { n })}`,
          exact: true,
        })
        .waitFor();
    await unread(3);
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await expect.poll(() => page.locator(':focus').textContent()).toContain('Count the ships');
    await page.keyboard.press('u');
    await unread(2);
    await page.keyboard.press('u');
    await unread(3);
    await entry('Count the ships').getByRole('link').focus();
    await page.keyboard.press('e');
    await expect.poll(() => entry('Count the ships').count()).toBe(0);
    await unread(2);
    await page.keyboard.press('Control+z');
    await unread(3);

    await entry('Sweep the quay').getByRole('link').focus();
    await page.keyboard.press('h');
    await page.getByRole('menuitem', { name: saying('days.tomorrow') }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect.poll(() => entry('Sweep the quay').count()).toBe(0);
    await sample.expectRows(
      'select count(*)::int as n from notifications where project_id = $1 and snoozed_until > now() and read_at is null',
      [{ n: 1 }],
    );
    await page.getByRole('button', { name: t('inbox.filters.snoozed') }).click();
    await entry('Sweep the quay').waitFor();
    await page.getByRole('button', { name: t('inbox.filters.all'), exact: true }).click();

    await entry('Paint the crane').getByRole('link').focus();
    await page.keyboard.press('x');
    await page.keyboard.press('k');
    await page.keyboard.press('x');
    await page.getByText(t('common.selected', { n: 2 })).waitFor();
    await page.keyboard.press('e');
    await page.getByRole('heading', { name: t('inbox.empty.all') }).waitFor();
    await sample.expectRows(
      'select count(*)::int as n from notifications where project_id = $1 and done_at is not null',
      [{ n: 2 }],
    );
  });

  test('a press with Shift selects from the entry ticked last, also when another has come above it since', async () => {
    const { page } = ada;
    for (const [title, body] of [
      ['Paint the crane', 'Red?'],
      ['Count the ships', 'Seven'],
      ['Sweep the quay', 'Swept'],
    ] as const)
      await says(title, body);
    await openInbox();
    const titles = () => page.locator('[data-entry]').allInnerTexts();
    await expect.poll(async () => (await titles()).length).toBe(3);
    await whenLive(page);
    const box = (title: string) => entry(title).getByRole('checkbox');
    await box('Count the ships').check();
    await sample.site.app.sql(
      `insert into tasks (project_id, column_id, title, created_by)
       select project_id, column_id, 'Oil the winch', created_by from tasks where project_id = $1 limit 1`,
      [sample.projectId],
    );
    await sample.site.app.sql('delete from notifications n using tasks t where t.id = n.task_id and t.title = $1', [
      'Oil the winch',
    ]);
    await says('Oil the winch', '@Ada Lovelace, which oil?');
    await expect.poll(async () => (await titles())[0]).toContain('Oil the winch');
    await box('Paint the crane').click({ modifiers: ['Shift'] });
    await page.getByText(t('common.selected', { n: 2 })).waitFor();
    expect(await box('Oil the winch').isChecked()).toBe(false);
    expect(await box('Sweep the quay').isChecked()).toBe(false);
    expect(await box('Count the ships').isChecked()).toBe(true);
    expect(await box('Paint the crane').isChecked()).toBe(true);
  });

  test('a mention is found, answered and done with by five keys beside the words, from wherever one is', async () => {
    await says('Paint the crane', 'Which colour, @Ada Lovelace?');
    const { page } = ada;
    await page.goto('/app/my-tasks');
    await page
      .getByRole('link', { name: `${t('common.nav.inbox')} ${t('common.nav.inboxUnread', { n: 1 })}` })
      .waitFor();
    const press = async (...keys: string[]): Promise<number> => {
      for (const key of keys) await page.keyboard.press(key);
      return keys.length;
    };
    let strokes = await press('g', 'i', 'r');
    await page.keyboard.type('Red, I think');
    strokes += await press('Control+Enter', 'e');
    await page.getByRole('heading', { name: t('inbox.empty.all') }).waitFor();
    await sample.expectRows("select body from task_comments where project_id = $1 and body like 'Red%'", [
      { body: 'Red, I think' },
    ]);
    console.log(`a mention, answered and done: ${strokes} keystrokes beside the words`);
    expect(strokes).toBe(5);
    expect(new URL(page.url()).pathname).toBe('/app/inbox');
  });

  test('a comment by its key gives the focus back when it is sent; one by a press stays for the next', async () => {
    await says('Paint the crane', 'Which colour, @Ada Lovelace?');
    const { page } = ada;
    await openInbox();
    const field = page.getByRole('textbox', { name: t('task.comment') });
    const way = entry('Paint the crane').locator('[data-way]');
    await way.focus();
    await page.keyboard.press('r');
    await page.keyboard.type('Red');
    await page.keyboard.press('Control+Enter');
    await page.locator('[data-open-task]:focus').waitFor();
    expect(new URL(page.url()).pathname).toMatch(/^\/app\/inbox\/.*\/1$/);
    await field.click();
    for (const words of ['Or blue', 'Not green']) {
      await page.keyboard.type(words);
      await page.keyboard.press('Control+Enter');
    }
    await sample.expectRows(
      "select body from task_comments where project_id = $1 and body not like 'Which%' and body not like 'Seven%' order by created_at",
      [{ body: 'Red' }, { body: 'Or blue' }, { body: 'Not green' }],
    );
    await page.locator(`[aria-label="${t('task.comment')}"]:focus`).waitFor();
  });

  test('a task is watched and let go from its panel, and its sentences come from what happened', async () => {
    const { page } = ada;
    await page.goto(`/app/projects/${sample.projectId}/board/2`);
    await page.getByRole('button', { name: t('common.inbox.stop') }).click();
    await page.getByRole('button', { name: t('common.inbox.watch'), exact: true }).waitFor();
    await sample.expectRows('select is_watching from task_watchers where project_id = $1 and not is_watching', [
      { is_watching: false },
    ]);
    await says('Count the ships', 'Into the void');
    await page.getByRole('button', { name: t('common.inbox.watch'), exact: true }).click();
    await sample.expectRows('select count(*)::int as n from task_watchers where project_id = $1 and not is_watching', [
      { n: 0 },
    ]);
    const [done] = await sample.site.app.sql<{ id: string }>(
      "select id from workflow_columns where project_id = $1 and kind = 'done'",
      [sample.projectId],
    );
    await bobs.client.rpc('move_task', { task_id: await taskId('Count the ships'), column_id: done?.id });
    await openInbox();
    await entry('Count the ships')
      .getByText(t('inbox.lines.state_changed', { who: 'Bob Byron', from: 'To do', to: 'Done' }))
      .waitFor();
    expect(await entry('Count the ships').getByText('Into the void').count()).toBe(0);
  });

  test.each([
    ['light', 1280],
    ['dark', 390],
  ] as const)('offends nobody in %s at %s', async (colorScheme, width) => {
    await says('Paint the crane', 'Which colour, @Ada Lovelace?');
    const { page } = ada;
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 844 });
    await openInbox();
    await entry('Paint the crane').waitFor();
    expect(await offences(page)).toEqual([]);
    await entry('Paint the crane').getByRole('checkbox').check();
    expect(await offences(page)).toEqual([]);
    await entry('Paint the crane').getByRole('link').click();
    await page.getByRole('complementary', { name: t('task.panel', { key: 'HAR-1' }) }).waitFor();
    expect(await offences(page)).toEqual([]);
  });
});
