// Filters in the app's store, the data API and the database: random filters find the same tasks in all, and survive JSON and the address.

import { randomUUID } from 'node:crypto';
import { createClient } from '@supabase/supabase-js';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { fieldIn, fieldKinds, fieldProperty } from '../../contract/field-properties.ts';
import { operatorsFor, readFilter, readView, settleFilter } from '../../contract/read-view.ts';
import { parseFilter, parseOlderFilter, parseOlderSort, writeFilter } from '../../contract/view-address.ts';
import { queryOf } from '../../contract/view-query.ts';
import {
  type Condition,
  columnKinds,
  conditionsIn,
  figures,
  flags,
  type Group,
  kindOf,
  type Operator,
  type Part,
  type Property,
  priorities,
  properties,
  propertyNames,
} from '../../contract/views.ts';
import { localDay, startOfDay } from '../../web/queries/days/days.ts';
import { figuresInView } from '../../web/queries/figures/figures-in-view.ts';
import { flowOf } from '../../web/queries/figures/task-flow.ts';
import { listOf } from '../../web/queries/tasks/tasks.ts';
import { testOf } from '../../web/queries/views/filtering.ts';
import { type Door, dataOf } from '../../web/sync/door.ts';
import { putColumns } from '../../web/sync/rows/field-columns.ts';
import { fetchScope } from '../../web/sync/rows/scopes.ts';
import { Store } from '../../web/sync/rows/store.ts';
import { startApp, type TestUser } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { seed } from '../helpers/seed.ts';

const today = '2026-05-15';
const runs = 400;

let ada: TestUser;
let store: Store;
const known: Record<'column' | 'person' | 'label' | 'project' | 'parent' | 'waits_for', string[]> = {
  parent: [],
  waits_for: [],
  column: [],
  person: ['me'],
  label: [],
  project: [],
};
/** Fields of both projects. */
const fields: Property[] = [];
const options = ['red', 'dark_blue', 'g-1'];
const asked = (): readonly Property[] => [...propertyNames, ...fields];

const day = (offset: number): string => new Date(Date.UTC(2026, 4, 15 + offset)).toISOString().slice(0, 10);
const titles = [
  'Rope',
  'Ropes & knots',
  '100% tested',
  'a_b',
  'Ärger',
  'star * here',
  'back\\slash',
  '"quoted", (so)',
  "o'r",
];

const app = forSuite(startApp);
beforeAll(async () => {
  ada = await app.createUser({ name: 'Ada' });
  const people = [ada, await app.createUser({ name: 'Bob' }), await app.createUser({ name: 'Cleo' })];
  for (const name of ['Harbour', 'Lighthouse']) {
    const { data } = await ada.client.rpc('create_project_with_defaults', { name });
    await fill(data.id, people);
  }
  known.person.push(...people.map(({ id }) => id));
  store = new Store();
  const door = createClient(app.url, app.anonKey, {
    auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
    realtime: { transport: WebSocket as never },
    global: { headers: { Authorization: `Bearer ${ada.token}` } },
  }) as unknown as Door;
  await fetchScope(door, store, { kind: 'me', userId: ada.id });
  const fieldIds = fields.map((field) => fieldIn(field)?.id ?? '');
  for (const projectId of known.project) {
    await fetchScope(door, store, { kind: 'project', projectId });
    await fetchScope(door, store, { kind: 'watchers', projectId });
    const since = store.now();
    const columns = dataOf(await door.rpc('field_columns', { project_id: projectId, field_ids: fieldIds }));
    putColumns(store, projectId, new Map(Object.entries(columns)), since);
  }
});

/** Tasks that differ in everything a filter can ask for, by a generator that says the same for the same seed. */
async function fill(project: string, people: readonly TestUser[]): Promise<void> {
  known.project.push(project);
  for (const { id } of people.slice(1))
    await app.sql(`insert into public.project_members (project_id, user_id, role) values ($1, $2, 'editor')`, [
      project,
      id,
    ]);
  const columns = await app.sql<{ id: string }>('select id from public.workflow_columns where project_id = $1', [
    project,
  ]);
  known.column.push(...columns.map(({ id }) => id));
  const labels = ['Bug', 'Idea', 'Later'].map((name) => ({ id: randomUUID(), name }));
  for (const { id, name } of labels)
    await app.sql('insert into public.task_labels (id, project_id, name) values ($1, $2, $3)', [id, project, name]);
  known.label.push(...labels.map(({ id }) => id));
  let state = seed;
  const draw = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const maybe = <T>(value: T): T | null => (draw(3) === 0 ? null : value);
  const tasks = Array.from({ length: 150 }, () => {
    const start = maybe(draw(40) - 20);
    return {
      id: randomUUID(),
      project_id: project,
      column_id: columns[draw(columns.length)]?.id,
      title: titles[draw(titles.length)],
      priority: priorities[draw(3)],
      start_date: start === null ? null : day(start),
      due_date: maybe(day((start ?? 0) + draw(20))),
      ...Object.fromEntries(figures.map((name) => [name, maybe(draw(20) / 2)])),
      created_by: maybe(people[draw(3)]?.id ?? null),
    };
  });
  await app.sql(
    `insert into public.tasks (id, project_id, column_id, title, priority, start_date, due_date, ${figures.join(', ')}, created_by)
     select id, project_id, column_id, title, priority, start_date, due_date, ${figures.join(', ')}, created_by
     from json_populate_recordset(null::public.tasks, $1)`,
    [JSON.stringify(tasks)],
  );
  // The database keeps these itself: spread here over the days around midnight of the reader.
  const moments = tasks.map(({ id }) => {
    const at = (spread: number): string =>
      new Date(Date.parse(startOfDay(day(draw(spread) - spread / 2))) + (draw(3) - 1) * 1000).toISOString();
    return { id, created_at: at(60), updated_at: at(20), completed_at: maybe(at(20)) };
  });
  await app.sql(
    `alter table public.tasks disable trigger user; update public.tasks t set created_at = m.created_at, updated_at = m.updated_at,
       completed_at = m.completed_at from json_populate_recordset(null::public.tasks, '${JSON.stringify(moments)}') m where m.id = t.id;
     alter table public.tasks enable trigger user`,
  );
  await fillFields(project, tasks, people, draw);
  for (const { id } of tasks) {
    for (const { id: user } of people) if (draw(3) === 0) await link('task_assignees', 'user_id', project, id, user);
    for (const { id: label } of labels)
      if (draw(4) === 0) await link('task_label_links', 'label_id', project, id, label);
  }
  await hang(project, tasks, people, draw);
}

/** What hangs on some tasks: what they wait for, steps, files, rules, comments and who watches. */
async function hang(
  project: string,
  tasks: readonly { id: string }[],
  people: readonly TestUser[],
  draw: (below: number) => number,
): Promise<void> {
  const before = tasks.slice(60, 70).map(({ id }) => id);
  known.waits_for.push(...before);
  const some = (share: number): readonly string[] => tasks.slice(70).flatMap(({ id }) => (draw(share) === 0 ? id : []));
  const add = async (table: string, rows: readonly object[], { client }: TestUser = ada): Promise<void> => {
    const { error } = await client.from(table).insert(rows);
    if (error) throw error;
  };
  const links = some(2).map((successor_id) => ({ predecessor_id: before[draw(before.length)], successor_id }));
  await add('task_dependencies', links);
  await app.sql('update public.tasks set archived_at = now() where id = $1', [before[0]]);
  // Whatever was drawn: half of what others wait for is still to be done.
  await app.sql(
    `alter table public.tasks disable trigger user; update public.tasks set completed_at = null where id in (${before
      .slice(5)
      .map((id) => `'${id}'`)
      .join(', ')}); alter table public.tasks enable trigger user`,
  );
  await add(
    'task_checklist_items',
    some(3).map((task_id) => ({ task_id, title: 'Step' })),
  );
  await add(
    'task_attachments',
    some(3).map((task_id) => ({ task_id, name: 'x', object_path: `${project}/${task_id}/x` })),
  );
  await add(
    'task_recurrences',
    some(4).map((task_id) => ({ task_id, rule: 'FREQ=DAILY', starts_on: '2099-01-01' })),
  );
  for (const person of people)
    await add(
      'task_comments',
      some(4).map((task_id) => ({ task_id, body: 'Well' })),
      person,
    );
  await app.sql(
    'update public.task_watchers set is_watching = false where user_id = $1 and task_id in (select id from public.tasks where project_id = $2 and number % 2 = 0)',
    [ada.id, project],
  );
}

/** A field of each kind, and parts of the first tasks. */
async function fillFields(
  project: string,
  tasks: readonly { id: string }[],
  people: readonly TestUser[],
  draw: (below: number) => number,
): Promise<void> {
  const made = fieldKinds.map((kind) => ({ id: randomUUID(), kind }));
  fields.push(...made.map(({ id, kind }) => fieldProperty(kind, id)));
  for (const { id, kind } of made)
    await app.sql(
      'insert into public.custom_fields (id, project_id, name, kind, options) values ($1, $2, $3, $4, $5)',
      [
        id,
        project,
        kind,
        kind,
        JSON.stringify(
          kind === 'select' || kind === 'multi_select' ? options.map((one) => ({ id: one, name: one })) : [],
        ),
      ],
    );
  const of: Record<(typeof fieldKinds)[number], () => unknown> = {
    text: () => titles[draw(titles.length)],
    url: () => `https://example.test/${draw(12)}?a.b=*`,
    number: () => draw(40) / 2 - 5,
    date: () => day(draw(40) - 20),
    select: () => options[draw(3)],
    multi_select: () => options.filter((_, at) => at === draw(3) || draw(2) === 0),
    person: () => people[draw(3)]?.id,
    checkbox: () => draw(2) === 0,
  };
  const values = tasks.flatMap(({ id: task_id }) =>
    made.flatMap(({ id: field_id, kind }) => {
      const value = draw(3) === 0 ? [] : of[kind]();
      return Array.isArray(value) && value.length === 0 ? [] : [{ project_id: project, task_id, field_id, value }];
    }),
  );
  await app.sql(
    `insert into public.task_field_values (project_id, task_id, field_id, value)
     select project_id, task_id, field_id, value from json_populate_recordset(null::public.task_field_values, $1)`,
    [JSON.stringify(values)],
  );
  const parents = tasks.slice(0, 4);
  known.parent.push(...parents.map(({ id }) => id));
  for (const { id } of tasks.slice(4, 60))
    await app.sql('update public.tasks set parent_id = $2 where id = $1', [id, parents[draw(4)]?.id]);
}

async function link(table: string, column: string, project: string, task: string, to: string): Promise<void> {
  await app.sql(`insert into public.${table} (project_id, task_id, ${column}) values ($1, $2, $3)`, [
    project,
    task,
    to,
  ]);
}

// ── filters, drawn ───────────────────────────────────────────────────────────

const oneOf = <T>(some: readonly T[]): fc.Arbitrary<T> => fc.nat(some.length - 1).map((at) => some[at] as T);

function choicesOf(property: Property): readonly string[] {
  const field = fieldIn(property);
  if (field) return field.kind === 'person' ? known.person : field.kind === 'checkbox' ? flags : options;
  if (property === 'priority') return priorities;
  if (property === 'kind') return columnKinds;
  if (kindOf(property) === 'flag') return flags;
  if (['assignee', 'created_by', 'watcher', 'commenter'].includes(property)) return known.person;
  return known[property as 'column' | 'label' | 'project' | 'parent' | 'waits_for'];
}

const relative = fc.oneof(
  fc.constant('today'),
  fc.integer({ min: -20, max: 20 }).map((by) => (by < 0 ? String(by) : `+${by}`)),
  fc.integer({ min: -30, max: 30 }).map(day),
);
const wordsOf = oneOf([
  ...titles,
  'rop',
  'ÄR',
  '_',
  '%',
  '*',
  '\\',
  '1',
  '12',
  'ha-3',
  'HARB-1',
  'li 2',
  ' knots ',
  '.',
  '"',
  ')',
]);

function drawValue(property: Property, is: Operator): fc.Arbitrary<Condition['value']> {
  if (is === 'empty' || is === 'not_empty') return fc.constant(undefined);
  if (is === 'any_of' || is === 'none_of') return fc.array(oneOf(choicesOf(property)), { minLength: 1, maxLength: 3 });
  if (is === 'in_next' || is === 'in_last') return fc.nat(15);
  const kind = kindOf(property);
  if (kind === 'words') return wordsOf;
  if (kind === 'number')
    return fc.nat(property === 'number' ? 150 : 20).map((n) => (property === 'number' ? n : n / 2));
  return kind === 'day' || kind === 'moment' ? relative : oneOf(choicesOf(property));
}

const condition = (): fc.Arbitrary<Part> =>
  oneOf(asked()).chain((property) =>
    oneOf(operatorsFor(property)).chain((is) =>
      drawValue(property, is).map((value) => (value === undefined ? { property, is } : { property, is, value })),
    ),
  );

function groupOf(depth: number): fc.Arbitrary<Group> {
  const part =
    depth === 1
      ? condition()
      : fc.oneof({ weight: 3, arbitrary: condition() }, { weight: 1, arbitrary: groupOf(depth - 1) });
  return fc
    .tuple(fc.boolean(), fc.array(part, { maxLength: 3 }))
    .map(([all, parts]): Group => (all ? { all: parts } : { any: parts }));
}

const drawn = (): readonly Group[] => fc.sample(groupOf(3), { numRuns: runs, seed });

// ── what they find ───────────────────────────────────────────────────────────

async function throughTheDoor(filter: Group): Promise<string[]> {
  const { embeds, narrowing, where } = queryOf(filter, startOfDay);
  const params = new URLSearchParams({ select: ['id', ...embeds].join(), order: 'id', archived_at: 'is.null' });
  for (const [column, operator, value] of narrowing) params.append(column, `${operator}.${value}`);
  if (where !== '') params.set('or', `(${where})`);
  const response = await app.request(`/rest/v1/tasks?${params}`, { token: ada.token });
  const rows: unknown = await response.json();
  if (!Array.isArray(rows)) throw new Error(`${JSON.stringify(rows)} to ${decodeURIComponent(String(params))}`);
  return rows.map(({ id }: { id: string }) => id);
}

function inTheStore(filter: Group): string[] {
  const passes = testOf(store, filter) ?? (() => true);
  return store
    .all('tasks')
    .filter((task) => task.archived_at === null && passes(task))
    .map(({ id }) => id)
    .sort();
}

/** As policies of public links ask it, with what is relative. */
async function inTheDatabase(filter: unknown): Promise<string[]> {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const rows = await app.sql<{ id: string }>(
    `select f.id from (select distinct project_id from public.tasks) p,
     lateral private.tasks_of_filter(p.project_id, $1, $2, $3, $4) f order by f.id`,
    [JSON.stringify(filter), today, timeZone, ada.id],
  );
  return rows.map(({ id }) => id);
}

test(`find the same tasks in the store, through the data door and in the database (SEED=${seed})`, async () => {
  const found: number[] = [];
  for (const written of drawn()) {
    const filter = settleFilter(written, today, ada.id);
    const ids = inTheStore(filter);
    expect(await throughTheDoor(filter), JSON.stringify(written)).toEqual(ids);
    expect(await inTheDatabase(written), JSON.stringify(written)).toEqual(ids);
    found.push(ids.length);
  }
  // Not a test of filters that find nothing, or everything.
  expect(found.filter((n) => n > 0 && n < 300).length).toBeGreaterThan(runs / 3);
});

test('every property with every operator is one of them', async () => {
  for (const property of asked())
    for (const is of operatorsFor(property)) {
      const [value] = fc.sample(drawValue(property, is), { numRuns: 1, seed });
      const written: Group = { all: [{ property, is, ...(value === undefined ? {} : { value }) }] };
      const filter = settleFilter(written, today, ada.id);
      const found = inTheStore(filter);
      expect(await throughTheDoor(filter), `${property} ${is} ${value}`).toEqual(found);
      expect(await inTheDatabase(written), `${property} ${is} ${value} in the database`).toEqual(found);
    }
});

test('every yes-or-no filter passes some tasks and not all', () => {
  for (const [property, kind] of Object.entries(properties).filter(([, one]) => one === 'flag')) {
    const passing = inTheStore({ all: [{ property: property as Property, is: 'is', value: 'yes' }] });
    expect([property, kind, passing.length > 0 && passing.length < 290]).toEqual([property, kind, true]);
  }
});

test('figures of what passes are counted here as the server counts those of all', async () => {
  for (const project of known.project) {
    // Filled without the triggers that count.
    await app.sql('select private.recount_figures(array[$1::uuid])', [project]);
    const { data } = await ada.client.rpc('dashboard_metrics', { project_id: project });
    const { data: flow } = await ada.client.rpc('task_flow', { project_id: project });
    const counted = {
      ...figuresInView.read(store, project, { all: [] }, localDay(new Date())),
      ...flowOf(listOf.read(store, project, { all: [] }), { [project]: flow }),
    };
    const sorted = (people: readonly { user_id: string }[]) =>
      [...people].sort((one, other) => (one.user_id < other.user_id ? -1 : 1));
    expect({ ...counted, by_assignee: sorted(counted.by_assignee) }).toEqual({
      ...data,
      generated_at: expect.any(String),
      by_assignee: sorted(data.by_assignee),
      // Said to the second or so.
      cycle_time_days: {
        p50: expect.closeTo(data.cycle_time_days.p50, 4),
        p90: expect.closeTo(data.cycle_time_days.p90, 4),
      },
      lead_time_days: {
        p50: expect.closeTo(data.lead_time_days.p50, 6),
        p90: expect.closeTo(data.lead_time_days.p90, 6),
      },
    });
  }
});

test('task flows of several projects add up to the figures of the dashboard', async () => {
  const { data: all } = await ada.client.rpc('dashboard_metrics');
  const { data: flows } = await ada.client.rpc('task_flows', { project_ids: [...known.project, ada.id] });
  expect(Object.keys(flows).sort()).toEqual([...known.project].sort());
  const tasks = known.project.flatMap((project) => listOf.read(store, project, { all: [] }));
  const { cumulative_flow, cycle_time_days } = flowOf(tasks, flows);
  expect(cumulative_flow).toEqual(all.cumulative_flow);
  expect(cycle_time_days.p50 ?? 0).toBeCloseTo(all.cycle_time_days.p50 ?? 0, 4);
});

describe('a filter as it is written', () => {
  test(`comes back from JSON and from an address (SEED=${seed})`, () => {
    for (const filter of drawn()) {
      expect(readFilter(JSON.parse(JSON.stringify(filter)))).toEqual(filter);
      const address = new URLSearchParams({ filter: writeFilter(filter) });
      const again = parseFilter(new URLSearchParams(String(address)).get('filter') ?? '');
      expect(settleFilter(again, today, ada.id), writeFilter(filter)).toEqual(settleFilter(filter, today, ada.id));
    }
  });

  const person = '0192f3a0-0000-7000-8000-000000000001';
  test('reads well in an address', () => {
    const filter: Group = {
      all: [
        { property: 'due_date', is: 'in_next', value: 7 },
        {
          any: [
            { property: 'assignee', is: 'any_of', value: ['me', person] },
            { property: 'assignee', is: 'empty' },
          ],
        },
      ],
    };
    expect(writeFilter(filter)).toBe(`due_date.in_next.7*any*assignee.any_of.me.${person}*assignee.empty*end`);
  });

  test.each([
    [
      { all: [{ property: 'dew_date', is: 'empty' }] },
      'filter.all[0].property is "dew_date"; it must be one of text, title',
    ],
    [
      { any: [{ property: 'due_date', is: 'contains', value: 'x' }] },
      'filter.any[0].is is "contains"; it must be one of is, is_not, before',
    ],
    [
      { all: [{ property: 'due_date', is: 'before', value: '2026-02-30' }] },
      'filter.all[0].value is "2026-02-30"; it must be a day',
    ],
    [
      { all: [{ property: 'assignee', is: 'any_of', value: ['you'] }] },
      'filter.all[0].value[0] is "you"; it must be the id of a person, or "me".',
    ],
    [
      { all: [{ property: 'due_date', is: 'in_next', value: 1.5 }] },
      'filter.all[0].value is 1.5; it must be a whole number from 0 to 3660.',
    ],
    [{ all: {} }, 'filter.all must be a list.'],
    [[], 'filter must be an object'],
    [
      { all: Array.from({ length: 101 }, () => ({ property: 'due_date', is: 'empty' })) },
      'filter must have at most 100 conditions.',
    ],
    [
      { all: [{ all: [{ all: [{ all: [{ all: [] }] }] }] }] },
      'filter.all[0].all[0].all[0].all[0] must not lie deeper than 4 groups.',
    ],
  ])('%#: refused by name', (wrong, sentence) => {
    expect(() => readFilter(wrong)).toThrow(sentence);
  });

  test('a view says the same of its other parts', () => {
    expect(() => readView({ layout: 'gantt' })).toThrow('layout is "gantt"; it must be one of board, list');
    expect(() => readView({ sort: [{ by: 'mood' }] })).toThrow('sort[0].by is "mood"');
    expect(readView({})).toEqual({
      layout: 'board',
      filter: { all: [] },
      grouping: null,
      lanes: null,
      sort: [],
      shown: {},
    });
  });

  test('links of before mean what they meant', () => {
    const read = (search: string): Group => parseOlderFilter(new URLSearchParams(search));
    expect(read(`q=rope&assignee=${person},&priority=p0,p1&due=week`)).toEqual({
      all: [
        { property: 'text', is: 'contains', value: 'rope' },
        {
          any: [
            { property: 'assignee', is: 'any_of', value: [person] },
            { property: 'assignee', is: 'empty' },
          ],
        },
        { property: 'priority', is: 'any_of', value: ['p0', 'p1'] },
        { property: 'due_date', is: 'in_next', value: 7 },
      ],
    });
    expect(conditionsIn(read('due=overdue'))).toHaveLength(2);
    const sort = (search: string) => parseOlderSort(new URLSearchParams(search));
    expect(sort('sort=due')).toEqual([{ by: 'due_date', descending: false }]);
    expect(sort('sort=updated')).toEqual([{ by: 'updated_at', descending: true }]);
    expect(sort('sort=number&order=backwards')).toEqual([{ by: 'number', descending: true }]);
    expect(sort('sort=rank')).toEqual([]);
    const field = fieldProperty('number', person);
    expect(sort(`sort=-${field}.title`)).toEqual([
      { by: field, descending: true },
      { by: 'title', descending: false },
    ]);
    expect(sort('sort=-updated_at.title')).toEqual([
      { by: 'updated_at', descending: true },
      { by: 'title', descending: false },
    ]);
  });

  test('relative days move on with the day, and "me" is the reader', () => {
    const filter: Group = {
      all: [
        { property: 'due_date', is: 'before', value: '+3' },
        { property: 'assignee', is: 'is', value: 'me' },
      ],
    };
    expect(settleFilter(filter, '2026-02-27', 'ada')).toEqual({
      all: [
        { property: 'due_date', is: 'before', value: '2026-03-02' },
        { property: 'assignee', is: 'is', value: 'ada' },
      ],
    });
  });
});
