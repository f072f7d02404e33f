// Editor for descriptions and comments: text looks as it will read, is stored as Markdown, and untouched blocks stay the same to the byte.

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { offences } from './accessibility.ts';
import { news, preferMarkdown, type SampleProject, settleHarbour, startSite, type Visitor, written } from './pages.ts';
import { eachStory } from './stories.ts';
import { either, inside, saying, t } from './words.ts';

let sample: SampleProject;
let ada: Visitor;
let page: Page;

eachStory(
  async (site) => {
    sample = await settleHarbour(site);
    ({ ada } = sample);
    ({ page } = ada);
    await sample.join('bob.kahn@example.test', 'editor');
    return [ada];
  },
  async () => {
    const site = await startSite();
    await site.app.createUser({ email: 'bob.kahn@example.test', name: 'Bob Kahn' });
    return site;
  },
);

const part = (name: string, on: Page = page) => on.getByRole('region', { name, exact: true });
const field = (on: Page = page) =>
  part(t('property.description'), on).getByRole('textbox', { name: t('property.description') });
const toolbar = () => page.getByRole('toolbar', { name: t('writing.toolbar') });

/** With a description, which is opened to be written in. */
async function write(description = '', writing = 'rich'): Promise<void> {
  const quoted = description.replaceAll("'", "''");
  await sample.rows(
    `update tasks set description = e'${quoted.replaceAll('\\', '\\\\')}' where project_id = $1 and number = 1`,
  );
  await page.goto(`/app/projects/${sample.projectId}/board/1`);
  await part(t('property.description'))
    .getByRole('button', {
      name: either(new RegExp(`^${inside('common.edit')}$`), saying('task.descriptionPlaceholder')),
    })
    .click();
  await page.locator(`[data-writing="${writing}"]`).first().waitFor();
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
    .toBe(t('property.description'));
}

/** Keeps the editor back; once called, it comes. */
async function holdEditor(): Promise<() => Promise<void>> {
  let come = (): void => undefined;
  const coming = new Promise<void>((resolve) => {
    come = resolve;
  });
  await page.route(/\/rich-field-[^/]*\.js/, async (route) => {
    await coming;
    await route.continue();
  });
  return async () => {
    const fetched = page.waitForResponse(/\/rich-field-[^/]*\.js/);
    come();
    await (await fetched).finished();
    await page.waitForLoadState('networkidle');
  };
}

test('words written before the editor has come keep their caret and their last space, and the editor comes once one leaves them', async () => {
  const comes = await holdEditor();
  await page.goto(`/app/projects/${sample.projectId}/board/1`);
  const comment = page.getByRole('textbox', { name: t('task.comment') });
  await comment.click();
  await type('Red  rust ');
  for (let back = 'rust '.length + 1; back > 0; back--) await press('ArrowLeft');
  await comes();
  await type('as');
  expect(await written(comment)).toBe('Red as rust');
  await page.locator('[data-writing="markdown"]', { has: comment }).waitFor();
  await comment.blur();
  await page.locator('[data-writing="rich"]', { has: comment }).waitFor();
  expect(await written(comment)).toBe('Red as rust');
});

test('words that are selected as the editor comes stay selected, and are typed over', async () => {
  await sample.rows("update tasks set description = 'Red rust' where project_id = $1 and number = 1");
  const comes = await holdEditor();
  await page.goto(`/app/projects/${sample.projectId}/board/1`);
  await part(t('property.description')).getByText('Red rust').waitFor();
  await part(t('property.description'))
    .getByRole('button', { name: t('common.edit'), exact: true })
    .click();
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
    .toBe(t('property.description'));
  await press('Control+A');
  await comes();
  await type('Paint');
  await save('Paint');
});

test.each(['rich', 'markdown'])(
  'selected words of an open %s field stay selected when another person changes the text around them',
  async (writing) => {
    await page.goto('/app/inbox');
    if (writing === 'markdown') await preferMarkdown(page);
    await write('Red rust\n\nMind the barnacles', writing);
    await press('Control+End', 'Control+Shift+ArrowLeft');
    await sample.rows(
      "update tasks set description = E'Much red rust\\n\\nOld paint\\n\\nMind all barnacles, and more' where project_id = $1 and number = 1",
    );
    await expect.poll(() => written(field())).toContain('Old paint');
    expect(await page.evaluate(() => getSelection()?.toString())).toBe('barnacles');
    await type('ropes');
    await save('Much red rust\n\nOld paint\n\nMind all ropes, and more');
  },
);

const type = (text: string) => page.keyboard.type(text);
const press = async (...keys: string[]): Promise<void> => {
  for (const key of keys) await page.keyboard.press(key);
};
const stored = async (): Promise<string> =>
  (await sample.rows<{ description: string }>('select description from tasks where project_id = $1 and number = 1'))[0]
    ?.description ?? '';
async function save(expected: string): Promise<void> {
  await press('Control+Enter');
  await expect.poll(stored).toBe(expected);
}
/** `atEnd`: a key has put the caret there, and the browser has not said so yet. */
async function paste(data: Readonly<Record<string, string>>, atEnd = false): Promise<void> {
  await field().evaluate(
    (element, [data, atEnd]) => {
      if (atEnd) getSelection()?.modify('move', 'forward', 'documentboundary');
      const clipboardData = new DataTransfer();
      for (const [type, text] of Object.entries(data)) clipboardData.setData(type, text);
      element.dispatchEvent(new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData }));
    },
    [data, atEnd] as const,
  );
}

test('typed Markdown is formatted while writing, and saved as Markdown', async () => {
  await write();
  await type('# Plan');
  await press('Enter');
  await type('Use **red**, _not_ `blue`, for 2 * 3 snake_case metres');
  await press('Enter');
  await type('- one');
  await press('Enter');
  await type('two');
  await press('Tab', 'Enter', 'Shift+Tab', 'Enter');
  await type('[ ] prime it');
  await press('Enter');
  await type('paint it');
  await press('Enter', 'Enter', 'Enter');
  await type('```sql');
  await press('Enter');
  await type('select 1;');
  await part(t('property.description')).getByRole('heading', { name: 'Plan', level: 4 }).waitFor();
  await field().locator('strong', { hasText: /^red$/ }).waitFor();
  await field().locator('[data-code="word"]', { hasText: 'select' }).waitFor();
  expect(await offences(page)).toEqual([]);
  await save(
    '# Plan\n\nUse **red**, _not_ `blue`, for 2 * 3 snake_case metres\n\n- one\n  - two\n\n* [ ] prime it\n* [ ] paint it\n\n```sql\nselect 1;\n```',
  );
  // Read, the code has its colours, too.
  await part(t('property.description')).locator('pre [data-code="word"]', { hasText: 'select' }).waitFor();
});

test('only what was changed is written anew', async () => {
  const odd =
    'Setext\n======\n\n\n*  one\n*  [ ] two  \n   more\n\n<div align=center>\nraw\n</div>\n\n1) a\n1) b\n\n__bold__ &copy; end_of_it\n';
  await write(odd);
  await page.keyboard.press('Control+Enter');
  await part(t('property.description'))
    .getByRole('button', { name: t('common.edit'), exact: true })
    .waitFor();
  expect(await stored()).toBe(odd);
  await part(t('property.description'))
    .getByRole('button', { name: t('common.edit'), exact: true })
    .click();
  await field().getByText('end_of_it').click();
  await press('End');
  await type('!');
  await save(odd.replace('__bold__ &copy; end_of_it', '__bold__ © end_of_it!'));
});

test('blocks come from the menu behind a slash, people behind an @, tasks behind a #', async () => {
  await write();
  await type('/head');
  const blocks = page.getByRole('listbox', { name: t('writing.blocks') });
  await expect
    .poll(() => blocks.getByRole('option').allInnerTexts())
    .toEqual([t('writing.heading1'), t('writing.heading2'), t('writing.heading3')]);
  await press('ArrowDown', 'Enter');
  await type('Colours');
  await press('Enter');
  await type('Ask @bo');
  await page
    .getByRole('listbox', { name: t('writing.people') })
    .getByRole('option', { name: 'Bob Kahn' })
    .waitFor();
  expect(await field().getAttribute('aria-activedescendant')).toMatch(/-0$/);
  await press('Enter');
  await type('about #ships');
  await page
    .getByRole('listbox', { name: t('writing.taskOffers') })
    .getByRole('option', { name: 'Count the ships' })
    .waitFor();
  expect(await offences(page)).toEqual([]);
  await press('Tab');
  await field().locator('[data-chip="todo"]', { hasText: 'HAR-2' }).waitFor();
  await type('and #3.');
  await field().locator('[data-chip]', { hasText: 'HAR-3' }).waitFor();
  await press('Enter');
  await type('/table');
  await press('Enter');
  for (const cell of ['Part', 'Colour', 'Litres', 'Hook']) {
    await type(cell);
    await press('Tab');
  }
  await type('a|b');
  // A sign that is waved away stays a sign.
  await press('Enter', 'Enter');
  await type('and /');
  await page.getByRole('listbox').waitFor();
  await press('Escape');
  await page.getByRole('listbox').waitFor({ state: 'detached' });
  expect(await field().count()).toBe(1);
  await save(
    '## Colours\n\nAsk @Bob Kahn about HAR-2 and HAR-3.\n\n| Part | Colour | Litres |\n| --- | --- | --- |\n| Hook | a\\|b |  |\n|  |  |  |\n\nand /',
  );
});

test('words that are selected have a toolbar, also by keys alone', async () => {
  await write('one two');
  await press('Control+a');
  await toolbar().waitFor();
  expect(await offences(page)).toEqual([]);
  await press('Alt+F10');
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
    .toBe(t('writing.bold'));
  await press('ArrowRight', 'Enter');
  await expect
    .poll(() =>
      toolbar()
        .getByRole('button', { name: t('writing.italic') })
        .getAttribute('aria-pressed'),
    )
    .toBe('true');
  await press('Escape');
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
    .toBe(t('property.description'));
  await press('Control+k');
  await page.getByRole('textbox', { name: t('writing.address') }).fill('javascript:alert(1)');
  await press('Enter');
  expect(await page.getByRole('textbox', { name: t('writing.address') }).getAttribute('aria-invalid')).toBe('true');
  await page.getByRole('textbox', { name: t('writing.address') }).fill('example.org/paint');
  await press('Enter');
  await field().locator('a[href="https://example.org/paint"]').waitFor();
  await save('[*one two*](https://example.org/paint)');
});

test('pasted content is converted by its type, and no script in it runs', async () => {
  await write('See here');
  await press('Control+a');
  await paste({ 'text/plain': 'https://example.org/a_b' });
  await paste(
    {
      'text/plain': 'x',
      'text/html':
        '<p onclick="alert(1)">and <b>bold</b><script>alert(1)</script><img src=x onerror="alert(1)"><a href="javascript:alert(1)">click</a><style>p{color:red}</style></p>',
    },
    true,
  );
  await press('Enter');
  await paste({ 'text/plain': '- [ ] a\n- [x] b' });
  expect(await field().locator('script, style, img, [onclick], [href^=javascript]').count()).toBe(0);
  await save('[See here](https://example.org/a_b)and **bold**click\n\n- [ ] a\n- [x] b');
});

test('a box is ticked where it is read, by anybody, each its own line; undo takes it back', async () => {
  const before = '*  [ ] one\n*  [ ] two\n\n```\n- [ ] code\n```\n';
  await sample.rows(
    `update tasks set description = e'${before.replaceAll('\n', '\\n')}' where project_id = $1 and number = 1`,
  );
  await page.goto(`/app/projects/${sample.projectId}/board/1`);
  const box = part(t('property.description')).getByRole('checkbox', { name: 'two' });
  await box.focus();
  await press('Space');
  await expect.poll(stored).toBe(before.replace('[ ] two', '[x] two'));
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('two');
  // Somebody ticks another one, which is not known here.
  await sample.rows(
    `update tasks set description = replace(description, '[ ] one', '[x] one') where project_id = $1 and number = 1`,
  );
  await box.uncheck();
  await expect.poll(stored).toBe(before.replace('[ ] one', '[x] one'));
  await part(t('property.description')).getByRole('checkbox', { name: 'two' }).check();
  await expect.poll(stored).toBe(before.replace('[ ] one', '[x] one').replace('[ ] two', '[x] two'));
  await page.getByRole('heading', { name: t('property.description') }).click();
  await press('Control+z');
  await news(page)
    .getByText(t('common.undone', { what: 'Ticked “two”' }))
    .waitFor();
  await expect.poll(stored).toBe(before.replace('[ ] one', '[x] one'));
});

test('a task that is named is a chip with its state, and follows it', async () => {
  const address = `${sample.site.app.services.siteUrl}/app/projects/${sample.projectId}/list/3`;
  await sample.rows(
    `update tasks set description = 'After HAR-2, ${address} and [this](${address}); not XYZ-1, HAR-99 or \`HAR-2\`' where project_id = $1 and number = 1`,
  );
  await page.goto(`/app/projects/${sample.projectId}/board/1`);
  const chips = part(t('property.description')).locator('a[data-chip]');
  await expect.poll(() => chips.allInnerTexts()).toEqual(['HAR-2 Count the ships', 'HAR-3 Sweep the quay']);
  await part(t('property.description')).getByRole('link', { name: 'HAR-2 Count the ships, To do' }).waitFor();
  const drawn = await chips.first().elementHandle();
  await sample.rows(
    `update tasks set column_id = (select id from workflow_columns where project_id = $1 and kind = 'done'), title = 'Count all ships' where project_id = $1 and number = 2`,
  );
  await part(t('property.description')).getByRole('link', { name: 'HAR-2 Count all ships, Done' }).waitFor();
  expect(await chips.first().getAttribute('data-done')).not.toBeNull();
  // The text around it was not drawn again.
  expect(await drawn?.evaluate((chip) => chip.isConnected)).toBe(true);
  await chips.first().click();
  await page.getByRole('complementary', { name: t('task.panel', { key: 'HAR-2' }) }).waitFor();
});

test('plain Markdown is a press away, and remembered', async () => {
  await write('Some **bold** words');
  await part(t('property.description'))
    .getByRole('button', { name: t('writing.markdown') })
    .click();
  await expect.poll(() => written(field())).toBe('Some **bold** words');
  await field().fill('Some __bold__ words');
  await page.reload();
  await expect.poll(() => written(field())).toBe('Some __bold__ words');
  await part(t('property.description'))
    .getByRole('button', { name: t('writing.markdown') })
    .click();
  await expect.poll(() => written(field())).toBe('Some bold words');
  await preferMarkdown(page);
  await part(t('task.activity')).locator('textarea').waitFor();
});

test('plain Markdown offers names after an @ as every field does: arrows and Tab take one, Escape closes the list first', async () => {
  await page.goto(`/app/projects/${sample.projectId}/board/1`);
  await preferMarkdown(page);
  const field = part(t('task.activity')).getByRole('textbox', { name: t('task.comment') });
  const offers = page.getByRole('listbox', { name: t('common.suggestions') });
  await field.click();
  await type('Ask @');
  await offers.getByRole('option', { name: 'Ada Lovelace' }).waitFor();
  await type('b');
  await offers.getByRole('option', { name: 'Bob Kahn', selected: true }).waitFor();
  await press('Tab');
  await expect.poll(() => written(field)).toBe('Ask @Bob Kahn');
  await type('or @a');
  await offers.waitFor();
  await press('Escape');
  await offers.waitFor({ state: 'detached' });
  await type('da');
  await expect.poll(() => field.inputValue()).toBe('Ask @Bob Kahn or @ada');
});

test('a comment is answered, quoted, reacted to and linked to; its thread is resolved and opened again', async () => {
  await sample.rows(
    `insert into task_comments (project_id, task_id, author_id, body)
     select t.project_id, t.id, u.id, 'Which **red**?' from tasks t, auth.users u
     where t.project_id = $1 and t.number = 1 and u.email = 'bob.kahn@example.test'`,
  );
  await page.goto(`/app/projects/${sample.projectId}/board/1`);
  const comments = part(t('task.activity'));
  await comments.getByRole('button', { name: t('writing.comments.replyTo', { name: 'Bob Kahn' }) }).click();
  await comments.locator('[data-writing="rich"]').nth(1).waitFor();
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
    .toBe(t('writing.comments.reply'));
  await type('Number 3');
  await press('Control+Enter');
  await sample.expectRows(
    `select r.body, f.body as answers from task_comments r join task_comments f on f.id = r.parent_id where r.project_id = $1`,
    [{ body: 'Number 3', answers: 'Which **red**?' }],
  );
  await comments
    .getByRole('button', { name: t('common.more'), exact: true })
    .first()
    .click();
  await page.getByRole('menuitem', { name: t('writing.comments.quote') }).click();
  await comments
    .getByRole('textbox', { name: t('writing.comments.reply') })
    .locator('blockquote')
    .waitFor();
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
    .toBe(t('writing.comments.reply'));
  await type('This one');
  await press('Control+Enter');
  await sample.expectRows(`select body from task_comments where project_id = $1 and body like '%This one'`, [
    { body: '> Which **red**?\n\nThis one' },
  ]);
  // Reactions, by keys.
  await comments
    .getByRole('button', { name: t('writing.comments.react'), exact: true })
    .first()
    .focus();
  await press('Enter');
  // They stand in a row.
  await page.locator('[role=menuitem]:focus', { hasText: t('writing.comments.emoji.up') }).waitFor();
  for (let step = 0; step < 3; step++) await press('ArrowRight');
  await page.locator('[role=menuitem]:focus', { hasText: t('writing.comments.emoji.party') }).waitFor();
  await press('Enter');
  const party = comments.getByRole('button', {
    name: t('common.pair', { name: t('writing.comments.emoji.party'), value: 'Ada Lovelace' }),
  });
  await party.waitFor();
  await sample.expectRows('select emoji from comment_reactions where project_id = $1', [{ emoji: '🎉' }]);
  // Any other one is found by its name.
  await comments
    .getByRole('button', { name: t('writing.comments.react'), exact: true })
    .first()
    .click();
  await page.getByRole('menuitem', { name: t('writing.comments.moreEmoji') }).click();
  const found = page.getByRole('dialog', { name: t('writing.comments.moreEmoji') });
  await found.getByRole('combobox').fill('unicorn');
  await found.getByRole('option').first().waitFor();
  await press('Enter');
  const unicorn = comments.getByRole('button', { name: '🦄' });
  await unicorn.waitFor();
  await sample.expectRows("select emoji from comment_reactions where project_id = $1 and emoji <> '🎉'", [
    { emoji: '🦄' },
  ]);
  await unicorn.click();
  await unicorn.waitFor({ state: 'detached' });
  await sample.rows(
    `insert into comment_reactions (project_id, task_id, comment_id, user_id, emoji)
     select c.project_id, c.task_id, c.id, c.author_id, '🎉' from task_comments c where c.project_id = $1 and c.parent_id is null`,
  );
  const both = comments.getByRole('button', {
    name: t('common.pair', { name: t('writing.comments.emoji.party'), value: 'Ada Lovelace, Bob Kahn' }),
  });
  await both.waitFor();
  expect(await offences(page)).toEqual([]);
  await both.click();
  await comments
    .getByRole('button', { name: t('common.pair', { name: t('writing.comments.emoji.party'), value: 'Bob Kahn' }) })
    .waitFor();
  await comments
    .getByRole('button', { name: t('common.more'), exact: true })
    .nth(1)
    .click();
  await page.getByRole('menuitem', { name: t('writing.comments.copyLink') }).click();
  await news(page).getByText(t('common.copied')).waitFor();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  expect(link).toMatch(/\/board\/1#comment-[0-9a-f-]{36}$/);
  await comments
    .getByRole('button', { name: t('common.more'), exact: true })
    .first()
    .click();
  await page.getByRole('menuitem', { name: t('writing.comments.resolve') }).click();
  await comments.getByText(t('writing.comments.resolvedBy', { name: 'Ada Lovelace' })).waitFor();
  expect(await comments.getByText('Number 3').count()).toBe(0);
  await comments.getByRole('button', { name: t('writing.comments.show', { n: 3 }) }).click();
  await comments.getByText('Number 3').waitFor();
  await page.goto('/app');
  // The words come after the rest: a reply that is linked to stays where it is, and marked.
  let come = (): void => undefined;
  const coming = new Promise<void>((resolve) => {
    come = resolve;
  });
  await page.route(/task_comments\?.*body/, async (route) => {
    await coming;
    await route.continue();
  });
  await page.goto(link);
  await comments.locator('[data-linked]').waitFor();
  come();
  await comments.locator('[data-linked]', { hasText: 'Number 3' }).waitFor();
  await comments.getByRole('button', { name: t('writing.comments.reopen') }).click();
  await comments.getByText(t('writing.comments.resolvedBy', { name: 'Ada Lovelace' })).waitFor({ state: 'detached' });
});
