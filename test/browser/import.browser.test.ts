// Import of a table in the app: preview, columns, writing, undo.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { beforeAll, expect, test } from 'vitest';
import yazl from 'yazl';
import { openFileSaver } from '../../server/files/file-saver.ts';
import { startImports } from '../../server/imports/door/start-imports.ts';
import { notSaved } from '../../server/imports/files-in-zip.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { offences } from './accessibility.ts';
import { tabTo, walk } from './keys-alone.ts';
import { startSite } from './pages.ts';
import { saying, t } from './words.ts';

const pictures = process.env.IMPORT_PICTURES;
const site = forSuite(startSite);
forSuite(async () => startImports(site.app.services, await openFileSaver(site.app.services, notSaved)));
beforeAll(async () => {
  if (pictures) mkdirSync(pictures, { recursive: true });
});

test('a newcomer brings a table in, sees it before, changes what is wrong, and takes it back', async () => {
  const ada = await site.visit();
  const { page } = ada;
  const picture = async (name: string): Promise<void> => {
    if (pictures) await page.screenshot({ path: `${pictures}/${name}.png`, fullPage: true });
  };
  await ada.settle('Ada Berg');
  await page.goto('/app');
  await page
    .getByRole('link', { name: t('common.nav.import') })
    .first()
    .click();
  await page.getByRole('heading', { level: 1, name: t('import.title') }).waitFor();
  expect(await offences(page)).toEqual([]);
  await picture('choose');

  // What is no export is said, and another may be chosen.
  const field = page.getByLabel(t('import.choose'));
  await field.setInputFiles({ name: 'broken.json', mimeType: 'application/json', buffer: Buffer.from('[1, 2') });
  await page.getByText(t('import.refused.KB823', { words: 'The file is no JSON' })).waitFor();
  // Of several in a zip one is chosen.
  const zip = new yazl.ZipFile();
  for (const [name, title] of [
    ['hull.csv', 'Caulk'],
    ['deck.csv', 'Tar'],
  ] as const)
    zip.addBuffer(Buffer.from(`ID,Title\n1,${title}`), name);
  zip.end();
  await field.setInputFiles({ name: 'two.zip', mimeType: 'application/zip', buffer: await buffer(zip.outputStream) });
  await page.getByRole('heading', { name: t('import.parts', { file: 'two.zip' }) }).waitFor();
  expect(await offences(page)).toEqual([]);
  await picture('several');
  await page.getByRole('button', { name: 'deck.csv' }).click();
  await page.getByRole('heading', { name: t('import.board') }).waitFor();
  await page
    .getByRole('list', { name: t('import.board') })
    .getByText('Tar')
    .waitFor();
  await page.goto('/app/import');
  await field.setInputFiles(join(import.meta.dirname, '../imports/samples/plain.csv'));

  await page.getByRole('heading', { name: t('import.board') }).waitFor();
  await page.getByRole('heading', { name: 'In Arbeit' }).waitFor();
  await page
    .getByText(t('import.line', { line: '5' }))
    .first()
    .waitFor();
  await page.getByLabel(t('import.holds', { column: 'Raum' })).selectOption(t('property.labels'));
  await page.getByLabel(t('import.is', { name: 'Niemand Bekannt' })).selectOption('Ada Berg');
  await expect.poll(() => page.getByLabel(t('import.is', { name: 'Niemand Bekannt' })).inputValue()).not.toBe('');
  expect(await page.getByLabel(t('import.holds', { column: 'Raum' })).inputValue()).toBe('labels');
  expect(await offences(page)).toEqual([]);
  await picture('look');

  await page.getByLabel(t('import.name')).fill('Werft');
  await page.getByRole('button', { name: t('import.title'), exact: true }).click();
  await page.getByText(saying('import.states.done')).waitFor();
  expect(await offences(page)).toEqual([]);
  await picture('done');
  const labels = await site.app.sql<{ name: string }>('select name from public.task_labels');
  expect(labels.map(({ name }) => name)).toContain('Halle 2');

  // Loaded anew it is where it was.
  await page.reload();
  await page.getByRole('button', { name: t('import.undo') }).click();
  await page.getByText(t('import.states.undone')).waitFor();
  expect(await site.app.sql('select id from public.tasks')).toEqual([]);
  await page.getByRole('link', { name: t('import.again') }).click();
  await page.getByRole('button', { name: /plain.csv/ }).waitFor();

  if (pictures) {
    await page
      .getByLabel(t('import.choose'))
      .setInputFiles(join(import.meta.dirname, '../imports/samples/trello.json'));
    await page.getByRole('heading', { name: t('import.board') }).waitFor();
    await page.emulateMedia({ colorScheme: 'dark' });
    await picture('look-dark');
    await page.setViewportSize({ width: 390, height: 844 });
    await picture('look-phone-dark');
    await page.emulateMedia({ colorScheme: 'light' });
    await picture('look-phone');
  }
  const { troubles } = ada;
  await ada.close();
  // The file that could not be read is refused with a status that browsers note.
  expect(troubles.filter((trouble) => !/422/.test(trouble))).toEqual([]);
});

test('colleagues of other projects are offered for people of the file, join with the import, and go by its undo', async () => {
  const cleo = await site.visit();
  const { page } = cleo;
  const { client } = await cleo.settle('Cleo Berg');
  const colleague = await site.app.createUser({ name: 'Eve Marlow' });
  await site.app.createUser({ name: 'Zoe Stranger' });
  const { data: shared } = await client.rpc('create_project_with_defaults', { name: 'Lighthouse', key: 'LIG' });
  const { data: foreign } = await colleague.client.rpc('create_project_with_defaults', { name: 'Pier', key: 'PIE' });
  const letIn = (project: unknown, userId: string) =>
    site.app.sql(`insert into project_members (project_id, user_id, role) values ($1, $2, 'editor')`, [
      (project as { id: string }).id,
      userId,
    ]);
  await letIn(shared, colleague.id);
  await letIn(foreign, (await client.auth.getUser()).data.user?.id ?? '');

  await page.goto('/app/import');
  const file = Buffer.from('ID,Title,Assignee\n1,Trim the lamp,E. Marlow\n2,Paint the door,Somebody');
  await page.getByLabel(t('import.choose')).setInputFiles({ name: 'yard.csv', mimeType: 'text/csv', buffer: file });
  const who = page.getByLabel(t('import.is', { name: 'E. Marlow' }));
  const joins = t('import.joins', { name: 'Eve Marlow' });
  await expect
    .poll(() => who.getByRole('option').allTextContents())
    .toEqual([t('import.asName'), t('import.invite'), 'Cleo Berg', joins]);
  // Where one only edits, nobody is added.
  await page.getByLabel(t('import.into')).selectOption('Pier');
  await expect
    .poll(() => who.getByRole('option').allTextContents())
    .toEqual([t('import.asName'), 'Cleo Berg', 'Eve Marlow']);
  await page.getByLabel(t('import.into')).selectOption(t('import.newProject'));
  await who.selectOption(joins);
  await expect.poll(() => who.inputValue()).toBe(colleague.id);
  expect(await offences(page)).toEqual([]);
  await page.getByLabel(t('import.name')).fill('Yard');
  await page.getByRole('button', { name: t('import.title'), exact: true }).click();
  await page.getByText(saying('import.states.done')).waitFor();
  const members = `select m.role from project_members m join projects p on p.id = m.project_id where p.name = 'Yard' and m.user_id = $1`;
  expect(await site.app.sql(members, [colleague.id])).toEqual([{ role: 'editor' }]);
  expect(
    await site.app.sql('select t.title from task_assignees a join tasks t on t.id = a.task_id where a.user_id = $1', [
      colleague.id,
    ]),
  ).toEqual([{ title: 'Trim the lamp' }]);

  await page.getByRole('button', { name: t('import.undo') }).click();
  await page.getByText(t('import.states.undone')).waitFor();
  expect(await site.app.sql(members, [colleague.id])).toEqual([]);
  const { troubles } = cleo;
  await cleo.close();
  expect(troubles).toEqual([]);
});

test('without a mouse: a file is chosen, looked at and brought in', async () => {
  const bea = await site.visit();
  const { page } = bea;
  await bea.settle('Bea Berg');
  await page.goto('/app/import');
  await page.getByRole('heading', { level: 1, name: t('import.title') }).waitFor();
  expect(await walk(page)).toEqual({ missed: [], unseen: [] });
  // Asked for before the way there: a page that is told only with the key may be told too late, and opens a window of its own.
  const chooser = page.waitForEvent('filechooser');
  await tabTo(page, t('import.choose'));
  await page.keyboard.press('Enter');
  await (await chooser).setFiles(join(import.meta.dirname, '../imports/samples/plain.csv'));
  await page.getByRole('heading', { name: t('import.board') }).waitFor();
  expect(await walk(page)).toEqual({ missed: [], unseen: [] });
  await tabTo(page, t('import.name'));
  await page.keyboard.press('Control+a');
  await page.keyboard.type('Dock');
  await tabTo(page, t('import.title'));
  await page.keyboard.press('Enter');
  await page.getByText(saying('import.states.done')).waitFor();
  await tabTo(page, t('common.openProject'));
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Dock' }).waitFor();
  const { troubles } = bea;
  await bea.close();
  expect(troubles).toEqual([]);
});
