// Webhooks that tell of sessions of agents: handed over, told something, stopped; signed, with session, task and prompt.

import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startOutbox } from '../../server/outbox/start-outbox.ts';
import { startApp } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { person } from '../helpers/person.ts';
import { openReceiver, type Receiver } from '../outbox/receiver.ts';
import { addTask, makeProject, one } from '../sql/board.ts';
import { makeAgent } from './agents.ts';

const app = forSuite(() => startApp({ settings: { WEBHOOKS_ALLOWED_NETWORKS: 'loopback', DB_POOL_SIZE: '8' } }));
const ada = person(app, 'Ada');

let receiver: Receiver;
let outbox: { stop(): Promise<void> };
beforeAll(async () => {
  receiver = await openReceiver();
  outbox = await startOutbox(app.services);
});
afterAll(async () => {
  await outbox.stop();
  await receiver.close();
});

test('a session is told of from its beginning to its end', async () => {
  const { project } = await makeProject(app, ada, 'Harbour');
  const planner = await makeAgent(app, ada, project);
  const response = await app.request('/api/webhooks', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      ...{ project_id: project, name: 'Runner', url: `${receiver.url}/in` },
      events: ['agent_session.created', 'agent_session.prompted', 'agent_session.stopped'],
    }),
    token: ada.token,
  });
  expect(response.status).toBe(201);
  const { secret } = (await response.json()) as { secret: string };

  const hidden = await addTask(app, ada, { project_id: project, title: 'Hidden', is_restricted: true });
  await one(
    ada.client.from('task_grants').insert({ project_id: project, task_id: hidden, user_id: planner.id }).select(),
  );
  await one(ada.client.rpc('delegate_to_agent', { task_id: hidden, agent_id: planner.id }));
  const task = await addTask(app, ada, { project_id: project, title: 'Paint the crane' });
  const session = (await one(
    ada.client.rpc('delegate_to_agent', { task_id: task, agent_id: planner.id, prompt: 'In red' }),
  )) as unknown as { id: string };
  await one(ada.client.rpc('add_agent_activity', { session_id: session.id, kind: 'prompt', body: 'Or blue' }));
  await one(ada.client.rpc('stop_agent_session', { session_id: session.id }));
  // What the agent opens, says and ends itself, it isn't told of.
  const own = await planner.open({ project_id: project });
  await one(planner.client.rpc('add_agent_activity', { session_id: own.id, kind: 'thought', body: 'Hm' }));
  await one(planner.client.rpc('report_agent_session', { session_id: own.id, state: 'complete' }));
  const last = await addTask(app, ada, { project_id: project, title: 'Last' });
  await one(ada.client.rpc('delegate_to_agent', { task_id: last, agent_id: planner.id }));

  // Those of one task come in order; tasks don't wait for each other.
  const received = await receiver.until(4);
  for (const { body, headers } of received)
    expect(() => new Webhook(secret).verify(body, headers as Record<string, string>)).not.toThrow();
  const about = received.map(({ json }) => json).filter(({ data }) => data.task?.id === task);
  expect(about.map(({ type }) => type)).toEqual([
    'agent_session.created',
    'agent_session.prompted',
    'agent_session.stopped',
  ]);
  const agent = { id: planner.id, display_name: 'Planner' };
  expect(about[0]?.data).toMatchObject({
    actor: { id: ada.id },
    task: { title: 'Paint the crane', url: expect.stringContaining('/board/') },
    session: { id: session.id, task_id: task, state: 'pending', responsible_id: ada.id, agent },
    prompt: { body: 'In red', user_id: ada.id, session_id: session.id },
  });
  expect(about[1]?.data.prompt).toMatchObject({ body: 'Or blue' });
  expect(about[2]?.data).toMatchObject({ session: { stopped_by: ada.id, state: 'complete', agent } });
  expect(about[2]?.data).not.toHaveProperty('prompt');
  for (const { json } of received) {
    expect(json.data).not.toHaveProperty('change');
    expect(json.data.session).not.toHaveProperty('program');
    expect(json.data.session).not.toHaveProperty('audience_id');
  }
  expect(received.map(({ json }) => json.data.task?.title).sort()).toEqual([
    ...['Last', 'Paint the crane', 'Paint the crane', 'Paint the crane'],
  ]);
});
