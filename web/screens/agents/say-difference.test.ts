// Differences of saved views and dependencies in words of each language: no JSON, and no word of the database.

import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import type { Json } from '../../../contract/database.ts';
import { speakEnglish } from '../../../test/helpers/english.ts';
import { taskRow } from '../../../test/helpers/task-row.ts';
import type { DifferenceStep } from '../../queries/agents/sessions.ts';
import { type Catalog, setCatalog } from '../../strings/messages.ts';
import { Store } from '../../sync/rows/store.ts';
import { groupsOf } from './say-difference.ts';

const catalogs = import.meta.glob<Catalog>('../../strings/*/{app,agents,views,table}.json', {
  eager: true,
  import: 'default',
});

function speak(language: string): void {
  const parts = Object.entries(catalogs).flatMap(([path, part]) => (path.includes(`/${language}/`) ? [part] : []));
  setCatalog(Object.assign({}, ...parts), language);
}

const ids = Object.fromEntries(
  ['label', 'known', 'proposed', 'person', 'view', 'gone'].map((name, at) => [
    name,
    `00000000-0000-4000-8000-00000000000${at}`,
  ]),
) as Record<'label' | 'known' | 'proposed' | 'person' | 'view' | 'gone', string>;

const store = new Store();
store.receive([
  { table: 'projects', row: { id: 'p', key: 'ENG', name: 'Engine' } },
  { table: 'profiles', row: { id: ids.person, display_name: 'Ada', avatar_url: null } },
  { table: 'task_labels', row: { id: ids.label, project_id: 'p', name: 'Bug', color: null } },
  { table: 'tasks', row: taskRow('t1', { title: 'Oil the bearings' }) },
  {
    table: 'custom_fields',
    row: { id: ids.known, project_id: 'p', name: 'Size', kind: 'select', options: [{ id: 's', name: 'Small' }] },
  },
]);

const plain = { id: ids.view, project_id: 'p', name: 'Mine', filter: {}, layout: 'board', grouping: null, lanes: null };
const view = { ...plain, sort: [], shown: {}, is_shared: true } as Readonly<Record<string, Json>>;
const proposedField: DifferenceStep = {
  table: 'custom_fields',
  was: null,
  becomes: { id: ids.proposed, project_id: 'p', name: 'Rig', kind: 'select', options: [{ id: 'm', name: 'Mast' }] },
};

/** What a column of the view is said to have been, and to become. */
function said(column: string, value: Json, before: Json = view[column] ?? null) {
  const step = { table: 'saved_views', was: { ...view, [column]: before }, becomes: { ...view, [column]: value } };
  const [, thing] = groupsOf([proposedField, step], store).flatMap(({ things }) => things);
  return thing?.fields.map(({ from, to }) => ({ from, to }));
}

afterAll(() => speakEnglish());

const filter = {
  all: [
    { property: 'due_date', is: 'in_next', value: 7 },
    { property: 'label', is: 'any_of', value: [ids.label] },
    {
      any: [
        { property: 'assignee', is: 'any_of', value: ['me', ids.person] },
        { property: 'blocked', is: 'is', value: 'yes' },
      ],
    },
  ],
};

describe.each([
  [
    'en',
    'Due is in the next 7 days, Label is Bug, and (Assignee is Me or Ada or Blocked: yes)',
    ['Board', 'Timeline'],
    'Finish to start',
  ],
  [
    'de',
    /Fälligkeit: in den nächsten 7 Tagen, Label: Bug und \(.* Ada oder .*\)/,
    ['Board', 'Zeitachse'],
    'Ende-Anfang',
  ],
  ['fr', /Échéance\s: dans les 7 jours, Étiquette\s: Bug et \(.* Ada ou .*\)/, ['Tableau', 'Chronologie'], 'Fin-début'],
])('in the language %s', (language, words, [board, timeline], type) => {
  beforeEach(() => speak(language));

  test('a filter is said as its chips are', () => {
    const [change] = said('filter', filter) ?? [];
    expect(change?.from).toBe(null);
    expect(change?.to).toMatch(words);
  });

  test('a layout has its name', () => {
    expect(said('layout', 'timeline')).toEqual([{ from: board, to: timeline }]);
  });

  test('a dependency has its type', () => {
    const link = { id: 'd', project_id: 'p', predecessor_id: 't1', successor_id: 't1', lag_days: 0 };
    const step = { table: 'task_dependencies', was: { ...link, type: null }, becomes: { ...link, type: 'FS' } };
    const [thing] = groupsOf([step], store).flatMap(({ things }) => things);
    expect(thing?.fields.map(({ to }) => to)).toEqual([type]);
  });

  test('an order and a grouping name their properties', () => {
    const [sorted] = said('sort', [{ by: 'priority', descending: true }]) ?? [];
    expect(sorted).toEqual({ from: null, to: expect.not.stringMatching(/priority|descending":|[{}[\]]/) });
    expect(said('grouping', `select_field.${ids.known}`)).toEqual([{ from: null, to: 'Size' }]);
  });
});

describe('in a filter', () => {
  beforeEach(() => speak('en'));
  const one = (condition: Json): string | null | undefined => said('filter', { all: [condition] })?.[0]?.to;

  test('fields that are here, or only proposed, are named with their options', () => {
    const of = (id: string, value: string) => one({ property: `select_field.${id}`, is: 'any_of', value: [value] });
    expect(of(ids.known, 's')).toBe('Size is Small');
    expect(of(ids.proposed, 'm')).toBe('Rig is Mast');
    expect(of(ids.gone, 'x')).toBe('A deleted field is No longer exists');
  });

  test('each of many values is named', () => {
    const value = ['p0', 'p1', 'p2'];
    expect(one({ property: 'priority', is: 'any_of', value })).not.toContain('more');
    const kinds = ['backlog', 'todo', 'in_progress', 'done'];
    const words = one({ property: 'kind', is: 'any_of', value: kinds });
    expect(words?.split(/, or |, /)).toHaveLength(kinds.length);
    expect(words).not.toContain('in_progress');
  });

  test('a label that is gone is said to be', () => {
    expect(one({ property: 'label', is: 'any_of', value: [ids.gone] })).toBe('Label is No longer exists');
  });

  test('a condition that no view can hold stands as it is', () => {
    expect(said('filter', { all: [{ property: 'mood' }] })).toEqual([
      { from: null, to: '{"all":[{"property":"mood"}]}' },
    ]);
  });
});

test('a task is named once: above its changes, but where the first of them is the task', () => {
  const renamed = { table: 'tasks', was: { id: 't1', title: 'Oil' }, becomes: { id: 't1', title: 'Oil the bearings' } };
  const item = { id: 'i', project_id: 'p', task_id: 't1', title: 'Buy oil' };
  const added = { table: 'task_checklist_items', was: null, becomes: item };
  const titles = (steps: readonly DifferenceStep[]) => groupsOf(steps, store).map(({ title }) => title);
  expect(titles([renamed, added])).toEqual([null]);
  expect(titles([added, renamed])).toEqual([expect.stringContaining('Oil the bearings')]);
});
