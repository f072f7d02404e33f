// Agents at /mcp whose changes wait for a person, and whose changes are undone by one.

import { beforeAll, expect, test } from 'vitest';
import { makeAgent } from '../agents/agents.ts';
import { snapshotOf } from '../agents/snapshots.ts';
import { startApp } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { person } from '../helpers/person.ts';
import { addTask, makeProject, one } from '../sql/board.ts';
import { connectAgent } from './agent.ts';

const app = forSuite(() => startApp());
const ada = person(app, 'Ada');

let project: string;
let key: string;
beforeAll(async () => {
  ({ project } = await makeProject(app, ada, 'Crane'));
  key = ((await one(ada.client.from('projects').select('key').eq('id', project).single())) as { key: string }).key;
});

const titles = async () =>
  (await one(ada.client.from('tasks').select('title').eq('project_id', project).order('number'))).map(
    ({ title }) => title as string,
  );

interface Undo {
  readonly undone: readonly unknown[];
  readonly stays: readonly unknown[];
}
const undo = async (session_id: string, dry_run = false) =>
  (await one(ada.client.rpc('undo_session', { session_id, dry_run }))) as unknown as Undo;

test('a release is planned from a text, proposed, accepted, claimed, finished, and undone', async () => {
  const planner = await makeAgent(app, ada, project, { mode: 'propose' });
  const builder = await makeAgent(app, ada, project, { name: 'Builder' });
  const task = await addTask(app, ada, { project_id: project, title: 'Plan' });
  const empty = await snapshotOf(app, project);
  await one(ada.client.rpc('delegate_to_agent', { task_id: task, agent_id: planner.id, prompt: 'Plan it' }));

  // Planned, which waits for a person.
  const agent = await connectAgent(app, planner.key);
  const [, session = ''] = /- session (\S+) /.exec((await agent.use('whoami')).text) ?? [];
  expect((await agent.use('whoami', { session })).text).toContain('your changes wait until a person accepts them');
  const { messages } = await agent.client.getPrompt({
    name: 'plan_release',
    arguments: { project: key, text: 'The crane is sold once it is built.' },
  });
  expect(JSON.stringify(messages)).toContain('sold once it is built');
  const planned = await agent.use('create_tasks', {
    project: key,
    tasks: [
      { title: 'Sell', waits_for: ['#2'], assign: ['Ada'] },
      { title: 'Build', priority: 'p0' },
    ],
  });
  expect(planned).toMatchObject({ isError: false, text: expect.stringMatching(/^Proposed, not saved: /) });
  const [proposal] = planned.structured.proposals as string[];
  const version = Number(/Version: (\d+)/.exec((await agent.use('get_task', { task })).text)?.[1]);
  const renamed = await agent.use('update_tasks', { updates: [{ task, version, title: 'The plan' }] });
  const commented = await agent.use('comment', { task, body: 'Two tasks.' });
  for (const told of [renamed, commented]) expect(told.text).toMatch(/^Proposed, not saved: /);
  expect((await agent.use('attach', { task, name: 'plan.md', text: '# Plan' })).isError).toBe(true);
  await agent.use('report', { note: 'Proposed a plan', plan: [{ title: 'Plan', state: 'complete' }] });
  expect(await snapshotOf(app, project)).toEqual(empty);

  // Accepted, one and then all.
  await one(ada.client.rpc('accept_proposal', { proposal_id: proposal }));
  expect(await titles()).toEqual(['Plan', 'Sell', 'Build']);
  await one(ada.client.rpc('accept_proposals', { session_id: session }));
  expect(await titles()).toEqual(['The plan', 'Sell', 'Build']);
  expect((await agent.use('find_tasks', { project: key })).text).toContain(`Sell @Ada waits for ${key}-3`);
  await agent.use('finish_or_hand_back', { outcome: 'done', note: 'Planned.' });
  await agent.close();
  const accepted = await snapshotOf(app, project);

  // Built by another agent, which is offered nothing that waits for something else.
  const [, , build] = await one(ada.client.from('tasks').select('id').eq('project_id', project).order('number'));
  const opened = (await one(
    ada.client.rpc('delegate_to_agent', { task_id: build?.id, agent_id: builder.id, prompt: 'Build it' }),
  )) as unknown as { id: string };
  const worker = await connectAgent(app, builder.key, '2026-07-28', { 'agent-session': opened.id });
  const claim = await worker.use('claim_next_task', { project: key, start: true });
  expect(claim.structured).toMatchObject({ key: `${key}-3` });
  const { claim: held, fence } = claim.structured;
  await worker.use('comment', { task: `${key}-3`, body: 'Welded.', fence });
  await worker.use('attach', { task: `${key}-3`, name: 'weld.md', text: '# Weld', fence });
  const done = await worker.use('finish_or_hand_back', { claim: held, outcome: 'done', note: 'Built.' });
  expect(done.structured).toEqual({ key: `${key}-3` });
  await worker.close();
  const built = await snapshotOf(app, project);
  expect(built).not.toEqual(accepted);

  // Undone, first by who built, then by who planned.
  const told = await undo(opened.id, true);
  expect(told.undone.length).toBeGreaterThan(2);
  expect(told.stays).toEqual([]);
  expect(await snapshotOf(app, project)).toEqual(built);
  expect(await undo(opened.id)).toMatchObject({ undone: told.undone, stays: [] });
  expect(await snapshotOf(app, project)).toEqual(accepted);
  expect((await undo(session)).stays).toEqual([]);
  expect(await snapshotOf(app, project)).toEqual(empty);
});

test('writes of an agent through /mcp are undone', async () => {
  const before = await titles();
  const writer = await makeAgent(app, ada, project, { name: 'Writer' });
  const agent = await connectAgent(app, writer.key);
  const made = await agent.use('create_tasks', { project: key, tasks: [{ title: 'Paint' }] });
  const [{ key: painted, version }] = made.structured.created;
  await agent.use('update_tasks', { updates: [{ task: painted, version, column: 'Done', priority: 'p0' }] });
  await agent.use('comment', { task: `${key}-1`, body: 'Painted' });
  await agent.use('attach', { task: `${key}-1`, name: 'red.md', text: 'Red' });
  await agent.close();
  const [session] = await one(ada.client.from('agent_sessions').select('id').eq('agent_id', writer.id));
  const undone = await undo(session?.id as string);
  expect(undone.stays).toEqual([]);
  expect(await titles()).toEqual(before);
  expect(await one(ada.client.from('task_comments').select('body').eq('body', 'Painted'))).toEqual([]);
  expect(await one(ada.client.from('task_attachments').select('name').eq('name', 'red.md'))).toEqual([]);
  const late = await connectAgent(app, writer.key);
  expect((await late.use('comment', { task: `${key}-1`, body: 'Again' })).isError).toBe(true);
  await late.close();
});
