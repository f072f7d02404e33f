// Agents on the account page: the text that connects one, copied from there, works.

import { expect, test } from 'vitest';
import { forSuite } from '../helpers/for-suite.ts';
import { offences } from './accessibility.ts';
import { pictureLooks } from './looks.ts';
import { openSampleProject } from './pages.ts';
import { t } from './words.ts';

const sample = forSuite(openSampleProject, (sample) => sample.site.close());

test('the text for an agent is chosen and copied', async () => {
  const { page } = sample.ada;
  await page.goto('/app/account');
  const agents = page.getByRole('region', { name: t('agents.title') });
  const choose = (label: string) => agents.getByLabel(t('agents.client')).selectOption({ label });
  const { url } = sample.site.app;
  await agents.getByText(`claude mcp add --transport http kanbase ${url}/mcp`).waitFor();
  await agents.getByText(t('agents.start', { command: '/mcp' })).waitFor();
  await choose('Codex');
  await agents.getByText(`codex mcp add kanbase --url ${url}/mcp`).waitFor();
  await choose(t('agents.other'));
  await agents.getByText(t('agents.address')).waitFor();
  expect(await agents.locator('pre').textContent()).toBe(`${url}/mcp`);
  await choose(t('agents.command'));
  await agents.getByText(`npx kanbase login ${url}`).waitFor();
  await agents.getByText(t('agents.bridge')).waitFor();
  await choose('Cursor');
  await agents.getByText(t('agents.file', { path: '~/.cursor/mcp.json' })).waitFor();
  expect(JSON.parse((await agents.locator('pre').textContent()) ?? '')).toEqual({
    mcpServers: { kanbase: { url: `${url}/mcp` } },
  });
  await agents.getByRole('button', { name: t('agents.copy') }).click();
  await page.getByText(t('common.stranded.copied')).waitFor();
  expect(await offences(page)).toEqual([]);
  await pictureLooks(page, 'agents', agents);
});
