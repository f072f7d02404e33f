// Own writes come twice, as a response and as a change, in any order among the changes of others: what is shown in the end is what the
// server has, and what was written here never goes back to what it was before.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { taskRow } from '../../../test/helpers/task-row.ts';
import { openShown } from '../journal/shown.ts';
import { insert, remove, update } from '../rows/diff.ts';
import type { RowChange } from '../rows/store.ts';
import { Store } from '../rows/store.ts';
import { openEchoes } from './echoes.ts';

function world() {
  const store = new Store();
  let now = 0;
  let lost = 0;
  const echoes = openEchoes({
    clock: () => now,
    isFollowing: () => true,
    base: (table, key) => store.base(table, key),
    onLost: () => {
      lost += 1;
    },
  });
  const shown = openShown(store, echoes);
  return {
    store,
    echoes,
    shown,
    arrive: (...changes: RowChange[]) => store.receive(changes.filter((change) => echoes.admit(change))),
    wait(ms: number) {
      now += ms;
      echoes.sweep();
    },
    lost: () => lost,
  };
}

const version = (at: number, title: string): RowChange => ({
  table: 'tasks',
  row: taskRow('a', { title, updated_at: `v${at}` }),
});

const rename = (title: string) => ({
  name: 'rename',
  args: null,
  label: '',
  apply: (store: Pick<Store, 'get'>) => {
    const row = store.get('tasks', 'a');
    const one = row && update('tasks', row, { title });
    return one ? [one] : [];
  },
  send: async () => [],
});

test('changes and responses in any order that a network can make of them: mine never goes back, and the last one stays', () => {
  fc.assert(
    fc.property(
      fc.array(fc.boolean(), { minLength: 1, maxLength: 8 }),
      fc.array(fc.nat(), { minLength: 16, maxLength: 16 }),
      (mine, chance) => {
        const { store, shown, arrive } = world();
        arrive(version(0, 'begin'));
        // Commits one after the other; those of mine are shown at once, and their responses come in their order.
        const changes = mine.map((own, at) => version(at + 1, own ? `mine ${at}` : `theirs ${at}`));
        const own = mine.flatMap((isOwn, at) => (isOwn ? [at] : []));
        const mutations = own.map((at) => rename(`mine ${at}`));
        for (const mutation of mutations) shown.show(mutation as never);
        let arrived = 0;
        let answered = 0;
        for (let turn = 0; arrived < changes.length || answered < own.length; turn++) {
          const answers = answered < own.length && (arrived === changes.length || (chance[turn % 16] ?? 0) % 2 === 0);
          const at = own[answered] ?? 0;
          if (answers) shown.keep(mutations[answered++] as never, [changes[at] as RowChange]);
          else arrive(changes[arrived++] as RowChange);
          // What was answered is not undone by what is older.
          const title = store.get('tasks', 'a')?.title ?? '';
          const last = own[answered - 1] ?? -1;
          if (answered === own.length) expect(Number(title.split(' ')[1] ?? 0)).toBeGreaterThanOrEqual(last);
        }
        expect(store.get('tasks', 'a')?.title).toBe((changes.at(-1) as { row: { title: string } }).row.title);
      },
    ),
    { numRuns: 500 },
  );
});

test('a link that is made and cut again is as it was left, whenever its changes come', () => {
  const link = { project_id: 'p', task_id: 'a', user_id: 'ada' };
  const key = 'a ada';
  const here: RowChange = { table: 'task_assignees', row: link };
  const gone: RowChange = { table: 'task_assignees', gone: key };
  const { store, shown, arrive } = world();
  const make = { apply: () => [insert('task_assignees', link)] };
  const cut = { apply: () => [remove('task_assignees', link)] };
  shown.show(make as never);
  shown.keep(make as never, [here]);
  shown.show(cut as never);
  shown.keep(cut as never, [gone]);
  arrive(here);
  expect(store.get('task_assignees', key)).toBeUndefined();
  arrive(gone);
  shown.show(make as never);
  shown.keep(make as never, [here]);
  expect(store.get('task_assignees', key)).toEqual(link);
  arrive(here);
  expect(store.get('task_assignees', key)).toEqual(link);
});

test('a change that is waited for and does not come: all is asked for again', () => {
  const { shown, arrive, wait, lost } = world();
  arrive(version(0, 'begin'));
  const mutation = rename('mine');
  shown.show(mutation as never);
  shown.keep(mutation as never, [version(5, 'mine')]);
  arrive(version(3, 'theirs'));
  expect(lost()).toBe(0);
  wait(10_001);
  expect(lost()).toBe(1);
});

test('a row deleted by others, restored, and deleted here is gone at once', () => {
  const { store, shown, arrive } = world();
  const gone: RowChange = { table: 'tasks', gone: 'a' };
  arrive(version(0, 'begin'));
  arrive(gone);
  arrive(version(1, 'back'));
  const cut = { apply: () => [remove('tasks', taskRow('a', { title: 'back', updated_at: 'v1' }))] };
  shown.show(cut as never);
  shown.keep(cut as never, [gone]);
  expect(store.get('tasks', 'a')).toBeUndefined();
  // What is older than that comes late.
  arrive(version(1, 'back'));
  expect(store.get('tasks', 'a')).toBeUndefined();
});
