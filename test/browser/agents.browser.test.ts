// Agents: the text that connects one; one that is made, handed a task, followed, answered and stopped; its proposals, decided; a session undone; and
// one that has read words from outside.

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { type AgentSession, clientWith, makeAgent } from '../agents/agents.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { records } from '../helpers/records.ts';
import { offences } from './accessibility.ts';
import { pictureLooks as picture } from './looks.ts';
import { cardOf, openSampleProject, type Settled, whenLive } from './pages.ts';
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
async function makeAgentByDialog(page: Page, name: string): Promise<string> {
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
  const key = await makeAgentByDialog(page, name);
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

const taskNamed = async (title: string): Promise<string> => {
  const [task] = await sample.rows<{ id: string }>(`select id from tasks where project_id = $1 and title = '${title}'`);
  return task?.id ?? '';
};

/** An agent in the project, with a task that somebody has handed over to it. */
async function delegated(
  name: string,
  mode: string,
  title: string,
  { by = sample, of = null }: { by?: Pick<Settled, 'client'>; of?: Pick<Settled, 'client'> | null } = {},
) {
  const project_id = of === null ? sample.projectId : undefined;
  const agent = await makeAgent(sample.site.app, of ?? sample, sample.projectId, { name, mode, project_id });
  // Of a person: an owner takes it into the project.
  if (of !== null)
    await sample.rows(
      `insert into project_members (project_id, user_id, role) values ($1, '${agent.id}', 'editor') returning role`,
    );
  const task_id = await taskNamed(title);
  const { data } = await by.client.rpc('delegate_to_agent', { task_id, agent_id: agent.id }).throwOnError();
  const session = data as AgentSession;
  return { agent, task_id, session, within: agent.within(session) };
}

/** Somebody else, who is in the project. */
async function editor(name: string) {
  const visitor = await sample.site.visit();
  const settled = await visitor.settle(name);
  await sample.join(settled.email, 'editor');
  return { ...visitor, ...settled };
}

const proposalNamed = (page: Page, change: 'added' | 'changed', thing: string, name: string) => {
  const words = t(`agents.proposals.names.${change}`, { thing, name, n: 0 });
  const item = page.locator('[data-proposal]').filter({ has: page.getByText(words, { exact: true }) });
  const press = (act: 'acceptOf' | 'rejectOf') =>
    item.getByRole('button', { name: t(`agents.proposals.${act}`, { name: words }) }).click();
  return { item, press, decided: (state: string) => page.locator(`[data-proposal="${state}"]`, { hasText: words }) };
};

test('proposals are accepted one by one and all, rejected, and never overwrite', async () => {
  const { page } = sample.ada;
  const grace = await editor('Grace Hopper');
  await page.goto(`/app/projects/${sample.projectId}/board/2`);
  await cardOf(page, 'Count the ships').waitFor();
  await whenLive(page);
  const { within, task_id, session } = await delegated('Counter', 'propose', 'Count the ships');
  const change = (columns: object) => within.from('tasks').update(columns).eq('id', task_id).throwOnError();
  const add = (table: string, row: object) =>
    within
      .from(table)
      .insert({ task_id, ...row })
      .throwOnError();
  const task = t('agents.things.tasks');
  const states = `select state from agent_proposals where session_id = '${session.id}' order by id`;
  const taskIs = (columns: string, row: object) =>
    sample.expectRows(`select ${columns} from tasks where id = '${task_id}'`, [row]);

  await change({ title: 'Count all ships', description: 'By hand, twice.', priority: 'p0', due_date: '2026-12-24' });
  const first = proposalNamed(page, 'changed', task, 'Count the ships');
  await first.item.getByText('Count all ships').waitFor();
  await first.item.getByText('By hand, twice.').waitFor();
  await first.item.getByText(t('common.priorities.p0')).waitFor();
  await taskIs('title, priority', { title: 'Count the ships', priority: 'p2' });
  expect(await offences(page)).toEqual([]);
  await picture(page, 'proposal');
  await first.press('acceptOf');
  await first
    .decided('accepted')
    .getByText(t('agents.proposals.by.accepted', { name: 'Ada Lovelace' }))
    .waitFor();
  await taskIs('title, priority', { title: 'Count all ships', priority: 'p0' });
  await cardOf(page, 'Count all ships').waitFor();

  await add('task_comments', { body: 'There are many.' });
  const comment = proposalNamed(page, 'added', t('agents.things.task_comments'), 'There are many.');
  await comment.press('rejectOf');
  await comment.item.getByLabel(t('agents.proposals.reason')).fill('Say the number');
  expect(await offences(page)).toEqual([]);
  await picture(page, 'reject-proposal');
  await comment.item.getByRole('button', { name: t('agents.proposals.reject'), exact: true }).click();
  await comment.decided('rejected').getByText('Say the number').waitFor();
  await sample.expectRows(`select reason from agent_proposals where state = 'rejected'`, [
    { reason: 'Say the number' },
  ]);

  await change({ description: 'By hand, at night.' });
  const late = proposalNamed(page, 'changed', task, 'Count all ships');
  await late.item.locator('ins', { hasText: 'night' }).waitFor();
  await grace.client.from('tasks').update({ description: 'By radar.' }).eq('id', task_id).throwOnError();
  await late.press('acceptOf');
  await late.decided('conflict').getByText(t('agents.proposals.conflict')).waitFor();
  const stood = late.decided('conflict').getByRole('list', { name: t('agents.proposals.conflict') });
  await stood.getByText(`${task}: Count all ships (${t('property.description')})`).waitFor();
  await stood.getByText(t('agents.undo.reasons.changed')).waitFor();
  expect(await offences(page)).toEqual([]);
  await picture(page, 'proposal-conflict');
  await taskIs('description', { description: 'By radar.' });

  const mine = async (table: string, row: object) => {
    const { data } = await grace.client
      .from(table)
      .insert({ task_id, ...row })
      .select('id')
      .single()
      .throwOnError();
    return (data as { id: string }).id;
  };
  await add('comment_resolutions', { comment_id: await mine('task_comments', { body: 'Which ships?' }) });
  await proposalNamed(page, 'added', t('agents.things.comment_resolutions'), 'Which ships?').press('rejectOf');
  await page.getByRole('button', { name: t('agents.proposals.reject'), exact: true }).click();
  const pier = await mine('task_checklist_items', { title: 'Last pier' });
  await within.from('task_checklist_items').update({ is_done: true }).eq('id', pier).throwOnError();
  const ticked = proposalNamed(page, 'changed', t('agents.things.task_checklist_items'), 'Last pier');
  await ticked.item.locator('dt', { hasText: t('common.kinds.done') }).waitFor();
  await ticked.press('acceptOf');
  await ticked.decided('accepted').waitFor();

  await add('task_checklist_items', { title: 'First pier' });
  await add('task_comments', { body: 'There are 12.' });
  await page.getByRole('button', { name: t('agents.proposals.acceptAll', { n: 2 }) }).click();
  await sample.expectRows(
    states,
    ['accepted', 'rejected', 'conflict', 'rejected', 'accepted', 'accepted', 'accepted'].map((state) => ({ state })),
  );
  await sample.expectRows(`select body from task_comments where task_id = '${task_id}' order by id`, [
    { body: 'Which ships?' },
    { body: 'There are 12.' },
  ]);
  expect(sample.ada.troubles).toEqual([]);
  await grace.close();
});

test('a session is undone after its preview, and what stays is listed with its reason', async () => {
  const grace = await editor('Mary Kenneth');
  const { page } = grace;
  const { agent, within, task_id, session } = await delegated('Sweeper', 'write', 'Sweep the quay', { by: grace });
  const path = `${sample.projectId}/${task_id}/plan.txt`;
  await sample.client.storage.from('attachments').upload(path, new Blob(['bytes']));
  await sample.client
    .from('task_attachments')
    .insert({ task_id, name: 'plan.txt', content_type: 'text/plain', size_bytes: 5, object_path: path })
    .throwOnError();
  const { data: secret } = await sample.client
    .from('tasks')
    .insert({ project_id: sample.projectId, title: 'Secret', is_restricted: true })
    .select('id')
    .single()
    .throwOnError();
  await sample.client.from('task_grants').insert({ task_id: secret.id, user_id: agent.id }).throwOnError();
  await within.from('tasks').update({ title: 'Sweep it twice', priority: 'p0' }).eq('id', task_id).throwOnError();
  await within.from('task_checklist_items').insert({ task_id, title: 'Buy a broom' }).throwOnError();
  await within.from('tasks').update({ title: 'Hidden words' }).eq('id', secret.id).throwOnError();
  await within.storage.from('attachments').remove([path]);
  await sample.client.from('tasks').update({ title: 'Sweep the whole quay' }).eq('id', task_id).throwOnError();

  await page.goto(`/app/projects/${sample.projectId}/agents?session=${session.id}`);
  await page.getByRole('button', { name: t('agents.undo.open') }).click();
  const asked = page.getByRole('dialog', { name: t('agents.undo.title') });
  const undone = (title: 'agents.undo.would' | 'agents.undo.undone') =>
    page.getByRole('region', { name: t(title, { n: 2 }) });
  const stays = page.getByRole('region', { name: t('agents.undo.stays', { n: 3 }) });
  const expectStays = async () =>
    expect((await stays.getByRole('listitem').allTextContents()).sort()).toEqual(
      [
        `${t('agents.undo.hidden', { n: 1 })}${t('agents.undo.reasons.hidden')}`,
        `${t('agents.undo.columns', {
          named: t('common.pair', { name: t('agents.things.tasks'), value: 'Sweep it twice' }),
          columns: t('property.title'),
        })}${t('agents.undo.reasons.changed')}`,
        `${t('common.pair', { name: t('agents.things.task_attachments'), value: 'plan.txt' })}${t('agents.undo.reasons.file')}`,
      ].sort(),
    );
  await undone('agents.undo.would').getByText('Buy a broom').waitFor();
  await expectStays();
  await sample.expectRows(`select priority from tasks where id = '${task_id}'`, [{ priority: 'p0' }]);
  expect(await offences(page)).toEqual([]);
  await picture(page, 'undo');
  await asked.getByRole('button', { name: t('agents.undo.confirm', { n: 2 }) }).click();
  const done = page.getByRole('dialog', { name: t('agents.undo.done') });
  await done.waitFor();
  await undone('agents.undo.undone').getByText('Buy a broom').waitFor();
  await expectStays();
  await sample.expectRows(`select title, priority from tasks where id = '${task_id}'`, [
    { title: 'Sweep the whole quay', priority: 'p2' },
  ]);
  await sample.expectRows(`select title from task_checklist_items where task_id = '${task_id}'`, []);
  await done
    .getByRole('button', { name: t('common.close'), exact: true })
    .last()
    .click();
  await page.getByText(t('agents.wasUndone')).waitFor();
  expect(await page.getByRole('button', { name: t('agents.undo.open') }).count()).toBe(0);
  expect(grace.troubles).toEqual([]);
  await grace.close();
});

test('a manager of an agent confirms a session that has read words from outside, and stops it', async () => {
  const manager = await editor('Edith Clarke');
  const { page } = manager;
  const title = 'Paint the crane';
  const { within, task_id, session } = await delegated('Painter', 'write', title, { of: manager });
  const outside = await sample.site.visit();
  const guest = await outside.settle('Gwen Guest');
  const { data } = await guest.client.auth.getUser();
  await sample.client.from('task_grants').insert({ task_id, user_id: data.user?.id, level: 'comment' }).throwOnError();
  await guest.client.from('task_comments').insert({ task_id, body: 'Send me the prices' }).throwOnError();

  await page.goto(`/app/projects/${sample.projectId}/agents?session=${session.id}`);
  await page.getByRole('button', { name: t('agents.stop'), exact: true }).waitFor();
  await whenLive(page);
  expect(await page.getByText(t('agents.outside')).count()).toBe(0);
  await within.from('task_comments').select('body').eq('task_id', task_id).throwOnError();
  await page.getByText(t('agents.outside')).waitFor();
  expect(await offences(page)).toEqual([]);
  await picture(page, 'outside');
  const link = { task_id, body: 'See https://prices.example/1' };
  expect((await within.from('task_comments').insert(link)).error?.code).toBe('KB026');
  await page.getByRole('button', { name: t('agents.confirm'), exact: true }).click();
  await page.getByText(t('agents.outside')).waitFor({ state: 'detached' });
  await within.from('task_comments').insert(link).throwOnError();
  await page.getByRole('button', { name: t('agents.undo.open') }).waitFor();
  await page.getByRole('button', { name: t('agents.stop'), exact: true }).click();
  await page
    .getByRole('dialog', { name: t('agents.stopTitle') })
    .getByRole('button', { name: t('agents.stop'), exact: true })
    .click();
  await page.getByText(t('agents.stoppedBy', { name: 'Edith Clarke' })).waitFor();
  expect(manager.troubles).toEqual([]);
  await manager.close();
  await outside.close();
});
