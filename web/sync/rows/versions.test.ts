// States of a row come as answers, as live changes and as fetched rows, in any order among each other: what is shown in the end is what the
// server has, and what was written here never goes back to what it was before.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { taskRow } from '../../../test/helpers/task-row.ts';
import { type Diff, insert, remove, update } from './diff.ts';
import { type RowChange, Store } from './store.ts';

function world() {
  const store = new Store();
  const show = (diff: Diff): Diff => {
    store.apply(diff);
    return diff;
  };
  return { store, show, arrive: (...changes: RowChange[]) => store.receive(changes, true) };
}

const state = (version: number, title: string): RowChange => ({
  table: 'tasks',
  row: taskRow('a', { title, version }),
});

function renamed(store: Store, title: string): Diff {
  const row = store.get('tasks', 'a');
  const one = row && update('tasks', row, { title });
  return one ? [one] : [];
}

test('live changes, answers and fetches in any order that a network can make of them: mine never goes back, and the last one stays', () => {
  fc.assert(
    fc.property(
      fc.array(fc.boolean(), { minLength: 1, maxLength: 8 }),
      fc.array(fc.nat(), { minLength: 24, maxLength: 24 }),
      (mine, chance) => {
        const { store, show, arrive } = world();
        arrive(state(1, 'begin'));
        // Commits one after the other; those of mine are shown at once, and their answers come in their order.
        const commits = mine.map((own, at) => state(at + 2, own ? `mine ${at}` : `theirs ${at}`));
        const own = mine.flatMap((isOwn, at) => (isOwn ? [at] : []));
        const diffs = own.map((at) => show(renamed(store, `mine ${at}`)));
        let arrived = 0;
        let answered = 0;
        // A fetch: what the server had when it was asked, and when that was here.
        let fetched: { readonly at: number; readonly since: number } | null = null;
        for (let turn = 0; arrived < commits.length || answered < own.length; turn++) {
          const dice = (chance[turn % 24] ?? 0) % 4;
          const at = own[answered] ?? 0;
          const seen = Math.max(arrived - 1, own[answered - 1] ?? -1);
          if (dice === 0 && fetched === null) {
            fetched = { at: Math.min(commits.length - 1, Math.max(0, seen)), since: store.now() };
          } else if (dice === 1 && fetched !== null) {
            const commit = commits[fetched.at] as { row: object };
            store.merge('tasks', [commit.row], fetched.since);
            fetched = null;
          } else if (answered < own.length && (arrived === commits.length || dice % 2 === 0)) {
            store.accept(diffs[answered++] ?? [], [commits[at] as RowChange]);
          } else if (arrived < commits.length) arrive(commits[arrived++] as RowChange);
          // What was answered is not undone by what is older.
          const title = store.get('tasks', 'a')?.title ?? '';
          if (answered === own.length && answered > 0)
            expect(Number(title.split(' ')[1] ?? -1)).toBeGreaterThanOrEqual(own[answered - 1] ?? -1);
        }
        expect(store.get('tasks', 'a')?.title).toBe((commits.at(-1) as { row: { title: string } }).row.title);
      },
    ),
    { numRuns: 500 },
  );
});

test('a link that is made and cut by anybody, whenever answers come: never there again once it is cut, in the end as the server has it', () => {
  fc.assert(
    fc.property(
      fc.array(fc.boolean(), { minLength: 1, maxLength: 8 }),
      fc.array(fc.boolean(), { minLength: 24, maxLength: 24 }),
      (mine, answersFirst) => {
        const { store, show, arrive } = world();
        const key = 'a ada';
        const link = (version?: number) => ({
          project_id: 'p',
          task_id: 'a',
          user_id: 'ada',
          ...(version === undefined ? {} : { version }),
        });
        // Made, cut, made, …: each of mine or of somebody else.
        const commits = mine.map((own, at) => {
          const isThere = at % 2 === 0;
          const row = link(at + 1 - (isThere ? 0 : 1));
          const live: RowChange = isThere ? { table: 'task_assignees', row } : { table: 'task_assignees', gone: key };
          const answer: RowChange = isThere ? live : { table: 'task_assignees', gone: key, version: row.version ?? 0 };
          return { own, isThere, live, answer };
        });
        let arrived = 0;
        let newest = -1;
        for (const [at, { own, isThere, answer }] of commits.entries()) {
          if (!own) continue;
          // Of others, what was before mine has been seen here: else there was nothing to do.
          for (; arrived < at && (store.get('task_assignees', key) !== undefined) === isThere; arrived++)
            arrive(commits[arrived]?.live as RowChange);
          const diff = show([isThere ? insert('task_assignees', link()) : remove('task_assignees', link(at))]);
          expect(store.get('task_assignees', key) !== undefined).toBe(isThere);
          for (; arrived <= at && answersFirst[at + arrived] === false; arrived++)
            arrive(commits[arrived]?.live as RowChange);
          store.accept(diff, [answer]);
          newest = at;
          // Until something later comes it stays as I left it.
          for (; arrived <= newest && answersFirst[at * 2 + arrived] === true; arrived++) {
            expect(store.get('task_assignees', key) !== undefined).toBe(isThere);
            arrive(commits[arrived]?.live as RowChange);
          }
        }
        for (; arrived < commits.length; arrived++) arrive(commits[arrived]?.live as RowChange);
        expect(store.get('task_assignees', key) !== undefined).toBe(commits.at(-1)?.isThere);
      },
    ),
    { numRuns: 500 },
  );
});

test('a row deleted by others, restored, and deleted here is gone at once', () => {
  const { store, show, arrive } = world();
  arrive(state(1, 'begin'));
  arrive({ table: 'tasks', gone: 'a' });
  arrive(state(2, 'back'));
  const cut = show([remove('tasks', taskRow('a', { title: 'back', version: 2 }))]);
  store.accept(cut, [{ table: 'tasks', gone: 'a', version: 2 }]);
  expect(store.get('tasks', 'a')).toBeUndefined();
  // What is older than that comes late.
  arrive(state(2, 'back'));
  expect(store.get('tasks', 'a')).toBeUndefined();
});

test('a database that was restored to an earlier day is believed by the next look', () => {
  const { store, arrive } = world();
  arrive(state(9, 'lost'));
  const since = store.now();
  store.merge('tasks', [taskRow('a', { title: 'restored', version: 4 })], since);
  expect(store.get('tasks', 'a')?.title).toBe('restored');
});
