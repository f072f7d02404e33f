// Restricted tasks: seen by those who are named, who work on them, and by owners; of all else nobody learns that there is one.

import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import type { TestUser } from '../helpers/app.ts';
import { addMember, makeGroup, one } from './board.ts';
import { startTogether } from './start-together.ts';

const { app, owner, editor, shared } = startTogether();

interface Restricted {
  readonly project: string;
  readonly columns: Awaited<ReturnType<typeof shared>>['columns'];
  readonly task: string;
  readonly part: string;
}
let insider: TestUser;
let outsider: TestUser;
let viewer: TestUser;
beforeAll(async () => {
  [insider, outsider, viewer] = [
    await app.createUser({ name: 'Ina Inside' }),
    await app.createUser({ name: 'Otto Outside' }),
    await app.createUser({ name: 'Vera Viewer' }),
  ];
});

type Row = Readonly<Record<string, unknown>>;
const add = async ({ client }: TestUser, table: string, row: Row): Promise<Row> =>
  (await one(client.from(table).insert(row).select().single())) as Row;
const rowsOf = async ({ client }: TestUser, table: string, project: string) =>
  (await one(client.from(table).select('*').eq('project_id', project))) as readonly Row[];

/** A project of five, and a task with a subtask and every kind of row, restricted to one of them by its maker. */
async function restricted(called: string): Promise<Restricted> {
  const { project, columns } = await shared(called);
  await addMember(app, project, insider, 'editor');
  await addMember(app, project, outsider, 'editor');
  await addMember(app, project, viewer, 'viewer');
  const { id: task } = (await add(editor, 'tasks', { project_id: project, title: 'Salaries zebra' })) as { id: string };
  const { id: part } = (await add(editor, 'tasks', { project_id: project, parent_id: task, title: 'Zebra part' })) as {
    id: string;
  };
  await fill(project, task);
  await one(editor.client.rpc('claim_next_task', { project }));
  for (const { id: user_id } of [editor, insider])
    await add(editor, 'task_grants', { project_id: project, task_id: task, user_id });
  await one(editor.client.from('tasks').update({ is_restricted: true }).eq('id', task).select());
  return { project, columns, task, part };
}

/** A row in every table of a task's rows. */
async function fill(project_id: string, task_id: string): Promise<void> {
  const of = { project_id, task_id };
  const label = await add(editor, 'task_labels', { project_id, name: `L${randomUUID().slice(0, 8)}` });
  const field = await add(editor, 'custom_fields', { project_id, name: 'Sum', kind: 'text' });
  await add(editor, 'task_label_links', { ...of, label_id: label.id });
  await add(editor, 'task_assignees', { ...of, user_id: editor.id });
  await add(editor, 'task_checklist_items', { ...of, title: 'A zebra step' });
  await add(editor, 'task_field_values', { ...of, field_id: field.id, value: 'zebra' });
  const comment = await add(editor, 'task_comments', { ...of, body: 'A zebra word' });
  await add(editor, 'comment_reactions', { ...of, comment_id: comment.id, emoji: '🎉' });
  await add(editor, 'comment_resolutions', { ...of, comment_id: comment.id });
  await add(editor, 'task_attachments', {
    ...of,
    name: 'zebra.txt',
    object_path: `${project_id}/${task_id}/zebra.txt`,
  });
  await one(
    editor.client.storage.from('attachments').upload(`${project_id}/${task_id}/zebra.txt`, new Blob(['striped'])),
  );
  await add(editor, 'task_recurrences', { ...of, rule: 'FREQ=WEEKLY', time_zone: 'UTC', starts_on: '2030-01-01' });
}

const tables = [
  'tasks',
  'task_assignees',
  'task_label_links',
  'task_checklist_items',
  'task_attachments',
  'task_comments',
  'comment_reactions',
  'comment_resolutions',
  'task_activity',
  'task_field_values',
  'task_recurrences',
  'task_watchers',
  'task_grants',
  'task_claims',
];

describe('rows of a restricted task', () => {
  let made: Restricted;
  let rows: Record<string, number>;
  beforeAll(async () => {
    made = await restricted('Rows');
    rows = {};
    for (const table of tables) rows[table] = (await rowsOf(insider, table, made.project)).length;
  });
  const of = async (user: TestUser) => {
    const found: Record<string, number> = {};
    for (const table of tables) found[table] = (await rowsOf(user, table, made.project)).length;
    return found;
  };

  it('are there for the named, for the maker and for owners, each of them', async () => {
    for (const table of tables) expect([table, rows[table]]).not.toEqual([table, 0]);
    expect(await of(editor)).toEqual(rows);
    expect(await of(owner)).toEqual(rows);
  });

  it('are not there for other members: rows, counts, embeds, files', async () => {
    for (const user of [outsider, viewer]) {
      const seen = await of(user);
      // Lines of the project's own story stay: columns and fields.
      const lines = (await rowsOf(user, 'task_activity', made.project)).filter(({ task_id }) => task_id !== null);
      expect({ ...seen, task_activity: lines.length }).toEqual(Object.fromEntries(tables.map((table) => [table, 0])));
      const { count } = await user.client.from('tasks').select('*', { count: 'exact', head: true });
      expect(count).toBe(0);
      const embedded = (await one(
        user.client.from('projects').select('id, tasks(id, task_comments(id))').eq('id', made.project).single(),
      )) as { tasks: unknown[] };
      expect(embedded.tasks).toEqual([]);
      const files = user.client.storage.from('attachments');
      expect((await files.list(`${made.project}/${made.task}`)).data).toEqual([]);
      expect((await files.download(`${made.project}/${made.task}/zebra.txt`)).data).toBeNull();
      expect((await files.createSignedUrl(`${made.project}/${made.task}/zebra.txt`, 60)).error).not.toBeNull();
    }
  });

  it('are not there in procedures: search, numbers, figures, changes, history, people', async () => {
    const [{ number }] = (await rowsOf(owner, 'tasks', made.project)) as unknown as [{ number: number }];
    for (const { client } of [outsider, viewer]) {
      expect(await one(client.rpc('search_tasks', { query: 'zebra' }))).toEqual([]);
      expect(await one(client.rpc('search_tasks', { query: String(number), project_id: made.project }))).toEqual([]);
      expect(await one(client.rpc('task_at', { project_id: made.project, number }))).toEqual([]);
      const figures = (await one(client.rpc('dashboard_metrics', { project_id: made.project }))) as Row;
      expect(JSON.stringify(figures)).not.toContain('zebra');
      expect(figures).toMatchObject({ tasks: { total: 0, open: 0, unassigned: 0 } });
      const progress = (await one(client.rpc('project_progress'))) as { project_id: string; total: number }[];
      expect(progress.find(({ project_id }) => project_id === made.project)?.total).toBe(0);
      const flow = JSON.stringify(await one(client.rpc('task_flow', { project_id: made.project })));
      expect(flow).toContain('"numbers":[]');
      const known = Object.fromEntries(tables.slice(0, 6).map((table) => [table, [0]]));
      const changes = await one(client.rpc('changes_since', { project_id: made.project, since: '0', known }));
      expect(JSON.stringify(changes)).not.toMatch(/zebra/i);
      const people = (await one(client.rpc('project_people', { project_id: made.project }))) as {
        open_tasks: number;
      }[];
      expect(people.every(({ open_tasks }) => open_tasks === 0)).toBe(true);
      expect(JSON.stringify(await one(client.rpc('person_page', { user_id: editor.id })))).not.toMatch(/zebra/i);
      expect(JSON.stringify(await one(client.rpc('export_my_data')))).not.toMatch(/zebra/i);
    }
  });

  it('are refused to other members as if there were no such task', async () => {
    const nobody = randomUUID();
    const answer = async (work: (task: string) => PromiseLike<{ error: unknown; data: unknown }>) =>
      Promise.all(
        [made.task, nobody].map(async (task) => {
          const { error, data } = await work(task);
          return JSON.stringify(error ?? data).replaceAll(task, 'it');
        }),
      );
    const { client } = outsider;
    const of = (task_id: string) => ({ project_id: made.project, task_id });
    const own = await add(outsider, 'tasks', { project_id: made.project, title: 'Mine' });
    const asks: ((task: string) => PromiseLike<{ error: unknown; data: unknown }>)[] = [
      (task) => client.from('task_comments').insert({ ...of(task), body: 'Hello?' }),
      (task) => client.from('task_comments').insert({ task_id: task, body: 'Hello?' }),
      (task) => client.from('task_assignees').insert({ ...of(task), user_id: outsider.id }),
      (task) => client.from('task_grants').insert({ ...of(task), user_id: outsider.id }),
      (task) => client.from('task_watchers').insert({ ...of(task), user_id: outsider.id }),
      (task) => client.from('task_checklist_items').insert({ ...of(task), title: 'x' }),
      (task) => client.from('tasks').insert({ project_id: made.project, parent_id: task, title: 'Under it' }),
      (task) =>
        client
          .from('tasks')
          .update({ parent_id: task })
          .eq('id', own.id as string),
      (task) =>
        client
          .from('task_dependencies')
          .insert({ project_id: made.project, predecessor_id: task, successor_id: own.id }),
      (task) =>
        client
          .from('task_dependencies')
          .insert({ project_id: made.project, predecessor_id: own.id, successor_id: task }),
      (task) => client.from('tasks').update({ title: 'Mine now' }).eq('id', task).select(),
      (task) => client.from('tasks').delete().eq('id', task).select(),
      (task) => client.rpc('move_task', { task_id: task, column_id: made.columns.done }),
      (task) => client.rpc('duplicate_task', { task_id: task }),
      (task) => client.rpc('move_task_to_project', { task_id: task, project_id: made.project }),
      (task) => client.rpc('save_task_as_template', { task_id: task }),
      (task) => client.rpc('task_to_checklist_item', { task_id: own.id, of_task_id: task }),
      (task) => client.rpc('explain_access', { object: task, person: outsider.id }),
    ];
    for (const ask of asks) {
      const [hidden, none] = await answer(ask);
      expect(hidden).toBe(none);
    }
    await one(outsider.client.from('tasks').delete().eq('id', own.id).select());
  });
});

describe('the sight of a restricted task', () => {
  const sees = async ({ client }: TestUser, task: string) =>
    ((await one(client.from('tasks').select('id').eq('id', task))) as unknown[]).length > 0;

  it('changes at once: for the named, no longer named, working on it, taken off it, opened to all', async () => {
    const { project, task, part } = await restricted('Who');
    expect(await sees(outsider, task)).toBe(false);
    const grants = insider.client.from('task_grants');
    await one(grants.insert({ task_id: task, user_id: outsider.id }).select());
    expect([await sees(outsider, task), await sees(outsider, part)]).toEqual([true, true]);
    await one(grants.delete().eq('task_id', task).eq('user_id', outsider.id).select());
    expect([await sees(outsider, task), await sees(outsider, part)]).toEqual([false, false]);
    // Of the part: the whole is seen.
    const assignees = insider.client.from('task_assignees');
    await one(assignees.insert({ task_id: part, user_id: outsider.id }).select());
    expect([await sees(outsider, task), await sees(outsider, part)]).toEqual([true, true]);
    await one(assignees.delete().eq('task_id', part).eq('user_id', outsider.id).select());
    expect([await sees(outsider, task), await sees(outsider, part)]).toEqual([false, false]);
    await one(insider.client.from('tasks').update({ is_restricted: false }).eq('id', task).select());
    expect([await sees(outsider, task), await sees(viewer, part)]).toEqual([true, true]);
    const counted = (await one(viewer.client.rpc('dashboard_metrics', { project_id: project }))) as Row;
    expect(counted).toMatchObject({ tasks: { total: 2 } });
    await expectCounted(project);
  });

  it('is not taken by who may not write, and ends addresses that were signed before', async () => {
    const { project, task } = await restricted('Signed');
    const files = insider.client.storage.from('attachments');
    const signed = (await one(files.createSignedUrl(`${project}/${task}/zebra.txt`, 600))) as { signedUrl: string };
    expect((await fetch(signed.signedUrl)).status).toBe(200);
    await add(owner, 'task_grants', { project_id: project, task_id: task, user_id: viewer.id });
    const taken = await viewer.client
      .from('task_grants')
      .delete()
      .eq('task_id', task)
      .eq('user_id', editor.id)
      .select();
    expect(taken.error?.code).toBe('42501');
    const named = await rowsOf(owner, 'task_grants', project);
    expect(named.every(({ is_named }) => is_named)).toBe(true);
    await one(owner.client.from('task_grants').delete().eq('task_id', task).eq('user_id', insider.id).select());
    expect((await fetch(signed.signedUrl)).ok).toBe(false);
  });

  it('takes its files out of sight as it is deleted, for as long as they are kept to undo that', async () => {
    const { project, task } = await restricted('Deleted');
    const name = `${project}/${task}/zebra.txt`;
    await one(owner.client.from('tasks').delete().eq('id', task).select());
    expect(await app.sql('select name from private.removed_files where name = $1', [name])).toHaveLength(1);
    for (const user of [outsider, viewer, insider, owner]) {
      const files = user.client.storage.from('attachments');
      expect((await files.list(`${project}/${task}`)).data).toEqual([]);
      expect((await files.download(name)).data).toBeNull();
      expect((await files.createSignedUrl(name, 60)).error).not.toBeNull();
      expect((await files.remove([name])).data).toEqual([]);
    }
    expect(await app.sql('select name from storage.objects where name = $1', [name])).toHaveLength(1);
  });

  it('is explained to owners, and each change of it is logged, without the title', async () => {
    const { project, task, part } = await restricted('Told');
    await add(insider, 'task_assignees', { task_id: part, user_id: viewer.id });
    const told = (await one(owner.client.rpc('explain_access', { object: part }))) as {
      display_name: string;
      reasons: { rule: string }[];
    }[];
    const rules = Object.fromEntries(
      told.map(({ display_name: who, reasons }) => [who, reasons.map(({ rule }) => rule).sort()]),
    );
    expect(rules).toEqual({
      'Olga Owner': ['founder'],
      'Edda Editor': ['named', 'role'],
      'Ina Inside': ['named', 'role'],
      'Vera Viewer': ['assigned', 'role'],
    });
    const [denied] = (await one(
      owner.client.rpc('explain_access', { object: task, person: outsider.id }),
    )) as unknown as [Row];
    expect(denied).toMatchObject({ sees: false, comments: false, changes: false, reasons: [] });
    const lines = (await rowsOf(owner, 'access_log', project)).filter(
      ({ object }) => (object as { kind: string }).kind === 'task',
    );
    expect(
      lines.map(({ subject, change }) => [(subject as { kind: string }).kind, ...Object.keys(change as Row)]),
    ).toEqual([
      ['person', 'named'],
      ['person', 'named'],
      ['members', 'restricted'],
    ]);
    expect(JSON.stringify(lines)).not.toMatch(/salaries/i);
  });

  it('brings news of it, and nobody else hears', async () => {
    const { project, task } = await restricted('News');
    for (const { client, id: user_id } of [outsider, insider])
      await one(client.from('project_watchers').insert({ project_id: project, user_id }).select());
    const body = `Look @[Otto](${outsider.id}) and @[Ina](${insider.id})`;
    await add(editor, 'task_comments', { task_id: task, body });
    const news = async ({ client }: TestUser) =>
      (
        (await one(
          client.from('notifications').select('kind').eq('project_id', project).eq('task_id', task),
        )) as unknown[]
      ).length;
    expect(await news(outsider)).toBe(0);
    expect(await news(insider)).toBeGreaterThan(0);
    await one(owner.client.from('task_grants').delete().eq('task_id', task).eq('user_id', insider.id).select());
    expect(await news(insider)).toBe(0);
  });

  it('is not widened by moves, new parents, copies and deletions', async () => {
    const { project, columns, task, part } = await restricted('Closed');
    const other = (await add(editor, 'tasks', { project_id: project, title: 'Open zebra' })) as { id: string };
    // Moved under it: restricted with it.
    await one(editor.client.from('tasks').update({ parent_id: task }).eq('id', other.id).select());
    expect(await sees(outsider, other.id)).toBe(false);
    // Out again, by an owner: it stays closed, for the same people.
    await one(owner.client.from('tasks').update({ parent_id: null }).eq('id', other.id).select());
    expect([await sees(outsider, other.id), await sees(insider, other.id)]).toEqual([false, true]);
    const copy = (await one(insider.client.rpc('duplicate_task', { task_id: task }))) as { id: string };
    expect([await sees(outsider, copy.id), await sees(editor, copy.id)]).toEqual([false, true]);
    await one(insider.client.rpc('move_task', { task_id: part, column_id: columns.in_progress }));
    await one(insider.client.from('tasks').delete().eq('id', copy.id).select());
    const story = JSON.stringify(await rowsOf(outsider, 'task_activity', project));
    expect(story).not.toMatch(/salaries/i);
    // A column that looks empty is deleted, and what was not seen stands in another one.
    await one(outsider.client.from('workflow_columns').delete().eq('id', columns.in_progress).select());
    expect(await sees(insider, part)).toBe(true);
    await expectCounted(project);
  });

  it('is copied for groups in the project that are named, not for groups of guests', async () => {
    const { project, task } = await restricted('Grouped');
    const [crew, guests] = [await makeGroup(app, owner), await makeGroup(app, owner)];
    const [byCrew, byGuests] = [
      await app.createUser({ name: 'Cleo Crew' }),
      await app.createUser({ name: 'Gus Guest' }),
    ];
    await add(owner, 'group_members', { group_id: crew, user_id: byCrew.id });
    await add(owner, 'group_members', { group_id: guests, user_id: byGuests.id });
    await add(owner, 'project_members', { project_id: project, group_id: crew, role: 'editor' });
    for (const group_id of [crew, guests])
      await add(owner, 'task_grants', { project_id: project, task_id: task, group_id });
    expect([await sees(byCrew, task), await sees(byGuests, task)]).toEqual([true, true]);
    const copy = (await one(byCrew.client.rpc('duplicate_task', { task_id: task }))) as { id: string };
    const seers = [byCrew, insider, byGuests, outsider];
    expect(await Promise.all(seers.map((person) => sees(person, copy.id)))).toEqual([true, true, false, false]);
  });

  it('is refused to a subtask alone, to what waits for others, and out of the sight of who restricts', async () => {
    const { project } = await shared('Asked');
    const make = async (more: Row) =>
      (await add(editor, 'tasks', { project_id: project, title: 'T', ...more })).id as string;
    const [first, second] = [await make({}), await make({})];
    const child = await make({ parent_id: first });
    const restrict = async (id: string, { client } = owner) =>
      (await client.from('tasks').update({ is_restricted: true }).eq('id', id).select()).error?.code;
    expect([await restrict(child), await restrict(first, editor)]).toEqual(['KB021', 'KB021']);
    await add(editor, 'task_dependencies', { project_id: project, predecessor_id: first, successor_id: second });
    expect(await restrict(first)).toBeUndefined();
    expect(await rowsOf(owner, 'task_dependencies', project)).toEqual([]);
    const tied = await owner.client
      .from('task_dependencies')
      .insert({ project_id: project, predecessor_id: first, successor_id: second });
    expect(tied.error?.code).toBe('KB021');
    // Made so from the beginning, by somebody who is no owner.
    const id = randomUUID();
    await add(editor, 'task_grants', { project_id: project, task_id: id, user_id: editor.id }).catch(() => undefined);
    const made = await editor.client.rpc('apply_changes', {
      changes: [
        { change: 'insert', table: 'task_grants', rows: [{ project_id: project, task_id: id, user_id: editor.id }] },
        {
          change: 'insert',
          table: 'tasks',
          rows: [{ id, project_id: project, title: 'Closed from birth', is_restricted: true }],
        },
      ],
    });
    expect(made.error).toBeNull();
    expect([await sees(editor, id), await sees(owner, id)]).toEqual([true, true]);
    await expectCounted(project);
  });

  it('is told to each row by the database, never by a client', async () => {
    const { project, task } = await restricted('Kept');
    const open = (await add(editor, 'tasks', { project_id: project, title: 'Open', audience_id: task })) as Row;
    const under = await add(insider, 'tasks', {
      project_id: project,
      parent_id: task,
      title: 'Under',
      audience_id: null,
    });
    expect([open.audience_id, under.audience_id]).toEqual([null, task]);
    for (const [id, audience_id] of [
      [open.id, task],
      [under.id, null],
    ])
      for (const client of [insider.client, app.client({ key: app.serviceKey })])
        await one(client.from('tasks').update({ title: 'Renamed', audience_id }).eq('id', id).select());
    await one(
      app
        .client({ key: app.serviceKey })
        .from('task_watchers')
        .insert({ task_id: under.id, user_id: viewer.id })
        .select(),
    );
    // Watchers come by being made, assigned, named in a comment, and by themselves.
    await add(editor, 'task_assignees', { project_id: project, task_id: under.id, user_id: insider.id });
    await add(insider, 'task_comments', { project_id: project, task_id: under.id, body: 'A word' });
    await add(owner, 'task_watchers', { project_id: project, task_id: under.id, user_id: owner.id, audience_id: null });
    await expectAudiences(project);
  });
});

/** Each row has the audience of its task. */
async function expectAudiences(project: string): Promise<void> {
  const tables = await app.sql<{ name: string }>(
    `select a.attrelid::regclass::text as name from pg_attribute a join pg_attribute t using (attrelid)
     where a.attname = 'audience_id' and t.attname = 'task_id' and a.attrelid::regclass::text not like '%_idx'`,
  );
  expect(tables.length).toBeGreaterThan(12);
  for (const { name } of tables)
    expect(
      await app.sql(
        `select r.audience_id, t.audience_id as due from ${name} r join tasks t on t.id = r.task_id
         where t.project_id = $1 and r.audience_id is distinct from t.audience_id`,
        [project],
      ),
      name,
    ).toEqual([]);
}

/** Figures are what a count of the rows gives. */
async function expectCounted(project: string): Promise<void> {
  const figures = async () =>
    app.sql(
      `select figure, key, sum(amount)::int as amount from private.project_figures where project_id = $1
       group by 1, 2 having sum(amount) <> 0 order by 1, 2`,
      [project],
    );
  const kept = await figures();
  await app.sql('select private.recount_figures(array[$1]::uuid[])', [project]);
  expect(kept).toEqual(await figures());
}
