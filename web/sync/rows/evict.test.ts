// Letting go: a tab that is open for a month holds what it shows, and no more of what it showed before.

import { expect, test } from 'vitest';
import { taskRow } from '../../../test/helpers/task-row.ts';
import { putColumns } from './field-columns.ts';
import { evictAfter, type Source, startRefetch } from './refetch.ts';
import { evict, type Hold, type Scope, scopeName } from './scopes.ts';
import { Store } from './store.ts';

/** Entries of all maps, sets and lists in it. */
function entriesIn(value: unknown, seen = new Set<unknown>()): number {
  if (typeof value !== 'object' || value === null || seen.has(value)) return 0;
  seen.add(value);
  const parts = value instanceof Map ? [...value].flat() : value instanceof Set ? [...value] : Object.values(value);
  const own = Array.isArray(value) || value instanceof Set || value instanceof Map ? parts.length : 0;
  return parts.reduce<number>((sum, part) => sum + entriesIn(part, seen), own);
}

function world() {
  const store = new Store();
  const is = { now: 0, refused: false };
  const page = { addEventListener() {}, removeEventListener() {}, setInterval: () => 0, clearInterval() {} };
  const refetch = startRefetch({
    busy: () => false,
    visible: () => true,
    page: page as never,
    clock: () => is.now,
    pause: async () => undefined,
    isLive: () => true,
  });
  const holds = new Set<Hold>();
  const settle = async (): Promise<void> => {
    for (let round = 0; round < 20; round++) await Promise.resolve();
  };
  const none = { load: async () => false, save: async () => undefined, staysFresh: 0 };
  /** A project with one task of mine, one deleted while it was looked at, and a column of field values. */
  function project(projectId: string): Source[] {
    const fetch = async (): Promise<void> => {
      if (is.refused) throw new Error('nobody answers');
      const row = taskRow(`${projectId} task`, { project_id: projectId, column_id: `${projectId} todo` });
      store.replace('tasks', (task) => task.project_id === projectId, [row], store.now());
      const gone = { id: `${projectId} gone`, project_id: projectId };
      store.receive([{ table: 'tasks', row: gone }], true);
      store.receive([{ table: 'tasks', gone: gone.id }], true);
      const link = { project_id: projectId, task_id: row.id, user_id: 'ada' };
      store.receive([{ table: 'task_assignees', row: link }]);
    };
    const about = { kind: 'project', projectId } as const satisfies Scope;
    const field: Source = {
      ...none,
      name: `field of ${projectId}`,
      about: { kind: 'fields', projectId },
      fetch: async () => {
        putColumns(store, projectId, new Map([[`field of ${projectId}`, { numbers: [1], values: ['x'] }]]), 0);
        const value = { project_id: projectId, task_id: `${projectId} task`, field_id: 'other', value: 'y' };
        store.receive([{ table: 'task_field_values', row: value }]);
      },
      evict: () => store.fieldColumns.drop(`field of ${projectId}`),
    };
    return [{ ...none, name: scopeName(about), about, fetch }, field];
  }
  return {
    store,
    refetch,
    is,
    holds,
    async open(projectId: string) {
      const closes = project(projectId).map((source) => refetch.open(source));
      await settle();
      return () => {
        for (const close of closes) close();
      };
    },
    async hours(count: number) {
      for (let hour = 0; hour < count; hour++) {
        is.now += evictAfter;
        evict(refetch, store, holds);
        await settle();
      }
    },
  };
}

test('a tab that opens and leaves many projects holds what it shows', async () => {
  const { store, refetch, open, hours } = world();
  await open('shown');
  await hours(3);
  const [sources, entries] = [refetch.sources().length, entriesIn(store)];
  for (let at = 0; at < 50; at++) {
    const close = await open(`left ${at}`);
    close();
  }
  expect(entriesIn(store)).toBeGreaterThan(entries + 50);
  await hours(3);
  expect(refetch.sources()).toHaveLength(sources);
  expect(entriesIn(store)).toBe(entries);
  expect(store.all('tasks').map(({ id }) => id)).toEqual(['shown task']);
});

test('rows that were left lately, wait for the server, or are held by a screen stay', async () => {
  const { store, refetch, open, hours, holds } = world();
  for (const name of ['held', 'written', 'let go']) {
    const close = await open(name);
    close();
  }
  holds.add((table, row) => table === 'tasks' && (row as { id: string }).id === 'held task');
  const before = { title: store.get('tasks', 'written task')?.title ?? '' };
  store.apply([{ kind: 'update', table: 'tasks', key: 'written task', before, after: { title: 'New' } }]);
  await hours(2);
  const close = await open('lately');
  close();
  await hours(1);
  expect(refetch.sources().map(({ name }) => name)).toEqual([]);
  const titles = store.all('tasks').map(({ id, title }) => `${id}: ${title}`);
  expect(titles).toEqual(['held task: held task', 'written task: New', 'lately task: lately task']);
});

test('nothing is let go while the server cannot bring it back', async () => {
  const { refetch, open, hours, is } = world();
  const close = await open('left');
  close();
  is.refused = true;
  await open('shown');
  await hours(3);
  expect(refetch.sources().map(({ name }) => name)).toContain('project left');
});
