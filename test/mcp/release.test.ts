// A release from a text to its end, by a person with a client of their own and an agent that a runner starts: planned, handed over, claimed, reported,
// finished and, where a person says so, stopped. Everything goes through the doors they use.

import { expect, test } from 'vitest';
import { makeAgent } from '../agents/agents.ts';
import { startApp } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { person } from '../helpers/person.ts';
import { addMember, makeProject, one } from '../sql/board.ts';
import { connectAgent } from './agent.ts';

const app = forSuite(() => startApp());
const ada = person(app, 'Ada');
const bea = person(app, 'Bea');

test('a release is planned, handed over, worked off and stopped', async () => {
  const { project } = await makeProject(app, ada, 'Crane');
  await addMember(app, project, bea, 'editor');
  const { key } = (await one(ada.client.from('projects').select('key').eq('id', project).single())) as { key: string };
  const builder = await makeAgent(app, ada, project, { name: 'Builder' });
  const { token } = (await one(ada.client.rpc('create_api_key', { name: 'Laptop', scope: 'write' }))) as {
    token: string;
  };

  // Planned by Ada's client.
  const client = await connectAgent(app, token);
  const { messages } = await client.client.getPrompt({
    name: 'plan_release',
    arguments: { project: key, text: 'The crane is to be sold in red. It has to be built first.' },
  });
  expect(JSON.stringify(messages)).toContain('sold in red');
  const planned = await client.use('create_tasks', {
    project: key,
    tasks: [
      { title: 'Release the crane', priority: 'p0', waits_for: ['#3'] },
      { title: 'Build it', parent: '#1', assign: ['Builder'] },
      { title: 'Sell it in red', parent: '#1', waits_for: ['#2'] },
    ],
  });
  expect(planned.isError).toBe(false);

  // Heard of by the runner, which starts an agent in that session.
  const inbox = async (after = '') => {
    const answer = await fetch(`${app.url}/api/agents/inbox?wait=60${after}`, {
      headers: { authorization: `Bearer ${builder.key}` },
    });
    return (await answer.json()) as {
      cursor: number;
      sessions: { id: string; responsible_id: string; markdown: string }[];
    };
  };
  const { cursor, sessions } = await inbox();
  expect(sessions).toMatchObject([{ responsible_id: ada.id, markdown: expect.stringContaining(`${key}-2 Build it`) }]);
  const building = sessions[0]?.id ?? '';
  const agent = await connectAgent(app, builder.key, '2026-07-28', { 'agent-session': building });
  expect((await agent.use('whoami')).text).toContain('You were assigned to this task.');
  await agent.use('report', { note: 'Looking at it', plan: [{ title: 'Weld', state: 'active' }, { title: 'Test' }] });
  const claim = await agent.use('claim_next_task', { project: key, start: true });
  expect(claim.structured).toMatchObject({ key: `${key}-2` });
  const { claim: held, fence } = claim.structured;
  await agent.use('attach', { task: `${key}-2`, name: 'weld.md', text: '# Weld', fence });
  await agent.use('report', {
    claim: held,
    note: 'Welded',
    plan: [{ title: 'Weld', state: 'complete' }, { title: 'Test' }],
  });
  const done = await agent.use('finish_or_hand_back', { claim: held, outcome: 'done', note: 'Built and tested.' });
  expect(done.structured).toEqual({ key: `${key}-2` });
  await agent.close();

  // Handed over by a mention, and stopped in the middle.
  await one(
    bea.client
      .from('tasks')
      .select('id')
      .eq('project_id', project)
      .eq('number', 3)
      .single()
      .then(({ data }) =>
        bea.client
          .from('task_comments')
          .insert({ project_id: project, task_id: data?.id, body: '@Builder sell it' })
          .select(),
      ),
  );
  const next = await inbox(`&after=${cursor}`);
  expect(next.sessions).toMatchObject([
    { responsible_id: bea.id, markdown: expect.stringContaining('@Builder sell it') },
  ]);
  const selling = next.sessions[0]?.id ?? '';
  const seller = await connectAgent(app, builder.key, '2026-07-28', { 'agent-session': selling });
  await seller.use('comment', { task: `${key}-3`, body: 'Writing the offer' });
  await one(bea.client.rpc('stop_agent_session', { session_id: selling }));
  const late = await seller.use('comment', { task: `${key}-3`, body: 'Sold' });
  expect(late).toMatchObject({ isError: true, text: expect.stringContaining('A person stopped it. Stop working.') });
  await seller.close();

  // What people see of it afterwards.
  const seen = await one(
    bea.client
      .from('agent_sessions')
      .select('id, state, user_id, stopped_by, plan')
      .eq('project_id', project)
      .order('created_at'),
  );
  expect(seen).toMatchObject([
    { user_id: ada.id, state: 'active' },
    { id: building, state: 'complete', stopped_by: null, plan: [{ state: 'complete' }, { title: 'Test' }] },
    { id: selling, state: 'complete', stopped_by: bea.id },
  ]);
  const lines = await one(
    bea.client.from('task_activity').select('kind, actor_id').eq('program->>session', building).order('id'),
  );
  expect(new Set(lines.map(({ actor_id: id }) => id))).toEqual(new Set([builder.id]));
  expect(lines.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['claimed', 'moved', 'attached', 'commented']));
  const shown = await client.use('find_tasks', { project: key });
  expect(shown.text).not.toContain('Build it');
  await client.close();
});
