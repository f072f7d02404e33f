// Sessions that clients of /mcp work in: opened at the first write, found again, stopped by people, taken up from an inbox, told by report, and ended.

import { beforeAll, describe, expect, test } from 'vitest';
import { makeAgent } from '../agents/agents.ts';
import { startApp } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { person } from '../helpers/person.ts';
import { addMember, addTask, makeProject, one } from '../sql/board.ts';
import { type Agent, connectAgent, type Revision } from './agent.ts';

const app = forSuite(() => startApp());
const ada = person(app, 'Ada');
const bea = person(app, 'Bea');

let project: string;
let key: string;

beforeAll(async () => {
  ({ project } = await makeProject(app, ada, 'Harbour'));
  await addMember(app, project, bea, 'editor');
  key = ((await one(ada.client.from('projects').select('key').eq('id', project).single())) as { key: string }).key;
});

interface Row {
  readonly id: string;
  readonly title: string;
  readonly state: string;
  readonly mode: string;
  readonly user_id: string;
  readonly task_id: string | null;
  readonly responsible_id: string;
  readonly plan: unknown;
  readonly links: unknown;
  readonly cost: number | null;
  readonly ended_at: string | null;
}
const sessionsOf = async (account: string): Promise<Row[]> =>
  (await one(
    ada.client.from('agent_sessions').select().eq('user_id', account).eq('project_id', project).order('created_at'),
  )) as unknown as Row[];
const linesOf = async (session: string) =>
  (await one(ada.client.from('agent_activities').select('kind, body').eq('session_id', session).order('version'))).map(
    ({ kind, body }) => `${kind}: ${body}`,
  );

const keyOf = async () =>
  ((await one(ada.client.rpc('create_api_key', { name: 'Laptop', scope: 'write' }))) as { token: string }).token;

describe.each(['2026-07-28', '2025-11-25'] as const)('the client of a person (%s)', (revision: Revision) => {
  test('works in one session, from its first write on', async () => {
    const before = (await sessionsOf(ada.id)).length;
    const agent = await connectAgent(app, await keyOf(), revision);
    await agent.use('find_tasks', { project: key });
    expect(await sessionsOf(ada.id)).toHaveLength(before);
    const made = await agent.use('create_tasks', { project: key, tasks: [{ title: 'Dig' }] });
    await agent.use('comment', { task: made.structured.created[0].key, body: 'Deep' });
    const opened = (await sessionsOf(ada.id)).slice(before);
    expect(opened).toMatchObject([{ responsible_id: ada.id, mode: 'write', state: 'active', ended_at: null }]);
    // Of the other revision, the key is known.
    expect(['agent', 'Laptop']).toContain(opened[0]?.title);
    const lines = await one(
      ada.client
        .from('task_activity')
        .select('kind')
        .eq('program->>session', opened[0]?.id ?? ''),
    );
    expect(lines.map(({ kind }) => kind).sort()).toEqual(['commented', 'created']);
    expect((await agent.use('whoami')).text).toContain(`You work in session ${opened[0]?.id} (active), mode write`);

    // Stopped by its person: the next write is refused, and reading is not.
    await one(ada.client.rpc('stop_agent_session', { session_id: opened[0]?.id }));
    const late = await agent.use('create_tasks', { project: key, tasks: [{ title: 'Late' }] });
    expect(late).toMatchObject({ isError: true, text: expect.stringContaining('A person stopped it. Stop working.') });
    expect((await agent.use('find_tasks', { project: key })).isError).toBe(false);
    await agent.use('whoami', { session: 'new' });
    expect((await agent.use('create_tasks', { project: key, tasks: [{ title: 'Later' }] })).isError).toBe(false);
    expect(await sessionsOf(ada.id)).toHaveLength(before + 2);
    await agent.close();
  });
});

test('a program that names its connection has a session of its own, which ends in silence', async () => {
  const token = await keyOf();
  const before = (await sessionsOf(ada.id)).length;
  const agents = await Promise.all(
    ['first-one', 'second-one'].map((name) => connect(token, { 'agent-connection': name })),
  );
  for (const agent of agents) await agent.use('create_tasks', { project: key, tasks: [{ title: 'One' }] });
  const [first, second] = (await sessionsOf(ada.id)).slice(before) as [Row, Row];
  expect(second.id).not.toBe(first.id);
  await app.sql(`update public.agent_sessions set last_activity_at = now() - interval '31 minutes' where id = $1`, [
    first.id,
  ]);
  await app.sql('select private.end_stale_sessions(10)');
  const ended = (await sessionsOf(ada.id)).slice(before);
  expect(ended.map(({ state, ended_at: end }) => [state, end === null])).toEqual([
    ['complete', false],
    ['active', true],
  ]);
  await agents[0]?.use('create_tasks', { project: key, tasks: [{ title: 'Two' }] });
  expect(await sessionsOf(ada.id)).toHaveLength(before + 3);
  await Promise.all(agents.map((agent) => agent.close()));
});

describe('an agent', () => {
  test('takes up what waits for it, reports, hears what people say, and finishes', async () => {
    const planner = await makeAgent(app, ada, project);
    const task = await addTask(app, ada, { project_id: project, title: 'Texts' });
    await one(
      bea.client
        .from('task_comments')
        .insert({ project_id: project, task_id: task, body: '@planner write them' })
        .select(),
    );
    const agent = await connectAgent(app, planner.key);
    const me = await agent.use('whoami');
    expect(me.text).toContain('You act as an agent.');
    const [waiting] = (await sessionsOf(planner.id)) as [Row];
    expect(me.text).toContain(`Work waits for you. Call whoami with the session you take up:\n- session ${waiting.id}`);
    const { resources } = await agent.client.listResources();
    expect(resources.map(({ uri }) => uri)).toContain('kanbase://agent/inbox');
    const inbox = await agent.client.readResource({ uri: 'kanbase://agent/inbox' });
    const taken = await agent.use('whoami', { session: waiting.id });
    for (const text of [JSON.stringify(inbox.contents), taken.text]) {
      expect(text).toContain('Requests of project members');
      expect(text).toContain('@planner write them');
      expect(text).toContain('Texts');
    }
    const reported = await agent.use('report', {
      note: 'Two texts.',
      plan: [{ title: 'English', state: 'active' }, { title: 'German' }],
      links: [{ title: 'Draft', url: 'https://example.com/draft' }],
      cost: 0.5,
      ask: 'Which tone?',
    });
    expect(reported).toMatchObject({ isError: false, structured: { session: waiting.id } });
    expect((await sessionsOf(planner.id))[0]).toMatchObject({
      ...{ state: 'awaiting_input', cost: 0.5, links: [{ title: 'Draft', url: 'https://example.com/draft' }] },
      plan: [{ title: 'English', state: 'active' }, { title: 'German' }],
    });
    await one(bea.client.rpc('add_agent_activity', { session_id: waiting.id, kind: 'prompt', body: 'A friendly one' }));
    const heard = await agent.use('report', { note: 'Going on.' });
    expect(heard.text).toContain('A friendly one');
    expect((await agent.use('report', { note: 'Still.' })).text).not.toContain('A friendly one');
    expect((await agent.use('get_task', { task })).text).toContain(`- Agent: Planner, session ${waiting.id} (active)`);
    const version = Number(/Version: (\d+)/.exec((await agent.use('get_task', { task })).text)?.[1]);
    const saved = await agent.use('update_tasks', { updates: [{ task, version, description: 'Hello!' }] });
    expect(saved.isError).toBe(false);
    await agent.use('finish_or_hand_back', { outcome: 'done', note: 'Both are written.' });
    expect((await sessionsOf(planner.id))[0]).toMatchObject({ state: 'complete' });
    expect(await linesOf(waiting.id)).toEqual([
      'prompt: @planner write them',
      'thought: Two texts.',
      'elicitation: Which tone?',
      'prompt: A friendly one',
      'thought: Going on.',
      'thought: Still.',
      'response: Both are written.',
    ]);
    expect((await agent.use('finish_or_hand_back', { outcome: 'done' })).text).toContain('no claim and no session');
    expect((await agent.use('whoami', { session: waiting.id })).text).toContain('The session of the agent has ended');
    await agent.close();
  });

  test('explains what a change would do, before its first write and in its session', async () => {
    const helper = await makeAgent(app, ada, project, { name: 'Helper' });
    const task = await addTask(app, ada, { project_id: project, title: 'Move me' });
    const agent = await connectAgent(app, helper.key);
    const told = () => agent.use('explain', { task, about: 'change', change: { column: 'Done' } });
    expect((await told()).text).toContain('column: "Backlog" → "Done"');
    expect(await sessionsOf(helper.id)).toEqual([]);
    await agent.use('comment', { task, body: 'May I?' });
    expect((await told()).text).toContain('column: "Backlog" → "Done"');
    expect((await agent.use('get_task', { task })).text).toContain('Column: Backlog');
    expect(await sessionsOf(helper.id)).toHaveLength(1);
    await agent.close();
    // Those who may not change it are told so.
    const reader = await makeAgent(app, ada, project, { name: 'Looker', mode: 'read' });
    const looking = await connectAgent(app, reader.key);
    expect((await looking.use('explain', { task, about: 'change', change: { title: 'X' } })).text).toContain(
      'It would be refused',
    );
    const proposer = await makeAgent(app, ada, project, { name: 'Proposer', mode: 'propose' });
    const proposing = await connectAgent(app, proposer.key);
    expect((await proposing.use('explain', { task, about: 'change', change: { title: 'X' } })).text).toContain(
      'title: "Move me" → "X"',
    );
    await Promise.all([looking.close(), proposing.close()]);
  });

  test('works in the session that its requests name', async () => {
    const runner = await makeAgent(app, ada, project, { name: 'Runner' });
    const tasks = await Promise.all(['One', 'Two'].map((title) => addTask(app, ada, { project_id: project, title })));
    for (const task of tasks) await one(ada.client.rpc('delegate_to_agent', { task_id: task, agent_id: runner.id }));
    const sessions = await sessionsOf(runner.id);
    await Promise.all(
      sessions.map(async ({ id, task_id: task }) => {
        const agent = await connect(runner.key, { 'agent-session': id });
        await agent.use('comment', { task, body: 'Mine' });
        expect((await agent.use('whoami', { session: sessions[0]?.id })).text).toContain('name their session');
        await agent.close();
      }),
    );
    for (const { id, task_id: task } of sessions)
      expect(
        await one(
          ada.client
            .from('task_activity')
            .select('kind')
            .eq('program->>session', id)
            .eq('task_id', task ?? ''),
        ),
      ).toEqual([{ kind: 'commented' }]);
  });

  test('is told by a subscription', async () => {
    const waiter = await makeAgent(app, ada, project, { name: 'Waiter' });
    const agent = await connectAgent(app, waiter.key);
    const changed: string[] = [];
    agent.client.setNotificationHandler(
      'notifications/resources/updated',
      ({ params }) => void changed.push(params.uri),
    );
    const subscription = await agent.client.listen({ resourceSubscriptions: ['kanbase://agent/inbox'] });
    await expect
      .poll(async () => {
        const task = await addTask(app, ada, { project_id: project, title: 'Wait' });
        await one(ada.client.rpc('delegate_to_agent', { task_id: task, agent_id: waiter.id }));
        return changed;
      })
      .toContain('kanbase://agent/inbox');
    await subscription.close();
    await agent.close();
  });
});

async function connect(token: string, headers: Record<string, string>): Promise<Agent> {
  return connectAgent(app, token, '2026-07-28', headers);
}
