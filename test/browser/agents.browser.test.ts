// Agents: the text that connects one; one that is made, handed a task, followed, answered and stopped; its proposals, and what undoing it would do.

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { clientWith } from '../agents/agents.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { records } from '../helpers/records.ts';
import { offences } from './accessibility.ts';
import { pictureLooks as picture } from './looks.ts';
import { cardOf, openSampleProject, whenLive } from './pages.ts';
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
  await picture(page, 'account', agents);
});

const settings = (page: Page) => page.getByRole('region', { name: t('agents.title') });
const panel = (page: Page) => page.getByRole('complementary', { name: t('task.panel', { key: 'HAR-1' }) });
const part = (page: Page) => panel(page).getByRole('region', { name: t('agents.title') });
const markOn = (page: Page) => cardOf(page, 'Paint the crane').locator('[data-agent-session]');

/** Makes one in the settings of the project; its key. */
async function makeAgent(page: Page, name: string): Promise<string> {
  await page.goto(`/app/projects/${sample.projectId}/settings`);
  await settings(page)
    .getByRole('button', { name: t('agents.add') })
    .click();
  const dialog = page.getByRole('dialog', { name: t('agents.new') });
  await dialog.getByLabel(t('common.name')).fill(name);
  await dialog.getByLabel(t('agents.about')).fill('Plans what comes next');
  await dialog.getByRole('radio', { name: t('agents.modes.write') }).check();
  await dialog.getByLabel(t('agents.limits.writes')).fill('100');
  expect(await offences(page)).toEqual([]);
  await picture(page, 'new-agent');
  await dialog.getByRole('button', { name: t('agents.create') }).click();
  const made = page.getByRole('dialog', { name: t('agents.connect.title', { name }) });
  const key = await made.getByRole('textbox', { name: t('keys.token'), exact: true }).inputValue();
  records?.keepSecret(key);
  await made.getByText(`claude mcp add --transport http kanbase ${sample.site.app.url}/mcp --header`).waitFor();
  expect(await offences(page)).toEqual([]);
  await picture(page, 'connect-agent');
  await made.getByRole('button', { name: t('agents.connect.done'), exact: true }).click();
  await settings(page)
    .getByRole('button', { name: t('agents.settings.of', { name }) })
    .waitFor();
  return key;
}

async function handOver(page: Page, words: string): Promise<void> {
  await panel(page)
    .getByRole('button', { name: t('common.more'), exact: true })
    .first()
    .click();
  await page.getByRole('menuitem', { name: t('task.delegate') }).click();
  const dialog = page.getByRole('dialog', { name: t('agents.delegate.title') });
  await dialog.getByLabel(t('agents.delegate.words')).fill(words);
  expect(await offences(page)).toEqual([]);
  await picture(page, 'delegate');
  await dialog.getByRole('button', { name: t('agents.delegate.do') }).click();
  await dialog.waitFor({ state: 'detached' });
}

test('a task is handed over, followed live, answered and stopped', async () => {
  const { page } = sample.ada;
  const name = 'Planner';
  const { app } = sample.site;
  const key = await makeAgent(page, name);
  const limits = 'select mode, writes_an_hour, about from agents';
  await sample.expectRows(limits, [{ mode: 'write', writes_an_hour: 100, about: 'Plans what comes next' }]);
  await settings(page)
    .getByRole('button', { name: t('agents.settings.of', { name }) })
    .click();
  const set = page.getByRole('dialog', { name: t('agents.settings.of', { name }) });
  await set.getByLabel(t('agents.limits.writes')).fill('200');
  await set.getByRole('button', { name: t('common.save') }).click();
  await set.waitFor({ state: 'detached' });
  await sample.expectRows('select writes_an_hour from agents', [{ writes_an_hour: 200 }]);
  await picture(page, 'settings', settings(page));

  await page.goto(`/app/projects/${sample.projectId}/board/1`);
  await cardOf(page, 'Paint the crane').waitFor();
  await whenLive(page);
  await handOver(page, 'Write the text');
  await markOn(page).waitFor();
  expect(await markOn(page).getAttribute('title')).toBe(t('common.pair', { name, value: t('agents.states.pending') }));
  await part(page).getByText('Write the text').waitFor();

  const [session] = (await sample.rows<{ id: string; task_id: string }>('select id, task_id from agent_sessions')) as [
    { id: string; task_id: string },
  ];
  const agent = clientWith(app, key);
  const say = (kind: string, body: string) =>
    agent.rpc('add_agent_activity', { session_id: session.id, kind, body }).throwOnError();
  await say('thought', 'Two texts are needed.');
  await say('action', 'Read the description.');
  await part(page).getByText('Read the description.').waitFor();
  await part(page)
    .getByRole('button', { name: t('agents.folded', { n: 1 }) })
    .click();
  await part(page).getByText('Two texts are needed.').waitFor();
  await agent
    .rpc('report_agent_session', {
      session_id: session.id,
      plan: [
        { title: 'English text', state: 'complete' },
        { title: 'German text', state: 'active' },
      ],
      links: [{ title: 'Draft', url: 'https://drafts.example/1' }],
      cost: 0.25,
    })
    .throwOnError();
  await part(page).getByText('German text').waitFor();
  await part(page).getByRole('link', { name: 'Draft' }).waitFor();
  await clientWith(app, key, session.id)
    .from('tasks')
    .update({ title: 'Paint the crane', priority: 'p0' })
    .eq('id', session.task_id)
    .throwOnError();
  await say('elicitation', 'Formal or friendly?');
  await part(page).getByText('Formal or friendly?').waitFor();
  await expect
    .poll(() => markOn(page).getAttribute('title'))
    .toBe(t('common.pair', { name, value: t('agents.states.awaiting_input') }));
  expect(await offences(page)).toEqual([]);
  await picture(page, 'task');
  await part(page).getByLabel(t('agents.answer')).fill('Friendly');
  await part(page)
    .getByRole('button', { name: t('agents.send') })
    .click();
  await sample.expectRows(`select body from agent_activities where kind = 'prompt' order by id`, [
    { body: 'Write the text' },
    { body: 'Friendly' },
  ]);
  await part(page).getByText('Friendly', { exact: true }).waitFor();

  await page.getByRole('link', { name: t('projects.views.agents'), exact: true }).click();
  await page
    .getByRole('region', { name: t('agents.open') })
    .getByText(t('agents.changes', { n: 1 }))
    .waitFor();
  expect(await offences(page)).toEqual([]);
  await picture(page, 'sessions');
  await page.getByRole('link', { name: 'HAR-1 Paint the crane' }).click();
  const trail = page.getByRole('region', { name: t('agents.trail') });
  await trail.getByRole('listitem').waitFor();
  expect(await offences(page)).toEqual([]);
  await picture(page, 'session');
  await page.getByRole('button', { name: t('agents.stop'), exact: true }).click();
  await page
    .getByRole('dialog', { name: t('agents.stopTitle') })
    .getByRole('button', { name: t('agents.stop'), exact: true })
    .click();
  await page.getByText(t('agents.stoppedBy', { name: 'Ada Lovelace' })).waitFor();
  await sample.expectRows('select ended_at is not null as over from agent_sessions', [{ over: true }]);
  await page.getByRole('link', { name: t('projects.views.board'), exact: true }).click();
  await cardOf(page, 'Paint the crane').waitFor();
  expect(await markOn(page).count()).toBe(0);
  expect(sample.ada.troubles).toEqual([]);
});

/** As the server stores what a session in mode propose would do. */
async function propose(summary: string, state = 'open', reason: string | null = null): Promise<void> {
  await sample.site.app.sql(
    `insert into public.agent_proposals (project_id, session_id, task_id, user_id, summary, call, difference, state, decided_at, reason)
     select s.project_id, s.id, s.task_id, s.user_id, $2, '{}', jsonb_build_array(
       jsonb_build_object('table', 'tasks', 'was', to_jsonb(k),
         'becomes', to_jsonb(k) || '{"title": "Paint the crane red", "description": "Red, twice.", "priority": "p2", "due_date": "2026-12-24"}'),
       jsonb_build_object('table', 'task_assignees', 'was', null,
         'becomes', jsonb_build_object('task_id', k.id, 'user_id', s.responsible_id, 'project_id', k.project_id))),
       $3, case when $3 <> 'open' then now() end, $4
     from public.agent_sessions s join public.tasks k on k.id = s.task_id where s.project_id = $1 order by s.created_at desc limit 1`,
    [sample.projectId, summary, state, reason],
  );
}

test('proposals are shown as readable differences, with what stood against one', async () => {
  const { page } = sample.ada;
  await page.goto(`/app/projects/${sample.projectId}/board/1`);
  await cardOf(page, 'Paint the crane').waitFor();
  await whenLive(page);
  await propose('Repaint it');
  const proposal = part(page).getByRole('listitem').filter({ hasText: 'Repaint it' }).first();
  await proposal.getByText('Paint the crane red').waitFor();
  await proposal.getByText('Red, twice.').waitFor();
  await proposal.getByText(t('common.priorities.p2')).waitFor();
  await proposal.getByText(t('common.pair', { name: t('property.assignee'), value: 'Ada Lovelace' })).waitFor();
  await proposal.getByRole('button', { name: t('agents.proposals.acceptOf', { name: 'Repaint it' }) }).waitFor();
  await proposal.getByRole('button', { name: t('agents.proposals.rejectOf', { name: 'Repaint it' }) }).click();
  await proposal.getByLabel(t('agents.proposals.reason')).fill('Blue is nicer');
  expect(await offences(page)).toEqual([]);
  await picture(page, 'proposal');
  await propose('Too late', 'conflict', 'The title of HAR-1 has changed since.');
  const conflict = part(page).getByRole('listitem').filter({ hasText: 'Too late' }).first();
  await conflict.getByText('The title of HAR-1 has changed since.').waitFor();
  expect(sample.ada.troubles).toEqual([]);
});

test('a session that has read words from outside says so, and undoing one is told before it is done', async () => {
  const { page } = sample.ada;
  const [session] = (await sample.rows<{ id: string }>('select id from agent_sessions')) as [{ id: string }];
  await sample.site.app.sql(
    `update public.agent_sessions set ended_at = null, stopped_by = null, state = 'active', tainted_at = now() where id = $1`,
    [session.id],
  );
  const answer = {
    undone: [{ table: 'tasks', id: session.id, title: 'Paint the crane', change: 'update', columns: ['priority'] }],
    stays: [
      {
        ...{ table: 'tasks', id: session.id, title: 'Count the ships', change: 'update', columns: ['title'] },
        ...{ code: 'changed', reason: 'somebody else has changed it since' },
      },
    ],
  };
  await page.route('**/rest/v1/rpc/undo_session', (route) => route.fulfill({ json: answer }));
  await page.goto(`/app/projects/${sample.projectId}/agents?session=${session.id}`);
  await page.getByText(t('agents.outside')).waitFor();
  await page.getByRole('button', { name: t('agents.confirm') }).waitFor();
  await picture(page, 'outside');
  await page.getByRole('button', { name: t('agents.undo.open') }).click();
  const dialog = page.getByRole('dialog', { name: t('agents.undo.title') });
  await dialog.getByText(t('agents.undo.would', { n: 1 })).waitFor();
  await dialog.getByText(t('agents.undo.reasons.changed'), { exact: true }).waitFor();
  expect(await offences(page)).toEqual([]);
  await picture(page, 'undo');
  await dialog.getByRole('button', { name: t('agents.undo.confirm', { n: 1 }) }).click();
  await page.getByRole('dialog', { name: t('agents.undo.done') }).waitFor();
});
