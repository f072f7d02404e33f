// Sessions of agents through /rest/v1 and /storage/v1: what they narrow, the trail they leave, and their end.

import { beforeAll, describe, expect, test } from 'vitest';
import { addMember, addTask, one } from '../sql/board.ts';
import { startTogether } from '../sql/start-together.ts';
import { type Agent, type AgentSession, clientWith, makeAgent } from './agents.ts';

const { app, owner, editor, shared } = startTogether();
let project: string;
let task: string;
let agent: Agent;

beforeAll(async () => {
  ({ project } = await shared('Web site'));
  task = await addTask(app, owner, { project_id: project, title: 'Draft' });
  agent = await makeAgent(app, owner, project);
});

const codeOf = async (answer: PromiseLike<{ error: { code: string } | null }>) => (await answer).error?.code;
const titleOf = async (id: string) =>
  ((await one(owner.client.from('tasks').select('title').eq('id', id).single())) as { title: string }).title;

describe('an agent', () => {
  test('has a face of its own, and only reads outside of a session', async () => {
    const profile = await one(
      editor.client.from('profiles').select('display_name, is_agent').eq('id', agent.id).single(),
    );
    expect(profile).toEqual({ display_name: 'Planner', is_agent: true });
    expect(await one(editor.client.from('agents').select('mode').eq('id', agent.id))).toEqual([{ mode: 'write' }]);
    expect(await one(agent.client.from('tasks').select('title').eq('id', task))).toEqual([{ title: 'Draft' }]);
    expect(await codeOf(agent.client.from('tasks').update({ title: 'Changed' }).eq('id', task))).toBe('42501');
    expect(await codeOf(agent.client.from('task_comments').insert({ task_id: task, body: 'Hello' }))).toBe('42501');
    expect(await titleOf(task)).toBe('Draft');
  });

  test('is changed by who manages it alone', async () => {
    const change = ({ client }: typeof owner) =>
      client.from('agents').update({ writes_an_hour: 400 }).eq('id', agent.id).select('writes_an_hour');
    expect(await codeOf(change(editor))).toBe('42501');
    expect(await one(change(owner))).toEqual([{ writes_an_hour: 400 }]);
    expect(await codeOf(agent.client.from('agents').update({ mode: 'write' }).eq('id', agent.id))).toBe('42501');
    expect(await codeOf(editor.client.rpc('create_agent', { name: 'Mine', project_id: project }))).toBe('42501');
  });
});

describe('in a session', () => {
  test('writes, and each line of history and each row bears its id', async () => {
    const session = await agent.open({ project_id: project, task_id: task });
    expect(session).toMatchObject({
      ...{ mode: 'write', state: 'pending', agent_id: agent.id, user_id: agent.id, responsible_id: owner.id },
      title: 'Draft',
    });
    const client = agent.within(session);
    await one(client.from('tasks').update({ title: 'Written' }).eq('id', task).select());
    await one(client.rpc('move_task', { task_id: task, column_id: (await columns())[1] }));
    const lines = await one(
      editor.client
        .from('task_activity')
        .select('kind, actor_id, program')
        .eq('program->>session', session.id)
        .order('id'),
    );
    const program = { kind: 'key', name: 'Runner', session: session.id };
    expect(lines).toEqual([
      { kind: 'updated', actor_id: agent.id, program: expect.objectContaining(program) },
      { kind: 'moved', actor_id: agent.id, program: expect.objectContaining(program) },
    ]);
    const changes = await app.sql(
      `select table_name, was ->> 'title' as was, becomes ->> 'title' as becomes from private.session_changes where session_id = $1 order by place`,
      [session.id],
    );
    expect(changes[0]).toEqual({ table_name: 'tasks', was: 'Draft', becomes: 'Written' });
    expect(await stateOf(session)).toBe('active');
  });

  test('does what the mode allows and nothing more', async () => {
    const allowed: Record<string, string[]> = {};
    for (const mode of ['read', 'comment', 'write']) {
      const client = agent.within(await agent.open({ project_id: project, mode }));
      const tried = {
        read: await codeOf(client.from('tasks').select('id').eq('id', task).single()),
        comment: await codeOf(client.from('task_comments').insert({ task_id: task, body: `From ${mode}` })),
        write: await codeOf(
          client
            .from('tasks')
            .update({ title: `From ${mode}` })
            .eq('id', task)
            .select()
            .single(),
        ),
      };
      allowed[mode] = Object.entries(tried).flatMap(([name, code]) => (code === undefined ? [name] : []));
    }
    expect(allowed).toEqual({
      read: ['read'],
      comment: ['read', 'comment'],
      write: ['read', 'comment', 'write'],
    });
  });

  test('has at most the mode of the agent, the scope of its token and the projects it names', async () => {
    const other = (await shared('Shop')).project;
    await one(owner.client.rpc('create_agent', { name: 'Reader', project_id: other, mode: 'read' }));
    const reader = await makeAgent(app, owner, other, { name: 'Asker', mode: 'comment' });
    expect((await reader.open({ project_id: other, mode: 'write' })).mode).toBe('comment');
    // A person's own program.
    const both = clientWith(app, owner.token, (await personal({ project_ids: [project] })).id, app.anonKey);
    expect(await one(both.from('projects').select('id'))).toEqual([{ id: project }]);
    const { token } = (await one(owner.client.rpc('create_api_key', { name: 'Look', scope: 'read' }))) as {
      token: string;
    };
    const looking = clientWith(app, token, (await personal({ mode: 'write' })).id);
    expect(await codeOf(looking.from('tasks').update({ title: 'No' }).eq('id', task).select().single())).toBe('42501');
  });

  test('is refused to everybody else, and when it is none', async () => {
    const session = await agent.open({ project_id: project });
    const asked = (token: string, id: string, apikey?: string) =>
      clientWith(app, token, id, apikey).from('tasks').select('id').limit(1);
    expect(await codeOf(asked(editor.token, session.id, app.anonKey))).toBe('KB023');
    expect(await codeOf(asked(agent.key, 'mine'))).toBe('22023');
    expect(await codeOf(asked(agent.key, '01890000-0000-7000-8000-000000000000'))).toBe('KB023');
    expect(await codeOf(asked(agent.key, session.id))).toBe(undefined);
  });

  test('stops at once as a person stops it, with what it claimed', async () => {
    const free = await addTask(app, owner, { project_id: project, title: 'Free', priority: 'p0' });
    const session = await agent.open({ project_id: project });
    const client = agent.within(session);
    const [claim] = (await one(client.rpc('claim_next_task', { project }))) as { task_id: string }[];
    expect(claim?.task_id).toBe(free);
    expect(await codeOf(editor.client.rpc('stop_agent_session', { session_id: session.id }))).toBe('42501');
    await one(owner.client.rpc('stop_agent_session', { session_id: session.id }));
    expect(await codeOf(client.from('tasks').update({ title: 'Late' }).eq('id', free))).toBe('KB023');
    expect(await codeOf(client.from('tasks').select('id'))).toBe('KB023');
    const [ended] = await one(owner.client.from('task_claims').select('outcome').eq('task_id', free));
    expect(ended).toEqual({ outcome: 'released' });
    const kept = await one(
      owner.client.from('agent_sessions').select('state, stopped_by').eq('id', session.id).single(),
    );
    expect(kept).toEqual({ state: 'complete', stopped_by: owner.id });
  });

  test('is left alone by other members once its responsible person has gone', async () => {
    const session = await agent.open({ project_id: project });
    await app.sql('update agent_sessions set responsible_id = null where id = $1', [session.id]);
    for (const deed of ['stop_agent_session', 'confirm_agent_session', 'undo_session'])
      expect(await codeOf(editor.client.rpc(deed, { session_id: session.id }))).toBe('42501');
    await one(owner.client.rpc('stop_agent_session', { session_id: session.id }));
  });

  test('is told by no member once its account has gone', async () => {
    const viewer = await app.createUser({ name: 'Vera' });
    await addMember(app, project, viewer, 'viewer');
    const session = await agent.open({ project_id: project });
    await app.sql('update agent_sessions set user_id = null where id = $1', [session.id]);
    const told = { session_id: session.id, kind: 'response', body: 'All is done' };
    expect(await codeOf(viewer.client.rpc('add_agent_activity', told))).toBe('42501');
    await one(owner.client.rpc('stop_agent_session', { session_id: session.id }));
  });

  test('ends as its task leaves for a project without the agent, with what it claimed', async () => {
    const moving = await addTask(app, owner, { project_id: project, title: 'Moving' });
    const session = await agent.open({ project_id: project, task_id: moving });
    const [claim] = (await one(agent.within(session).rpc('claim_next_task', { project }))) as { id: string }[];
    const { project: elsewhere } = await shared('Elsewhere');
    await one(owner.client.rpc('move_tasks_to_project', { task_ids: [moving], project_id: elsewhere }));
    expect(await stateOf(session)).toBe('error');
    expect(await one(owner.client.from('task_claims').select('outcome').eq('id', claim?.id))).toEqual([
      { outcome: 'released' },
    ]);
  });

  test('ends with its time', async () => {
    const session = await agent.open({ project_id: project, minutes: 1 });
    await app.sql(`update public.agent_sessions set ends_at = now() - interval '1 second' where id = $1`, [session.id]);
    expect(await codeOf(agent.within(session).from('tasks').select('id'))).toBe('KB023');
    await app.sql('select private.end_stale_sessions(10)');
    expect(await stateOf(session)).toBe('stale');
  });

  test('does no more than its agent may when a person takes some of that away', async () => {
    const tamed = await makeAgent(app, owner, project, { name: 'Tamed' });
    const session = await tamed.open({ project_id: project });
    const own = await addTask(app, owner, { project_id: project, title: 'Tame' });
    const write = () => codeOf(tamed.within(session).from('tasks').update({ title: 'Wild' }).eq('id', own).select());
    const change = (to: object) => one(owner.client.from('agents').update(to).eq('id', tamed.id).select());
    expect(await write()).toBe(undefined);
    await change({ writes_an_hour: 1 });
    expect(await write()).toBe('KB024');
    await change({ writes_an_hour: 9, mode: 'comment' });
    expect(await write()).toBe('42501');
    await change({ mode: 'write' });
    expect(await write()).toBe('42501');
  });

  test('writes no more rows in an hour than it may', async () => {
    const slow = await makeAgent(app, owner, project, { name: 'Slow' });
    await one(owner.client.from('agents').update({ writes_an_hour: 2 }).eq('id', slow.id).select());
    const client = slow.within(await slow.open({ project_id: project }));
    const retitle = (title: string) => client.from('tasks').update({ title }).eq('id', task).select();
    await one(retitle('One'));
    await one(retitle('Two'));
    expect(await codeOf(retitle('Three'))).toBe('KB024');
    // Neither at once nor in another session.
    await one(owner.client.from('agents').update({ writes_an_hour: 3 }).eq('id', slow.id).select());
    const other = slow.within(await slow.open({ project_id: project }));
    const many = other.from('tasks').update({ estimate: 3 }).eq('project_id', project).select();
    expect(await codeOf(many)).toBe('KB024');
    expect(await titleOf(task)).toBe('Two');
    await one(client.from('tasks').select('id').limit(1));
  });
});

test('writes that run at once pass the limit of an hour no more than those that come one after another', async () => {
  const many = await makeAgent(app, owner, project, { name: 'Many' });
  await one(owner.client.from('agents').update({ writes_an_hour: 3 }).eq('id', many.id).select());
  const [first, second] = [await many.open({ project_id: project }), await many.open({ project_id: project })];
  const own = await addTask(app, owner, { project_id: project, title: 'At once' });
  const retitle = (session: AgentSession, title: string) =>
    codeOf(many.within(session).from('tasks').update({ title }).eq('id', own).select());
  const codes = await Promise.all(
    Array.from({ length: 12 }, (_, at) => retitle(at % 2 === 0 ? first : second, `At once ${at}`)),
  );
  expect(codes.filter((code) => code === undefined)).toHaveLength(3);
  expect(codes.filter((code) => code === 'KB024')).toHaveLength(9);
});

describe('a restricted task', () => {
  test('leaves its sessions to who saw it, when it is deleted', async () => {
    const secret = await addTask(app, owner, { project_id: project, title: 'Layoffs', is_restricted: true });
    const session = (await one(
      owner.client.rpc('open_agent_session', { project_id: project, task_id: secret }),
    )) as unknown as AgentSession;
    await one(owner.client.rpc('add_agent_activity', { session_id: session.id, kind: 'thought', body: 'Names' }));
    await one(owner.client.from('tasks').delete().eq('id', secret).select());
    for (const [table, column] of [
      ['agent_sessions', 'id'],
      ['agent_activities', 'session_id'],
    ] as const) {
      const ask = ({ client }: typeof owner) => client.from(table).select('id').eq(column, session.id);
      expect(await one(ask(editor)), table).toEqual([]);
      expect((await one(ask(owner))).length, table).toBe(1);
    }
  });
});

describe('a delegated task', () => {
  test('is worked on with no more rights than who hands it over', async () => {
    const viewer = await app.createUser({ name: 'Vito' });
    await addMember(app, project, viewer, 'viewer');
    await one(owner.client.from('projects').update({ viewers_may_comment: true }).eq('id', project).select());
    const task = await addTask(app, owner, { project_id: project, title: 'Asked for' });
    const session = (await one(
      viewer.client.rpc('delegate_to_agent', { task_id: task, agent_id: agent.id }),
    )) as unknown as AgentSession;
    expect(session.mode).toBe('comment');
    expect(await codeOf(viewer.client.rpc('confirm_agent_session', { session_id: session.id }))).toBe('42501');
  });

  test('opens one session, which agent and person talk in', async () => {
    const task = await addTask(app, owner, { project_id: project, title: 'Texts' });
    const session = (await one(
      editor.client.rpc('delegate_to_agent', { task_id: task, agent_id: agent.id, prompt: 'Write the text' }),
    )) as unknown as AgentSession;
    expect(session).toMatchObject({ state: 'pending', responsible_id: editor.id, user_id: agent.id });
    const again = (await one(
      editor.client.rpc('delegate_to_agent', { task_id: task, agent_id: agent.id, prompt: 'In German, too' }),
    )) as unknown as AgentSession;
    expect(again.id).toBe(session.id);
    const say = (kind: string, body: string, client = agent.client) =>
      client.rpc('add_agent_activity', { session_id: session.id, kind, body });
    await one(say('thought', 'Two texts.'));
    await one(say('elicitation', 'Formal or friendly?'));
    expect(await stateOf(session)).toBe('awaiting_input');
    expect(await codeOf(say('response', 'Not mine', editor.client))).toBe('42501');
    await one(say('prompt', 'Friendly', editor.client));
    expect(await stateOf(session)).toBe('active');
    const plan = [
      { title: 'English', state: 'complete' },
      { title: 'German', state: 'active' },
    ];
    await one(agent.client.rpc('report_agent_session', { session_id: session.id, plan, cost: 0.25 }));
    expect(
      await codeOf(agent.client.rpc('report_agent_session', { session_id: session.id, plan: [{ state: 'done' }] })),
    ).toBe('22023');
    expect(
      await codeOf(
        agent.client.rpc('report_agent_session', {
          session_id: session.id,
          links: [{ title: 'x', url: 'javascript:alert(1)' }],
        }),
      ),
    ).toBe('22023');
    await one(agent.client.rpc('report_agent_session', { session_id: session.id, state: 'complete' }));
    const told = await one(
      editor.client.from('agent_activities').select('kind').eq('session_id', session.id).order('id'),
    );
    expect(told.map(({ kind }) => kind)).toEqual(['prompt', 'prompt', 'thought', 'elicitation', 'prompt']);
    expect(await codeOf(say('prompt', 'More', editor.client))).toBe('KB023');
  });
});

const columns = async () =>
  (await one(owner.client.from('workflow_columns').select('id').eq('project_id', project).order('position'))).map(
    ({ id }) => id as string,
  );
const stateOf = async ({ id }: Pick<AgentSession, 'id'>) =>
  ((await one(owner.client.from('agent_sessions').select('state').eq('id', id).single())) as { state: string }).state;
const personal = (args: Readonly<Record<string, unknown>>) =>
  one(owner.client.rpc('open_agent_session', { project_id: project, ...args })) as unknown as Promise<AgentSession>;
