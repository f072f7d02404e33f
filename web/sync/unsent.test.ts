// What a window could not send: taken over once, in order, by a window of the same person, when the first is no more.

import { expect, test } from 'vitest';
import type { Deed } from './journal.ts';
import { insert, remove, update } from './step.ts';
import { taskRow } from './task-row.ts';
import { openUnsent, type UnsentPorts } from './unsent.ts';

/** A device: its storage, and locks that go to the next in line when a window closes. */
function device(full = false) {
  const records = new Map<string, string>();
  const lines = new Map<string, Promise<unknown>>();
  const storage: UnsentPorts['storage'] = {
    getItem: (name) => records.get(name) ?? null,
    setItem: (name, text) => {
      if (full) throw new Error('full');
      records.set(name, text);
    },
    removeItem: (name) => void records.delete(name),
    key: (at) => [...records.keys()][at] ?? null,
    get length() {
      return records.size;
    },
  };
  const request = (name: string, work: () => unknown): Promise<unknown> => {
    const turn = (lines.get(name) ?? Promise.resolve()).then(work);
    lines.set(name, turn);
    return turn;
  };
  const locks = { request } as unknown as NonNullable<UnsentPorts['locks']>;
  return {
    records,
    open: (userId: string, window: string) => openUnsent(userId, { storage, locks, window }),
    openWithoutLocks: (userId: string, window: string) => openUnsent(userId, { storage, locks: undefined, window }),
  };
}

const settle = async (): Promise<void> => {
  for (let round = 0; round < 20; round++) await Promise.resolve();
};
const made = (title: string): Deed => ({ label: title, steps: [insert('tasks', taskRow(title))] });
const row = taskRow('a', { description: 'long' });
const changed: Deed = {
  label: 'changed',
  steps: [update('tasks', row, { title: 'b' })].filter((step) => step !== null),
};
const gone: Deed = { label: 'gone', steps: [remove('tasks', row)], hold: 8000 };

test('nothing is taken from a window that lives; all of it, in order and once, when it is gone', async () => {
  const here = device();
  const first = here.open('ada', 'one');
  await settle();
  for (const deed of [made('x'), made('y'), changed, gone]) first.keep(deed);
  const second = here.open('ada', 'two');
  const third = here.open('ada', 'three');
  const taken: Deed[] = [];
  second.recover((deed) => taken.push(deed));
  third.recover((deed) => taken.push(deed));
  await settle();
  expect(taken).toEqual([]);
  first.close();
  await settle();
  expect(taken.map(({ label }) => label)).toEqual(['x', 'y', 'changed', 'gone']);
  expect(taken[0]?.steps).toEqual(made('x').steps);
  // Only what sending needs is kept; nothing is held back a second time.
  expect(taken[2]?.steps).toEqual([{ ...changed.steps[0], before: {} }]);
  expect(taken[3]).toEqual({
    label: 'gone',
    steps: [{ kind: 'delete', table: 'tasks', row: { id: 'a' } }],
    silent: true,
  });
  expect(second.any).toBe(true);
  for (const deed of taken) second.drop(deed);
  expect(second.any).toBe(false);
});

test('one who was taken over and not answered either is taken over again', async () => {
  const here = device();
  const first = here.open('ada', 'one');
  first.keep(made('x'));
  first.close();
  const second = here.open('ada', 'two');
  second.recover(() => undefined);
  await settle();
  second.close();
  const taken: string[] = [];
  here.open('ada', 'three').recover(({ label }) => taken.push(label));
  await settle();
  expect(taken).toEqual(['x']);
});

test('another person on the same device gets nothing of it', async () => {
  const here = device();
  const first = here.open('ada', 'one');
  first.keep(made('x'));
  first.close();
  const other = here.open('bob', 'two');
  const taken: string[] = [];
  other.recover(({ label }) => taken.push(label));
  await settle();
  expect(taken).toEqual([]);
  expect(other.any).toBe(false);
});

test('done twice and answered once, one record is left', () => {
  const here = device();
  const first = here.open('ada', 'one');
  const deed = made('x');
  first.keep(deed);
  first.keep(deed);
  first.drop(deed);
  expect(here.records.size).toBe(1);
  first.drop(deed);
  expect(here.records.size).toBe(0);
});

test('a device that keeps nothing is known as such until all has arrived', () => {
  const first = device(true).open('ada', 'one');
  const deed = made('x');
  first.keep(deed);
  expect(first.safe).toBe(false);
  first.drop(deed);
  expect(first.safe).toBe(true);
});

test('a window takes nothing from itself', () => {
  const here = device();
  const own = here.openWithoutLocks('ada', 'one');
  own.keep(made('x'));
  own.recover(() => expect.unreachable('taken from itself'));
  expect(here.records.size).toBe(1);
});

test('without locks, and with a record nobody can read, the rest is taken over', () => {
  const here = device();
  here.openWithoutLocks('ada', 'one').keep(made('x'));
  here.records.set(`${[...here.records.keys()][0]}0`, '{');
  const taken: string[] = [];
  here.openWithoutLocks('ada', 'two').recover(({ label }) => taken.push(label));
  expect(taken).toEqual(['x']);
});
