// Custom fields: values and refusals of each kind, the effect of removed options, fields and members, defaults of new tasks, required columns, and
// uses elsewhere.

import { describe, expect, it } from 'vitest';
import { addRow, addTask, one } from './board.ts';
import { startTogether } from './start-together.ts';

const { app, owner, editor, shared } = startTogether();

const sizes = [
  { id: 's', name: 'Small' },
  { id: 'm', name: 'Medium', color: '#224466' },
  { id: 'l', name: 'Large' },
];

async function make(project_id: string, name: string, kind: string, more: Record<string, unknown> = {}) {
  return (await one(
    editor.client
      .from('custom_fields')
      .insert({ project_id, name, kind, ...more })
      .select()
      .single(),
  )) as { id: string; position: number; default_value: unknown };
}

const enter = (task_id: string, field_id: string, value: unknown) =>
  editor.client.from('task_field_values').upsert({ task_id, field_id, value }).select('value').single();

const held = async (field: string): Promise<unknown[]> => {
  const rows = await one(editor.client.from('task_field_values').select('value').eq('field_id', field));
  return (rows as { value: unknown }[])
    .map((row) => row.value)
    .sort((one, other) => JSON.stringify(one).localeCompare(JSON.stringify(other)));
};

async function plan(name: string) {
  const { project, columns } = await shared(name);
  const task = await addTask(app, editor, { project_id: project, title: 'Hang the doors' });
  return { project, columns, task };
}

describe('a value', () => {
  it.each([
    ['text', [['  Oak, please ', 'Oak, please'], ['5']], [5, '', '  ', true, null, 'x'.repeat(5001)]],
    ['number', [[5], [-0.25], [0]], ['5', true, [], 1e15]],
    ['date', [['2026-02-28'], ['2028-02-29']], ['2026-02-29', '28.2.2026', 20260228, '2026-02-28T00:00:00Z']],
    ['select', [['m']], ['Medium', 'x', ['m'], 1]],
    [
      'multi_select',
      [
        [
          ['l', 's', 'l'],
          ['s', 'l'],
        ],
        [['m']],
      ],
      ['m', [], ['m', 'x'], [1]],
    ],
    [
      'url',
      [['https://example.test/a?b#c'], ['HTTP://example.test']],
      ['example.test', 'javascript:alert(1)', 'https://', 'https://a b'],
    ],
    ['checkbox', [[true], [false]], ['true', 1]],
  ] as const)('of a field of %s', async (kind, kept, refused) => {
    const { project, task } = await plan(`Kinds ${kind}`);
    const field = await make(project, 'It', kind, kind.includes('select') ? { options: sizes } : {});
    for (const [value, as = value] of kept) expect(await one(enter(task, field.id, value))).toEqual({ value: as });
    for (const value of refused)
      expect([value, await enter(task, field.id, value)]).toMatchObject([
        value,
        { error: { code: expect.stringMatching(/^235(14|02)$/) } },
      ]);
  });

  it('of a person is a member, and goes with the membership', async () => {
    const { project, task } = await plan('People');
    const field = await make(project, 'Contact', 'person', { default_value: editor.id });
    const stranger = await app.createUser({ name: 'Otto' });
    expect(await enter(task, field.id, stranger.id)).toMatchObject({ error: { code: '23514' } });
    expect(await one(enter(task, field.id, editor.id.toUpperCase()))).toEqual({ value: editor.id });
    await one(
      owner.client.from('project_members').delete().eq('project_id', project).eq('user_id', editor.id).select(),
    );
    expect(await app.sql('select from public.task_field_values where field_id = $1', [field.id])).toEqual([]);
    expect(await app.sql('select default_value from public.custom_fields where id = $1', [field.id])).toEqual([
      { default_value: null },
    ]);
  });

  it('compares as what it is', async () => {
    const { project, task } = await plan('Compared');
    const second = await addTask(app, editor, { project_id: project, title: 'Second' });
    const [cost, until] = [await make(project, 'Cost', 'number'), await make(project, 'Until', 'date')];
    await one(enter(task, cost.id, 9));
    await one(enter(second, cost.id, 10));
    await one(enter(second, until.id, '2026-05-01'));
    const found = async (field: string, condition: [string, string]) =>
      (
        (await one(
          editor.client
            .from('tasks')
            .select('id, f1:task_field_values!inner()')
            .eq('f1.field_id', field)
            .filter('f1.value', ...condition),
        )) as { id: string }[]
      ).map(({ id }) => id);
    expect(await found(cost.id, ['gt', '9.5'])).toEqual([second]);
    expect(await found(cost.id, ['lte', '9'])).toEqual([task]);
    expect(await found(until.id, ['gte', '"2026-04-30"'])).toEqual([second]);
  });

  it('needs a task and a field of one project, and is no way to look into another', async () => {
    const { project, task } = await plan('Ours');
    const other = await plan('Other');
    const foreign = await make(other.project, 'Elsewhere', 'number');
    expect(await enter(task, foreign.id, 1)).toMatchObject({ error: { code: '23503' } });
    const stranger = await app.createUser({ name: 'Otto' });
    const field = await make(project, 'Cost', 'number');
    for (const value of [1, 'no number'])
      expect(
        await stranger.client
          .from('task_field_values')
          .insert({ task_id: task, project_id: project, field_id: field.id, value }),
      ).toMatchObject({
        status: 403,
        error: { code: '42501' },
      });
  });
});

describe('options', () => {
  it('are renamed everywhere at once, and take what holds them along when they go', async () => {
    const { project, task } = await plan('Options');
    const second = await addTask(app, editor, { project_id: project, title: 'Second' });
    const size = await make(project, 'Size', 'select', { options: sizes, default_value: 'm' });
    const parts = await make(project, 'Parts', 'multi_select', { options: sizes, default_value: ['m', 's'] });
    await one(enter(task, size.id, 'm'));
    await one(enter(second, size.id, 's'));
    await one(enter(task, parts.id, ['m']));
    await one(enter(second, parts.id, ['s', 'm']));
    expect(await one(editor.client.rpc('custom_field_use', { field_id: size.id }))).toEqual({
      tasks: 2,
      options: { s: 1, m: 1, l: 0 },
    });
    expect(await one(editor.client.rpc('custom_field_use', { field_id: parts.id }))).toEqual({
      tasks: 2,
      options: { s: 1, m: 2, l: 0 },
    });
    const change = (id: string, options: unknown) =>
      editor.client.from('custom_fields').update({ options }).eq('id', id).select('default_value').single();
    expect(
      await one(
        change(
          size.id,
          sizes.map((option) => ({ ...option, name: `${option.name}!` })),
        ),
      ),
    ).toEqual({
      default_value: 'm',
    });
    expect(await held(size.id)).toEqual(['m', 's']);
    const fewer = sizes.filter(({ id }) => id !== 'm');
    expect(await one(change(size.id, fewer))).toEqual({ default_value: null });
    expect(await one(change(parts.id, fewer))).toEqual({ default_value: ['s'] });
    expect([await held(size.id), await held(parts.id)]).toEqual([['s'], [['s']]]);
  });

  it('is given as columns of a project, to its members', async () => {
    const { project, task } = await plan('Columns');
    const other = await addTask(app, editor, { project_id: project, title: 'Paint them' });
    const price = await make(project, 'Price', 'number');
    const parts = await make(project, 'Parts', 'multi_select', { options: sizes });
    const note = await make(project, 'Note', 'text');
    await enter(task, price.id, 5);
    await enter(other, price.id, -0.25);
    await enter(other, parts.id, ['s', 'l']);
    await enter(task, note.id, 'Say "oak", or\nbeech');
    const asked = { project_id: project, field_ids: [price.id, parts.id, note.id] };
    const columns = (await one(editor.client.rpc('field_columns', asked))) as Record<
      string,
      { numbers: number[]; values: unknown[] }
    >;
    const pairs = (id: string) =>
      Object.fromEntries((columns[id]?.numbers ?? []).map((number, at) => [number, columns[id]?.values[at]]));
    expect(pairs(price.id)).toEqual({ 1: 5, 2: -0.25 });
    expect(pairs(parts.id)).toEqual({ 2: ['s', 'l'] });
    expect(pairs(note.id)).toEqual({ 1: 'Say "oak", or\nbeech' });
    const stranger = await app.createUser({ name: 'Stranger' });
    expect(await one(stranger.client.rpc('field_columns', asked))).toEqual({});
  });

  it.each([
    [
      [
        { id: 'a', name: 'A' },
        { id: 'a', name: 'B' },
      ],
    ],
    [
      [
        { id: 'a', name: 'A' },
        { id: 'b', name: 'a' },
      ],
    ],
    [[{ id: 'a', name: ' ' }]],
    [[{ id: '', name: 'A' }]],
    [[{ id: 'a', name: 'A', color: 'red' }]],
    [[{ id: 'a', name: 'A', more: 1 }]],
    [{}],
    [['a']],
  ])('%j are none', async (options) => {
    const { project } = await plan('No options');
    const answer = await editor.client
      .from('custom_fields')
      .insert({ project_id: project, name: 'Size', kind: 'select', options });
    expect(answer).toMatchObject({ status: 400, error: { code: '23514' } });
  });
});

describe('a field', () => {
  it('has a name of its own, a kind for good, and a place at the end', async () => {
    const { project } = await plan('Fields');
    const first = await make(project, 'Cost', 'number', { unit: '€' });
    expect(await make(project, 'Until', 'date')).toMatchObject({ position: first.position + 1 });
    const insert = (values: object) =>
      editor.client.from('custom_fields').insert({ project_id: project, ...values } as never);
    expect(await insert({ name: 'cost', kind: 'text' })).toMatchObject({ error: { code: '23505' } });
    expect(await insert({ name: 'x', kind: 'text', unit: 'kg' })).toMatchObject({ error: { code: '23514' } });
    expect(await insert({ name: 'x', kind: 'number', default_value: 'much' })).toMatchObject({
      error: { code: '23514' },
    });
    expect(await editor.client.from('custom_fields').update({ kind: 'text' }).eq('id', first.id)).toMatchObject({
      status: 403,
    });
  });

  it('is one of fifty at most, also when two come at once', async () => {
    const { project } = await plan('Fifty');
    const rows = Array.from({ length: 49 }, (_, at) => ({
      project_id: project,
      name: `Field ${at}`,
      kind: 'text' as const,
      position: at,
    }));
    expect((await editor.client.from('custom_fields').insert(rows as never)).error).toBeNull();
    const answers = await Promise.all(
      ['One', 'Another'].map((name) =>
        editor.client.from('custom_fields').insert({ project_id: project, name, kind: 'text' } as never),
      ),
    );
    expect(answers.map(({ error }) => error?.code ?? 'made').sort()).toEqual(['KB012', 'made']);
  });

  it('is what new tasks begin with, silently; a second task begins with what the first has', async () => {
    const { project, task } = await plan('Defaults');
    const size = await make(project, 'Size', 'select', { options: sizes, default_value: 's' });
    const made = await addTask(app, editor, { project_id: project, title: 'New' });
    expect(await held(size.id)).toEqual(['s']);
    await one(enter(made, size.id, 'l'));
    const twice = async (id: string) =>
      (await one(editor.client.rpc('duplicate_task', { task_id: id }).select().single())) as { id: string };
    const [copy, bare] = [await twice(made), await twice(task)];
    expect(
      await one(editor.client.from('task_field_values').select('task_id, value').in('task_id', [copy.id, bare.id])),
    ).toEqual([{ task_id: copy.id, value: 'l' }]);
    const story = (await one(
      editor.client.from('task_activity').select('change').eq('task_id', made).eq('kind', 'updated'),
    )) as { change: unknown }[];
    expect(story.map(({ change }) => change)).toEqual([
      {
        field: {
          field_id: size.id,
          name: 'Size',
          kind: 'select',
          from: 's',
          to: 'l',
          from_name: 'Small',
          to_name: 'Large',
        },
      },
    ]);
  });

  it('is needed by a column: a task comes in when it is filled, by every way', async () => {
    const { project, columns, task } = await plan('Needed');
    const [cost, checked] = [await make(project, 'Cost', 'number'), await make(project, 'Checked', 'checkbox')];
    const other = await plan('Not needed');
    const foreign = await make(other.project, 'Foreign', 'text');
    const need = (required_fields: string[]) =>
      editor.client.from('workflow_columns').update({ required_fields }).eq('id', columns.done).select();
    expect(await need([cost.id, foreign.id])).toMatchObject({ status: 409, error: { code: '23503' } });
    await one(need([cost.id, checked.id]));
    await one(enter(task, checked.id, false));
    const refusal = { status: 409, error: { code: 'KB011', details: 'Empty fields: Cost, Checked' } };
    expect(await editor.client.rpc('move_task', { task_id: task, column_id: columns.done })).toMatchObject(refusal);
    expect(await editor.client.from('tasks').update({ column_id: columns.done }).eq('id', task)).toMatchObject(refusal);
    await one(enter(task, cost.id, 0));
    const together = await editor.client.rpc('apply_changes', {
      changes: [
        { change: 'update', table: 'task_field_values', rows: [{ task_id: task, field_id: checked.id, value: true }] },
        { change: 'move', table: 'tasks', rows: [{ id: task, column_id: columns.done }] },
      ],
    });
    expect(together.error).toBeNull();
    await one(editor.client.from('custom_fields').delete().eq('id', cost.id).select());
    expect(
      await one(editor.client.from('workflow_columns').select('required_fields').eq('id', columns.done).single()),
    ).toEqual({ required_fields: [checked.id] });
  });
});

it('texts and addresses are found, by whoever sees the task, until they are gone', async () => {
  const { project, task } = await plan('Found');
  const [client, link] = [await make(project, 'Client', 'text'), await make(project, 'Order', 'url')];
  const find = async (query: string) =>
    ((await one(editor.client.rpc('search_tasks', { query, project_id: project }))) as { id: string }[]).map(
      ({ id }) => id,
    );
  await one(enter(task, client.id, 'Wintergreen Ltd'));
  await one(enter(task, link.id, 'https://orders.example.test/4711'));
  expect([await find('winterg'), await find('orders.example.test')]).toEqual([[task], [task]]);
  await one(enter(task, client.id, 'Somebody else'));
  expect([await find('wintergreen'), await find('somebody')]).toEqual([[], [task]]);
  await one(editor.client.from('custom_fields').delete().eq('id', client.id).select());
  expect(await find('somebody')).toEqual([]);
});

it('a personal export has the custom fields of tasks by their names', async () => {
  const { project, task } = await plan('Own data');
  const size = await make(project, 'Size', 'select', { options: sizes });
  const cost = await make(project, 'Cost', 'number');
  const contact = await make(project, 'Contact', 'person');
  await one(enter(task, size.id, 'm'));
  await one(enter(task, cost.id, 12.5));
  await one(enter(task, contact.id, owner.id));
  const part = await addRow(app, editor, 'tasks', { project_id: project, title: 'Part', parent_id: task });
  const { tasks } = (await one(editor.client.rpc('export_my_data'))) as unknown as { tasks: { id: string }[] };
  expect(tasks.find(({ id }) => id === task)).toMatchObject({
    parent_id: null,
    fields: { Size: 'Medium', Cost: 12.5, Contact: 'Olga Owner' },
  });
  expect(tasks.find(({ id }) => id === part)).toMatchObject({ parent_id: task, fields: {} });
});

it('no value is left of an option that goes while it is chosen', async () => {
  const { project, task } = await plan('At once');
  const size = await make(project, 'Size', 'select', { options: sizes });
  for (let round = 0; round < 25; round++) {
    await Promise.all([
      enter(task, size.id, 'm'),
      editor.client
        .from('custom_fields')
        .update({ options: [{ id: 's', name: 'Small' }] })
        .eq('id', size.id),
    ]);
    expect(await held(size.id)).toEqual([]);
    await one(editor.client.from('custom_fields').update({ options: sizes }).eq('id', size.id).select());
  }
});

it('field values of a task move to matching fields of another project, and all of them come back', async () => {
  const from = await plan('From');
  const to = await plan('To');
  const fields = {
    size: await make(from.project, 'Size', 'select', { options: sizes }),
    cost: await make(from.project, 'Cost', 'number'),
    client: await make(from.project, 'Client', 'text'),
    colour: await make(from.project, 'Colour', 'multi_select', { options: sizes }),
  };
  await one(enter(from.task, fields.size.id, 'm'));
  await one(enter(from.task, fields.cost.id, 5));
  await one(enter(from.task, fields.client.id, 'Wintergreen'));
  await one(enter(from.task, fields.colour.id, ['s', 'm']));
  const there = {
    size: await make(to.project, 'size', 'select', { options: [{ id: 'x', name: 'MEDIUM' }] }),
    cost: await make(to.project, 'Cost', 'text'),
    colour: await make(to.project, 'Colour', 'multi_select', { options: [{ id: 'y', name: 'Small' }] }),
  };
  const read = async () =>
    (
      (await one(editor.client.from('task_field_values').select('field_id, value').eq('task_id', from.task))) as {
        field_id: string;
        value: unknown;
      }[]
    ).sort((a, b) => (a.field_id < b.field_id ? -1 : 1));
  const before = await read();
  expect(
    await one(editor.client.rpc('foresee_move_to_project', { task_ids: [from.task], project_id: to.project })),
  ).toMatchObject({ fields_left: ['Client', 'Cost'] });
  await one(editor.client.rpc('move_tasks_to_project', { task_ids: [from.task], project_id: to.project }));
  expect(await read()).toEqual(
    [
      { field_id: there.size.id, value: 'x' },
      { field_id: there.colour.id, value: ['y'] },
    ].sort((a, b) => (a.field_id < b.field_id ? -1 : 1)),
  );
  await one(
    editor.client.rpc('move_tasks_to_project', { task_ids: [from.task], project_id: from.project, brings_back: true }),
  );
  expect(await read()).toEqual(before);
});
