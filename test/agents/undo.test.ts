// Undoing a session of an agent: all it did goes back as far as nobody has changed it since, and the rest is listed.

import { beforeAll, describe, expect, test } from 'vitest';
import { person } from '../helpers/person.ts';
import { addMember, addTask, one } from '../sql/board.ts';
import { startTogether } from '../sql/start-together.ts';
import { type Agent, type AgentSession, clientWith, makeAgent } from './agents.ts';

const { app, owner, editor, shared } = startTogether();
const viewer = person(app, 'Vera Viewer');
let project: string;
let agent: Agent;
let columns: string[];

interface Told {
  readonly table: string | null;
  readonly id: string | null;
  readonly title: string | null;
  readonly columns: string[];
  readonly code?: string;
  readonly reason?: string;
}
interface Undone {
  readonly undone: Told[];
  readonly stays: Told[];
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
const undo = async (session: Pick<AgentSession, 'id'>, by = owner, dry_run = false) =>
  (await one(by.client.rpc('undo_session', { session_id: session.id, dry_run }))) as unknown as Undone;
const task = (title: string, more: object = {}) => addTask(app, owner, { project_id: project, title, ...more });

describe('a session', () => {
  test('goes back wholly where nobody has changed anything since', async () => {
    const [first, second, third] = [await task('First'), await task('Second'), await task('Third')];
    const comment = (await one(
      editor.client.from('task_comments').insert({ task_id: third, body: 'Mine' }).select('id').single(),
    )) as { id: string };
    await one(editor.client.from('comment_reactions').insert({ comment_id: comment.id, emoji: '👍' }).select());
    await one(owner.client.from('task_assignees').insert({ task_id: third, user_id: editor.id }).select());
    const { id: label_id } = (await one(
      owner.client
        .from('task_labels')
        .insert({ project_id: project, name: 'Urgent', color: '#445566' })
        .select()
        .single(),
    )) as { id: string };
    const before = await snapshot();
    const session = await agent.open({ project_id: project });
    const client = agent.within(session);
    await one(client.from('tasks').update({ title: 'Renamed', priority: 'p0' }).eq('id', first).select());
    await one(client.rpc('move_task', { task_id: first, column_id: columns[1] }));
    await one(client.rpc('move_task', { task_id: first, column_id: columns.at(-1) }));
    const { id: made } = (await one(
      client.from('tasks').insert({ project_id: project, title: 'New' }).select('id').single(),
    )) as { id: string };
    await one(client.from('task_comments').insert({ task_id: first, body: 'Done' }).select());
    await one(client.from('task_assignees').insert({ task_id: second, user_id: editor.id }).select());
    await one(client.from('task_label_links').insert({ task_id: second, label_id }).select());
    await one(client.from('task_dependencies').insert({ predecessor_id: second, successor_id: made }).select());
    await one(client.from('task_labels').insert({ project_id: project, name: 'Agent', color: '#112233' }).select());
    await one(client.from('tasks').delete().eq('id', third).select());
    await one(client.from('tasks').update({ parent_id: second }).eq('id', first).select());

    const foreseen = await undo(session, owner, true);
    expect(foreseen.stays).toEqual([]);
    expect(foreseen.undone).toContainEqual(expect.objectContaining({ table: 'tasks', id: third, title: 'Third' }));
    const titleOf = (table: string) => foreseen.undone.find((one) => one.table === table)?.title;
    expect(['task_assignees', 'task_label_links', 'task_dependencies'].map(titleOf)).toEqual([
      ...['Edda Editor', 'Urgent', expect.stringMatching(/-\d+ Second$/)],
    ]);
    expect(await snapshot()).not.toEqual(before);
    expect(await stateOf(session)).toMatchObject({ undone_at: null, ended_at: null });
    const done = await undo(session);
    expect({ ...done, dry_run: true }).toEqual(foreseen);
    expect(await snapshot()).toEqual(before);
    expect(await stateOf(session)).toMatchObject({
      undone_at: expect.stringContaining('T'),
      ended_at: expect.stringContaining('T'),
    });
    expect(await undo(session)).toMatchObject({ undone: [], stays: [] });
    expect(await codeOf(client.from('tasks').update({ title: 'Late' }).eq('id', first))).toBe('KB023');
    const [line] = await one(
      editor.client
        .from('task_activity')
        .select('actor_id, program')
        .eq('task_id', first)
        .order('id', { ascending: false })
        .limit(1),
    );
    expect(line).toEqual({ actor_id: owner.id, program: null });
  });

  test('goes back to how the board was, also where no move would lead there', async () => {
    const [first, done, parent] = [await task('First'), await task('Done'), await task('Parent')];
    const part = await task('Part', { parent_id: parent });
    await one(owner.client.rpc('move_task', { task_id: done, column_id: columns.at(-1) }));
    // Now it waits for another one.
    await one(owner.client.from('task_dependencies').insert({ predecessor_id: first, successor_id: done }).select());
    await one(owner.client.from('tasks').update({ archived_at: '2030-01-01' }).eq('id', parent).select());
    await one(owner.client.from('tasks').update({ archived_at: null }).eq('id', part).select());
    const { id: comment } = (await one(
      editor.client.from('task_comments').insert({ task_id: first, body: 'Mine' }).select('id').single(),
    )) as { id: string };
    const assigned = { task_id: first, user_id: owner.id };
    await one(owner.client.from('task_assignees').insert(assigned).select());
    await app.sql('delete from public.task_watchers where task_id = $1', [first]);
    const before = await snapshot();
    const session = (await one(
      owner.client.rpc('open_agent_session', { project_id: project }),
    )) as unknown as AgentSession;
    const client = clientWith(app, owner.token, session.id, app.anonKey);
    await one(client.rpc('move_task', { task_id: done, column_id: columns[0] }));
    await one(client.from('tasks').update({ archived_at: null }).eq('id', parent).select());
    await one(client.from('task_assignees').delete().match(assigned).select());
    await one(client.from('task_comments').delete().eq('id', comment).select());
    expect((await undo(session)).stays).toEqual([]);
    expect(await snapshot()).toEqual(before);
  });

  test('leaves what others have changed since, column by column, and says so', async () => {
    const [changed, renamed] = [await task('Changed', { priority: 'p2' }), await task('Renamed')];
    const session = await agent.open({ project_id: project });
    const client = agent.within(session);
    await one(client.from('tasks').update({ title: 'By agent', priority: 'p0' }).eq('id', changed).select());
    await one(client.from('tasks').update({ title: 'First words' }).eq('id', renamed).select());
    const { id: made } = (await one(
      client.from('tasks').insert({ project_id: project, title: 'Made' }).select('id').single(),
    )) as { id: string };
    await one(editor.client.from('tasks').update({ title: 'By editor' }).eq('id', changed).select());
    await one(editor.client.from('tasks').update({ title: 'Words between' }).eq('id', renamed).select());
    await one(client.from('tasks').update({ title: 'Last words' }).eq('id', renamed).select());
    await one(editor.client.from('task_comments').insert({ task_id: made, body: 'Good' }).select());
    const { stays } = await undo(session);
    const told = stays.map(({ table, id, columns, code }) => ({ table, id, columns, code }));
    expect(told).toHaveLength(3);
    expect(told).toEqual(
      expect.arrayContaining([
        { table: 'tasks', id: changed, columns: ['title'], code: 'changed' },
        { table: 'tasks', id: renamed, columns: ['title'], code: 'changed' },
        { table: 'tasks', id: made, columns: [], code: 'used' },
      ]),
    );
    const rows = await one(
      owner.client.from('tasks').select('id, title, priority').in('id', [changed, renamed]).order('title'),
    );
    expect(rows).toEqual([
      { id: changed, title: 'By editor', priority: 'p2' },
      { id: renamed, title: 'Words between', priority: expect.any(String) },
    ]);
  });

  test('is undone by people who answer for it alone', async () => {
    const id = await task('Delegated');
    const session = (await one(
      editor.client.rpc('delegate_to_agent', { task_id: id, agent_id: agent.id }),
    )) as unknown as AgentSession;
    const client = agent.within(session);
    await one(client.from('tasks').update({ title: 'Agent' }).eq('id', id).select());
    await one(client.from('task_comments').insert({ task_id: id, body: 'Words' }).select());
    const asked = (by: { client: typeof owner.client }) =>
      codeOf(by.client.rpc('undo_session', { session_id: session.id }));
    expect(await asked(viewer)).toBe('42501');
    expect(await asked({ client })).toBe('42501');
    expect(await asked(agent)).toBe('42501');
    expect((await undo(session, editor)).stays).toEqual([]);
    expect(await one(owner.client.from('tasks').select('title').eq('id', id).single())).toEqual({ title: 'Delegated' });
    expect(await one(owner.client.from('task_comments').select('id').eq('task_id', id))).toEqual([]);
  });
});

describe('files', () => {
  const put = async (client: typeof owner.client, task_id: string, name: string) => {
    const object_path = `${project}/${task_id}/${name}`;
    const sent = await client.storage.from('attachments').upload(object_path, new Blob(['bytes']));
    expect(sent.error).toBeNull();
    const row = { task_id, name, content_type: 'text/plain', size_bytes: 5, object_path };
    return (await one(client.from('task_attachments').insert(row).select('id').single())) as { id: string };
  };
  const names = async (task_id: string) =>
    (await one(owner.client.from('task_attachments').select('name').eq('task_id', task_id).order('name'))).map(
      ({ name }) => name as string,
    );

  test('go and come back with the rows that describe them', async () => {
    const id = await task('With files');
    const [kept, other] = [await put(owner.client, id, 'kept.txt'), await put(owner.client, id, 'gone.txt')];
    const session = await agent.open({ project_id: project });
    const client = agent.within(session);
    await put(client, id, 'added.txt');
    await put(owner.client, id, 'lost.txt');
    await client.storage.from('attachments').upload(`${project}/${id}/loose.txt`, new Blob(['bytes']));
    await client.storage.from('attachments').remove([`${project}/${id}/lost.txt`]);
    await one(client.from('task_attachments').delete().in('id', [kept.id, other.id]).select());
    await app.sql(`delete from storage.objects where name like '%/gone.txt'`);
    const { stays } = await undo(session);
    expect(stays).toEqual([
      expect.objectContaining({ table: 'task_attachments', title: 'gone.txt', code: 'file' }),
      expect.objectContaining({ table: 'storage.objects', title: 'lost.txt', code: 'file', task_id: id }),
    ]);
    expect(await names(id)).toEqual(['kept.txt', 'lost.txt']);
    const removed = await app.sql(`select name from private.removed_files where name like $1 order by name`, [
      `${project}/${id}/%`,
    ]);
    const gone = removed.map(({ name }) => String(name).split('/').at(-1));
    expect(gone).toEqual(expect.arrayContaining(['added.txt', 'loose.txt']));
  });
});

describe('a person’s own program', () => {
  test('brings tasks back from another project, and takes a project that it made away', async () => {
    const other = (await shared('Shop')).project;
    const id = await task('Travels');
    await one(owner.client.from('task_assignees').insert({ task_id: id, user_id: viewer.id }).select());
    const before = await snapshot();
    const session = (await one(
      owner.client.rpc('open_agent_session', { project_id: project }),
    )) as unknown as AgentSession;
    const client = clientWith(app, owner.token, session.id, app.anonKey);
    await one(client.rpc('move_tasks_to_project', { task_ids: [id], project_id: other }));
    const copy = (await one(client.rpc('duplicate_project', { project_id: other }))) as unknown as
      | string
      | { id: string };
    const made = typeof copy === 'string' ? copy : copy.id;
    const { stays } = await undo(session);
    expect(stays).toEqual([]);
    expect(await snapshot()).toEqual(before);
    expect(await one(owner.client.from('projects').select('id').eq('id', made))).toEqual([]);
    expect(await one(owner.client.from('tasks').select('id').eq('project_id', other))).toEqual([]);
  });
});

describe('a change beyond the caller’s rights', () => {
  test('stays, and tells nothing of itself', async () => {
    const id = await task('Handed over');
    const secret = await task('Secret');
    await one(owner.client.from('tasks').update({ is_restricted: true }).eq('id', secret).select());
    await one(owner.client.from('task_grants').insert({ task_id: secret, user_id: agent.id }).select());
    const session = (await one(
      editor.client.rpc('delegate_to_agent', { task_id: id, agent_id: agent.id }),
    )) as unknown as AgentSession;
    const client = agent.within(session);
    await one(client.from('tasks').update({ title: 'Agent' }).eq('id', id).select());
    await one(client.from('tasks').update({ title: 'Hidden words' }).eq('id', secret).select());
    const told = await undo(session, editor);
    expect(told.undone).toEqual([expect.objectContaining({ id, columns: ['title'] })]);
    expect(told.stays).toEqual([expect.objectContaining({ id: null, title: null, code: 'hidden' })]);
    expect(JSON.stringify(told)).not.toMatch(/Secret|Hidden/);
    expect((await undo(session)).undone).toEqual([expect.objectContaining({ id: secret })]);
  });

  test('stays where a rule of the board stands against it', async () => {
    const [first, second] = [await task('Before'), await task('After')];
    const link = { predecessor_id: first, successor_id: second };
    await one(owner.client.from('task_dependencies').insert(link).select());
    const session = await agent.open({ project_id: project });
    await one(agent.within(session).from('task_dependencies').delete().match(link).select());
    const back = { predecessor_id: second, successor_id: first };
    await one(owner.client.from('task_dependencies').insert(back).select());
    const { undone, stays } = await undo(session);
    expect(undone).toEqual([]);
    expect(stays).toEqual([
      expect.objectContaining({
        ...{ table: 'task_dependencies', code: 'refused' },
        reason: expect.stringContaining('would close a circle'),
      }),
    ]);
  });
});

const stateOf = async ({ id }: Pick<AgentSession, 'id'>) =>
  one(owner.client.from('agent_sessions').select('undone_at, ended_at').eq('id', id).single());

const kept = new Set(['updated_at', 'version', 'edited_at']);
const tables = [
  ...['workflow_columns', 'tasks', 'task_assignees', 'task_labels', 'task_label_links', 'task_checklist_items'],
  ...['task_attachments', 'task_dependencies', 'task_comments', 'comment_reactions', 'comment_resolutions'],
  ...['task_watchers', 'custom_fields', 'task_field_values', 'task_recurrences', 'saved_views', 'task_grants'],
];

/** All rows of the project, but for what the database keeps. */
async function snapshot(): Promise<unknown> {
  const rows: Record<string, unknown[]> = {};
  for (const table of tables) {
    const found = await app.sql(
      `select to_jsonb(t) as row from public.${table} t where project_id = $1 order by to_jsonb(t) - '{updated_at,version,edited_at}'::text[]`,
      [project],
    );
    rows[table] = found.map(({ row }) =>
      Object.fromEntries(Object.entries(row as object).filter(([name]) => !kept.has(name))),
    );
  }
  return rows;
}
