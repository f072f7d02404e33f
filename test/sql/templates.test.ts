// Templates: valid documents, ownership, projects and tasks created from them, and duplicated projects. Created rows name nothing of another project.

import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { TestUser } from '../helpers/app.ts';
import { addMember, addRow, addTask, bareTask, one } from './board.ts';
import { startTogether } from './start-together.ts';

const { app, owner, editor, shared } = startTogether();

type Row = Record<string, unknown>;
interface Made {
  readonly id: string;
  readonly name: string;
}

const rowsOf = async (table: string, project: string): Promise<Row[]> =>
  (await one(owner.client.from(table).select().eq('project_id', project))) as Row[];

/** Options keep their ids, which belong to their field. */
const smallOption = randomUUID();

/** Whatever of one project is named anywhere in the rows of another. */
async function strayIds(from: string, to: string): Promise<string[]> {
  const [stray] = await app.sql<{ ids: string[] | null }>(
    `with tables (name) as (
       select c.relname from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'project_id'
       where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
     ), held as (
       select name, project, query_to_xml(format('select to_jsonb(t) - ''user_id'' - ''owner_id'' as row from public.%I t where project_id = %L', name, project),
         false, false, '')::text as words
       from tables, unnest(array[$1, $2]) project
     ), named as (
       select project, m[1] as id from held, regexp_matches(words, '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}', 'g') m
       where name not in ('task_activity', 'notifications', 'project_watchers')
     )
     select array_agg(distinct id) as ids from named n where project = $2
       and id in (select o.id from named o where o.project = $1) and id not in (select p.id::text from public.profiles p) and id <> $3`,
    [from, to, smallOption],
  );
  return stray?.ids ?? [];
}

/** A project with everything in it that a template has. */
async function furnished(name: string) {
  const { project, columns } = await shared(name);
  const c = editor.client;
  await one(c.from('workflow_columns').update({ wip_limit: 3, color: '#112233' }).eq('id', columns.todo).select());
  const label = await addRow(app, editor, 'task_labels', { project_id: project, name: 'Rig', color: '#445566' });
  const field = async (values: Row) =>
    (
      (await one(
        c
          .from('custom_fields')
          .insert({ project_id: project, ...values })
          .select('id')
          .single(),
      )) as Made
    ).id;
  const size = await field({
    name: 'Size',
    kind: 'select',
    options: [
      { id: smallOption, name: 'Small' },
      { id: 'l', name: 'Large' },
    ],
    default_value: 'l',
  });
  const until = await field({ name: 'Until', kind: 'date' });
  const who = await field({ name: 'Who', kind: 'person' });
  await one(
    c
      .from('workflow_columns')
      .update({ required_fields: [size] })
      .eq('id', columns.done)
      .select(),
  );
  const task = (values: Row) => addTask(app, editor, { project_id: project, ...values });
  const hull = await task({ title: 'Hull', column_id: columns.todo, start_date: '2026-05-04', due_date: '2026-05-08' });
  const planks = await task({ title: 'Planks', parent_id: hull, due_date: '2026-05-06', priority: 'p0' });
  const mast = await task({ title: 'Mast', column_id: columns.done, due_date: '2026-05-20', estimate: 4 });
  const put = await task({ title: 'Put away' });
  await one(c.from('tasks').update({ archived_at: '2026-01-01' }).eq('id', put).select());
  await one(c.from('task_label_links').insert({ task_id: hull, label_id: label }).select());
  await one(
    c
      .from('task_assignees')
      .insert([
        { task_id: hull, user_id: editor.id },
        { task_id: hull, user_id: owner.id },
      ])
      .select(),
  );
  await one(
    c
      .from('task_checklist_items')
      .insert([
        { task_id: hull, title: 'Sand', is_done: true },
        { task_id: hull, title: 'Paint', is_done: false },
      ])
      .select(),
  );
  await one(c.from('task_dependencies').insert({ predecessor_id: hull, successor_id: mast, lag_days: 2 }).select());
  await one(
    c
      .from('task_field_values')
      .insert([
        { task_id: hull, field_id: until, value: '2026-05-10' },
        { task_id: hull, field_id: who, value: editor.id },
      ])
      .select(),
  );
  await one(c.from('task_field_values').delete().eq('task_id', mast).eq('field_id', size).select());
  const view = await one(
    c
      .from('saved_views')
      .insert({
        project_id: project,
        name: 'Rigging',
        layout: 'list',
        is_shared: true,
        grouping: `select_field.${size}`,
        filter: {
          all: [
            { property: 'label', is: 'any_of', value: [label, randomUUID()] },
            { property: 'parent', is: 'is', value: put },
            { property: `select_field.${size}`, is: 'any_of', value: ['l'] },
            { any: [{ property: 'assignee', is: 'is', value: 'me' }] },
          ],
        },
        sort: [{ by: `date_field.${until}`, descending: true }],
        shown: { columns: ['title', `date_field.${until}`], widths: { [`date_field.${until}`]: 120, title: 300 } },
      })
      .select()
      .single(),
  );
  await one(c.from('saved_views').insert({ project_id: project, name: 'My own' }).select());
  await one(
    owner.client
      .from('view_defaults')
      .insert({ project_id: project, user_id: null, view_id: (view as Made).id })
      .select(),
  );
  return { project, columns, hull, planks, mast, label, size, until };
}

async function lookAt(project: string) {
  const { data, error } = await owner.client
    .from('tasks')
    .select(
      'id,title,priority,start_date,due_date,estimate,completed_at,workflow_columns(name),parent(title),task_labels(name),task_checklist_items(title,is_done),task_assignees(user_id),task_field_values(value,custom_fields(name))',
    )
    .eq('project_id', project)
    .order('title');
  expect(error).toBeNull();
  return data as unknown as (Row & {
    title: string;
    due_date: string;
    task_assignees: Row[];
    task_field_values: Row[];
  })[];
}

describe('a document', () => {
  const id = (n: number) => `00000000-0000-4000-8000-00000000000${n}`;
  const column = { id: id(1), name: 'All', kind: 'todo' };
  it.each([
    ['no object', [], 'must be an object'],
    ['another version', { version: 2 }, '"version" must be 1'],
    ['an unknown part', { version: 1, secrets: [] }, 'unknown part "secrets"'],
    ['no columns', { version: 1, tasks: [] }, 'at least one column'],
    ['a column without a name', { version: 1, columns: [{ id: id(1), kind: 'todo' }] }, 'column 1 needs "name"'],
    ['a limit of nothing', { version: 1, columns: [{ ...column, wip_limit: 0 }] }, 'column 1 has a wrong "wip_limit"'],
    ['the same id twice', { version: 1, columns: [column, column] }, 'the same id'],
    [
      'a task elsewhere',
      { version: 1, columns: [column], tasks: [{ id: id(2), title: 'A', column: id(3) }] },
      'task "A" names',
    ],
    [
      'a parent below itself',
      {
        version: 1,
        columns: [column],
        tasks: [
          { id: id(2), title: 'A', column: id(1), parent: id(3) },
          { id: id(3), title: 'B', column: id(1), parent: id(2) },
        ],
      },
      'in a circle',
    ],
    [
      'tasks that wait for each other',
      {
        version: 1,
        columns: [column],
        tasks: [
          { id: id(2), title: 'A', column: id(1) },
          { id: id(3), title: 'B', column: id(1) },
        ],
        dependencies: [
          { predecessor: id(2), successor: id(3) },
          { predecessor: id(3), successor: id(2) },
        ],
      },
      'wait for each other in a circle',
    ],
    [
      'a value its field cannot hold',
      {
        version: 1,
        columns: [column],
        fields: [{ id: id(4), name: 'Cost', kind: 'number' }],
        tasks: [{ id: id(2), title: 'A', column: id(1), fields: { [id(4)]: 'much' } }],
      },
      'its field cannot hold',
    ],
    [
      'days the wrong way round',
      { version: 1, columns: [column], tasks: [{ id: id(2), title: 'A', column: id(1), start_in: 3, due_in: 1 }] },
      'starts after it is due',
    ],
    [
      'a step without words',
      { version: 1, columns: [column], tasks: [{ id: id(2), title: 'A', column: id(1), checklist: [{}] }] },
      'step 1 needs',
    ],
  ])('is refused with %s', async (_, body, why) => {
    const { error, status } = await owner.client.from('templates').insert({ kind: 'project', name: 'It', body });
    expect([status, error?.code, error?.message]).toEqual([409, 'KB015', expect.stringContaining(why)]);
  });

  it('counts what it holds, and forgets nulls', async () => {
    const made = await one(
      owner.client
        .from('templates')
        .insert({
          kind: 'project',
          name: 'Small',
          body: {
            version: 1,
            columns: [{ ...column, color: null }],
            tasks: [{ id: id(2), title: 'A', column: id(1), due_in: 3, parent: null }],
          },
        })
        .select()
        .single(),
    );
    expect(made).toMatchObject({
      owner_id: owner.id,
      created_by: owner.id,
      holds: { columns: ['All'], tasks: 1, labels: 0, steps: 0, has_days: true },
      body: { columns: [column] },
    });
    expect(await owner.client.from('templates').update({ body: {} }).eq('id', made.id)).toMatchObject({
      error: { code: 'KB015' },
    });
  });
});

describe('ownership of templates', () => {
  it('personal templates are private, those of a project its members’, and built-in ones readable by all', async () => {
    const { project } = await shared('Yard');
    const viewer = await app.createUser({ name: 'Vito' });
    const stranger = await app.createUser({ name: 'Sue' });
    await addMember(app, project, viewer, 'viewer');
    const body = bareTask;
    const insert = (user: TestUser, values: Row) =>
      user.client
        .from('templates')
        .insert({ kind: 'task', name: 'T', body, ...values })
        .select('id')
        .single();
    const mine = (await one(insert(editor, {}))) as Made;
    const ours = (await one(insert(editor, { project_id: project }))) as Made;
    const builtIn = randomUUID();
    await app.sql(
      `insert into public.templates (id, built_in, language, kind, name, body) values ($1, 'test', 'en', 'task', 'Built in', $2)`,
      [builtIn, JSON.stringify(body)],
    );
    const sees = async (user: TestUser) =>
      ((await one(user.client.from('templates').select('id').in('id', [mine.id, ours.id, builtIn]))) as Made[]).length;
    expect([await sees(editor), await sees(owner), await sees(viewer), await sees(stranger)]).toEqual([3, 2, 2, 1]);
    expect(await app.client().from('templates').select('id')).toMatchObject({ data: [] });

    const verdict = async (answer: PromiseLike<{ status: number; data: unknown }>) => {
      const { status, data } = await answer;
      return status < 300 ? (data as unknown[]).length : status;
    };
    const rename = (user: TestUser, id: string) =>
      verdict(user.client.from('templates').update({ name: 'Mine' }).eq('id', id).select('id'));
    const drop = (user: TestUser, id: string) =>
      verdict(user.client.from('templates').delete().eq('id', id).select('id'));
    expect([await rename(owner, mine.id), await rename(viewer, ours.id), await rename(owner, builtIn)]).toEqual([
      0, 403, 403,
    ]);
    expect([await drop(owner, mine.id), await drop(viewer, ours.id), await drop(owner, builtIn)]).toEqual([
      0, 403, 403,
    ]);
    // To somebody else's, to a project one only looks at, as built in, from one's own to everybody's.
    expect(await insert(viewer, { project_id: project })).toMatchObject({ status: 403 });
    expect(await insert(viewer, { owner_id: editor.id })).toMatchObject({ status: 403 });
    expect(await insert(viewer, { built_in: 'mine', language: 'en' })).toMatchObject({ status: 403 });
    expect(await editor.client.from('templates').update({ owner_id: owner.id }).eq('id', mine.id)).toMatchObject({
      status: 403,
    });
    // Nor used by others.
    for (const [who, status] of [
      [owner, 404],
      [editor, 200],
    ] as const)
      expect(
        await who.client.rpc('create_task_from_template', { template_id: mine.id, project_id: project }),
      ).toMatchObject({ status });
    expect(
      await viewer.client.rpc('create_task_from_template', { template_id: ours.id, project_id: project }),
    ).toMatchObject({ status: 403 });
    expect([await rename(owner, ours.id), await drop(owner, ours.id), await drop(editor, mine.id)]).toEqual([1, 1, 1]);
  });

  it('a viewer keeps a project for themselves, and shares nothing', async () => {
    const { project } = await shared('Looked at');
    const viewer = await app.createUser({ name: 'Vito' });
    await addMember(app, project, viewer, 'viewer');
    const save = (is_shared: boolean) =>
      viewer.client.rpc('save_project_as_template', { project_id: project, is_shared });
    expect(await save(true)).toMatchObject({ status: 403 });
    const { data } = await save(false).single();
    expect(data).toMatchObject({ name: 'Looked at', owner_id: viewer.id, project_id: null, kind: 'project' });
    const stranger = await app.createUser({ name: 'Sue' });
    for (const call of ['save_project_as_template', 'duplicate_project', 'foresee_project_copy'])
      expect(await stranger.client.rpc(call, { project_id: project })).toMatchObject({ status: 404 });
  });

  it('there are a hundred at most, also when two are made at once', async () => {
    const many = await app.createUser({ name: 'Max' });
    await app.sql(
      `insert into public.templates (owner_id, kind, name, body) select $1, 'task', 'T' || n, $2 from generate_series(1, 99) n`,
      [many.id, JSON.stringify(bareTask)],
    );
    const tries = await Promise.all(
      [1, 2, 3].map(() => many.client.from('templates').insert({ kind: 'task', name: 'Last', body: bareTask })),
    );
    expect(tries.map((one) => one.error?.code ?? null).sort()).toEqual(['KB016', 'KB016', null].sort());
  });
});

describe('a project', () => {
  it('of a template has what the first had, from a day on, and names nothing of it', async () => {
    const boat = await furnished('Boat');
    const template = (await one(
      editor.client
        .rpc('save_project_as_template', { project_id: boat.project, name: 'A boat', is_shared: true })
        .single(),
    )) as Made;
    // Nobody else's view is in what others see.
    expect(template).toMatchObject({ holds: { labels: 1, fields: 3, views: 1, tasks: 3, steps: 2, has_days: true } });
    expect(JSON.stringify(template)).not.toContain('My own');
    const made = (await one(
      owner.client
        .rpc('create_project_from_template', { template_id: template.id, name: 'Next boat', start_date: '2027-01-04' })
        .single(),
    )) as Made & { key: string };
    expect(made).toMatchObject({ name: 'Next boat', key: 'NB', created_by: owner.id });
    expect(await strayIds(boat.project, made.id)).toEqual([]);

    const tasks = await lookAt(made.id);
    expect(tasks).toMatchObject([
      {
        title: 'Hull',
        start_date: '2027-01-04',
        due_date: '2027-01-08',
        workflow_columns: { name: 'To do' },
        task_labels: [{ name: 'Rig' }],
        // nothing is done yet, and who is no member is not there
        task_checklist_items: [
          { title: 'Sand', is_done: false },
          { title: 'Paint', is_done: false },
        ],
        task_assignees: [{ user_id: owner.id }],
      },
      { title: 'Mast', due_date: '2027-01-20', estimate: 4, completed_at: expect.any(String), task_field_values: [] },
      { title: 'Planks', due_date: '2027-01-06', priority: 'p0', parent: { title: 'Hull' } },
    ]);
    const held = tasks[0]?.task_field_values.map((one) => one.value).sort();
    expect(held).toEqual(['2027-01-10', 'l']);
    expect(await rowsOf('task_dependencies', made.id)).toMatchObject([{ lag_days: 2 }]);

    const columns = await rowsOf('workflow_columns', made.id);
    expect(columns.find((one) => one.name === 'To do')).toMatchObject({ wip_limit: 3, color: '#112233' });
    const fields = await rowsOf('custom_fields', made.id);
    const field = (name: string) => fields.find((one) => one.name === name);
    expect(field('Size')).toMatchObject({ default_value: 'l', options: [{ name: 'Small' }, { name: 'Large' }] });
    expect(columns.find((one) => one.name === 'Done')).toMatchObject({ required_fields: [field('Size')?.id] });
    const [view, ...others] = await rowsOf('saved_views', made.id);
    expect(others).toEqual([]);
    const until = `date_field.${field('Until')?.id}`;
    const [label] = await rowsOf('task_labels', made.id);
    expect(view).toMatchObject({
      name: 'Rigging',
      grouping: `select_field.${field('Size')?.id}`,
      filter: {
        all: [
          { property: 'label', is: 'any_of', value: [label?.id] },
          { property: `select_field.${field('Size')?.id}`, is: 'any_of', value: ['l'] },
          { any: [{ property: 'assignee', is: 'is', value: 'me' }] },
        ],
      },
      sort: [{ by: until, descending: true }],
      shown: { columns: ['title', until], widths: { [until]: 120, title: 300 } },
    });
    expect(await rowsOf('view_defaults', made.id)).toMatchObject([{ user_id: null, view_id: view?.id }]);
  });

  it('without its tasks is columns, labels, fields and views', async () => {
    const boat = await furnished('Dinghy');
    const template = (await one(
      owner.client.rpc('save_project_as_template', { project_id: boat.project }).single(),
    )) as Made;
    const made = (await one(
      owner.client
        .rpc('create_project_from_template', { template_id: template.id, with_tasks: false, key: 'din2' })
        .single(),
    )) as Made;
    expect(made).toMatchObject({ name: 'Dinghy', key: 'DIN2' });
    expect([(await rowsOf('tasks', made.id)).length, (await rowsOf('custom_fields', made.id)).length]).toEqual([0, 3]);
  });

  it('is duplicated as it is, or from another day on, with its members or without', async () => {
    const boat = await furnished('Yacht');
    expect(await one(owner.client.rpc('foresee_project_copy', { project_id: boat.project }))).toMatchObject({
      columns: 4,
      labels: 1,
      fields: 3,
      views: 1,
      tasks: 3,
      archived: 1,
      members: 1,
      starts_on: '2026-05-04',
    });
    const same = (await one(
      editor.client
        .rpc('duplicate_project', { project_id: boat.project, name: 'Yacht again', with_members: true })
        .single(),
    )) as Made;
    expect(await strayIds(boat.project, same.id)).toEqual([]);
    const tasks = await lookAt(same.id);
    expect(tasks.map((one) => [one.title, one.due_date])).toEqual([
      ['Hull', '2026-05-08'],
      ['Mast', '2026-05-20'],
      ['Planks', '2026-05-06'],
    ]);
    expect(tasks[0]).toMatchObject({
      task_checklist_items: [
        { title: 'Sand', is_done: true },
        { title: 'Paint', is_done: false },
      ],
    });
    expect(tasks[0]?.task_assignees.map((one) => one.user_id).sort()).toEqual([owner.id, editor.id].sort());
    // Who duplicates owns the second, whoever owns the first.
    expect((await rowsOf('project_members', same.id)).map((one) => [one.user_id, one.role]).sort()).toEqual(
      [
        [owner.id, 'owner'],
        [editor.id, 'owner'],
      ].sort(),
    );
    const [views] = [
      await one(editor.client.from('saved_views').select('name').eq('project_id', same.id).order('name')),
    ];
    expect(views).toEqual([{ name: 'My own' }, { name: 'Rigging' }]);

    const later = (await one(
      editor.client.rpc('duplicate_project', { project_id: boat.project, start_date: '2026-06-01' }).single(),
    )) as Made;
    expect(
      await one(editor.client.from('tasks').select('due_date').eq('project_id', later.id).order('due_date')),
    ).toEqual([{ due_date: '2026-06-03' }, { due_date: '2026-06-05' }, { due_date: '2026-06-17' }]);
    expect(await rowsOf('project_members', later.id)).toEqual([]);
    // It is the same project as before.
    expect((await rowsOf('tasks', boat.project)).length).toBe(4);
  });

  it('of hundreds of tasks is made by one call, and three at once are three', async () => {
    const { project, columns } = await shared('Large');
    await app.asUser(
      editor.id,
      `insert into public.tasks (project_id, column_id, title, due_date)
       select $1, $2, 'Task ' || lpad(n::text, 3, '0'), date '2026-03-01' + n from generate_series(1, 300) n`,
      [project, columns.todo],
    );
    const made = await Promise.all(
      [1, 2, 3].map(() =>
        owner.client.rpc('duplicate_project', { project_id: project, start_date: '2026-04-02' }).single(),
      ),
    );
    expect(made.map((one) => one.error)).toEqual([null, null, null]);
    const copies = made.map((one) => (one.data as Made & { key: string }).id);
    for (const copy of copies) {
      const tasks = await one(
        owner.client.from('tasks').select('title,number,due_date').eq('project_id', copy).order('order_rank'),
      );
      expect([tasks.length, tasks[0], tasks.at(-1)]).toEqual([
        300,
        { title: 'Task 001', number: 1, due_date: '2026-04-02' },
        { title: 'Task 300', number: 300, due_date: '2027-01-26' },
      ]);
    }
    await app.asUser(
      editor.id,
      `insert into public.tasks (project_id, column_id, title) select $1, $2, 'More' from generate_series(1, 701) n`,
      [project, columns.todo],
    );
    expect(await owner.client.rpc('duplicate_project', { project_id: project })).toMatchObject({
      status: 409,
      error: { code: 'KB015', message: 'the project has 1001 tasks, and no more than 1000 are taken along' },
    });
    expect(await owner.client.rpc('duplicate_project', { project_id: project, with_tasks: false })).toMatchObject({
      error: null,
    });
  });
});

describe('a task', () => {
  it('of a template has its parts in a project with other labels and fields', async () => {
    const boat = await furnished('Ketch');
    const template = (await one(
      editor.client.rpc('save_task_as_template', { task_id: boat.hull, name: 'A hull' }).single(),
    )) as Made;
    expect(template).toMatchObject({
      kind: 'task',
      owner_id: editor.id,
      holds: { tasks: 2, steps: 2, labels: 1, fields: 3 },
    });

    const { project, columns } = await shared('Elsewhere');
    await one(
      editor.client
        .from('custom_fields')
        .insert({ project_id: project, name: 'SIZE', kind: 'select', options: [{ id: 'xl', name: 'large' }] })
        .select(),
    );
    const call = { template_id: template.id, project_id: project, column_id: columns.in_progress, title: 'Big hull' };
    const new_id = randomUUID();
    const made = (await one(
      editor.client.rpc('create_task_from_template', { ...call, start_date: '2027-03-01', new_id }).single(),
    )) as Made;
    expect(made).toMatchObject({
      id: new_id,
      title: 'Big hull',
      start_date: '2027-03-01',
      due_date: '2027-03-05',
      created_by: editor.id,
    });
    // Asked twice, made once.
    expect(await one(editor.client.rpc('create_task_from_template', { ...call, new_id }).single())).toEqual(made);
    expect(await strayIds(boat.project, project)).toEqual([]);
    expect(await lookAt(project)).toMatchObject([
      {
        title: 'Big hull',
        task_labels: [{ name: 'Rig' }],
        task_checklist_items: [{ title: 'Sand', is_done: false }, { title: 'Paint' }],
        task_field_values: [{ value: 'xl', custom_fields: { name: 'SIZE' } }],
      },
      {
        title: 'Planks',
        due_date: '2027-03-03',
        parent: { title: 'Big hull' },
        workflow_columns: { name: 'In progress' },
      },
    ]);
    // The story says who made it, as of any other.
    expect(
      await one(
        owner.client.from('task_activity').select('kind,actor_id').eq('task_id', made.id).eq('kind', 'created'),
      ),
    ).toEqual([{ kind: 'created', actor_id: editor.id }]);
    // Deleting the top takes all of it along: that is how it is undone.
    await one(editor.client.from('tasks').delete().eq('id', made.id).select());
    expect(await rowsOf('tasks', project)).toEqual([]);
  });

  it('takes what was said of it beside its title, and its story names the template', async () => {
    const boat = await furnished('Tender');
    const template = (await one(editor.client.rpc('save_task_as_template', { task_id: boat.hull }).single())) as Made;
    const { project, columns } = await shared('Basin');
    const [urgent] = (await one(
      editor.client.from('task_labels').insert({ project_id: project, name: 'Urgent' }).select(),
    )) as Made[];
    const [grade] = (await one(
      editor.client
        .from('custom_fields')
        .insert({ project_id: project, name: 'Grade', kind: 'select', options: [{ id: 'a', name: 'A' }] })
        .select(),
    )) as Made[];
    const first = (await one(
      editor.client.from('tasks').insert({ project_id: project, column_id: columns.todo, title: 'First' }).select(),
    )) as { order_rank: string }[];
    const rig = randomUUID();
    const made = (await one(
      editor.client
        .rpc('create_task_from_template', {
          template_id: template.id,
          project_id: project,
          column_id: columns.todo,
          start_date: '2027-03-10',
          priority: 'p0',
          due_date: '2027-03-08',
          order_rank: 'A',
          assignees: [owner.id, randomUUID()],
          labels: [urgent?.id],
          field_values: { [grade?.id ?? '']: 'a' },
          label_ids: { rig },
        })
        .single(),
    )) as Made & { order_rank: string };
    // Due before it would begin by the template: it begins then.
    expect(made).toMatchObject({ priority: 'p0', start_date: '2027-03-08', due_date: '2027-03-08' });
    expect(made.order_rank < (first[0]?.order_rank ?? '')).toBe(true);
    const held = async (table: string, columns: string) =>
      one(owner.client.from(table).select(columns).eq('task_id', made.id));
    // Whoever is no member is left out.
    expect(await held('task_assignees', 'user_id')).toContainEqual({ user_id: owner.id });
    expect(await held('task_label_links', 'label_id')).toEqual(
      expect.arrayContaining([{ label_id: urgent?.id }, { label_id: rig }]),
    );
    expect(await held('task_field_values', 'value')).toContainEqual({ value: 'a' });
    expect(
      await one(
        owner.client.from('task_activity').select('change,actor_id').eq('task_id', made.id).eq('kind', 'updated'),
      ),
    ).toContainEqual({
      actor_id: editor.id,
      change: { template: { from: null, to: template.id, name: template.name } },
    });
    // A label of another project is none here.
    const foreign = await editor.client.rpc('create_task_from_template', {
      template_id: template.id,
      project_id: project,
      labels: [(await rowsOf('task_labels', boat.project))[0]?.id],
    });
    expect(foreign.error).not.toBeNull();
  });

  it('is made by several at once without waiting for each other in a circle', async () => {
    const boat = await furnished('Fleet');
    const template = (await one(editor.client.rpc('save_task_as_template', { task_id: boat.hull }).single())) as Made;
    const { project, columns } = await shared('Harbour');
    const made = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        editor.client.rpc('create_task_from_template', {
          template_id: template.id,
          project_id: project,
          column_id: n % 2 ? columns.todo : columns.backlog,
        }),
      ),
    );
    expect(made.map((one) => one.error)).toEqual(made.map(() => null));
    expect(((await rowsOf('tasks', project)).map((one) => one.number) as number[]).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 16 }, (_, n) => n + 1),
    );
    expect((await rowsOf('task_labels', project)).length).toBe(1);
  });

  it('goes with an account, and one’s own data has it', async () => {
    const leaver = await app.createUser({ name: 'Lea' });
    await one(leaver.client.from('templates').insert({ kind: 'task', name: 'Hers', body: bareTask }).select());
    expect(await one(leaver.client.rpc('export_my_data'))).toMatchObject({
      templates: [{ name: 'Hers', body: bareTask }],
    });
    await app.sql('delete from auth.users where id = $1', [leaver.id]);
    expect(await app.sql(`select id from public.templates where name = 'Hers'`)).toEqual([]);
  });
});

it('dictionaries of the built-in templates exist in the languages of the app, and translate what is written', () => {
  const folder = 'sql/data/built_in_templates';
  const read = (name: string): string => readFileSync(`${folder}/${name}`, 'utf8');
  const languages = readdirSync('web/strings', { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(readdirSync(folder).sort()).toEqual(languages.map(({ name }) => `${name}.json`).sort());
  for (const { name } of languages.filter(({ name }) => name !== 'en')) {
    const { words } = JSON.parse(read(`${name}.json`)) as { words: Record<string, string> };
    const unknown = Object.keys(words).filter((word) => !read('en.json').includes(`: ${JSON.stringify(word)}`));
    expect([name, unknown]).toEqual([name, []]);
  }
});

it('built-in templates exist in every language, and all of them can be used', async () => {
  const { project } = await shared('Of all kinds');
  const rows = (await one(
    owner.client
      .from('templates')
      .select('id,kind,name,built_in,language')
      .not('language', 'is', null)
      .neq('built_in', 'test'),
  )) as (Made & { kind: string; built_in: string; language: string })[];
  const named = (language: string) =>
    rows
      .filter((row) => row.language === language)
      .map((row) => row.built_in)
      .sort();
  expect(named('en')).toEqual(
    ['bug', 'campaign', 'empty', 'event', 'hiring', 'meeting', 'release', 'sample', 'software'].sort(),
  );
  for (const language of new Set(rows.map((row) => row.language)))
    expect([language, named(language)]).toEqual([language, named('en')]);
  for (const { id, kind, name } of rows) {
    const made =
      kind === 'project'
        ? await owner.client.rpc('create_project_from_template', { template_id: id, start_date: '2026-05-04' }).single()
        : await owner.client.rpc('create_task_from_template', { template_id: id, project_id: project }).single();
    expect([name, made.error]).toEqual([name, null]);
  }
});
