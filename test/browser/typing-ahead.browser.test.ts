// Typing ahead: keys belong to what was just opened, and a message sent too early goes out once it can.

import type { Locator, Page, Route } from 'playwright-core';
import { expect, test } from 'vitest';
import { holdAnswers } from './hold-answers.ts';
import { type SampleProject, settleHarbour, type Visitor } from './pages.ts';
import { eachStory } from './stories.ts';
import { saying, t } from './words.ts';

let sample: SampleProject;
let ada: Visitor;
let page: Page;
let bobId: string;

eachStory(async (site) => {
  sample = await settleHarbour(site);
  const bob = await site.app.createUser({ name: 'Bob Byron' });
  bobId = bob.id;
  await sample.join(bob.email, 'editor');
  ({ ada } = sample);
  ({ page } = ada);
  return [ada];
});

const comments = () => page.getByRole('region', { name: t('task.activity'), exact: true });
const hold = (url: RegExp, end?: (route: Route) => Promise<void>) => holdAnswers(page, url, end);
const bodies = 'select body from task_comments where project_id = $1';

test('an answer typed before the task has come is written in its comment field', async () => {
  await sample.openBoard(page);
  const come = await hold(/\/task-panel-[^/]*\.js/);
  await page.locator('[data-task-id]', { hasText: 'Paint the crane' }).focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/board\/1/);
  await page.keyboard.type('rexhu');
  come();
  const field = comments().getByRole('textbox', { name: t('task.comment') });
  await expect.poll(() => field.evaluate((one) => ('value' in one ? String(one.value) : one.textContent))).toBe('exhu');
  expect(await sample.rows('select 1 from tasks where project_id = $1 and archived_at is not null')).toEqual([]);
});

test('two keys of a sequence, typed before the task has come, belong together also where they reach it late', async () => {
  await sample.openBoard(page);
  const come = await hold(/\/task-panel-[^/]*\.js/);
  await page.locator('[data-task-id]', { hasText: 'Paint the crane' }).focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/board\/1/);
  await page.keyboard.type('gm');
  // Longer apart than the second key of a sequence is waited for.
  await page.evaluate((apart) => {
    const draw = window.requestAnimationFrame.bind(window);
    window.requestAnimationFrame = (callback) => {
      const asked = performance.now();
      const wait = (now: number): void => void (now - asked < apart ? draw(wait) : callback(now));
      return draw(wait);
    };
  }, 1500);
  come();
  await page.waitForURL(/\/my-tasks$/);
});

/** What is opened, and the field in it. Each letter of what is typed is a key of the page: e archives, x selects, a and l open pickers. */
const openings: Readonly<Record<string, readonly [open: () => Promise<void>, field: () => Locator]>> = {
  'the filter, by its key': [() => page.keyboard.press('f'), () => page.getByRole('searchbox')],
  'the filter, by its button': [
    () => page.getByRole('button', { name: t('board.filters.add') }).press('Enter'),
    () => page.getByRole('searchbox'),
  ],
  'the search': [() => page.keyboard.press('Control+k'), () => page.getByRole('dialog').getByRole('combobox')],
  'labels of a task': [() => page.keyboard.press('l'), () => page.getByRole('dialog').getByRole('combobox')],
  'a new project': [() => page.keyboard.press('n'), () => page.getByLabel(t('common.name'), { exact: true })],
  'an invitation': [
    () => page.getByRole('button', { name: t('projects.invite') }).press('Enter'),
    () => page.getByRole('dialog').getByRole('textbox').first(),
  ],
};

test.each(Object.entries(openings))('%s has all that is typed before it has come', async (_, [open, field]) => {
  await sample.openBoard(page);
  await page.locator('[data-task-id]', { hasText: 'Paint the crane' }).focus();
  const come = await hold(/\/assets\/.*\.js/);
  await open();
  await page.keyboard.type('exal');
  come();
  await expect.poll(() => field().inputValue()).toBe('exal');
  expect(await sample.rows('select 1 from tasks where project_id = $1 and archived_at is not null')).toEqual([]);
});

test('Escape typed before the search has come empties the filter behind it, as it does later', async () => {
  await sample.openBoard(page);
  await page.locator('[data-task-id]', { hasText: 'Paint the crane' }).focus();
  const come = await hold(/\/assets\/.*\.js/);
  for (const key of ['Control+k', 'Escape', 'Shift+F', ...'xqz', 'Enter', 'Escape', ...'exal'])
    await page.keyboard.press(key);
  come();
  await expect.poll(() => page.getByRole('searchbox').inputValue()).toBe('exal');
});

test('Escape empties the filter once its words name no condition', async () => {
  await sample.openBoard(page);
  await page.keyboard.press('Shift+F');
  await page.keyboard.type('pri');
  await page.getByRole('option', { name: t('property.priority') }).waitFor();
  await page.keyboard.type('xqz');
  await page.getByRole('listbox').waitFor({ state: 'detached' });
  await page.keyboard.press('Escape');
  await expect.poll(() => page.getByRole('searchbox').inputValue()).toBe('');
});

test.each([
  ['subtasks', 'plan.subtasks.add', 'textbox'],
  ['dependencies', 'task.addBlockedBy', 'combobox'],
] as const)('the field of %s has all that is typed right after the press on its chip', async (part, label, role) => {
  await page.goto(`/app/projects/${sample.projectId}/board/1`);
  await page.getByRole('button', { name: t(`task.addPart.${part}`) }).press('Enter');
  await page.keyboard.type('exal');
  const field = page.getByRole(role, { name: t(label) });
  await expect.poll(() => field.inputValue()).toBe('exal');
  expect(await sample.rows('select 1 from tasks where project_id = $1 and archived_at is not null')).toEqual([]);
});

test('an answer to a mention is typed at once, with the task and its comments still to come', async () => {
  await sample.site.app.sql(
    "insert into task_comments (project_id, task_id, author_id, body) select project_id, id, $2, 'Which red?' from tasks where project_id = $1 and number = 1",
    [sample.projectId, bobId],
  );
  await page.goto('/app/inbox');
  await page.locator('[data-entry] [data-way]').first().focus();
  const come = await hold(/\/assets\/.*\.js/);
  await page.keyboard.press('Enter');
  await page.keyboard.type('rexhu');
  come();
  const field = comments().getByRole('textbox', { name: t('task.comment') });
  await expect.poll(() => field.evaluate((one) => ('value' in one ? String(one.value) : one.textContent))).toBe('exhu');
  expect(await sample.rows('select 1 from notifications where project_id = $1 and done_at is not null')).toEqual([]);
});

test('keys typed for a task that could not be loaded do nothing to the inbox beside it', async () => {
  for (const number of [1, 2])
    await sample.site.app.sql(
      "insert into task_comments (project_id, task_id, author_id, body) select project_id, id, $2, 'Which red?' from tasks where project_id = $1 and number = $3",
      [sample.projectId, bobId, number],
    );
  await page.goto('/app/inbox');
  await page.locator('[data-entry] [data-way]').first().focus();
  const asked = /\/rest\/v1\/task_comments\?/;
  const refuse = await hold(asked, (route) => route.fulfill({ status: 500, json: { message: 'broken' } }));
  await page.keyboard.press('Enter');
  await page.keyboard.type('rexhume');
  refuse();
  await page.getByText(t('common.failed.title')).waitFor();
  await page.unroute(asked);
  // It is asked for again by itself.
  await comments().waitFor();
  await page.keyboard.press('e');
  const done = 'select distinct task_id from notifications where project_id = $1 and done_at is not null';
  await expect.poll(async () => (await sample.rows(done)).length).toBe(1);
});

test('Enter in the search, and all typed after it, waits for what the server finds', async () => {
  await sample.rows("update tasks set description = 'Mind the barnacles' where project_id = $1 and number = 2");
  await sample.openBoard(page);
  const find = await hold(/\/rest\/v1\/rpc\/search_tasks/);
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('combobox').fill('barnacles');
  await page.keyboard.press('Enter');
  await page.keyboard.type('rexhu');
  find();
  await page.waitForURL(/\/board\/2$/);
  const field = comments().getByRole('textbox', { name: t('task.comment') });
  await expect.poll(() => field.evaluate((one) => ('value' in one ? String(one.value) : one.textContent))).toBe('exhu');
  expect(await sample.rows('select 1 from tasks where project_id = $1 and number > 5')).toEqual([]);
});

/** In the field of a new comment, once what is asked for with a picture of the page has had its turn. */
async function isCommenting(): Promise<boolean> {
  const field = comments().getByRole('textbox', { name: t('task.comment') });
  await field.waitFor();
  await page.evaluate(async () => {
    for (let frames = 0; frames < 3; frames++) await new Promise(requestAnimationFrame);
  });
  return field.evaluate((one) => one.contains(document.activeElement));
}

test('a comment asked for of a task that failed to load takes no focus when the task is opened by hand', async () => {
  await sample.site.app.sql(
    "insert into task_comments (project_id, task_id, author_id, body) select project_id, id, $2, 'Which red?' from tasks where project_id = $1 and number = 1",
    [sample.projectId, bobId],
  );
  await page.goto('/app/inbox');
  const entry = page.locator('[data-entry] [data-way]').first();
  await entry.focus();
  const asked = /\/rest\/v1\/task_comments\?/;
  await page.route(asked, (route) => route.fulfill({ status: 500, json: { message: 'broken' } }));
  await page.keyboard.press('r');
  await page.getByText(t('common.failed.title')).waitFor();
  await page.getByRole('button', { name: t('task.close') }).click();
  await page.waitForURL(/\/inbox$/);
  await page.unroute(asked);
  await entry.focus();
  await page.keyboard.press('Enter');
  expect(await isCommenting()).toBe(false);
});

test('a comment asked for of one task takes no focus there once another was opened meanwhile', async () => {
  await sample.openBoard(page);
  const card = (title: string) => page.locator('[data-task-id]', { hasText: title });
  await card('Paint the crane').focus();
  const come = await hold(/\/task-panel-[^/]*\.js/);
  await page.keyboard.press('r');
  await page.waitForURL(/\/board\/1/);
  await card('Count the ships').click();
  await page.waitForURL(/\/board\/2/);
  come();
  expect(await isCommenting()).toBe(false);
  await card('Paint the crane').click();
  await page.waitForURL(/\/board\/1/);
  const title = page.getByRole('textbox', { name: t('property.title'), exact: true });
  await expect.poll(() => title.inputValue()).toBe('Paint the crane');
  expect(await isCommenting()).toBe(false);
});

test('letters that come before the page has drawn the last ones stay in a comment', async () => {
  await page.goto(`/app/projects/${sample.projectId}/board/1`);
  const field = comments().getByRole('textbox', { name: t('task.comment') });
  await field.click();
  await expect.poll(() => field.evaluate((one) => (one as HTMLElement).isContentEditable)).toBe(true);
  await field.focus();
  const words = 'mends and exhumes '.repeat(12).trim();
  await field.evaluate(async (_, words) => {
    const soon = (): Promise<void> =>
      new Promise((resolve) => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => resolve();
        port2.postMessage(null);
      });
    for (const letter of words) {
      document.execCommand('insertText', false, letter);
      await soon();
    }
  }, words);
  await expect.poll(() => field.textContent()).toBe(words);
});

test('a comment is sent with the letters that the page has not drawn yet', async () => {
  await page.goto(`/app/projects/${sample.projectId}/board/1`);
  const field = comments().getByRole('textbox', { name: t('task.comment') });
  await field.click();
  await expect.poll(() => field.evaluate((one) => (one as HTMLElement).isContentEditable)).toBe(true);
  await field.focus();
  // In one turn: nothing is drawn between the letters and the key that sends them.
  await field.evaluate((one) => {
    for (const letter of 'peel') document.execCommand('insertText', false, letter);
    one.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', ctrlKey: true, bubbles: true, cancelable: true }));
  });
  await sample.expectRows(bodies, [{ body: 'peel' }]);
  await expect.poll(() => field.textContent()).toBe('');
});

/** Presses keys faster than a slow processor draws, none of which waits for what the one before does. */
async function strike(...keys: readonly string[]): Promise<void> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: 6 });
  const sent = keys.flatMap((key) => {
    const isEnter = key === 'Enter';
    const stroke = {
      key,
      code: isEnter ? key : `Key${key.toUpperCase()}`,
      windowsVirtualKeyCode: isEnter ? 13 : key.toUpperCase().charCodeAt(0),
    };
    return [
      cdp.send('Input.dispatchKeyEvent', { type: 'keyDown', text: isEnter ? '\r' : key, ...stroke }),
      cdp.send('Input.dispatchKeyEvent', { type: 'keyUp', ...stroke }),
    ];
  });
  await Promise.all(sent);
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: 1 });
}

test('a task begun in the list has its title from the first key on, and no other task is renamed', async () => {
  await page.goto(`/app/projects/${sample.projectId}/list?group=none`);
  await page.locator('[data-row-link]').first().focus();
  await strike('c', ...'exhume', 'Enter');
  await sample.expectRows('select title from tasks where project_id = $1 order by number', [
    { title: 'Paint the crane' },
    { title: 'Count the ships' },
    { title: 'Sweep the quay' },
    { title: 'exhume' },
  ]);
});

test('a task begun right after another was renamed has its title from the first key on, however late pictures come', async () => {
  await page.goto(`/app/projects/${sample.projectId}/list?group=none`);
  await page.locator('[data-row-link]').first().focus();
  await page.keyboard.press('e');
  await page.getByRole('textbox', { name: saying('list.editTitle') }).fill('Paint it red');
  await page.evaluate(() => {
    const draw = window.requestAnimationFrame.bind(window);
    const late: FrameRequestCallback[] = [];
    window.requestAnimationFrame = (callback) => late.push(callback);
    document.addEventListener('letters-are-typed', async () => {
      // One after the other, each with what follows from it; some ask for another.
      for (let some = 0; some < 40 && late.length > 0; some++) {
        late.shift()?.(performance.now());
        for (let frames = 0; frames < 3; frames++) await new Promise(draw);
      }
      window.requestAnimationFrame = draw;
      for (const callback of late) draw(callback);
      document.documentElement.dataset.pictures = 'here';
    });
  });
  for (const key of ['Enter', 'c', ...'exhume']) await page.keyboard.press(key);
  await page.evaluate(() => document.dispatchEvent(new Event('letters-are-typed')));
  await page.locator('html[data-pictures="here"]').waitFor();
  await page.keyboard.press('Enter');
  await sample.expectRows('select title from tasks where project_id = $1 order by number', [
    { title: 'Paint it red' },
    { title: 'Count the ships' },
    { title: 'Sweep the quay' },
    { title: 'exhume' },
  ]);
});

test('a view is named by typing right after asking to save it', async () => {
  await page.goto(`/app/projects/${sample.projectId}/list?group=priority`);
  await page.getByRole('button', { name: t('views.saveView') }).click();
  await page.getByRole('dialog').waitFor();
  await page.keyboard.type('Mine');
  await page.keyboard.press('Enter');
  await sample.expectRows('select name from saved_views where project_id = $1', [{ name: 'Mine' }]);
});

test('a comment with a picture is sent once the picture is there', async () => {
  await page.goto(`/app/projects/${sample.projectId}/board/1`);
  const field = comments().getByRole('textbox', { name: t('task.comment') });
  await field.click();
  await comments().locator('[data-writing="rich"]').waitFor();
  const arrive = await hold(/\/storage\/v1\/upload\//);
  await comments()
    .locator('input[type=file]')
    .setInputFiles({ name: 'crane.png', mimeType: 'image/png', buffer: Buffer.from(onePixel, 'base64') });
  await comments().locator('img[alt="crane.png"]').first().waitFor();
  await field.press('Control+Enter');
  await comments().getByText(t('writing.waitsForFiles')).waitFor();
  expect(await sample.rows(bodies)).toEqual([]);
  arrive();
  await expect.poll(async () => (await sample.rows(bodies)).length).toBe(1);
  expect(await sample.rows('select name from task_attachments where project_id = $1')).toEqual([{ name: 'crane.png' }]);
});

test('a title left between two is not saved by leaving the task, also once the other title is gone', async () => {
  await page.goto(`/app/projects/${sample.projectId}/board/1`);
  await page.locator('[data-live="live"]').waitFor({ state: 'attached' });
  const title = page.getByRole('textbox', { name: t('property.title'), exact: true });
  await title.fill('Mine');
  const rename = (to: string) =>
    sample.site.app.sql('update tasks set title = $2 where project_id = $1 and number = 1', [sample.projectId, to]);
  await rename('Theirs');
  await page.locator('[data-theirs]').waitFor();
  await comments().getByRole('textbox').focus();
  await rename('Paint the crane');
  await page.locator('[data-theirs]').waitFor({ state: 'detached' });
  await page.locator('[data-open-task]').focus();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: t('task.conflict.useMine') }).waitFor();
  expect(await sample.rows('select title from tasks where project_id = $1 and number = 1')).toEqual([
    { title: 'Paint the crane' },
  ]);
});

test('Escape in a title drops what was typed against another change, also once that change is gone', async () => {
  const rename = (to: string) =>
    sample.site.app.sql('update tasks set title = $2 where project_id = $1 and number = 1', [sample.projectId, to]);
  const title = page.getByRole('textbox', { name: t('property.title'), exact: true });
  for (const left of [false, true]) {
    await page.goto(`/app/projects/${sample.projectId}/board/1`);
    await page.locator('[data-live="live"]').waitFor({ state: 'attached' });
    await title.fill('Mine');
    await rename('Theirs');
    await page.locator('[data-theirs]').waitFor();
    if (left) await comments().getByRole('textbox').focus();
    await rename('Paint the crane');
    await page.locator('[data-theirs]').waitFor({ state: 'detached' });
    expect(await title.inputValue()).toBe('Mine');
    await title.focus();
    await page.keyboard.press('Escape');
    expect(await title.inputValue()).toBe('Paint the crane');
    await page.keyboard.press('Tab');
    await page.locator('[data-open-task]').focus();
    await page.keyboard.press('Escape');
    await page.locator('[data-open-task]').waitFor({ state: 'detached' });
    expect(await page.getByRole('button', { name: t('task.conflict.useMine') }).count()).toBe(0);
  }
  // What is written afterwards arrives, and it arrives after whatever was written before.
  await page.goto(`/app/projects/${sample.projectId}/board/2`);
  await title.fill('Count the boats');
  await title.press('Enter');
  await sample.expectRows('select title from tasks where project_id = $1 and number < 3 order by number', [
    { title: 'Paint the crane' },
    { title: 'Count the boats' },
  ]);
});

const onePixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
