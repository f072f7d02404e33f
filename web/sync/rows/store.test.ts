// The store: base, pending and their sum; merging without disturbing; identity kept where nothing changed.

import { expect, test } from 'vitest';
import { taskRow } from '../../../test/helpers/task-row.ts';
import { type Diff, insert, update } from './diff.ts';
import { fieldValue, putColumns } from './field-columns.ts';
import type { TaskRow } from './rows.ts';
import { Store } from './store.ts';

function storeWith(...rows: TaskRow[]): Store {
  const store = new Store();
  store.receive(rows.map((row) => ({ table: 'tasks', row })));
  return store;
}

function change(store: Store, id: string, patch: Partial<TaskRow>): Diff {
  const row = store.get('tasks', id);
  const one = row && update('tasks', row, patch);
  return one ? [one] : [];
}

test('pending diff show at once and rollback shows what was there, with later changes', () => {
  const store = storeWith(taskRow('a'));
  const diff = change(store, 'a', { title: 'mine' });
  store.apply(diff);
  expect(store.get('tasks', 'a')?.title).toBe('mine');
  store.receive([{ table: 'tasks', row: { id: 'a', title: 'theirs', priority: 'p0' } }]);
  expect(store.get('tasks', 'a')).toMatchObject({ title: 'mine', priority: 'p0' });
  store.refuse(diff);
  expect(store.get('tasks', 'a')).toMatchObject({ title: 'theirs', priority: 'p0' });
});

test('two pending changes of one row: refusing the first keeps the second', () => {
  const store = storeWith(taskRow('a'));
  const move = change(store, 'a', { column_id: 'done' });
  store.apply(move);
  const rename = change(store, 'a', { title: 'new name' });
  store.apply(rename);
  store.refuse(move);
  expect(store.get('tasks', 'a')).toMatchObject({ column_id: 'todo', title: 'new name' });
  expect(store.where('tasks', 'column_id', 'done')).toEqual([]);
  expect(store.where('tasks', 'column_id', 'todo')).toHaveLength(1);
});

test('a refetch asked before a write was kept does not undo it', () => {
  const store = storeWith(taskRow('a'));
  const since = store.now();
  const diff = change(store, 'a', { title: 'new' });
  store.apply(diff);
  store.accept(diff, [{ table: 'tasks', row: taskRow('a', { title: 'new', updated_at: '2026-02-02' }) }]);
  store.replace('tasks', () => true, [taskRow('a', { title: 'old' })], since);
  expect(store.get('tasks', 'a')?.title).toBe('new');
});

test('a refetch removes what is gone, but neither what was made since nor what is still on its way', () => {
  const store = storeWith(taskRow('a'), taskRow('b'));
  const since = store.now();
  const made = [insert('tasks', taskRow('c'))];
  store.apply(made);
  store.accept(made);
  store.apply([insert('tasks', taskRow('d'))]);
  store.replace('tasks', (row) => row.project_id === 'p', [taskRow('a')], since);
  expect(
    store
      .all('tasks')
      .map((row) => row.id)
      .sort(),
  ).toEqual(['a', 'c', 'd']);
});

test('a refetch leaves rows outside its part alone', () => {
  const store = storeWith(taskRow('a'), taskRow('x', { project_id: 'q' }));
  store.replace('tasks', (row) => row.project_id === 'p', [], store.now());
  expect(store.all('tasks').map((row) => row.id)).toEqual(['x']);
});

test('a refetch of fewer columns keeps the others, and one that changes nothing calls no listener', () => {
  const store = storeWith(taskRow('a', { description: 'long' }));
  const before = store.get('tasks', 'a');
  let calls = 0;
  store.subscribe(() => calls++);
  store.replace('tasks', () => true, [taskRow('a')], store.now());
  expect(store.get('tasks', 'a')).toBe(before);
  expect(calls).toBe(0);
});

test('several changes in one batch call listeners once', () => {
  const store = new Store();
  let calls = 0;
  store.subscribe(() => calls++);
  store.batch(() => {
    store.receive([{ table: 'tasks', row: taskRow('a') }]);
    store.receive([{ table: 'tasks', row: taskRow('b') }]);
  });
  expect(calls).toBe(1);
});

test('live changes row by row: what a connection will say', () => {
  const store = storeWith(taskRow('a'));
  store.receive([{ table: 'tasks', row: { id: 'a', column_id: 'done' } }]);
  expect(store.where('tasks', 'column_id', 'done').map((row) => row.id)).toEqual(['a']);
  store.receive([{ table: 'tasks', gone: 'a' }]);
  expect(store.all('tasks')).toEqual([]);
  expect(store.where('tasks', 'column_id', 'done')).toEqual([]);
});

test('the version of server rows rises only when they change, so that nothing is saved twice', () => {
  const store = storeWith(taskRow('a'), taskRow('b'));
  const everything = (): boolean => true;
  const before = store.baseVersion('tasks');
  store.replace('tasks', everything, [taskRow('a'), taskRow('b')], store.now());
  const diff = change(store, 'a', { title: 'mine' });
  store.apply(diff);
  expect(store.baseVersion('tasks')).toBe(before);
  store.accept(diff);
  const kept = store.baseVersion('tasks');
  expect(kept).toBeGreaterThan(before);
  store.replace('tasks', everything, [taskRow('a', { title: 'mine' })], store.now());
  expect(store.baseVersion('tasks')).toBeGreaterThan(kept);
});

test('rows of an earlier visit do not bring back what the server has said is gone', () => {
  const store = storeWith(taskRow('a'));
  store.receive([{ table: 'tasks', gone: 'a' }]);
  store.restore('tasks', [taskRow('a'), taskRow('b')]);
  expect(store.all('tasks').map(({ id }) => id)).toEqual(['b']);
});

const fieldRow = (task: string, value: number) => ({ project_id: 'p', task_id: task, field_id: 'f', value });

function withColumn(): Store {
  const store = storeWith(taskRow('a', { number: 1 }), taskRow('b', { number: 2 }), taskRow('c', { number: 3 }));
  putColumns(store, 'p', new Map([['f', { numbers: [2, 1], values: [20, 10] }]]), store.now());
  return store;
}

const heldIn = (store: Store): unknown[] =>
  ['a', 'b', 'c'].map((id) => {
    const row = store.get('task_field_values', `${id} f`);
    const task = store.get('tasks', id);
    expect(task && fieldValue(store, task, 'f')).toBe(row?.value);
    expect(task && fieldValue(store, { ...task, project_id: 'another', id: 'far' }, 'f')).toBeUndefined();
    expect(store.where('task_field_values', 'task_id', id)).toEqual(row ? [row] : []);
    return row?.value;
  });

test('a whole field is here as a column: what comes or is done later lies over it', () => {
  const store = withColumn();
  expect(heldIn(store)).toEqual([10, 20, undefined]);
  const held = store.get('task_field_values', 'a f');
  const set = [held && update('task_field_values', held, { value: 11 })].filter((one) => !!one);
  store.apply(set);
  expect(heldIn(store)).toEqual([11, 20, undefined]);
  store.refuse(set);
  expect(heldIn(store)).toEqual([10, 20, undefined]);
  const gone: Diff = [{ kind: 'delete', table: 'task_field_values', row: fieldRow('b', 20) }];
  store.apply(gone);
  expect(heldIn(store)).toEqual([10, undefined, undefined]);
  store.accept(gone);
  store.receive([{ table: 'task_field_values', row: fieldRow('c', 30) }]);
  expect(heldIn(store)).toEqual([10, undefined, 30]);
  store.receive([{ table: 'task_field_values', gone: 'c f' }]);
  expect(heldIn(store)).toEqual([10, undefined, undefined]);
});

test('a column that was asked for later says all that rows said before, and nothing of what came meanwhile', () => {
  const store = withColumn();
  store.receive([{ table: 'task_field_values', row: fieldRow('a', 12) }]);
  const since = store.now();
  store.receive([{ table: 'task_field_values', row: fieldRow('b', 22) }]);
  putColumns(store, 'p', new Map([['f', { numbers: [1, 2, 3], values: [13, 20, 33] }]]), since);
  expect(heldIn(store)).toEqual([13, 22, 33]);
  const set: Diff = [insert('task_field_values', fieldRow('c', 34))];
  store.apply(set);
  putColumns(store, 'p', new Map([['f', { numbers: [1], values: [14] }]]), store.now());
  expect(heldIn(store)).toEqual([14, undefined, 34]);
  store.accept(set);
  expect(heldIn(store)).toEqual([14, undefined, 34]);
});
