// Proposals: writes of a session in mode propose change nothing until a person accepts them, and then exactly what they showed.

import { beforeAll, describe, expect, test } from 'vitest';
import { person } from '../helpers/person.ts';
import { addMember, addTask, one } from '../sql/board.ts';
import { startTogether } from '../sql/start-together.ts';
import { type Agent, type AgentSession, clientWith, makeAgent } from './agents.ts';
import { changeOf, snapshotOf } from './snapshots.ts';

const { app, owner, editor, shared } = startTogether();
const viewer = person(app, 'Vera Viewer');
let project: string;
let agent: Agent;
let columns: string[];

interface Answer {
  readonly status: number;
  readonly proposal: string | null;
  readonly body: unknown;
}
interface Proposal {
  readonly id: string;
  readonly state: string;
  readonly summary: string;
  readonly task_id: string | null;
  readonly difference: readonly { table: string; was: object | null; becomes: object | null }[];
}

beforeAll(async () => {
  ({ project } = await shared('Web site'));
  await addMember(app, project, viewer, 'viewer');
  agent = await makeAgent(app, owner, project);
  columns = (
    await one(owner.client.from('workflow_columns').select('id').eq('project_id', project).order('position'))
  ).map(({ id }) => id as string);
});

const codeOf = async (answer: PromiseLike<{ error: { code: string } | null }>) => (await answer).error?.code;
const task = (title: string, more: object = {}) => addTask(app, owner, { project_id: project, title, ...more });
const open = (more: object = {}) => agent.open({ project_id: project, mode: 'propose', ...more });
const proposalOf = async (id: string | null) =>
  (await one(owner.client.from('agent_proposals').select('*').eq('id', id).single())) as unknown as Proposal;
const accept = async (proposal_id: string | null, by = owner) =>
  (await one(by.client.rpc('accept_proposal', { proposal_id }))) as unknown as { state: string; stays: unknown[] };
/** Of the prompts that the database wrote for the agent. */
const occasionsOf = async ({ id }: AgentSession) =>
  (await one(owner.client.from('agent_activities').select('occasion').eq('session_id', id))).map(
    ({ occasion }) => occasion as unknown,
  );
const titleOf = async (id: string) =>
  ((await one(owner.client.from('tasks').select('title').eq('id', id).single())) as { title: string }).title;

async function send(
  session: AgentSession,
  method: string,
  path: string,
  body?: unknown,
  more: object = {},
): Promise<Answer> {
  const answer = await fetch(`${app.url}${path}`, {
    method,
    headers: {
      ...{ apikey: agent.key, authorization: `Bearer ${agent.key}`, 'agent-session': session.id },
      ...{ 'content-type': 'application/json', prefer: 'return=representation', ...more },
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return {
    status: answer.status,
    proposal: answer.headers.get('proposal'),
    body: text === '' ? null : (JSON.parse(text) as unknown),
  };
}

describe('a write in mode propose', () => {
  test('answers as if it were done, and is stored until a person accepts it', async () => {
    const id = await task('Draft');
    const session = await open();
    const before = await snapshotOf(app, project);
    const answer = await send(session, 'PATCH', `/rest/v1/tasks?id=eq.${id}`, { title: 'Better', priority: 'p0' });
    expect(answer).toMatchObject({ status: 202, body: [{ id, title: 'Better', priority: 'p0' }] });
    expect(await snapshotOf(app, project)).toEqual(before);
    const proposal = await proposalOf(answer.proposal);
    expect(proposal).toMatchObject({ state: 'open', summary: 'change 1 task', task_id: id, user_id: agent.id });
    expect(proposal.difference).toEqual([
      {
        table: 'tasks',
        was: expect.objectContaining({ title: 'Draft' }),
        becomes: expect.objectContaining({ title: 'Better' }),
      },
    ]);
    expect(await codeOf(viewer.client.rpc('accept_proposal', { proposal_id: proposal.id }))).toBe('42501');
    expect(await codeOf(agent.within(session).rpc('accept_proposal', { proposal_id: proposal.id }))).toBe('42501');
    expect(await accept(proposal.id, editor)).toMatchObject({ state: 'accepted', stays: [] });
    expect(await titleOf(id)).toBe('Better');
    const [line] = await one(
      owner.client
        .from('task_activity')
        .select('actor_id, program')
        .eq('task_id', id)
        .order('id', { ascending: false })
        .limit(1),
    );
    expect(line).toEqual({ actor_id: editor.id, program: expect.objectContaining({ session: session.id }) });
    const undone = await one(owner.client.rpc('undo_session', { session_id: session.id }));
    expect(undone).toMatchObject({ stays: [], undone: [{ table: 'tasks', id }] });
    expect(await titleOf(id)).toBe('Draft');
  });

  test('never overwrites what somebody has changed meanwhile', async () => {
    const id = await task('Draft');
    const session = await open();
    const first = await send(session, 'PATCH', `/rest/v1/tasks?id=eq.${id}`, { title: 'Better', priority: 'p0' });
    const second = await send(session, 'PATCH', `/rest/v1/tasks?id=eq.${id}`, { estimate: 3 });
    await one(owner.client.from('tasks').update({ title: 'Mine' }).eq('id', id).select());
    const answers = (await one(owner.client.rpc('accept_proposals', { session_id: session.id }))) as unknown;
    expect(answers).toEqual([
      {
        ...{ id: first.proposal, state: 'conflict' },
        stays: [expect.objectContaining({ table: 'tasks', id, columns: ['title'], code: 'changed' })],
      },
      { id: second.proposal, state: 'accepted', stays: [] },
    ]);
    const row = await one(owner.client.from('tasks').select('title, priority, estimate').eq('id', id).single());
    expect(row).toEqual({ title: 'Mine', priority: 'p2', estimate: 3 });
    const kept = await one(
      editor.client.from('agent_proposals').select('stays').eq('session_id', session.id).order('id'),
    );
    expect(kept).toEqual([
      { stays: [expect.objectContaining({ code: 'changed', columns: ['title'] })] },
      { stays: null },
    ]);
    expect(await occasionsOf(session)).toEqual([{ kind: 'proposal_conflict', proposal_id: first.proposal }]);
  });

  test('is rejected with words', async () => {
    const id = await task('Draft');
    const session = await open();
    const { proposal } = await send(session, 'PATCH', `/rest/v1/tasks?id=eq.${id}`, { title: 'Worse' });
    await one(editor.client.rpc('reject_proposal', { proposal_id: proposal, reason: 'Too short' }));
    const told = await one(agent.client.from('agent_proposals').select('state, reason, decided_by').eq('id', proposal));
    expect(told).toEqual([{ state: 'rejected', reason: 'Too short', decided_by: editor.id }]);
    expect(await occasionsOf(session)).toEqual([
      { kind: 'proposal_rejected', proposal_id: proposal, reason: 'Too short' },
    ]);
    expect((await accept(proposal)).state).toBe('rejected');
    expect(await titleOf(id)).toBe('Draft');
  });

  test('stores nothing where nothing changes or is to change, and is refused where it cannot be proposed', async () => {
    const id = await task('Same');
    const session = await open();
    const same = await send(session, 'PATCH', `/rest/v1/tasks?id=eq.${id}`, { title: 'Same' });
    expect(same).toMatchObject({ status: 200, proposal: null });
    const other = (await shared('Shop')).project;
    const elsewhere = await addTask(app, owner, { project_id: other, title: 'Elsewhere' });
    const own = (await one(
      owner.client.rpc('open_agent_session', { project_id: project, mode: 'propose' }),
    )) as unknown as AgentSession;
    const byProgram = clientWith(app, owner.token, own.id, app.anonKey);
    expect(await codeOf(byProgram.from('tasks').update({ title: 'Both' }).in('id', [id, elsewhere]))).toBe('KB025');
    expect(await codeOf(byProgram.rpc('move_tasks_to_project', { task_ids: [id], project_id: other }))).toBe('KB025');
    expect(await codeOf(byProgram.from('saved_views').insert({ name: 'Everywhere' }))).toBe('KB025');
    // Whatever the same connection has tried just before.
    const daily = { user_id: owner.id, time_zone: 'Europe/Berlin', daily_hour: 8 };
    for (const estimate of [1, 2, 3, 4, 5, 6, 7, 8]) {
      expect(await codeOf(byProgram.from('tasks').update({ estimate }).eq('id', id))).toBe(undefined);
      expect(await codeOf(byProgram.from('notification_schedules').upsert(daily))).toBe('KB025');
    }
    const file = await send(session, 'POST', `/storage/v1/object/attachments/${project}/${id}/a.txt`, 'Text');
    expect(file).toMatchObject({ status: 409, body: { code: 'KB025' } });
    expect(await one(owner.client.from('agent_proposals').select('id').eq('session_id', session.id))).toEqual([]);
    expect(await app.sql('select count(*)::int as left from private.proposals_in_trial')).toEqual([{ left: 0 }]);
  });

  test('claims work and tells of it at once', async () => {
    const id = await task('To claim', { priority: 'p0' });
    const session = await open();
    const claim = await send(session, 'POST', '/rest/v1/rpc/claim_next_task', { project, start: true });
    expect(claim).toMatchObject({ status: 200, proposal: null, body: [{ task_id: id }] });
    const column = await one(owner.client.from('tasks').select('column_id').eq('id', id).single());
    expect(column).toEqual({ column_id: columns[0] });
    expect(
      await send(session, 'POST', '/rest/v1/rpc/report_agent_session', { session_id: session.id, cost: 1 }),
    ).toMatchObject({ status: 200, proposal: null });
  });
});

describe('the transaction of a trial', () => {
  test('cannot be committed, and a session in mode propose writes nothing in any other', async () => {
    const id = await task('Kept');
    const session = await open();
    const claims = JSON.stringify({ sub: agent.id, role: 'authenticated', scope: 'read comment write' });
    const run = (enter: string) =>
      app.sql(
        `do $$ begin
          perform set_config('request.jwt.claims', '${claims}', true);
          perform set_config('role', 'program', true);
          perform ${enter};
          update public.tasks set title = 'Slipped through' where id = '${id}';
        end $$`,
      );
    await expect(run(`private.enter_to_propose('${session.id}')`)).rejects.toThrow('proposals_in_trial_never_kept');
    await expect(run(`private.enter_session('${session.id}', true, true)`)).rejects.toThrow('cannot be proposed');
    await expect(run(`private.enter_to_write('${session.id}')`)).rejects.toThrow('cannot be proposed');
    expect(await titleOf(id)).toBe('Kept');
  });
});

describe('a difference', () => {
  test('is what accepting it changes, at every door that writes', async () => {
    const [first, second, third] = [await task('First'), await task('Second'), await task('Third')];
    const comment = (await one(
      owner.client.from('task_comments').insert({ task_id: third, body: 'Look' }).select('id').single(),
    )) as { id: string };
    const label = (await one(
      owner.client
        .from('task_labels')
        .insert({ project_id: project, name: 'Bug', color: '#aa0000' })
        .select('id')
        .single(),
    )) as { id: string };
    const field = (await one(
      owner.client
        .from('custom_fields')
        .insert({ project_id: project, name: 'Size', kind: 'number' })
        .select('id')
        .single(),
    )) as { id: string };
    const id = (n: number) => `00000000-0000-7000-8000-00000000000${n}`;
    const calls: (readonly [method: string, path: string, body?: unknown])[] = [
      [
        'POST',
        'tasks',
        [
          { id: id(1), project_id: project, title: 'New', parent_id: null },
          { id: id(2), project_id: project, title: 'Under it', parent_id: id(1) },
        ],
      ],
      ['PATCH', `tasks?id=eq.${first}`, { title: 'Renamed', description: 'Words', due_date: '2030-01-02' }],
      ['POST', 'rpc/move_task', { task_id: first, column_id: columns[1] }],
      ['POST', 'rpc/move_task', { task_id: second, column_id: columns.at(-1) }],
      ['POST', 'task_comments', { task_id: first, body: 'From the agent' }],
      ['POST', 'comment_reactions', { comment_id: comment.id, emoji: '👍' }],
      ['POST', 'comment_resolutions', { comment_id: comment.id }],
      ['POST', 'task_assignees', { task_id: first, user_id: editor.id }],
      ['POST', 'task_labels', { project_id: project, name: 'Agent', color: '#00aa00' }],
      ['POST', 'task_label_links', { task_id: first, label_id: label.id }],
      ['POST', 'task_checklist_items', { task_id: first, title: 'Step' }],
      ['POST', 'task_dependencies', { predecessor_id: second, successor_id: first }],
      ['POST', 'task_field_values', { task_id: first, field_id: field.id, value: 5 }],
      ['POST', 'custom_fields', { project_id: project, name: 'Colour', kind: 'text' }],
      ['POST', 'workflow_columns', { project_id: project, name: 'Review', kind: 'in_progress' }],
      ['PATCH', `workflow_columns?id=eq.${columns[1]}`, { name: 'Doing' }],
      ['POST', 'task_recurrences', { task_id: first, rule: 'FREQ=WEEKLY', mode: 'after_completion' }],
      ['POST', 'saved_views', { project_id: project, name: 'Mine', is_shared: true }],
      [
        'POST',
        'rpc/apply_changes',
        {
          changes: [
            {
              change: 'insert',
              table: 'tasks',
              rows: [
                { id: id(3), project_id: project, title: 'A' },
                { id: id(4), project_id: project, title: 'B' },
              ],
            },
            {
              change: 'insert',
              table: 'task_dependencies',
              rows: [{ id: id(5), project_id: project, predecessor_id: id(3), successor_id: id(4) }],
            },
          ],
        },
      ],
      ['PATCH', `tasks?id=in.(${first},${second})`, { priority: 'p0' }],
      ['POST', 'rpc/duplicate_task', { task_id: first }],
      ['POST', 'rpc/save_task_as_template', { task_id: first, is_shared: true }],
      ['POST', 'task_grants', { task_id: second, user_id: agent.id }],
      ['PATCH', `tasks?id=eq.${second}`, { is_restricted: true }],
      ['POST', 'task_grants', { task_id: second, user_id: editor.id }],
      ['DELETE', `tasks?id=eq.${third}`],
      ['DELETE', `task_assignees?task_id=eq.${first}`],
      ['DELETE', `task_labels?id=eq.${label.id}`],
      ['DELETE', `custom_fields?id=eq.${field.id}`],
    ];
    const answers: string[] = [];
    for (const [method, path, body] of calls) {
      const session = await open();
      const before = await snapshotOf(app, project);
      const answer = await send(session, method, `/rest/v1/${path}`, body);
      if (answer.status !== 202) answers.push(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
      if (answer.proposal === null) continue;
      expect(await snapshotOf(app, project), path).toEqual(before);
      const { difference } = await proposalOf(answer.proposal);
      const { state, stays } = await accept(answer.proposal).catch((error: unknown) => ({
        state: String(error),
        stays: [],
      }));
      expect({ path, state, stays }).toEqual({ path, state: 'accepted', stays: [] });
      const after = await snapshotOf(app, project);
      expect({ path, rows: changeOf(before, after) }).toEqual({ path, rows: changeOf(difference) });
      const undone = (await one(
        owner.client.rpc('undo_session', { session_id: session.id, dry_run: true }),
      )) as unknown;
      expect({ path, undone }).toMatchObject({ path, undone: { stays: [] } });
    }
    expect(answers).toEqual([]);
  });
});
