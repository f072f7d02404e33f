// Properties of every kind: a formatted value parses back to itself, and invalid values are refused.

import { expect, test } from 'vitest';
import type { Json } from '../../contract/database.ts';
import { type FieldKind, fieldKinds, fieldProperty } from '../../contract/field-properties.ts';
import type { Property as PropertyName } from '../../contract/views.ts';
import { taskRow } from '../../test/helpers/task-row.ts';
import { readOneDay } from '../queries/days/read-one-day.ts';
import { Store } from '../sync/rows/store.ts';
import type { CellValue } from './cell-value.ts';
import { own, ownColumns } from './own.ts';
import { propertyNamed } from './properties.ts';

const moment = '2026-05-01T09:00:00Z';
const today = '2026-05-15';
const readDay = (typed: string): string | undefined => readOneDay(typed, today);

const task = taskRow('t1', {
  number: 7,
  title: 'Oil the bearings',
  priority: 'p1',
  order_rank: 'a',
  start_date: '2026-05-04',
  due_date: '2026-05-20',
  estimate: 1.5,
  created_by: 'ada',
  created_at: moment,
  updated_at: moment,
});

const held: Readonly<Record<FieldKind, Json>> = {
  text: 'brass',
  number: -12.25,
  date: '2026-06-01',
  select: 'small',
  multi_select: ['small', 'large'],
  person: 'bob',
  url: 'https://example.com/a',
  checkbox: true,
};
const idOf = (kind: FieldKind): string => `00000000-0000-4000-8000-00000000000${fieldKinds.indexOf(kind)}`;

function openWorld(): Store {
  const store = new Store();
  const project = {
    id: 'p',
    name: 'Engine',
    description: '',
    key: 'ENG',
    color: null,
    archived_at: null,
    enforce_dependencies: true,
    created_by: null,
    created_at: moment,
    updated_at: moment,
  };
  const column = { project_id: 'p', wip_limit: null, color: null };
  const link = { project_id: 'p', task_id: 't1' };
  const member = { project_id: 'p', role: 'editor' as const, created_at: moment };
  const options = [
    { id: 'small', name: 'Small' },
    { id: 'large', name: 'Large' },
  ];
  store.receive([
    { table: 'projects', row: project },
    { table: 'workflow_columns', row: { ...column, id: 'todo', name: 'To do', kind: 'todo', position: 1 } },
    { table: 'workflow_columns', row: { ...column, id: 'done', name: 'Done', kind: 'done', position: 2 } },
    { table: 'profiles', row: { id: 'ada', display_name: 'Ada', avatar_url: null } },
    { table: 'profiles', row: { id: 'bob', display_name: 'Bob', avatar_url: null } },
    { table: 'project_members', row: { ...member, user_id: 'ada' } },
    { table: 'project_members', row: { ...member, user_id: 'bob' } },
    { table: 'task_labels', row: { id: 'bug', project_id: 'p', name: 'Bug', color: null } },
    { table: 'task_labels', row: { id: 'idea', project_id: 'p', name: 'Idea', color: null } },
    { table: 'tasks', row: task },
    { table: 'task_assignees', row: { ...link, user_id: 'ada' } },
    { table: 'task_assignees', row: { ...link, user_id: 'bob' } },
    { table: 'task_label_links', row: { ...link, label_id: 'bug' } },
    { table: 'task_label_links', row: { ...link, label_id: 'idea' } },
    ...fieldKinds.flatMap((kind, position) => [
      {
        table: 'custom_fields' as const,
        row: { id: idOf(kind), project_id: 'p', name: kind, kind, options, unit: null, default_value: null, position },
      },
      { table: 'task_field_values' as const, row: { ...link, field_id: idOf(kind), value: held[kind] } },
    ]),
  ]);
  return store;
}

const said = (name: PropertyName): string => propertyNamed(name).say(openWorld(), task);
const read = (name: PropertyName, typed: string) => propertyNamed(name).read(openWorld(), task, typed, readDay);

const ownChanges: Readonly<Partial<Record<keyof typeof own, CellValue>>> = {
  title: { of: 'task', patch: { title: 'Oil the bearings' } },
  priority: { of: 'task', patch: { priority: 'p1' } },
  column: { of: 'column', columnId: 'todo' },
  label: { of: 'labels', ids: ['bug', 'idea'] },
  assignee: { of: 'people', ids: ['ada', 'bob'] },
  start_date: { of: 'task', patch: { start_date: '2026-05-04' } },
  due_date: { of: 'task', patch: { due_date: '2026-05-20' } },
  estimate: { of: 'task', patch: { estimate: 1.5 } },
};

test.each(ownColumns)('%s of a task reads back what it says, or is written by the database alone', (name) => {
  const cell = ownChanges[name];
  const answer = read(name, said(name));
  expect(answer).toEqual(cell ? { cell } : { fault: expect.any(String) });
  expect(own[name].writes).toBe(cell !== undefined);
});

test.each(fieldKinds)('a field of kind %s reads back what it says, and nothing typed empties it', (kind) => {
  const name = fieldProperty(kind, idOf(kind));
  const cell = (value: Json) => ({ cell: { of: 'field', fieldId: idOf(kind), value } });
  expect(read(name, said(name))).toEqual(cell(held[kind]));
  expect(read(name, '  ')).toEqual(cell(null));
  expect(propertyNamed(name).isFilled(openWorld(), task)).toBe(true);
});

test.each([
  ['title', ''],
  ['title', 'x'.repeat(501)],
  ['column', 'Nowhere'],
  ['column', ''],
  ['priority', 'soonish'],
  ['label', 'Bug, Wonder'],
  ['assignee', 'Carol'],
  ['due_date', 'never ever'],
  ['estimate', '-1'],
  [fieldProperty('number', idOf('number')), 'many'],
  [fieldProperty('select', idOf('select')), 'Small; Large'],
  [fieldProperty('checkbox', idOf('checkbox')), 'perhaps'],
  [fieldProperty('url', idOf('url')), 'two words'],
  [fieldProperty('person', idOf('person')), 'Ada; Bob'],
] satisfies [PropertyName, string][])('%s refuses “%s”', (name, typed) => {
  expect(read(name, typed)).toEqual({ fault: expect.any(String) });
});

test('an emptied priority is the usual one, emptied people and labels are none', () => {
  expect(read('priority', '')).toEqual({ cell: { of: 'task', patch: { priority: 'p2' } } });
  expect(read('assignee', '')).toEqual({ cell: { of: 'people', ids: [] } });
  expect(read('label', '')).toEqual({ cell: { of: 'labels', ids: [] } });
  expect(read('estimate', '')).toEqual({ cell: { of: 'task', patch: { estimate: null } } });
});
