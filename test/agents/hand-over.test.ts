// Work on its way to agents: by assignment, mention, answer and delegation, with what opens a session, what is told in one, and what ends the circle.

import { beforeAll, describe, expect, test } from 'vitest';
import { addTask, one } from '../sql/board.ts';
import { startTogether } from '../sql/start-together.ts';
import { type Agent, type AgentSession, makeAgent } from './agents.ts';
import { importText } from './import-text.ts';

const { app, owner, editor, shared } = startTogether();
let project: string;
let planner: Agent;
let writer: Agent;

beforeAll(async () => {
  ({ project } = await shared('Web site'));
  planner = await makeAgent(app, owner, project);
  writer = await makeAgent(app, owner, project, { name: 'Text Writer' });
});

const newTask = (title: string) => addTask(app, owner, { project_id: project, title });
const sessionsOf = async (task: string) =>
  (await one(
    owner.client
      .from('agent_sessions')
      .select('id, agent_id, responsible_id, state, ended_at')
      .eq('task_id', task)
      .order('created_at'),
  )) as unknown as AgentSession[];
const promptsOf = async (task: string) =>
  (
    await one(
      owner.client.from('agent_activities').select('body').eq('task_id', task).eq('kind', 'prompt').order('version'),
    )
  ).map(({ body }) => body as string);
const assign = (task: string, person: string, { client } = editor) =>
  one(client.from('task_assignees').insert({ project_id: project, task_id: task, user_id: person }).select());
const unassign = (task: string, person: string) =>
  one(editor.client.from('task_assignees').delete().eq('task_id', task).eq('user_id', person).select());
const say = async (task: string, body: string, client = editor.client, parent?: string) =>
  (
    (await one(
      client
        .from('task_comments')
        .insert({ project_id: project, task_id: task, body, ...(parent === undefined ? {} : { parent_id: parent }) })
        .select('id')
        .single(),
    )) as { id: string }
  ).id;
const inbox = async (agent: Agent, after?: number) =>
  (await one(agent.client.rpc('agent_inbox', after === undefined ? {} : { after }))) as unknown as {
    cursor: number;
    sessions: { id: string; task_id: string; prompts: { body: string; user: { id: string } }[] }[];
  };

describe('an assignment', () => {
  test('opens a session for which the person is responsible; taking it back is told and stops nothing', async () => {
    const task = await newTask('Assigned');
    await assign(task, planner.id);
    const [session] = await sessionsOf(task);
    expect(session).toMatchObject({
      ...{ agent_id: planner.id, responsible_id: editor.id, state: 'pending', ended_at: null },
    });
    await unassign(task, planner.id);
    await assign(task, planner.id);
    expect(await sessionsOf(task)).toHaveLength(1);
    expect((await promptsOf(task)).map((body) => body.split(' from ')[0]?.split(' to ')[0])).toEqual([
      'You were assigned',
      'You were unassigned',
      'You were assigned',
    ]);
    const told = await one(
      editor.client.from('agent_activities').select('occasion').eq('task_id', task).order('version'),
    );
    expect(told.map(({ occasion }) => occasion)).toEqual(
      ['assigned', 'unassigned', 'assigned'].map((kind) => ({ kind })),
    );
    // Without an open session, there is nobody to tell.
    await one(owner.client.rpc('stop_agent_session', { session_id: session?.id }));
    await unassign(task, planner.id);
    expect(await promptsOf(task)).toHaveLength(3);
  });

  test('of many tasks at once opens a session each; that of a person opens none', async () => {
    const tasks = await Promise.all(['One', 'Two', 'Three'].map(newTask));
    await one(
      editor.client
        .from('task_assignees')
        .insert(
          tasks.flatMap((task_id) =>
            [owner.id, writer.id].map((user_id) => ({ project_id: project, task_id, user_id })),
          ),
        )
        .select(),
    );
    for (const task of tasks) expect(await sessionsOf(task)).toMatchObject([{ agent_id: writer.id }]);
  });
});

describe('a copy of a task of an agent', () => {
  const assigneesOf = async (task: string) =>
    (await one(owner.client.from('task_assignees').select('user_id').eq('task_id', task))).map(({ user_id: id }) => id);
  const openIn = async (task: string) => (await sessionsOf(task)).filter(({ ended_at: end }) => end === null);
  const assigned = async (title: string) => {
    const task = await newTask(title);
    await assign(task, writer.id, owner);
    return task;
  };
  /** Assigned, and no session is open any more. */
  const settled = async (title: string) => {
    const task = await assigned(title);
    for (const { id } of await sessionsOf(task)) await one(owner.client.rpc('stop_agent_session', { session_id: id }));
    return task;
  };
  const templateOf = async (task: string) =>
    (await one(owner.client.rpc('save_task_as_template', { task_id: task, is_shared: true }))) as { id: string };

  test('opens no session: made twice, or of a template', async () => {
    const task = await assigned('Weekly notes');
    const { id: template } = await templateOf(task);
    const made = [
      await one(editor.client.rpc('create_task_from_template', { template_id: template, project_id: project })),
      await one(editor.client.rpc('duplicate_task', { task_id: task })),
      ...((await one(editor.client.rpc('duplicate_tasks', { task_ids: [task] }))) as unknown as object[]),
    ] as { id: string }[];
    expect(made).toHaveLength(3);
    for (const { id } of made) {
      expect(await assigneesOf(id)).toEqual([writer.id]);
      expect(await sessionsOf(id)).toEqual([]);
    }
    // The copy is handed over by an assignment of its own.
    const [first] = made as [{ id: string }];
    await assign(first.id, planner.id);
    expect(await sessionsOf(first.id)).toMatchObject([{ agent_id: planner.id, responsible_id: editor.id }]);
  });

  test('opens one for each agent that is named beside its template', async () => {
    const { id: template } = await templateOf(await assigned('Monthly notes'));
    const assignees = [writer.id, planner.id, editor.id];
    const { id } = (await one(
      editor.client.rpc('create_task_from_template', { template_id: template, project_id: project, assignees }),
    )) as unknown as { id: string };
    expect((await assigneesOf(id)).sort()).toEqual([...assignees].sort());
    const opened = await sessionsOf(id);
    expect(opened.map(({ agent_id: agent }) => agent).sort()).toEqual([writer.id, planner.id].sort());
    expect(opened).toMatchObject([{ responsible_id: editor.id }, { responsible_id: editor.id }]);
  });

  test('opens no session with its project, whose agent is a member of the copy', async () => {
    const { project: original } = await shared('Made twice');
    // One of a project is in no other.
    const agent = await makeAgent(app, owner, original, { name: 'Twice', project_id: null });
    const member = { project_id: original, user_id: agent.id, role: 'editor' };
    await one(owner.client.from('project_members').insert(member).select());
    const task = await addTask(app, owner, { project_id: original, title: 'Twice' });
    const assignment = { project_id: original, task_id: task, user_id: agent.id };
    await one(owner.client.from('task_assignees').insert(assignment).select());
    expect(await sessionsOf(task)).toHaveLength(1);
    const { id: copy } = (await one(
      owner.client.rpc('duplicate_project', { project_id: original, with_members: true }),
    )) as unknown as { id: string };
    const of = (table: string) => one(owner.client.from(table).select('id').eq('project_id', copy));
    expect(await of('task_assignees')).toHaveLength(1);
    expect(await of('agent_sessions')).toEqual([]);
  });

  test('opens no session where it is imported', async () => {
    await importText(app, owner, project, 'Notes', 'Text Writer');
    const [{ id }] = (await one(
      owner.client.from('tasks').select('id').eq('project_id', project).eq('title', 'Imported'),
    )) as [{ id: string }];
    expect(await assigneesOf(id)).toEqual([writer.id]);
    expect(await sessionsOf(id)).toEqual([]);
  });

  test('opens no session where undoing one assigns it again', async () => {
    const task = await settled('Taken away');
    const session = await planner.open({ project_id: project });
    const client = planner.within(session);
    await one(client.from('task_assignees').delete().eq('task_id', task).eq('user_id', writer.id).select());
    expect(await assigneesOf(task)).toEqual([]);
    await one(owner.client.rpc('undo_session', { session_id: session.id }));
    expect(await assigneesOf(task)).toEqual([writer.id]);
    expect(await openIn(task)).toEqual([]);
  });

  test('opens no session where undoing a move assigns it again', async () => {
    const task = await settled('Moved');
    const { project: other } = await shared('Elsewhere');
    const move = (to: string, brings_back: boolean) =>
      one(owner.client.rpc('move_tasks_to_project', { task_ids: [task], project_id: to, brings_back }));
    await move(other, false);
    expect(await assigneesOf(task)).toEqual([]);
    await move(project, true);
    expect(await assigneesOf(task)).toEqual([writer.id]);
    expect(await openIn(task)).toEqual([]);
  });
});

describe('a comment', () => {
  test('that mentions an agent is its prompt, and an answer to the agent another one', async () => {
    const task = await newTask('Mentioned');
    await say(task, 'Please, @text-writer, draft this');
    await say(task, 'Nobody is meant');
    const [session] = await sessionsOf(task);
    expect(session).toMatchObject({ agent_id: writer.id, responsible_id: editor.id });
    const answer = await say(task, 'Which tone?', writer.within(session as AgentSession));
    await say(task, 'A friendly one', editor.client, answer);
    expect(await promptsOf(task)).toEqual(['Please, @text-writer, draft this', 'A friendly one']);
    expect(await sessionsOf(task)).toHaveLength(1);
  });

  test('that answers an agent whose session has ended opens no other', async () => {
    const task = await newTask('Ended');
    await say(task, '@text-writer go');
    const [session] = (await sessionsOf(task)) as [AgentSession];
    const answer = await say(task, 'Done', writer.within(session));
    await one(writer.client.rpc('report_agent_session', { session_id: session.id, state: 'complete' }));
    await say(task, 'Thanks', editor.client, answer);
    expect(await promptsOf(task)).toEqual(['@text-writer go']);
    await say(task, 'Once more, @text-writer');
    expect(await sessionsOf(task)).toHaveLength(2);
  });

  test('that mentions an agent later on is its prompt when it does', async () => {
    const task = await newTask('Edited');
    const id = await say(task, 'Please draft this');
    await one(
      editor.client.from('task_comments').update({ body: 'Please draft this, @text-writer' }).eq('id', id).select(),
    );
    expect(await promptsOf(task)).toEqual(['Please draft this, @text-writer']);
  });

  test('reaches no agent that does not see the task', async () => {
    const task = await newTask('Secret');
    await one(owner.client.from('tasks').update({ is_restricted: true }).eq('id', task).select());
    await say(task, '@text-writer look', owner.client);
    expect(await sessionsOf(task)).toEqual([]);
  });
});

test('tasks of one project fill no place for work of another, nor for sessions that the agent opens itself', async () => {
  const busy = await makeAgent(app, owner, project, { name: 'Much Asked', project_id: null });
  const [flooded, quiet] = [(await shared('Flooded')).project, (await shared('Quiet')).project];
  const places = [flooded, quiet].map((project_id) => ({ project_id, user_id: busy.id, role: 'editor' }));
  await one(owner.client.from('project_members').insert(places).select());
  const add = async (project_id: string, amount: number) => {
    const rows = Array.from({ length: amount }, (_, at) => ({ project_id, title: `Task ${at}` }));
    return (await one(editor.client.from('tasks').insert(rows).select('id'))).map(({ id }) => id as string);
  };
  const hand = async (project_id: string, tasks: readonly string[]) => {
    const rows = tasks.map((task_id) => ({ project_id, task_id, user_id: busy.id }));
    return (await editor.client.from('task_assignees').insert(rows)).error?.code;
  };
  const many = await add(flooded, 1001);
  for (let at = 0; at < 1000; at += 100) expect(await hand(flooded, many.slice(at, at + 100))).toBe(undefined);
  expect(await hand(flooded, many.slice(1000))).toBe('PT400');
  const [task = ''] = await add(quiet, 1);
  expect(await hand(quiet, [task])).toBe(undefined);
  expect(await sessionsOf(task)).toMatchObject([{ agent_id: busy.id, state: 'pending' }]);
  expect(await busy.open({ project_id: quiet })).toMatchObject({ user_id: busy.id, ended_at: null });
});

describe('agents among themselves', () => {
  test('hand over work in the name of the person, three times in a row at most', async () => {
    const made: Agent[] = [];
    for (const name of ['First', 'Second', 'Third', 'Fourth', 'Fifth'])
      made.push(await makeAgent(app, owner, project, { name }));
    const task = await newTask('Circle');
    await assign(task, made[0]?.id ?? '');
    const reached: number[] = [];
    for (const [at, agent] of made.entries()) {
      const own = (await sessionsOf(task)).find(({ agent_id: id }) => id === agent.id);
      if (own === undefined) break;
      expect(own.responsible_id).toBe(editor.id);
      reached.push(at);
      const next = made[at + 1];
      if (next !== undefined) await assign(task, next.id, { ...editor, client: agent.within(own) });
    }
    expect(reached).toEqual([0, 1, 2, 3]);
    // Itself it doesn't call to work.
    const own = (await sessionsOf(task)).find(({ agent_id: id }) => id === made[3]?.id) as AgentSession;
    const before = await promptsOf(task);
    await say(task, '@fourth and @fifth', made[3]?.within(own));
    expect(await promptsOf(task)).toEqual(before);
  });

  test('tell each other twenty things an hour at most', async () => {
    const task = await newTask('Talk');
    await assign(task, planner.id);
    await assign(task, writer.id);
    const [mine] = (await sessionsOf(task)).filter(({ agent_id: id }) => id === planner.id) as [AgentSession];
    const client = planner.within(mine);
    for (let at = 0; at < 22; at++) await say(task, `@text-writer ${at}`, client);
    expect((await promptsOf(task)).filter((body) => body.startsWith('@text-writer'))).toHaveLength(20);
  });
});

describe('the inbox', () => {
  test('has what is not answered yet, and after a cursor what came since', async () => {
    const reader = await makeAgent(app, owner, project, { name: 'Reader' });
    expect(await inbox(reader)).toEqual({ cursor: 0, sessions: [] });
    const [first, second] = await Promise.all([newTask('First'), newTask('Second')]);
    await say(first, '@reader one');
    await assign(second, reader.id);
    const all = await inbox(reader);
    expect(all.sessions.map(({ task_id: id }) => id)).toEqual([first, second]);
    expect(all.sessions[0]?.prompts).toMatchObject([{ body: '@reader one', user: { id: editor.id } }]);
    expect(await inbox(reader, all.cursor)).toEqual({ cursor: all.cursor, sessions: [] });
    await one(
      reader.client.rpc('add_agent_activity', { session_id: all.sessions[0]?.id, kind: 'thought', body: 'On it' }),
    );
    expect((await inbox(reader)).sessions.map(({ task_id: id }) => id)).toEqual([second]);
    await one(
      editor.client.rpc('add_agent_activity', {
        session_id: all.sessions[0]?.id,
        kind: 'prompt',
        body: 'Also in German',
      }),
    );
    const since = await inbox(reader, all.cursor);
    expect(since.sessions.map(({ prompts }) => prompts.map(({ body }) => body))).toEqual([['Also in German']]);
    expect((await inbox(reader)).sessions).toHaveLength(2);
    expect((await inbox(writer)).sessions.map(({ task_id: id }) => id)).not.toContain(first);
    await one(owner.client.rpc('stop_agent_session', { session_id: all.sessions[1]?.id }));
    expect((await inbox(reader)).sessions.map(({ task_id: id }) => id)).toEqual([first]);
  });

  test('misses nothing while people write at the same time', async () => {
    const busy = await makeAgent(app, owner, project, { name: 'Busy' });
    const tasks = await Promise.all(Array.from({ length: 12 }, (_, at) => newTask(`At once ${at}`)));
    let cursor = 0;
    const seen = new Set<string>();
    let written = 0;
    const writing = Promise.all(
      tasks.map(async (task, at) => {
        await say(task, '@busy go', at % 2 === 0 ? editor.client : owner.client);
        written++;
      }),
    );
    for (let rounds = 0; written < tasks.length || rounds < 1; rounds += written === tasks.length ? 1 : 0) {
      const next = await inbox(busy, cursor);
      cursor = next.cursor;
      for (const { task_id: id } of next.sessions) seen.add(id);
    }
    await writing;
    const last = await inbox(busy, cursor);
    for (const { task_id: id } of last.sessions) seen.add(id);
    expect([...seen].sort()).toEqual([...tasks].sort());
  });
});
