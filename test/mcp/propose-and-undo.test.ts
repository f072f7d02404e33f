// Agents at /mcp whose changes wait for a person, and whose changes are undone by one.

import { beforeAll, expect, test } from 'vitest';
import { makeAgent } from '../agents/agents.ts';
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

test('a release is planned, proposed, accepted, and worked on', async () => {
  const planner = await makeAgent(app, ada, project, { mode: 'propose' });
  const task = await addTask(app, ada, { project_id: project, title: 'Plan' });
  await one(ada.client.rpc('delegate_to_agent', { task_id: task, agent_id: planner.id, prompt: 'Plan it' }));
  const agent = await connectAgent(app, planner.key);
  const [, session = ''] = /- session (\S+) /.exec((await agent.use('whoami')).text) ?? [];
  expect((await agent.use('whoami', { session })).text).toContain('your changes wait until a person accepts them');
  const planned = await agent.use('create_tasks', {
    project: key,
    tasks: [{ title: 'Sell', waits_for: ['#2'], assign: ['Ada'] }, { title: 'Build' }],
  });
  expect(planned).toMatchObject({ isError: false, text: expect.stringMatching(/^Proposed, not saved: /) });
  const [proposal] = planned.structured.proposals as string[];
  const version = Number(/Version: (\d+)/.exec((await agent.use('get_task', { task })).text)?.[1]);
  const renamed = await agent.use('update_tasks', { updates: [{ task, version, title: 'The plan' }] });
  const commented = await agent.use('comment', { task, body: 'Two tasks.' });
  for (const told of [renamed, commented]) expect(told.text).toMatch(/^Proposed, not saved: /);
  expect(await titles()).toEqual(['Plan']);
  expect((await agent.use('attach', { task, name: 'plan.md', text: '# Plan' })).isError).toBe(true);
  await agent.use('report', { note: 'Proposed a plan', plan: [{ title: 'Plan', state: 'complete' }] });

  await one(ada.client.rpc('accept_proposal', { proposal_id: proposal }));
  expect(await titles()).toEqual(['Plan', 'Sell', 'Build']);
  await one(ada.client.rpc('accept_proposals', { session_id: session }));
  expect(await titles()).toEqual(['The plan', 'Sell', 'Build']);
  expect((await agent.use('find_tasks', { project: key })).text).toContain(`Sell @Ada waits for ${key}-3`);
  await agent.use('finish_or_hand_back', { outcome: 'done', note: 'Planned.' });
  await agent.close();

  // Undone with all that was accepted of it.
  const undone = (await one(ada.client.rpc('undo_session', { session_id: session }))) as unknown as {
    stays: unknown[];
  };
  expect(undone.stays).toEqual([]);
  expect(await titles()).toEqual(['Plan']);
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
  const undone = (await one(ada.client.rpc('undo_session', { session_id: session?.id }))) as unknown as {
    stays: unknown[];
  };
  expect(undone.stays).toEqual([]);
  expect(await titles()).toEqual(before);
  expect(await one(ada.client.from('task_comments').select('body').eq('body', 'Painted'))).toEqual([]);
  expect(await one(ada.client.from('task_attachments').select('name').eq('name', 'red.md'))).toEqual([]);
  const late = await connectAgent(app, writer.key);
  expect((await late.use('comment', { task: `${key}-1`, body: 'Again' })).isError).toBe(true);
  await late.close();
});
