// Public links at the data door: rows of each scope and part, procedures and other doors; a link that has ended shows nothing. Changes are asked in test/policies.

import { beforeAll, describe, expect, it } from 'vitest';
import { startApp } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { addRow, addTask, type Board, makeBoard, one } from './board.ts';
import { matrix } from './matrix-cells.ts';

interface Made {
  readonly id: string;
  readonly token: string;
}

let board: Board;
/** Subtask of the first task. */
let part: string;
let archived: string;
const app = forSuite(() => startApp({ settings: { DATA_TX_OVERRIDE: 'true', AUTH_LIMIT_GUESSES: '4' } }));
beforeAll(async () => {
  board = await makeBoard(app);
  const { editor } = board.people;
  part = await addTask(app, editor, { project_id: board.project, title: 'Part', parent_id: board.tasks[0] });
  archived = await addTask(app, editor, {
    project_id: board.project,
    title: 'Put away',
    archived_at: '2026-01-01T00:00:00Z',
  });
  for (const task_id of [part, archived, board.tasks[2]]) {
    await addRow(app, editor, 'task_checklist_items', { task_id, title: 'Look', position: 1 });
    await addRow(app, editor, 'task_comments', { task_id, body: 'Hm' });
  }
});

const post = (path: string, body: object, token?: string) =>
  app.request(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    ...(token === undefined ? {} : { token }),
  });
async function create(more: object = {}, by = board.people.owner): Promise<Made> {
  const answer = await post('/auth/v1/share_links', { project_id: board.project, ...more }, by.token);
  const made = (await answer.json()) as Made;
  expect(made).toHaveProperty('token');
  return made;
}
const open = (token: string, password?: string) => post('/auth/v1/share_links/open', { token, password });
async function opened(link: Made, password?: string): Promise<string> {
  const answer = await open(link.token, password);
  expect(answer.status).toBe(200);
  return ((await answer.json()) as { access_token: string }).access_token;
}

/** Rows of the project that the tables have, by the names of tables, as the owner of the tables counts them. */
async function rowsOf(tasks: readonly string[]): Promise<Record<string, number>> {
  const ofTasks = [
    ...['task_label_links', 'task_checklist_items', 'task_field_values', 'task_attachments', 'task_assignees'],
    'task_comments',
  ];
  const counts: Record<string, number> = { projects: 1, tasks: tasks.length };
  for (const table of ofTasks) counts[table] = await count(`from public.${table} where task_id = any ($1)`, [tasks]);
  counts.task_dependencies = await count(
    'from public.task_dependencies where predecessor_id = any ($1) and successor_id = any ($1)',
    [tasks],
  );
  return counts;
}
async function count(from: string, values: unknown[]): Promise<number> {
  const [row] = await app.sql<{ n: number }>(`select count(*)::int as n ${from}`, values);
  return row?.n ?? 0;
}
const ofProject = (table: string) => count(`from public.${table} where project_id = $1`, [board.project]);
const people = (...from: string[]) =>
  count(`from (select user_id from public.task_assignees where task_id = any ($1) ${from.join(' ')}) p`, [shown()]);
const shown = () => [...board.tasks, part, board.shared];

/** Rows that a token sees in each table that is served; zero is left out. */
async function seen(token: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of Object.keys(matrix)) {
    const answer = await app.request(`/rest/v1/${table}?select=*`, { token });
    if (answer.status === 403) continue;
    expect(`${table} ${answer.status}`).toBe(`${table} 200`);
    const rows = (await answer.json()) as unknown[];
    if (rows.length > 0) counts[table] = rows.length;
  }
  return counts;
}

const rid = (counts: Record<string, number>, ...names: string[]) =>
  Object.fromEntries(Object.entries(counts).filter(([name, n]) => n > 0 && !names.includes(name)));

describe('a public link', () => {
  it('to a project shows its board, without people and comments', async () => {
    expect(await seen(await opened(await create()))).toEqual({
      ...rid(await rowsOf(shown()), 'task_assignees', 'task_comments'),
      workflow_columns: await ofProject('workflow_columns'),
      task_labels: await ofProject('task_labels'),
      custom_fields: await ofProject('custom_fields'),
    });
  });

  it('shows names and comments where it says so', async () => {
    const both = await seen(await opened(await create({ options: { names: true, comments: true } })));
    const due = await rowsOf(shown());
    expect(both).toMatchObject({
      task_assignees: due.task_assignees,
      task_comments: due.task_comments,
      profiles: await people('union select author_id from public.task_comments where task_id = any ($1)'),
    });
    const names = await seen(await opened(await create({ options: { names: true } })));
    expect(names).toMatchObject({ task_assignees: due.task_assignees, profiles: await people() });
    expect(names).not.toHaveProperty('task_comments');
    const comments = await seen(await opened(await create({ options: { comments: true } })));
    expect(comments).toMatchObject({ task_comments: due.task_comments });
    expect(comments).not.toHaveProperty('profiles');
    expect(comments).not.toHaveProperty('task_assignees');
  });

  it('to a task shows that task and its subtasks, and neither that there are others nor their labels', async () => {
    const token = await opened(await create({ task_id: board.tasks[0], options: { names: true, comments: true } }));
    const rows = await seen(token);
    expect(rows).toMatchObject(rid(await rowsOf([board.tasks[0], part])));
    expect(rows).toMatchObject({ workflow_columns: 1, custom_fields: 1 });
    expect(rows.task_labels).toBe(rows.task_label_links);
    expect(rows).not.toHaveProperty('task_dependencies');
    const other = async (id: string) => (await app.request(`/rest/v1/tasks?id=eq.${id}`, { token })).text();
    for (const id of [board.tasks[2], archived, board.elsewhere.task]) expect(await other(id)).toBe('[]');
  });

  it('to a view shows the tasks of its filter as it was, and nothing of others', async () => {
    const { owner, editor } = board.people;
    const label = await addRow(app, editor, 'task_labels', { project_id: board.project, name: 'For all' });
    const filter = {
      all: [
        { property: 'label', is: 'is', value: label },
        {
          any: [
            { property: 'assignee', is: 'is', value: 'me' },
            { property: 'due_date', is: 'in_next', value: 7 },
          ],
        },
      ],
    };
    const days = (n: number) => new Date(Date.now() + n * 86_400_000).toISOString().slice(0, 10);
    const add = async (title: string, more: object = {}) => {
      const task_id = await addTask(app, editor, { project_id: board.project, title, ...more });
      await addRow(app, editor, 'task_label_links', { task_id, label_id: label });
      return task_id;
    };
    const [soon, mine, later, hidden, away] = [
      await add('Soon', { due_date: days(3) }),
      await add('Of who shares it'),
      await add('Later', { due_date: days(30) }),
      await add('Hidden', { due_date: days(3) }),
      await add('Away', { due_date: days(3), archived_at: '2026-01-01T00:00:00Z' }),
    ] as const;
    await addRow(app, editor, 'task_assignees', { task_id: mine, user_id: owner.id });
    await one(owner.client.from('tasks').update({ is_restricted: true }).eq('id', hidden).select());
    const view = await addRow(app, editor, 'saved_views', {
      ...{ project_id: board.project, name: 'For the public', is_shared: true, layout: 'list' },
      filter: JSON.stringify(filter),
      sort: JSON.stringify([{ by: 'due_date', descending: true }]),
    });
    const link = await create({ view_id: view, options: { names: true, comments: true } });
    const answer = (await (await open(link.token)).json()) as { access_token: string; view: object; task_id: null };
    expect(answer).toMatchObject({
      view: { name: 'For the public', layout: 'list', sort: [{ by: 'due_date', descending: true }] },
      task_id: null,
    });
    expect(JSON.stringify(answer.view)).not.toContain(label);
    const token = answer.access_token;
    const rows = await seen(token);
    expect(rows).toMatchObject({
      tasks: 2,
      task_labels: 1,
      task_label_links: 2,
      task_assignees: 1,
      workflow_columns: 1,
    });
    const idsOf = async () =>
      ((await (await app.request('/rest/v1/tasks?select=id', { token })).json()) as { id: string }[])
        .map(({ id }) => id)
        .sort();
    expect(await idsOf()).toEqual([soon, mine].sort());
    // A task that leaves the filter leaves the page at once, one that comes into it is there.
    await one(
      editor.client
        .from('tasks')
        .update({ due_date: days(40) })
        .eq('id', soon)
        .select(),
    );
    await one(
      editor.client
        .from('tasks')
        .update({ due_date: days(1) })
        .eq('id', later)
        .select(),
    );
    expect(await idsOf()).toEqual([later, mine].sort());
    // What an editor makes of the view later is not public.
    await one(editor.client.from('saved_views').update({ filter: {} }).eq('id', view).select());
    expect(await idsOf()).toEqual([later, mine].sort());
    const reached = async (object: string) => {
      const { data } = await owner.client.rpc('explain_access', { object });
      return JSON.stringify(data).includes(link.id);
    };
    expect([await reached(mine), await reached(soon), await reached(away), await reached(board.project)]).toEqual([
      true,
      false,
      false,
      true,
    ]);
    // Neither views of others nor of other projects, nor one beside a task.
    const own = await addRow(app, editor, 'saved_views', { project_id: board.project, name: 'Of Edda alone' });
    const refused = async (more: object) =>
      (await post('/auth/v1/share_links', { project_id: board.project, ...more }, owner.token)).status;
    expect([
      await refused({ view_id: own }),
      await refused({ view_id: view, task_id: mine }),
      await refused({ view_id: link.id }),
    ]).toEqual([404, 400, 404]);
    await one(editor.client.from('saved_views').delete().in('id', [view, own]).select());
    expect(await seen(token)).toEqual({});
    await one(owner.client.from('tasks').delete().in('id', [soon, mine, later, hidden, away]).select());
    await one(owner.client.from('task_labels').delete().eq('id', label).select());
  });

  it('gives files where it says so, by its token alone, and signs no address of them', async () => {
    const { owner, editor } = board.people;
    const [shared, other] = [board.tasks[0], board.tasks[2]];
    const pathOf = (task: string) => `${board.project}/${task}/told.txt`;
    for (const task_id of [shared, other]) {
      const object_path = pathOf(task_id);
      await one(editor.client.storage.from('attachments').upload(object_path, `Of ${task_id}`));
      await addRow(app, editor, 'task_attachments', { task_id, name: 'told.txt', object_path });
    }
    const get = (token: string, task: string) =>
      app.request(`/storage/v1/object/authenticated/attachments/${pathOf(task)}`, { token });
    const link = await create({ task_id: shared, options: { files: true } });
    const token = await opened(link);
    expect(await (await get(token, shared)).text()).toBe(`Of ${shared}`);
    const listed = await post('/storage/v1/object/list-v2/attachments', { prefix: '' }, token);
    expect(JSON.stringify(await listed.json())).not.toContain(other);
    expect((await get(token, other)).status).toBe(400);
    expect((await get(await opened(await create({ task_id: shared })), shared)).status).toBe(400);
    for (const [path, body] of [
      [`/${pathOf(shared)}`, { expiresIn: 60 }],
      ['', { expiresIn: 60, paths: [pathOf(shared)] }],
    ] as const)
      expect((await post(`/storage/v1/object/sign/attachments${path}`, body, token)).status).toBe(400);
    await one(owner.client.rpc('revoke_share_link', { link_id: link.id }));
    expect((await get(token, shared)).status).toBe(400);
    await one(editor.client.from('task_attachments').delete().eq('name', 'told.txt').select());
  });

  it('shows nothing of archived tasks', async () => {
    const token = await opened(await create({ options: { comments: true } }));
    for (const table of ['task_checklist_items', 'task_comments'])
      expect(await (await app.request(`/rest/v1/${table}?task_id=eq.${archived}`, { token })).text()).toBe('[]');
  });

  it('shows no restricted task, and none is made for one', async () => {
    const { owner } = board.people;
    const task = await addTask(app, owner, { project_id: board.project, title: 'Salaries' });
    const [whole, own] = [await opened(await create()), await create({ task_id: task })];
    const ofTask = await opened(own);
    const sees = async (token: string) =>
      (await app.request(`/rest/v1/tasks?id=eq.${task}&select=title`, { token })).json();
    expect([await sees(whole), await sees(ofTask)]).toEqual([[{ title: 'Salaries' }], [{ title: 'Salaries' }]]);
    await one(owner.client.from('tasks').update({ is_restricted: true }).eq('id', task).select());
    expect([await sees(whole), await sees(ofTask)]).toEqual([[], []]);
    expect((await open(own.token)).status).toBe(404);
    expect((await owner.client.rpc('create_share_link', { project_id: board.project, task_id: task })).status).toBe(
      400,
    );
    await one(owner.client.from('tasks').delete().eq('id', task).select());
  });

  it('calls no procedure and opens no other door', async () => {
    const token = await opened(await create({ options: { names: true, comments: true } }));
    const may = await app.sql(
      `select p.oid::regprocedure::text from pg_proc p join pg_namespace n on n.oid = p.pronamespace
       where n.nspname in ('public', 'private', 'auth', 'storage', 'realtime', 'billing') and has_function_privilege('share_link', p.oid, 'execute')
         and has_schema_privilege('share_link', n.oid, 'usage')`,
    );
    // Parts of a path, of anybody's.
    expect(may.map(({ oid }) => oid).sort()).toEqual(
      ['extension', 'filename', 'foldername'].map((name) => `storage.${name}(text)`),
    );
    for (const [path, status] of [
      ['/auth/v1/user', 401],
      [`/storage/v1/object/authenticated/attachments/${board.project}/${board.tasks[0]}/notes.txt`, 400],
    ] as const)
      expect(`${path} ${(await app.request(path, { token })).status}`).toBe(`${path} ${status}`);
    const { realtime } = app.client({ token });
    await realtime.setAuth(token);
    const channel = realtime.channel('shared');
    const joined = await new Promise((settle) => {
      channel.on('postgres_changes', { event: '*', schema: 'public', table: 'tasks' }, () => undefined);
      channel.subscribe((state) => settle(state));
    });
    expect(joined).toBe('CHANNEL_ERROR');
    await channel.unsubscribe();
  });
});

describe('a link that has ended', () => {
  it.each<[string, (link: Made) => Promise<unknown>]>([
    ['revoked', ({ id }) => one(board.people.owner.client.rpc('revoke_share_link', { link_id: id }))],
    [
      'expired',
      ({ id }) => app.sql("update public.share_links set expires_at = now() - interval '1 s' where id = $1", [id]),
    ],
  ])('%s, shows nothing at once and is not found', async (_how, end) => {
    const link = await create({ options: { names: true, comments: true } });
    const token = await opened(link);
    expect(await seen(token)).toHaveProperty('tasks');
    await end(link);
    expect(await seen(token)).toEqual({});
    const answer = await open(link.token);
    expect(answer.status).toBe(404);
    expect(await answer.json()).toEqual({ ...(await (await open('x'.repeat(43))).json()) });
  });

  it('is revoked as its author stops owning the project, and stays so', async () => {
    const { owner, editor } = board.people;
    const role = (to: string) =>
      one(
        owner.client
          .from('project_members')
          .update({ own_role: to })
          .match({ project_id: board.project, user_id: editor.id })
          .select(),
      );
    await role('owner');
    const link = await create({}, editor);
    const token = await opened(link);
    await role('editor');
    expect(await seen(token)).toEqual({});
    await role('owner');
    expect((await open(link.token)).status).toBe(404);
    await role('editor');
  });

  it('shows nothing while the project is deleted, and again once it is restored', async () => {
    const { client } = board.people.owner;
    const token = await opened(await create());
    await one(client.from('projects').delete().eq('id', board.project).select());
    expect(await seen(token)).toEqual({});
    await one(client.rpc('restore_project', { project_id: board.project }));
    expect(await seen(token)).toHaveProperty('tasks');
  });

  it('goes with its task, also to another project', async () => {
    const { owner } = board.people;
    const task = await addTask(app, owner, { project_id: board.project, title: 'Leaves' });
    const other = await one(
      owner.client.rpc('create_project_with_defaults', { name: 'There' }).single<{ id: string }>(),
    );
    const link = await create({ task_id: task });
    const token = await opened(link);
    await one(owner.client.rpc('move_task_to_project', { task_id: task, project_id: other.id }));
    expect(await seen(token)).toEqual({});
    expect((await open(link.token)).status).toBe(404);
  });
});

describe('the door', () => {
  it('asks for the password, and limits guesses', async () => {
    const link = await create({ password: 'kites over water', options: { names: true } });
    expect(link).toMatchObject({ has_password: true });
    expect(JSON.stringify(link)).not.toMatch(/argon2|kites/);
    for (const [password, status] of [
      [undefined, 401],
      ['kites', 401],
      ['kites over water', 200],
    ] as const)
      expect((await open(link.token, password)).status).toBe(status);
    expect(await seen(await opened(link, 'kites over water'))).toHaveProperty('tasks');
    const tries = [];
    for (let n = 0; n < 4; n++) tries.push((await open(link.token, 'guess')).status);
    expect(tries).toEqual([401, 401, 401, 429]);
    expect((await open(link.token, 'kites over water')).status).toBe(429);
  });

  it('counts what is opened, keeps hashes alone and tells owners of the project', async () => {
    const { owner, editor, viewer } = board.people;
    const link = await create({ days: null, task_id: board.tasks[0] });
    await opened(link);
    await opened(link);
    const { data: row } = await owner.client.from('share_links').select().eq('id', link.id).single();
    expect(row).toMatchObject({ scope: 'task', uses: 2, expires_at: null, created_by: owner.id });
    expect(row.last_used_at).not.toBeNull();
    const kept = await app.sql(
      'select s.*, l.* from private.share_link_secrets s join public.share_links l on l.id = s.link_id',
    );
    expect(JSON.stringify(kept)).not.toContain(link.token);
    const { data: log } = await owner.client.from('access_log').select().eq('subject->>id', link.id);
    expect(log).toMatchObject([
      {
        subject: { kind: 'share_link' },
        change: { role: { from: null, to: 'viewer' }, scope: 'task', task_id: board.tasks[0] },
      },
    ]);
    for (const { client, token } of [editor, viewer]) {
      expect(await one(client.from('share_links').select())).toEqual([]);
      expect((await post('/auth/v1/share_links', { project_id: board.project }, token)).status).toBe(403);
      expect((await client.rpc('revoke_share_link', { link_id: link.id })).status).toBe(404);
    }
    const { data: access } = await owner.client.rpc('explain_access', { object: part });
    const rules = (access as { reasons: { rule: string; link_id?: string }[] }[]).flatMap(({ reasons }) => reasons);
    expect(rules.some(({ link_id }) => link_id === link.id)).toBe(true);
    const { data: beside } = await owner.client.rpc('explain_access', { object: board.tasks[2] });
    expect(JSON.stringify(beside)).not.toContain(link.id);
  });

  it('refuses what is no link', async () => {
    const { owner } = board.people;
    for (const wrong of [
      { days: 0 },
      { days: 400 },
      { options: { names: 'yes' } },
      { options: { history: true } },
      { password: 'x' },
      { project_id: 7 },
    ])
      expect(
        `${JSON.stringify(wrong)} ${(await post('/auth/v1/share_links', { project_id: board.project, ...wrong }, owner.token)).status}`,
      ).toMatch(/ 4(00|22)$/);
    expect(
      (await post('/auth/v1/share_links', { project_id: board.project, task_id: board.elsewhere.task }, owner.token))
        .status,
    ).toBe(404);
    expect(
      (await owner.client.rpc('create_share_link', { project_id: board.project, password_hash: 'plain' })).status,
    ).toBe(400);
  });
});
