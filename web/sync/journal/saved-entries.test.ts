// Tests for mutations that a window could not send: taken over once, in order, by a window of the same person, when the first is closed.

import { expect, onTestFinished, test, vi } from 'vitest';
import { openDevice } from '../../../test/helpers/device.ts';
import { taskRow } from '../../../test/helpers/task-row.ts';
import { type Diff, update } from '../rows/diff.ts';
import { type Entry, type Mutation, openIds, type Restore } from './entries.ts';
import { openSavedEntries, type SavedEntries, type TakeOver } from './saved-entries.ts';

const mutation = (name: string, args: unknown, label: string): Mutation => ({
  name,
  args,
  label,
  apply: () => [],
  send: async () => [],
});
/** This version knows one command. */
const restore: Restore = (name, args, label) => (name === 'write' ? mutation(name, args, label) : null);

function device(isFull = false) {
  const { storage, locks, ...seen } = openDevice(isFull);
  const loadRestore = async () => restore;
  return {
    ...seen,
    open: (userId: string, window: string) => openSavedEntries(userId, { storage, locks, window, loadRestore }),
    openWithoutLocks: (userId: string, window: string) =>
      openSavedEntries(userId, { storage, locks: undefined, window, loadRestore }),
  };
}

const settle = async (): Promise<void> => {
  for (let round = 0; round < 20; round++) await Promise.resolve();
};
const nextId = openIds();
const entryOf = (made: Mutation, id = nextId(), diff: Diff = []): Entry => ({
  ...made,
  ...{ id, state: 'queued', diff, baseline: diff, checksConflicts: false },
});
const made = (title: string): Entry => entryOf(mutation('write', { title }, title));
/** As the journal takes over what is recovered. */
const into =
  (window: SavedEntries, taken: Entry[]): TakeOver =>
  (one, { id, diff }) => {
    const entry = entryOf(one, id, diff);
    window.save(entry);
    taken.push(entry);
  };
const labelsOf = (taken: readonly Entry[]): string[] => taken.map(({ label }) => label);

test('unsent commands of an open window stay with it; once it is closed, all are taken over, in order and once', async () => {
  const here = device();
  const first = here.open('ada', 'one');
  await settle();
  for (const title of ['x', 'y', 'z']) first.save(made(title));
  const second = here.open('ada', 'two');
  const third = here.open('ada', 'three');
  const taken: Entry[] = [];
  second.recover(into(second, taken));
  third.recover(into(third, taken));
  await settle();
  expect(taken).toEqual([]);
  first.close();
  await settle();
  expect(labelsOf(taken)).toEqual(['x', 'y', 'z']);
  expect(taken[0]).toMatchObject({ name: 'write', args: { title: 'x' } });
  expect(second.any).toBe(true);
  for (const one of taken) second.remove(one);
  expect(second.any).toBe(false);
});

test('a command taken over and not answered is taken over again', async () => {
  const here = device();
  const first = here.open('ada', 'one');
  first.save(made('x'));
  first.close();
  const second = here.open('ada', 'two');
  second.recover(into(second, []));
  await settle();
  second.close();
  const taken: Entry[] = [];
  const third = here.open('ada', 'three');
  third.recover(into(third, taken));
  await settle();
  expect(labelsOf(taken)).toEqual(['x']);
});

test('a conflicting command stays, with its text, until its owner decides or it may be sent', async () => {
  const here = device();
  const first = here.open('ada', 'one');
  const diff = [update('tasks', taskRow('a'), { title: 'Red as rust', estimate: 3 })].filter((of) => of !== null);
  const one = entryOf(mutation('write', {}, 'x'), nextId(), diff);
  first.save(one);
  first.setAside(one);
  expect(first.unsendable).toMatchObject([{ why: 'conflict', label: 'x', words: 'Red as rust\n3' }]);
  expect(first.any).toBe(true);
  first.close();
  const second = here.open('ada', 'two');
  const taken: Entry[] = [];
  second.recover(into(second, taken));
  await settle();
  expect(taken.map((entry) => entry.diff)).toEqual([diff]);
  for (const entry of taken) second.setAside(entry);
  for (const unsendable of second.unsendable) second.discard(unsendable);
  expect(here.records.size).toBe(0);
});

test.each([
  ['with what it wrote over', [{ kind: 'update', table: 'tasks', key: 'a', before: {}, after: { title: 'x' } }]],
  ['alone', undefined],
])('a command that a page of before saved, %s, is sent', async (_, over) => {
  const here = device();
  here.records.set('kanbase:ada:unsent-2:one:7', JSON.stringify({ name: 'write', args: {}, label: 'x', over }));
  const window = here.open('ada', 'two');
  const taken: Entry[] = [];
  window.recover(into(window, taken));
  await settle();
  expect(taken).toMatchObject([{ name: 'write', label: 'x', diff: over ?? [] }]);
  expect(window.unsendable).toEqual([]);
});

test('another person on the same device gets nothing of it', async () => {
  const here = device();
  const first = here.open('ada', 'one');
  first.save(made('x'));
  first.close();
  const other = here.open('bob', 'two');
  const taken: string[] = [];
  other.recover(({ label }) => taken.push(label));
  await settle();
  expect(taken).toEqual([]);
  expect(other.any).toBe(false);
});

test('a device that keeps nothing is known as such until all has arrived', () => {
  const first = device(true).open('ada', 'one');
  const one = made('x');
  first.save(one);
  expect(first.safe).toBe(false);
  first.remove(one);
  expect(first.safe).toBe(true);
});

test('a window takes nothing from itself', () => {
  const here = device();
  const own = here.openWithoutLocks('ada', 'one');
  own.save(made('x'));
  own.recover(() => expect.unreachable('taken from itself'));
  expect(here.records.size).toBe(1);
});

test('without locks the rest is taken over beside a record nobody can read', async () => {
  const here = device();
  here.openWithoutLocks('ada', 'one').save(made('x'));
  here.records.set(`${[...here.records.keys()][0]}0`, '{');
  const taken: string[] = [];
  const second = here.openWithoutLocks('ada', 'two');
  second.recover(({ label }) => taken.push(label));
  await settle();
  expect(taken).toEqual(['x']);
  expect(second.unsendable).toMatchObject([{ label: '', record: '{' }]);
});

test('an unknown command is shown to its owner, and stays until they discard it', async () => {
  const here = device();
  const first = here.open('ada', 'one');
  first.save(entryOf(mutation('ofTomorrow', { rows: 7 }, 'Painted it red')));
  first.save(made('x'));
  first.close();
  // What a version from before names and arguments had kept.
  here.records.set('kanbase:ada:unsent-1:zero:1', JSON.stringify({ label: 'Wrote', steps: [] }));
  const second = here.open('ada', 'two');
  const taken: string[] = [];
  let calls = 0;
  second.subscribe(() => {
    calls++;
  });
  second.recover(({ label }) => taken.push(label));
  await settle();
  expect(taken).toEqual(['x']);
  expect(second.unsendable.map(({ label }) => label)).toEqual(['Wrote', 'Painted it red']);
  expect(JSON.parse(second.unsendable[1]?.record ?? '')).toMatchObject({ name: 'ofTomorrow', args: { rows: 7 } });
  expect(calls).toBe(2);
  expect(second.any).toBe(true);
  const third = here.open('ada', 'three');
  second.close();
  third.recover(() => undefined);
  await settle();
  expect(third.unsendable).toHaveLength(2);
  for (const one of third.unsendable) third.discard(one);
  expect(third.unsendable).toEqual([]);
  expect([...here.records.values()].filter((record) => /Wrote|Painted/.test(record))).toEqual([]);
});

test('a window takes over from those that came after it, too, and waits for each but once', async () => {
  const here = device();
  const first = here.open('ada', 'one');
  const taken: string[] = [];
  first.recover(({ label }) => taken.push(label));
  const second = here.open('ada', 'two');
  second.save(made('x'));
  const asked = here.asked.length;
  first.recover(({ label }) => taken.push(label));
  first.recover(({ label }) => taken.push(label));
  expect(here.asked.slice(asked)).toEqual(['kanbase:ada:unsent-2:two:']);
  second.close();
  await settle();
  expect(taken).toEqual(['x']);
});

test('without locks what a window of now has on its way is left to it', async () => {
  const here = device();
  const first = here.openWithoutLocks('ada', 'one');
  first.recover(() => undefined);
  here.openWithoutLocks('ada', 'two').save(made('x'));
  first.recover(() => expect.unreachable('taken from one that may live'));
  await settle();
  expect(here.records.size).toBe(1);
});

test('a clock that is set back does not turn the order', () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const idOf = openIds();
  const first = idOf();
  vi.setSystemTime(Date.now() - 3_600_000);
  const second = idOf();
  vi.setSystemTime(Date.now() + 7_200_000);
  expect([first, second, idOf()].toSorted()[1]).toBe(second);
  expect(first < second).toBe(true);
});

test('a change in conflict is done anew on demand, and is not listed any more', async () => {
  const here = device();
  const window = here.open('ada', 'one');
  const entry = made('x');
  window.save(entry);
  window.setAside(entry);
  const [listed] = window.unsendable;
  expect(listed).toMatchObject({ why: 'conflict', label: 'x' });
  if (listed === undefined) return;
  const taken: string[] = [];
  await window.override(listed, ({ label }, { diff }) => {
    taken.push(label);
    expect(diff).toEqual(entry.diff);
  });
  // Pressed twice.
  await window.override(listed, ({ label }) => taken.push(label));
  expect(taken).toEqual(['x']);
  expect(window.unsendable).toEqual([]);
  expect(window.any).toBe(false);
});
