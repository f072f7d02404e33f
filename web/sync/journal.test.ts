// The journal: order, rollback with a reason, undo, redo, and what is held back for a while.

import { expect, test } from 'vitest';
import { Refusal } from './door.ts';
import type { Deed, JournalNews, Keeper, Timer } from './journal.ts';
import { openJournal } from './journal.ts';
import { PartRefusal, type Send } from './send.ts';
import { insert, remove, type Step, update } from './step.ts';
import { Store } from './store.ts';
import { taskRow } from './task-row.ts';

interface Post {
  readonly steps: readonly Step[];
  readonly accept: () => void;
  readonly refuse: (why: string) => void;
  readonly refusePart: (refused: readonly Step[]) => void;
  /** Nobody answers. */
  readonly fail: () => void;
}

function world() {
  const store = new Store();
  store.receive([{ table: 'tasks', row: taskRow('a') }]);
  const posts: Post[] = [];
  const send: Send = (steps) =>
    new Promise((resolve, reject) => {
      posts.push({
        steps,
        accept: () => resolve([]),
        refuse: (why) => reject(new Error(why)),
        refusePart: (refused) => reject(new PartRefusal(new Error('blocked'), refused, [])),
        fail: () => reject(new Refusal('Failed to fetch', '', 0)),
      });
    });
  const timers = new Map<number, () => void>();
  let next = 0;
  const timer: Timer = {
    set: (work) => {
      timers.set(++next, work);
      return next;
    },
    clear: (handle) => void timers.delete(handle as number),
  };
  const kept: string[] = [];
  const keeper: Keeper = {
    keep: (deed) => void kept.push(deed.label),
    drop: (deed) => void kept.splice(kept.indexOf(deed.label), 1),
  };
  const journal = openJournal(store, send, keeper, timer);
  const news: JournalNews[] = [];
  journal.subscribe((one) => news.push(one));
  const rename = (title: string): Deed => {
    const row = store.get('tasks', 'a');
    const step = row && update('tasks', row, { title });
    return { label: title, steps: step ? [step] : [] };
  };
  const title = (): string | undefined => store.get('tasks', 'a')?.title;
  const settle = async (): Promise<void> => {
    for (let round = 0; round < 20; round++) await Promise.resolve();
  };
  return { store, posts, journal, news, rename, title, timers, settle, kept, send, timer };
}

test('shown at once, sent one after the other', async () => {
  const { posts, journal, rename, title, settle } = world();
  const first = journal.run(rename('one'));
  void journal.run(rename('two'));
  expect(title()).toBe('two');
  await settle();
  expect(posts).toHaveLength(1);
  posts[0]?.accept();
  await first;
  await settle();
  expect(posts).toHaveLength(2);
});

test('refused: taken back, told why, not to be undone, and the next still goes', async () => {
  const { posts, journal, rename, title, settle, news } = world();
  const refused = journal.run(rename('one'));
  await settle();
  posts[0]?.refuse('forbidden');
  await expect(refused).rejects.toThrow('forbidden');
  expect(title()).toBe('a');
  expect(news.at(-1)).toMatchObject({ kind: 'refused', reason: { message: 'forbidden' } });
  expect(journal.undo()).toBeNull();
  const next = journal.run(rename('two'));
  await settle();
  posts[1]?.accept();
  await next;
  expect(title()).toBe('two');
});

test('undo sends the exact reverse, redo the deed again', async () => {
  const { posts, journal, rename, title, settle } = world();
  const done = journal.run(rename('one'));
  await settle();
  posts[0]?.accept();
  await done;
  expect(journal.undo()?.label).toBe('one');
  expect(title()).toBe('a');
  await settle();
  expect(posts[1]?.steps).toEqual([
    { kind: 'update', table: 'tasks', key: 'a', before: { title: 'one' }, after: { title: 'a' } },
  ]);
  posts[1]?.accept();
  await settle();
  journal.redo();
  expect(title()).toBe('one');
  expect(journal.undo()?.label).toBe('one');
});

test('undone before the first was answered, and the first is then refused: still as it was', async () => {
  const { posts, journal, rename, title, settle } = world();
  const refused = journal.run(rename('one'));
  journal.undo();
  expect(title()).toBe('a');
  await settle();
  posts[0]?.refuse('no');
  await expect(refused).rejects.toThrow('no');
  expect(title()).toBe('a');
});

test('held: nothing is sent until its time; undo within it needs no server', async () => {
  const { store, posts, journal, settle, timers } = world();
  const row = taskRow('a');
  const gone = journal.run({ label: 'Deleted a', steps: [remove('tasks', row)], hold: 8000 });
  expect(store.get('tasks', 'a')).toBeUndefined();
  await settle();
  expect(posts).toHaveLength(0);
  journal.undo();
  expect(store.get('tasks', 'a')).toMatchObject({ id: 'a' });
  await gone;
  expect(timers.size).toBe(0);
  expect(posts).toHaveLength(0);
});

test('held: sent when its time is up or the page closes, and then not undone any more', async () => {
  const { store, posts, journal, settle } = world();
  void journal.run({ label: 'Deleted a', steps: [remove('tasks', taskRow('a'))], hold: 8000 });
  journal.flush();
  await settle();
  expect(posts).toHaveLength(1);
  expect(journal.undo()).toBeNull();
  posts[0]?.accept();
  await settle();
  expect(store.get('tasks', 'a')).toBeUndefined();
});

test('a new deed forgets what could be done again', async () => {
  const { journal, rename, posts, settle } = world();
  void journal.run(rename('one'));
  journal.undo();
  void journal.run({ label: 'new', steps: [insert('tasks', taskRow('b'))] });
  expect(journal.redo()).toBeNull();
  await settle();
  expect(posts.length).toBeGreaterThan(0);
});

test('nobody answers: nothing is taken back, all waits in order and is tried again, and then it goes on', async () => {
  const { posts, journal, rename, title, settle, news, timers } = world();
  const first = journal.run(rename('one'));
  const second = journal.run(rename('two'));
  await settle();
  posts[0]?.fail();
  await settle();
  expect(title()).toBe('two');
  expect(journal.trouble).toBeInstanceOf(Refusal);
  expect(news.filter(({ kind }) => kind === 'stuck')).toHaveLength(1);
  await journal.idle();
  for (const wake of [...timers.values()]) wake();
  await settle();
  expect(posts).toHaveLength(2);
  expect(posts[1]?.steps).toEqual(posts[0]?.steps);
  posts[1]?.fail();
  await settle();
  journal.retry();
  await settle();
  posts[2]?.accept();
  await first;
  await settle();
  expect(journal.trouble).toBeNull();
  expect(news.filter(({ kind }) => kind === 'stuck' || kind === 'arriving').map(({ kind }) => kind)).toEqual([
    'stuck',
    'arriving',
  ]);
  posts[3]?.accept();
  await second;
  expect(title()).toBe('two');
});

test('what waits when all ends is not sent any more from here, but stays kept', async () => {
  const { posts, journal, rename, settle, kept } = world();
  const lost = journal.run(rename('one'));
  await settle();
  posts[0]?.fail();
  await settle();
  journal.clear();
  await expect(lost).rejects.toThrow('Failed to fetch');
  expect(posts).toHaveLength(1);
  expect(kept).toEqual(['one']);
});

test('kept until the server has answered, or until it is undone before it was sent', async () => {
  const { posts, journal, rename, settle, kept } = world();
  const first = journal.run(rename('one'));
  void journal.run(rename('two')).catch(() => undefined);
  void journal.run({ label: 'gone', steps: [remove('tasks', taskRow('a'))], hold: 8000 });
  expect(kept).toEqual(['one', 'two', 'gone']);
  await settle();
  posts[0]?.accept();
  await first;
  expect(kept).toEqual(['two', 'gone']);
  await settle();
  posts[1]?.refuse('no');
  await settle();
  expect(kept).toEqual(['gone']);
  journal.undo();
  expect(kept).toEqual([]);
});

test('what an earlier page left is shown and sent, and cannot be undone; its refusal waits for someone to hear it', async () => {
  const { store, send, timer, posts, rename, title, settle } = world();
  const journal = openJournal(store, send, undefined, timer);
  journal.resume(rename('one')).catch(() => undefined);
  expect(title()).toBe('one');
  expect(journal.undo()).toBeNull();
  await settle();
  posts[0]?.refuse('gone');
  await settle();
  expect(title()).toBe('a');
  const heard: JournalNews[] = [];
  journal.subscribe((one) => heard.push(one));
  expect(heard).toMatchObject([{ kind: 'refused', reason: { message: 'gone' } }]);
});

test('refused in part: what arrived stays and is undone for itself, the rest is taken back and counted', async () => {
  const { store, posts, journal, settle, news } = world();
  store.receive([{ table: 'tasks', row: taskRow('b') }]);
  const titles = () => ['a', 'b'].map((id) => store.get('tasks', id)?.title);
  const steps = ['a', 'b'].flatMap((id) => {
    const row = store.get('tasks', id);
    const step = row && update('tasks', row, { title: 'both' });
    return step ? [step] : [];
  });
  const both = journal.run({ label: 'both', steps });
  await settle();
  posts[0]?.refusePart(steps.slice(1));
  await expect(both).rejects.toThrow('blocked');
  expect(titles()).toEqual(['both', 'b']);
  expect(news.at(-1)).toMatchObject({ kind: 'refused', part: 1 });
  journal.undo();
  await settle();
  expect(posts[1]?.steps).toHaveLength(1);
  posts[1]?.accept();
  await settle();
  expect(titles()).toEqual(['a', 'b']);

  // Done again and kept in whole, it is undone in whole.
  journal.redo();
  await settle();
  posts[2]?.accept();
  await settle();
  expect(titles()).toEqual(['both', 'both']);
  journal.undo();
  await settle();
  expect(posts[3]?.steps).toHaveLength(2);
  expect(titles()).toEqual(['a', 'b']);
});

test('a hundred deeds can be undone, the ones before are forgotten', () => {
  const { journal, rename } = world();
  for (let turn = 0; turn < 120; turn++) journal.run(rename(`title ${turn}`)).catch(() => undefined);
  let undone = 0;
  while (journal.undo() !== null) undone++;
  expect(undone).toBe(100);
});

test('undo leaves alone what someone else has changed since, and says so', async () => {
  const { store, posts, journal, rename, title, settle, news } = world();
  void journal.run(rename('mine'));
  await settle();
  posts[0]?.accept();
  await settle();
  store.receive([{ table: 'tasks', row: taskRow('a', { title: 'theirs' }) }]);
  journal.undo();
  await settle();
  expect(title()).toBe('theirs');
  expect(posts).toHaveLength(1);
  expect(news.at(-1)?.kind).toBe('overtaken');
});
