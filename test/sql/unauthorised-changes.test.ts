// Known attacks on services like this one, tried through the door: rows pointed at other people's projects, rows moved by their body,
// borrowed authorship, raised roles, tokens of removed people.

import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { startApp } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { addMember, addTask, type Board, makeBoard, makeProject } from './board.ts';

let board: Board;
const app = forSuite(startApp);
beforeAll(async () => {
  board = await makeBoard(app);
});

async function lastNumber(): Promise<number> {
  const rows = await app.sql<{ last: number }>(
    'select last_number as last from private.task_counters where project_id = $1',
    [board.project],
  );
  return rows[0]?.last ?? 0;
}

const as = (name: keyof Board['people']) => board.people[name].client;

describe('foreign ids under one’s own project', () => {
  // The outsider owns a project elsewhere and knows ids of ours, or the other way round: either way nothing is joined.
  it.each<[table: string, row: (board: Board) => Record<string, unknown>]>([
    ['tasks', (b) => ({ project_id: b.elsewhere.project, column_id: b.columns.todo, title: 'x' })],
    [
      'task_assignees',
      (b) => ({ project_id: b.elsewhere.project, task_id: b.tasks[0], user_id: b.people.outsider.id }),
    ],
    ['task_label_links', (b) => ({ project_id: b.elsewhere.project, task_id: b.elsewhere.task, label_id: b.label })],
    [
      'task_label_links',
      (b) => ({ project_id: b.elsewhere.project, task_id: b.tasks[0], label_id: b.elsewhere.label }),
    ],
    ['task_checklist_items', (b) => ({ project_id: b.elsewhere.project, task_id: b.tasks[0], title: 'x' })],
    ['task_comments', (b) => ({ project_id: b.elsewhere.project, task_id: b.tasks[0], body: 'x' })],
    [
      'task_attachments',
      (b) => ({
        project_id: b.elsewhere.project,
        task_id: b.tasks[0],
        name: 'x',
        object_path: `${b.elsewhere.project}/${b.tasks[0]}/x`,
      }),
    ],
    [
      'task_dependencies',
      (b) => ({ project_id: b.elsewhere.project, predecessor_id: b.tasks[0], successor_id: b.elsewhere.task }),
    ],
    [
      'task_dependencies',
      (b) => ({ project_id: b.elsewhere.project, predecessor_id: b.elsewhere.task, successor_id: b.tasks[0] }),
    ],
  ])('%s: refused by the composite key, as if there were no such row', async (table, row) => {
    const real = await as('outsider').from(table).insert(row(board));
    expect(real.error?.code).toBe('23503');
    expect(real.status).toBe(409);
  });

  it.each<[table: string, row: (task: string, board: Board) => Record<string, unknown>]>([
    ['task_assignees', (task, b) => ({ task_id: task, user_id: b.people.outsider.id })],
    ['task_label_links', (task, b) => ({ task_id: task, label_id: b.label })],
    ['task_checklist_items', (task) => ({ task_id: task, title: 'x' })],
    ['task_comments', (task) => ({ task_id: task, body: 'x' })],
    ['task_dependencies', (task, b) => ({ predecessor_id: b.tasks[1], successor_id: task })],
  ])('%s without project_id: a foreign task and one that never was answer alike', async (table, row) => {
    const foreign = await as('outsider').from(table).insert(row(board.tasks[0], board));
    const imagined = await as('outsider').from(table).insert(row(randomUUID(), board));
    expect(foreign.status).toBe(403);
    expect(imagined.status).toBe(403);
    expect(foreign.error?.code).toBe('42501');
    expect(imagined.error).toMatchObject({ code: '42501', message: foreign.error?.message });
  });

  it('a task in a foreign project answers like one in a project that never was', async () => {
    const before = await lastNumber();
    for (const project of [board.project, randomUUID()]) {
      const answer = await as('outsider').from('tasks').insert({ project_id: project, title: 'x' });
      expect(answer).toMatchObject({ status: 403, error: { code: '42501' } });
    }
    expect(await lastNumber()).toBe(before);
  });

  it('upserting over a foreign row changes nothing', async () => {
    const answer = await as('outsider')
      .from('tasks')
      .upsert({ id: board.tasks[0], project_id: board.elsewhere.project, title: 'Mine now' });
    expect(answer).toMatchObject({ status: 403, error: { code: '42501' } });
    expect((await as('owner').from('tasks').select('title').eq('id', board.tasks[0]).single()).data).toEqual({
      title: 'Draft the page',
    });
  });
});

describe('bodies that claim what is not theirs to say', () => {
  it.each<[table: string, filter: string, body: (board: Board) => Record<string, unknown>]>([
    ['tasks', 'title=eq.Draft the page', (b) => ({ project_id: b.elsewhere.project })],
    ['tasks', 'title=eq.Draft the page', () => ({ id: randomUUID() })],
    ['tasks', 'title=eq.Draft the page', () => ({ number: 99 })],
    ['tasks', 'title=eq.Draft the page', (b) => ({ created_by: b.people.owner.id })],
    ['tasks', 'title=eq.Draft the page', () => ({ created_by: null })],
    ['task_comments', 'body=eq.On it', (b) => ({ author_id: b.people.owner.id })],
    ['task_comments', 'body=eq.On it', (b) => ({ project_id: b.elsewhere.project })],
    ['task_comments', 'body=eq.On it', (b) => ({ task_id: b.tasks[1] })],
    ['task_checklist_items', 'title=eq.A step', (b) => ({ task_id: b.tasks[1] })],
    ['task_labels', 'name=eq.urgent', (b) => ({ project_id: b.elsewhere.project })],
    ['workflow_columns', 'kind=eq.todo', (b) => ({ project_id: b.elsewhere.project })],
    ['task_attachments', 'name=eq.notes.txt', (b) => ({ object_path: `${b.project}/${b.tasks[1]}/notes.txt` })],
    ['task_dependencies', 'lag_days=eq.0', (b) => ({ predecessor_id: b.tasks[2] })],
    ['task_assignees', 'user_id=not.is.null', (b) => ({ user_id: b.people.viewer.id })],
    ['saved_views', 'name=eq.Ours', (b) => ({ owner_id: b.people.owner.id })],
    ['notifications', 'kind=eq.assigned', (b) => ({ user_id: b.people.viewer.id })],
    ['notifications', 'kind=eq.assigned', () => ({ kind: 'mentioned' })],
  ])('PATCH %s?%s', async (table, filter, body) => {
    const answer = await app.request(`/rest/v1/${table}?${filter}`, {
      method: 'PATCH',
      token: board.people.editor.token,
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body(board)),
    });
    expect(answer.status).toBe(403);
    expect(await answer.json()).toMatchObject({ code: '42501', message: expect.stringContaining('cannot be changed') });
  });

  it('timestamps and completion are the database’s, whatever the body says', async () => {
    const old = '2001-01-01T00:00:00+00:00';
    const forged = { created_at: old, updated_at: old, completed_at: old, started_at: old };
    const made = await as('editor')
      .from('tasks')
      .insert({ project_id: board.project, title: 'Forged', number: 900, archived_at: old, ...forged })
      .select()
      .single();
    expect(made.data).toMatchObject({ completed_at: null, started_at: null });
    expect(made.data.number).toBeLessThan(900);
    for (const name of ['created_at', 'updated_at', 'archived_at']) expect(made.data[name]).not.toBe(old);
    const patched = await as('editor').from('tasks').update(forged).eq('id', made.data.id).select().single();
    expect(patched.data).toMatchObject({ created_at: made.data.created_at, completed_at: null, started_at: null });
    expect(patched.data.updated_at).not.toBe(old);
    await as('editor').from('tasks').delete().eq('id', made.data.id);
  });

  it.each<[table: string, row: (board: Board) => Record<string, unknown>]>([
    ['tasks', (b) => ({ project_id: b.project, title: 'x', created_by: b.people.owner.id })],
    ['task_comments', (b) => ({ task_id: b.tasks[0], body: 'x', author_id: b.people.owner.id })],
    [
      'task_attachments',
      (b) => ({
        task_id: b.tasks[0],
        name: 'x',
        object_path: `${b.project}/${b.tasks[0]}/x`,
        uploaded_by: b.people.owner.id,
      }),
    ],
    ['saved_views', (b) => ({ project_id: b.project, name: 'x', owner_id: b.people.owner.id })],
  ])('a new row of %s cannot name another author', async (table, row) => {
    expect(await as('editor').from(table).insert(row(board))).toMatchObject({ status: 403, error: { code: '42501' } });
  });

  it('an author left empty is the caller', async () => {
    const made = await as('editor')
      .from('task_comments')
      .insert({ task_id: board.tasks[2], body: 'Unsigned', author_id: null })
      .select()
      .single();
    expect(made.data?.author_id).toBe(board.people.editor.id);
  });

  it('whole rows may come back: a full PATCH and a full upsert of someone else’s task keep its author and number', async () => {
    const before = await lastNumber();
    const { data: row } = await as('owner').from('tasks').select().eq('id', board.tasks[0]).single();
    const patched = await as('owner')
      .from('tasks')
      .update({ ...row, title: 'Draft the page' })
      .eq('id', row.id);
    expect(patched.error).toBeNull();
    const upserted = await as('owner')
      .from('tasks')
      .upsert({ ...row, priority: 'p1' })
      .select()
      .single();
    expect(upserted.data).toMatchObject({ number: row.number, created_by: row.created_by, priority: 'p1' });
    // an upsert of a task that exists takes no number
    expect(await lastNumber()).toBe(before);
  });

  it('an attachment’s path stays under its project and task', async () => {
    for (const path of [
      `${board.elsewhere.project}/${board.tasks[0]}/x`,
      `${board.project}/${board.tasks[1]}/x`,
      `${board.project}/${board.tasks[0]}/../../x`,
      `${board.project}/${board.tasks[0]}/`,
      `/${board.project}/${board.tasks[0]}/x`,
    ])
      expect(
        await as('editor').from('task_attachments').insert({ task_id: board.tasks[0], name: 'x', object_path: path }),
      ).toMatchObject({ error: { code: '23514' } });
  });
});

describe('people', () => {
  it('an outsider cannot be assigned', async () => {
    const answer = await as('editor')
      .from('task_assignees')
      .insert({ task_id: board.tasks[0], user_id: board.people.outsider.id });
    expect(answer.error).toMatchObject({ code: '23503', message: expect.stringContaining('must_be_members') });
  });

  it('a member cannot raise their role, and an outsider cannot join', async () => {
    const { editor, outsider } = board.people;
    for (const name of ['editor', 'viewer'] as const) {
      const answer = await as(name)
        .from('project_members')
        .update({ role: 'owner' })
        .eq('user_id', board.people[name].id);
      expect(answer).toMatchObject({ status: 403, error: { code: '42501' } });
    }
    for (const row of [
      { project_id: board.project, user_id: outsider.id, role: 'owner' },
      { project_id: board.project, user_id: outsider.id, role: 'viewer' },
    ])
      expect(await as('outsider').from('project_members').insert(row)).toMatchObject({ status: 403 });
    expect(
      await as('editor')
        .from('project_members')
        .upsert({ project_id: board.project, user_id: editor.id, role: 'owner' }),
    ).toMatchObject({ status: 403 });
  });

  it('an editor can invite nobody, least of all an owner; an outsider hears of no such project', async () => {
    const invite = { project_id: board.project, email: 'friend@example.test', role: 'owner' };
    expect(await as('editor').rpc('invite_member', invite)).toMatchObject({ status: 403, error: { code: '42501' } });
    expect(await as('outsider').rpc('invite_member', invite)).toMatchObject({ status: 404, error: { code: 'PT404' } });
  });

  it('the last owner can be neither removed nor demoted, and cannot leave', async () => {
    const mine = board.people.owner.id;
    const members = () => as('owner').from('project_members');
    const kept = { status: 409, error: { code: 'KB003' } };
    expect(
      await members().update({ role: 'viewer' }).eq('user_id', mine).eq('project_id', board.project),
    ).toMatchObject(kept);
    expect(await members().delete().eq('user_id', mine).eq('project_id', board.project)).toMatchObject(kept);
    expect(await as('owner').rpc('leave_project', { project_id: board.project })).toMatchObject(kept);
  });

  it('two owners cannot take each other’s place away at the same moment', async () => {
    const [one, two] = [await app.createUser({ name: 'One' }), await app.createUser({ name: 'Two' })];
    for (let round = 0; round < 10; round++) {
      const { project } = await makeProject(app, one, `Round ${round}`);
      await addMember(app, project, two, 'owner');
      await Promise.all([
        one.client.from('project_members').delete().eq('project_id', project).eq('user_id', two.id),
        two.client.from('project_members').update({ role: 'viewer' }).eq('project_id', project).eq('user_id', one.id),
      ]);
      expect(
        await app.sql(
          `select count(*)::int as owners from public.project_members where project_id = $1 and role = 'owner'`,
          [project],
        ),
      ).toEqual([{ owners: 1 }]);
    }
  });

  it('someone shown out is out at once, though their token lives on', async () => {
    const guest = await app.createUser({ name: 'Guest' });
    await addMember(app, board.project, guest, 'editor');
    await addTask(app, guest, { project_id: board.project, title: 'By the guest' });
    const assigned = await as('owner').from('tasks').select('id').eq('title', 'By the guest').single();
    await as('owner').from('task_assignees').insert({ task_id: assigned.data?.id, user_id: guest.id });
    expect((await guest.client.from('notifications').select('kind').order('id')).data).toEqual([
      { kind: 'added' },
      { kind: 'assigned' },
    ]);

    await as('owner').from('project_members').delete().eq('user_id', guest.id);

    for (const table of ['projects', 'tasks', 'task_comments', 'project_members', 'task_activity', 'notifications'])
      expect((await guest.client.from(table).select()).data).toEqual([]);
    expect((await guest.client.from('profiles').select('id')).data).toEqual([{ id: guest.id }]);
    expect(await guest.client.from('tasks').insert({ project_id: board.project, title: 'x' })).toMatchObject({
      status: 403,
    });
    expect(await guest.client.rpc('move_task', { task_id: board.tasks[0] })).toMatchObject({ status: 404 });
    expect(await guest.client.rpc('current_project_role', { project_id: board.project })).toMatchObject({ data: null });
    const left = await app.sql('select from public.task_assignees where user_id = $1', [guest.id]);
    expect(left).toEqual([]);
    // what they made stays theirs
    expect(
      (await as('owner').from('tasks').select('created_by').eq('title', 'By the guest').single()).data?.created_by,
    ).toBe(guest.id);
  });

  it('profiles are one’s own to change, and hold no address', async () => {
    const mine = await as('viewer')
      .from('profiles')
      .update({ display_name: 'Vito' })
      .eq('id', board.people.viewer.id)
      .select();
    expect(mine.data).toHaveLength(1);
    expect(JSON.stringify(mine.data)).not.toContain('@');
    const upserted = await as('viewer')
      .from('profiles')
      .upsert({ id: board.people.viewer.id, display_name: 'Vito Viewer' });
    expect(upserted.error).toBeNull();
    expect(await as('viewer').from('profiles').upsert({ id: board.people.owner.id, display_name: 'x' })).toMatchObject({
      status: 403,
    });
  });
});

describe('procedures reveal nothing', () => {
  it.each<[name: string, args: (board: Board) => Record<string, unknown>]>([
    ['move_task', (b) => ({ task_id: b.tasks[0], column_id: b.columns.done })],
    ['dashboard_metrics', (b) => ({ project_id: b.project })],
    ['task_flow', (b) => ({ project_id: b.project })],
    ['search_tasks', (b) => ({ query: 'draft', project_id: b.project })],
    ['leave_project', (b) => ({ project_id: b.project })],
    ['invite_member', (b) => ({ project_id: b.project, email: 'a@example.test' })],
    ['accept_invitation', () => ({ token: 'guess' })],
    ['join_by_link', () => ({ token: 'guess' })],
    ['create_join_link', (b) => ({ project_id: b.project })],
    ['create_share_link', (b) => ({ project_id: b.project, task_id: b.tasks[0] })],
    ['revoke_share_link', (b) => ({ link_id: b.shareLink })],
    ['test_webhook', (b) => ({ webhook_id: b.webhook })],
    ['redeliver_webhook', (b) => ({ webhook_id: b.webhook, delivery_id: b.delivery })],
    ['restore_webhook', (b) => ({ webhook_id: b.webhook })],
    ['webhook_payload', (b) => ({ delivery_id: b.delivery })],
  ])('%s answers an outsider 404, as for nothing at all', async (name, args) => {
    const foreign = await as('outsider').rpc(name, args(board));
    expect(foreign).toMatchObject({ status: 404, error: { code: 'PT404' } });
    const imagined = Object.fromEntries(
      Object.entries(args(board)).map(([key, value]) => [key, key.endsWith('_id') ? randomUUID() : value]),
    );
    expect((await as('outsider').rpc(name, imagined)).error).toEqual(foreign.error);
  });

  it('a task cannot be moved into, or next to, what the mover does not see', async () => {
    const { task } = board.elsewhere;
    for (const args of [
      { column_id: board.columns.todo },
      { before_id: board.tasks[0] },
      { after_id: board.tasks[0] },
      { column_id: randomUUID() },
    ])
      expect(await as('outsider').rpc('move_task', { task_id: task, ...args })).toMatchObject({
        status: 404,
        error: { code: 'PT404' },
      });
  });

  it('without signing in there is nothing to call', async () => {
    for (const name of ['dashboard_metrics', 'move_task', 'create_project_with_defaults', 'current_project_role'])
      expect(
        (await app.client().rpc(name, { project_id: board.project, task_id: board.tasks[0], name: 'x' })).status,
      ).not.toBe(200);
    expect(await app.client().rpc('dashboard_metrics')).toMatchObject({ status: 401, error: { code: '42501' } });
  });

  it('task flows of other people’s projects are not told', async () => {
    const told = async (who: 'viewer' | 'outsider') =>
      Object.keys((await as(who).rpc('task_flows', { project_ids: [board.project] })).data as object);
    expect([await told('viewer'), await told('outsider')]).toEqual([[board.project], []]);
  });

  // They run with the rights of the owner of the tables, and anybody might find a way to call them by their own names.
  it.each([
    ['figures_of', 'select private.figures_of($1) as it', 'PT404'],
    ['find_tasks', `select * from private.find_tasks('draft', $1, 9)`, 'PT404'],
    ['move_task_of_writer', 'select (private.move_task_of_writer($1, $2, null, null, null)).id as it', null],
  ])('%s decides by itself for whom it counts, finds or moves', async (_, text, refusal) => {
    const former = await app.createUser({ name: 'Fred Former' });
    await addMember(app, board.project, former, 'editor');
    await former.client.rpc('leave_project', { project_id: board.project });
    const { outsider, viewer } = board.people;
    const values = text.includes('$2') ? [board.tasks[0], board.columns.todo] : [board.project];
    const call = (who: string | Record<string, unknown>) => app.asUser(who, text, values);
    for (const person of [former, outsider]) {
      if (refusal !== null) await expect(call(person.id)).rejects.toMatchObject({ sqlstate: refusal });
      else expect(await call(person.id)).toEqual([{ it: null }]);
    }
    if (refusal === null) expect(await call(viewer.id)).toEqual([{ it: null }]);
    else expect(await call(viewer.id)).toHaveLength(1);
    await expect(call({ role: 'anon' })).rejects.toMatchObject({ sqlstate: '42501' });
    const [task] = await app.sql('select column_id from public.tasks where id = $1', [board.tasks[0]]);
    expect(task).toEqual({ column_id: board.columns.backlog });
  });

  it('a search in all projects finds nothing in those one is not in, neither by words nor by reference', async () => {
    const former = await app.createUser({ name: 'Freya Former' });
    await addMember(app, board.project, former, 'editor');
    await former.client.rpc('leave_project', { project_id: board.project });
    const [task] = await app.sql<{ key: string; number: number }>(
      'select p.key, t.number from public.tasks t join public.projects p on p.id = t.project_id where t.id = $1',
      [board.tasks[0]],
    );
    const { outsider, viewer } = board.people;
    for (const query of ['draft', `${task?.key}-${task?.number}`, `#${task?.number}`]) {
      const found = async (who: string | Record<string, unknown>) => {
        const rows = await app.asUser<{ id: string }>(who, 'select id from private.find_tasks($1, null, 50)', [query]);
        return rows.some(({ id }) => id === board.tasks[0]);
      };
      expect([await found(viewer.id), await found(outsider.id), await found(former.id)]).toEqual([true, false, false]);
      await expect(found({ role: 'anon' })).rejects.toMatchObject({ sqlstate: '42501' });
    }
  });

  it.each([
    'visible_projects(null)',
    'members_of_projects(array[$1::uuid])',
    'cycle_and_lead_times(array[$1::uuid])',
    'figures_of_fields($1)',
  ])('%s is nobody’s to call', async (call) => {
    const values = call.includes('$1') ? [board.project] : [];
    await expect(app.asUser(board.people.owner.id, `select private.${call}`, values)).rejects.toMatchObject({
      sqlstate: '42501',
    });
  });

  it('figures name nobody whom the project does not hold, whatever was counted for them', async () => {
    const { outsider } = board.people;
    const names = async () => {
      const { data } = await as('viewer').rpc('dashboard_metrics', { project_id: board.project });
      const { by_assignee } = data as { by_assignee: { user_id: string; display_name: string | null }[] };
      return Object.fromEntries(by_assignee.map((person) => [person.user_id, person.display_name]));
    };
    const counted = [board.project, outsider.id];
    await app.sql(`insert into private.project_figures values ($1, 'open_of', $2, 0, 1)`, counted);
    expect(await names()).toEqual({ [board.people.editor.id]: 'Edda Editor', [outsider.id]: null });
    await app.sql(`delete from private.project_figures where project_id = $1 and key = $2`, counted);
  });

  it('search finds nothing in other people’s projects', async () => {
    expect((await as('outsider').rpc('search_tasks', { query: 'page' })).data).toEqual([]);
    expect((await as('outsider').rpc('search_tasks', { query: 'secret' })).data).toHaveLength(1);
    expect((await as('viewer').rpc('search_tasks', { query: 'secret' })).data).toEqual([]);
  });
});

describe('a viewer', () => {
  it('is refused loudly, and nothing happens', async () => {
    const before = await app.sql('select * from public.tasks where project_id = $1 order by id', [board.project]);
    expect(
      await as('viewer').rpc('move_task', { task_id: board.tasks[0], column_id: board.columns.done }),
    ).toMatchObject({
      status: 403,
      error: { code: '42501' },
    });
    expect(await as('viewer').from('tasks').delete().eq('project_id', board.project)).toMatchObject({ status: 403 });
    expect(await as('viewer').from('tasks').update({ title: 'x' }).eq('project_id', board.project)).toMatchObject({
      status: 403,
    });
    expect(await app.sql('select * from public.tasks where project_id = $1 order by id', [board.project])).toEqual(
      before,
    );
  });

  it('takes no task into a project of their own, whatever the body leaves empty', async () => {
    const owner = board.people.owner;
    const { project, columns } = await makeProject(app, owner, 'Coveted');
    await addMember(app, project, board.people.viewer, 'viewer');
    const task = await addTask(app, owner, { project_id: project, title: 'Ours', column_id: columns.todo });
    const own = await makeProject(app, board.people.viewer, 'Greedy');
    for (const title of ['One', 'Two']) await addTask(app, board.people.viewer, { project_id: own.project, title });
    const [parent] = await app.sql<{ id: string }>(
      'delete from public.tasks where project_id = $1 and number = 1 returning (select id from public.tasks where project_id = $1 and number = 2)',
      [own.project],
    );
    const row = { project_id: null, parent_id: parent?.id, column_id: own.columns.todo };
    expect(await as('viewer').from('tasks').update(row).eq('id', task)).toMatchObject({ error: { code: '42501' } });
    const changes = [{ change: 'update', table: 'tasks', rows: [{ id: task, ...row }] }];
    expect((await as('viewer').rpc('apply_changes', { changes })).error).not.toBeNull();
    expect(await app.sql('select project_id from public.tasks where id = $1', [task])).toEqual([
      { project_id: project },
    ]);
    // Nor does whoever may write in both, but by moving it.
    await app.sql(`update public.project_members set role = 'editor' where project_id = $1 and user_id = $2`, [
      project,
      board.people.viewer.id,
    ]);
    expect((await as('viewer').from('tasks').update(row).eq('id', task)).error).not.toBeNull();
  });

  it('keeps views for themselves, but shares none', async () => {
    const row = { project_id: board.project, name: 'Mine', filter: { priority: 'p0' } };
    const own = await as('viewer').from('saved_views').insert(row).select().single();
    expect(own.error).toBeNull();
    expect((await as('owner').from('saved_views').select().eq('name', 'Mine')).data).toEqual([]);
    expect(await as('viewer').from('saved_views').update({ is_shared: true }).eq('id', own.data.id)).toMatchObject({
      status: 403,
    });
  });
});
