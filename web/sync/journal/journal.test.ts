// The journal: order, rollback with a reason, undo, redo, and what is held back for a while.

import { expect, test } from 'vitest';
import { taskRow } from '../../../test/helpers/task-row.ts';
import { Refusal } from '../door.ts';
import { type Diff, insert, remove, update } from '../rows/diff.ts';
import { type RowChange, Store } from '../rows/store.ts';
import { type Entry, type Mutation, PartRefusal } from './entries.ts';
import { type JournalEvent, openJournal } from './journal.ts';
import type { Timer } from './sending.ts';

interface Post {
  readonly entry: Entry;
  /** Where it checks for conflicts. */
  readonly baseline: Diff | undefined;
  readonly accept: (...rows: RowChange[]) => void;
  readonly refuse: (why: string) => void;
  readonly refusePart: (...keys: string[]) => void;
  /** Nobody answers. */
  readonly fail: () => void;
  readonly conflict: () => void;
}

function does(label: string, apply: (store: Pick<Store, 'get'>) => Diff, options: Partial<Mutation> = {}): Mutation {
  return { name: 'test', args: { label }, label, apply, send: async () => [], ...options };
}

const revert = (diff: Diff, label: string): Mutation => does(label, () => diff, { silent: true });

function renamed(store: Pick<Store, 'get'>, title: string, ids: readonly string[]): Diff {
  return ids.flatMap((id) => {
    const row = store.get('tasks', id);
    return (row && update('tasks', row, { title })) ?? [];
  });
}

const gone = does('Deleted a', () => [remove('tasks', taskRow('a'))], { delay: 8000 });

function world() {
  const store = new Store();
  store.receive([{ table: 'tasks', row: taskRow('a') }]);
  const posts: Post[] = [];
  const send = (entry: Entry): Promise<RowChange[]> =>
    new Promise((resolve, reject) => {
      posts.push({
        entry,
        baseline: entry.checksConflicts ? entry.baseline : undefined,
        accept: (...rows) => resolve(rows),
        refuse: (why) => reject(new Error(why)),
        refusePart: (...keys) => {
          const refused = keys.map((key) => ({ table: 'tasks', key }));
          reject(new PartRefusal(new Error('blocked'), refused, []));
        },
        fail: () => reject(new Refusal('Failed to fetch', '', 0)),
        conflict: () => reject(new Refusal('Someone else has changed it since', 'KB017', 409)),
      });
    });
  const timers: (() => void)[] = [];
  const timer: Timer = (work) => void timers.push(work);
  const kept: string[] = [];
  const device = {
    save: (one: Entry) => void kept.push(one.label),
    remove: (one: Entry) => void kept.splice(kept.indexOf(one.label), 1),
    setAside: (one: Entry) => void kept.push(`${kept.splice(kept.indexOf(one.label), 1)[0]}, set aside`),
  };
  const journal = openJournal({ store, send, revert, saved: device, timer });
  const events: JournalEvent[] = [];
  journal.subscribe((one) => events.push(one));
  const rename = (title: string, ...ids: string[]): Mutation =>
    does(title, (at) => renamed(at, title, ids.length > 0 ? ids : ['a']));
  const title = (): string | undefined => store.get('tasks', 'a')?.title;
  const settle = async (): Promise<void> => {
    for (let round = 0; round < 20; round++) await Promise.resolve();
  };
  return { store, posts, journal, events, rename, title, timers, settle, kept, send, timer };
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

test('refused: taken back with the reason, not to be undone, and the next still goes', async () => {
  const { posts, journal, rename, title, settle, events } = world();
  const refused = journal.run(rename('one'));
  await settle();
  posts[0]?.refuse('forbidden');
  await expect(refused).rejects.toThrow('forbidden');
  expect(title()).toBe('a');
  expect(events.at(-1)).toMatchObject({ kind: 'refused', reason: { message: 'forbidden' } });
  expect(journal.undo()).toBeNull();
  const next = journal.run(rename('two'));
  await settle();
  posts[1]?.accept();
  await next;
  expect(title()).toBe('two');
});

test('undo sends the exact reverse, redo the mutation again', async () => {
  const { store, posts, journal, rename, title, settle } = world();
  const done = journal.run(rename('one'));
  await settle();
  posts[0]?.accept();
  await done;
  expect(journal.undo()?.label).toBe('one');
  expect(title()).toBe('a');
  await settle();
  expect(posts[1]?.entry.apply(store)).toMatchObject([
    { kind: 'update', table: 'tasks', key: 'a', before: { title: 'one' }, after: { title: 'a' } },
  ]);
  posts[1]?.accept();
  await settle();
  journal.redo();
  expect(title()).toBe('one');
  expect(journal.undo()?.label).toBe('one');
});

test('done, undone and done again before anything was answered: nothing of it stays over what others write later', async () => {
  const { store, posts, journal, rename, title, settle, kept } = world();
  void journal.run(rename('one'));
  journal.undo();
  journal.redo();
  expect(title()).toBe('one');
  expect(kept).toHaveLength(3);
  for (const at of [0, 1, 2]) {
    await settle();
    posts[at]?.accept();
    await settle();
    expect(kept).toHaveLength(2 - at);
  }
  store.receive([{ table: 'tasks', row: taskRow('a', { title: 'theirs' }) }]);
  expect(title()).toBe('theirs');
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
  const undone = journal.run(gone);
  expect(store.get('tasks', 'a')).toBeUndefined();
  await settle();
  expect(posts).toHaveLength(0);
  journal.undo();
  expect(store.get('tasks', 'a')).toMatchObject({ id: 'a' });
  await undone;
  for (const wake of timers) wake();
  await settle();
  expect(posts).toHaveLength(0);
});

test('held: sent when its time is up or the page closes, and then not undone any more', async () => {
  const { store, posts, journal, settle } = world();
  void journal.run(gone);
  journal.flush();
  await settle();
  expect(posts).toHaveLength(1);
  expect(journal.undo()).toBeNull();
  posts[0]?.accept();
  await settle();
  expect(store.get('tasks', 'a')).toBeUndefined();
});

test('a new mutation forgets what could be done again', async () => {
  const { journal, rename, posts, settle } = world();
  void journal.run(rename('one'));
  journal.undo();
  void journal.run(does('new', () => [insert('tasks', taskRow('b'))]));
  expect(journal.redo()).toBeNull();
  await settle();
  expect(posts.length).toBeGreaterThan(0);
});

test('commands without an answer are kept and retried in order, and then sending resumes', async () => {
  const { posts, journal, rename, title, settle, events, timers } = world();
  const first = journal.run(rename('one'));
  const second = journal.run(rename('two'));
  await settle();
  posts[0]?.fail();
  await settle();
  expect(title()).toBe('two');
  expect(journal.isOffline).toBe(true);
  expect(events.filter(({ kind }) => kind === 'offline')).toHaveLength(1);
  await journal.idle();
  for (const wake of [...timers]) wake();
  await settle();
  expect(posts).toHaveLength(2);
  expect(posts[1]?.entry).toBe(posts[0]?.entry);
  posts[1]?.fail();
  await settle();
  journal.retry();
  await settle();
  posts[2]?.accept();
  await first;
  await settle();
  expect(journal.isOffline).toBe(false);
  expect(events.filter(({ kind }) => kind === 'offline' || kind === 'online').map(({ kind }) => kind)).toEqual([
    'offline',
    'online',
  ]);
  posts[3]?.accept();
  await second;
  expect(title()).toBe('two');
});

test('retried commands, and those waiting behind them, know the values they overwrite; conflicting ones stay saved', async () => {
  const { posts, journal, rename, title, settle, kept } = world();
  const runs = [rename('one'), rename('two')].map((one) => journal.run(one));
  const failed = runs.map((run) => expect(run).rejects.toThrow('Someone else'));
  await settle();
  expect(posts[0]?.baseline).toBeUndefined();
  posts[0]?.fail();
  await settle();
  runs.push(journal.run(rename('three')), journal.run({ ...rename('four'), merges: true }));
  journal.retry();
  await settle();
  for (const [at, before] of ['a', 'one'].entries()) {
    expect(posts[at + 1]?.baseline).toMatchObject([{ kind: 'update', key: 'a', before: { title: before } }]);
    posts[at + 1]?.conflict();
    await settle();
  }
  await Promise.all(failed);
  expect(posts[3]?.baseline).toMatchObject([{ before: { title: 'two' }, after: { title: 'three' } }]);
  posts[3]?.accept();
  await settle();
  // One that reads before it writes.
  expect(posts[4]?.baseline).toEqual([]);
  posts[4]?.accept();
  await Promise.all(runs.slice(2));
  expect(title()).toBe('four');
  expect(kept).toEqual(['one, set aside', 'two, set aside']);

  // All is well again.
  const last = journal.run(rename('five'));
  await settle();
  expect(posts[5]?.baseline).toBeUndefined();
  posts[5]?.accept();
  await last;
});

test('a waiting command is not sent after the journal is cleared, but stays saved', async () => {
  const { posts, journal, rename, settle, kept } = world();
  const lost = journal.run(rename('one'));
  await settle();
  posts[0]?.fail();
  await settle();
  const under = journal.run(rename('two')).catch(() => undefined);
  journal.retry();
  await settle();
  const idle = journal.idle();
  journal.clear();
  await expect(lost).rejects.toThrow('the page is gone');
  await Promise.all([idle, under]);
  expect(posts).toHaveLength(2);
  expect(kept).toEqual(['one', 'two']);
});

test('kept until the server has answered, or until it is undone before it was sent', async () => {
  const { posts, journal, rename, settle, kept } = world();
  const first = journal.run(rename('one'));
  void journal.run(rename('two')).catch(() => undefined);
  void journal.run({ ...gone, label: 'gone' });
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

test('a command left by an earlier page is shown and sent, and cannot be undone; its refusal waits for a listener', async () => {
  const { store, send, timer, posts, rename, title, settle } = world();
  const journal = openJournal({ store, send, revert, timer });
  const diff = renamed(store, 'one', ['a']);
  journal.resume(rename('one'), { id: '1', diff }).catch(() => undefined);
  expect(title()).toBe('one');
  expect(journal.undo()).toBeNull();
  await settle();
  expect(posts[0]?.baseline).toEqual(diff.map(({ guessed: _, ...one }) => ({ ...one, guessed: [] })));
  posts[0]?.refuse('gone');
  await settle();
  expect(title()).toBe('a');
  const events: JournalEvent[] = [];
  journal.subscribe((one) => events.push(one));
  expect(events).toMatchObject([{ kind: 'refused', reason: { message: 'gone' } }]);
});

test('done all the same where its rows are not here: it is sent, and saved until then', async () => {
  const { store, posts, journal, rename, settle, kept } = world();
  const diff = renamed(store, 'one', ['a']);
  store.receive([{ table: 'tasks', gone: 'a' }]);
  const done = journal.run(rename('one'), diff);
  await settle();
  expect(posts).toHaveLength(1);
  expect(posts[0]?.baseline).toBeUndefined();
  expect(kept).toEqual(['one']);
  posts[0]?.accept();
  await done;
  expect(kept).toEqual([]);
});

test('refused in part: what arrived stays and is undone for itself, the rest is taken back and counted', async () => {
  const { store, posts, journal, rename, settle, events } = world();
  store.receive([{ table: 'tasks', row: taskRow('b') }]);
  const titles = () => ['a', 'b'].map((id) => store.get('tasks', id)?.title);
  const both = journal.run(rename('both', 'a', 'b'));
  await settle();
  posts[0]?.refusePart('b');
  await expect(both).rejects.toThrow('blocked');
  expect(titles()).toEqual(['both', 'b']);
  expect(events.at(-1)).toMatchObject({ kind: 'refused', part: { refused: 1, all: 2 } });
  journal.undo();
  await settle();
  expect(posts[1]?.entry.apply(store)).toHaveLength(1);
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
  expect(posts[3]?.entry.apply(store)).toHaveLength(2);
  expect(titles()).toEqual(['a', 'b']);
});

test('three hundred entries are remembered, and those before are forgotten', async () => {
  const { posts, journal, rename, settle } = world();
  for (let turn = 0; turn < 320; turn++) {
    void journal.run(rename(`title ${turn}`));
    posts[turn]?.accept();
    await settle();
  }
  for (let turn = 0; turn < 150; turn++) {
    expect(journal.undo()?.label).toBe(`title ${319 - turn}`);
    posts[320 + turn]?.accept();
    await settle();
  }
  expect(journal.undo()).toBeNull();
});

test('undo leaves alone what someone else has changed since, and says so', async () => {
  const { store, posts, journal, rename, title, settle, events } = world();
  void journal.run(rename('mine'));
  await settle();
  posts[0]?.accept();
  await settle();
  store.receive([{ table: 'tasks', row: taskRow('a', { title: 'theirs' }) }]);
  journal.undo();
  await settle();
  expect(title()).toBe('theirs');
  expect(posts).toHaveLength(1);
  expect(events.at(-1)).toMatchObject({ kind: 'undone', left: 1, all: 1 });
});

test('undo in part says how many rows others have changed; a refusal hands back what was typed', async () => {
  const { store, posts, journal, rename, settle, events } = world();
  store.receive([{ table: 'tasks', row: taskRow('b') }]);
  const both = journal.run(rename('both', 'a', 'b'));
  await settle();
  posts[0]?.accept();
  await both;
  store.receive([{ table: 'tasks', row: taskRow('b', { title: 'theirs' }) }]);
  journal.undo();
  expect(events.at(-1)).toMatchObject({ kind: 'undone', left: 1, all: 2 });
  await settle();
  posts[1]?.accept();
  await settle();
  const refused = journal.run(rename('typed'));
  await settle();
  posts[2]?.refuse('no');
  await expect(refused).rejects.toThrow('no');
  expect(events.at(-1)).toMatchObject({ kind: 'refused', words: 'typed' });
});

test('commands left by an earlier page show as soon as their rows are here, in their order', async () => {
  const { store: former, send, timer, posts, rename, settle } = world();
  const store = new Store();
  const journal = openJournal({ store, send, revert, timer });
  const one = renamed(former, 'one', ['a']);
  former.apply(one);
  const two = renamed(former, 'two', ['a']);
  const resumed = [
    journal.resume(rename('one'), { id: '1', diff: one }),
    journal.resume(rename('two'), { id: '2', diff: two }),
  ];
  // The first had arrived.
  store.receive([{ table: 'tasks', row: taskRow('a', { title: 'one' }) }]);
  expect(store.get('tasks', 'a')?.title).toBe('two');
  for (const at of [0, 1]) {
    posts[at]?.accept();
    await resumed[at];
    expect(store.get('tasks', 'a')?.title).toBe('two');
    await settle();
  }
  store.receive([{ table: 'tasks', row: taskRow('a', { title: 'later' }) }]);
  expect(store.get('tasks', 'a')?.title).toBe('later');
});

test('values set by the server are no conflict for undo', async () => {
  const { posts, journal, settle, events } = world();
  const archive = does('archived', (at) => {
    const row = at.get('tasks', 'a');
    return [(row && update('tasks', row, { archived_at: 'by my clock' })) ?? []].flat();
  });
  void journal.run(archive);
  await settle();
  posts[0]?.accept({ table: 'tasks', row: { id: 'a', archived_at: 'by its clock', updated_at: '2027-01-01' } });
  await settle();
  journal.undo();
  expect(events.at(-1)).toMatchObject({ kind: 'undone', left: 0 });
});
