// Keys for programs: made in the account and shown once, named in history and comments, seen by owners of a project and taken out of it, revoked.

import { createClient } from '@supabase/supabase-js';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { forSuite } from '../helpers/for-suite.ts';
import { offences } from './accessibility.ts';
import { pictureLooks } from './looks.ts';
import { cardOf, openSampleProject } from './pages.ts';
import { t } from './words.ts';

const sample = forSuite(openSampleProject, (sample) => sample.site.close());

test('a key is made, shown once, named where it was used, and revoked', async () => {
  const { page } = sample.ada;
  await page.goto('/app/account');
  const keys = page.getByRole('region', { name: t('keys.title') });
  await keys.getByRole('textbox', { name: t('keys.name') }).fill('Release bot');
  await keys.getByRole('combobox', { name: t('keys.scope') }).selectOption(t('keys.scopes.write'));
  await keys.getByRole('combobox', { name: t('keys.reach') }).selectOption(t('keys.chosen'));
  await keys.getByRole('checkbox', { name: 'Harbour' }).check();
  await keys.getByRole('button', { name: t('keys.make') }).click();
  const token = await keys.getByRole('textbox', { name: t('keys.token') }).inputValue();
  expect(token).toMatch(/^kb_[0-9a-f]{48}$/);
  await keys.getByRole('list').getByText('Release bot').waitFor();
  expect(await offences(page)).toEqual([]);
  await keys.getByRole('textbox', { name: t('keys.token') }).scrollIntoViewIfNeeded();
  await pictureLooks(page, 'account');

  const program = createClient(sample.site.app.url, token, {
    auth: { persistSession: false, autoRefreshToken: false },
    realtime: { transport: WebSocket as never },
  });
  const [{ id: task }] = (await sample.rows<{ id: string }>(
    'select id from tasks where project_id = $1 order by number limit 1',
  )) as [{ id: string }];
  await program.from('tasks').update({ priority: 'p0' }).eq('id', task).throwOnError();
  await program.from('task_comments').insert({ task_id: task, body: 'Shipped' }).throwOnError();
  await sample.openBoard(page);
  await cardOf(page, 'Paint the crane').click();
  const named = t('task.through', { name: 'Ada Lovelace', program: 'Release bot' });
  // In history, and at the comment.
  await page.getByText(named).nth(1).waitFor();
  await pictureLooks(page, 'history');

  await page.goto(`/app/projects/${sample.projectId}/people`);
  await page.getByRole('button', { name: t('people.keys.show') }).click();
  const ofProject = page.getByRole('list', { name: t('keys.ofProject') });
  await ofProject.getByText(t('keys.of', { key: 'Release bot', person: 'Ada Lovelace' })).waitFor();
  await ofProject.getByText(t('keys.scopes.write')).waitFor();
  expect(await offences(page)).toEqual([]);
  await ofProject.scrollIntoViewIfNeeded();
  await pictureLooks(page, 'people');
  await page.getByRole('button', { name: t('access.show') }).click();
  await page
    .getByText(t('access.did.keyGiven', { who: 'other', actor: 'Ada Lovelace', name: 'Release bot', scope: 'write' }))
    .waitFor();
  const removeOf = t('keys.removeOf', { name: 'Release bot' });
  await ofProject.getByRole('button', { name: removeOf }).click();
  await page.getByRole('dialog', { name: removeOf }).getByText(t('keys.removeWords')).waitFor();
  await page
    .getByRole('dialog', { name: removeOf })
    .getByRole('button', { name: t('keys.remove') })
    .click();
  await page.getByText(t('keys.none')).waitFor();
  await expect.poll(async () => (await program.from('tasks').select('id')).status).toBe(401);

  await page.goto('/app/account');
  const created = keys.getByRole('textbox', { name: t('keys.token') });
  const revoking = (name: string) => keys.getByRole('button', { name: t('keys.revokeOf', { name }) });
  const revoke = async (name: string): Promise<void> => {
    await revoking(name).click();
    await page
      .getByRole('dialog', { name: t('keys.revokeOf', { name }) })
      .getByRole('button', { name: t('keys.revoke') })
      .click();
    await revoking(name).waitFor({ state: 'detached' });
  };
  for (const name of ['Older', 'Newer']) {
    await keys.getByRole('textbox', { name: t('keys.name') }).fill(name);
    await keys.getByRole('button', { name: t('keys.make') }).click();
    await revoking(name).waitFor();
  }
  const newer = await created.inputValue();
  await revoke('Older');
  expect(await created.inputValue()).toBe(newer);
  await revoke('Newer');
  await created.waitFor({ state: 'detached' });
  await keys.getByRole('list').waitFor({ state: 'detached' });
  await sample.expectRows('select count(*)::int as open from api_keys where revoked_at is null', [{ open: 0 }]);
  expect(sample.ada.troubles).toEqual([]);
});
