// Every command, then its reverse, is the identity: on the store, whatever the store holds and whatever is asked.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { commandNames, commandsOf } from '../test/helpers/command-names.ts';
import {
  addChecklistItems,
  addColumn,
  addComment,
  addLabel,
  archiveProject,
  archiveTasks,
  assign,
  createLabel,
  createTask,
  createTasks,
  deleteComment,
  deleteLabel,
  deleteTasks,
  editChecklistItem,
  editColumn,
  editComment,
  editLabel,
  editProfile,
  editProject,
  editTasks,
  linkTasks,
  moveTask,
  moveTasks,
  removeChecklistItem,
  removeColumn,
  removeLabel,
  removeMember,
  revokeInvitation,
  setRole,
  unarchiveProject,
  unarchiveTask,
  unassign,
  unlinkTasks,
} from './commands.ts';
import { readColumnTasks } from './queries.ts';
import type { Deed } from './sync/journal.ts';
import { type Priority, type Role, tableNames } from './sync/rows.ts';
import { reverseSteps } from './sync/step.ts';
import { Store } from './sync/store.ts';
import { taskRow } from './sync/task-row.ts';

const columns = ['backlog', 'todo', 'doing', 'done'] as const;
const people = ['ada', 'bob', 'cyd'] as const;
const taskIds = ['t0', 't1', 't2', 't3', 't4', 't5', 't6', 't7'] as const;

function fill(): Store {
  const store = new Store();
  store.receive([
    {
      table: 'projects',
      row: {
        id: 'p',
        name: 'P',
        key: 'PP',
        description: '',
        color: null,
        archived_at: null,
        enforce_dependencies: true,
      },
    },
    ...columns.map((id, at) => ({
      table: 'workflow_columns' as const,
      row: {
        id,
        project_id: 'p',
        name: id,
        kind: id === 'done' ? ('done' as const) : ('todo' as const),
        position: at,
        wip_limit: null,
        color: null,
      },
    })),
    ...people.flatMap((id) => [
      { table: 'profiles' as const, row: { id, display_name: id, avatar_url: null } },
      {
        table: 'project_members' as const,
        row: { project_id: 'p', user_id: id, role: 'editor' as const, created_at: '' },
      },
    ]),
    ...taskIds.map((id, at) => ({
      table: 'tasks' as const,
      row: taskRow(id, { column_id: columns[at % 3] ?? 'todo', number: at + 1, order_rank: `a${at}`, description: '' }),
    })),
    { table: 'task_labels', row: { id: 'l1', project_id: 'p', name: 'Bug', color: null } },
    { table: 'task_label_links', row: { project_id: 'p', task_id: 't1', label_id: 'l1' } },
    { table: 'task_assignees', row: { project_id: 'p', task_id: 't1', user_id: 'ada' } },
    {
      table: 'task_checklist_items',
      row: { id: 'i1', project_id: 'p', task_id: 't1', title: 'x', is_done: false, position: 1 },
    },
    {
      table: 'task_comments',
      row: { id: 'c1', project_id: 'p', task_id: 't1', author_id: 'ada', body: 'hi', created_at: '' },
    },
    {
      table: 'task_dependencies',
      row: { id: 'd1', project_id: 'p', predecessor_id: 't0', successor_id: 't1', type: 'FS', lag_days: 0 },
    },
    {
      table: 'project_invitations',
      row: { id: 'v1', project_id: 'p', email: 'x@example.test', role: 'viewer', accepted_at: null },
    },
  ]);
  return store;
}

const id = fc.constantFrom(...taskIds);
const ids = fc.uniqueArray(id, { minLength: 1 });
const column = fc.constantFrom(...columns);
const person = fc.constantFrom(...people);
const words = fc.string({ minLength: 1, maxLength: 20 });

const deeds: Record<string, fc.Arbitrary<(store: Store) => Deed>> = {
  createTasks: fc.tuple(column, fc.array(words, { maxLength: 3 })).map(
    ([columnId, titles]) =>
      (store: Store) =>
        createTasks(store, { projectId: 'p', columnId }, titles),
  ),
  createTask: fc.tuple(column, words).map(
    ([columnId, title]) =>
      (store) =>
        createTask(store, { projectId: 'p', columnId, title }),
  ),
  editTasks: fc
    .tuple(
      ids,
      fc.record(
        {
          title: words,
          priority: fc.constantFrom<Priority>('p0', 'p1', 'p2'),
          due_date: fc.option(fc.constant('2026-01-02')),
        },
        { requiredKeys: [] },
      ),
    )
    .map(
      ([some, patch]) =>
        (store) =>
          editTasks(store, some, patch),
    ),
  moveTask: fc.tuple(id, column, fc.option(id)).map(
    ([task, columnId, beforeId]) =>
      (store) =>
        moveTask(store, task, { columnId, beforeId }),
  ),
  moveTasks: fc.tuple(ids, column).map(
    ([some, columnId]) =>
      (store) =>
        moveTasks(store, some, columnId),
  ),
  archiveTasks: ids.map((some) => (store) => archiveTasks(store, some)),
  unarchiveTask: id.map((task) => (store) => unarchiveTask(store, task)),
  deleteTasks: ids.map((some) => (store) => deleteTasks(store, some)),
  assign: fc.tuple(ids, person).map(
    ([some, who]) =>
      (store) =>
        assign(store, some, who),
  ),
  unassign: fc.tuple(ids, person).map(
    ([some, who]) =>
      (store) =>
        unassign(store, some, who),
  ),
  addLabel: ids.map((some) => (store) => addLabel(store, some, 'l1')),
  removeLabel: ids.map((some) => (store) => removeLabel(store, some, 'l1')),
  addChecklistItems: fc.tuple(id, words).map(
    ([task, title]) =>
      (store) =>
        addChecklistItems(store, task, [title]),
  ),
  editChecklistItem: fc.boolean().map((is_done) => (store) => editChecklistItem(store, 'i1', { is_done, position: 7 })),
  removeChecklistItem: fc.constant((store: Store) => removeChecklistItem(store, 'i1')),
  linkTasks: fc.tuple(id, id).map(
    ([one, other]) =>
      (store) =>
        linkTasks(store, one, other),
  ),
  unlinkTasks: fc.constant((store: Store) => unlinkTasks(store, 't0', 't1')),
  addComment: fc.tuple(id, words).map(
    ([task, body]) =>
      (store) =>
        addComment(store, task, 'ada', body),
  ),
  editComment: words.map((body) => (store) => editComment(store, 'c1', body)),
  deleteComment: fc.constant((store: Store) => deleteComment(store, 'c1')),
  editProject: words.map((name) => (store) => editProject(store, 'p', { name })),
  archiveProject: fc.constant((store: Store) => archiveProject(store, 'p')),
  unarchiveProject: fc.constant((store: Store) => unarchiveProject(store, 'p')),
  addColumn: words.map((name) => (store) => addColumn(store, 'p', name)),
  editColumn: fc.tuple(column, fc.option(fc.nat())).map(
    ([one, wip_limit]) =>
      (store) =>
        editColumn(store, one, { wip_limit }),
  ),
  removeColumn: column.map((one) => (store) => removeColumn(store, one)),
  createLabel: words.map((name) => (store) => createLabel(store, 'p', name, '#112233')),
  editLabel: words.map((name) => (store) => editLabel(store, 'l1', { name })),
  deleteLabel: fc.constant((store: Store) => deleteLabel(store, 'l1')),
  setRole: fc.tuple(person, fc.constantFrom<Role>('owner', 'editor', 'viewer')).map(
    ([who, role]) =>
      (store) =>
        setRole(store, 'p', who, role),
  ),
  removeMember: person.map((who) => (store) => removeMember(store, 'p', who)),
  revokeInvitation: fc.constant((store: Store) => revokeInvitation(store, 'v1')),
  editProfile: words.map((display_name) => (store) => editProfile(store, 'ada', { display_name })),
};

test('no command is left out', () => {
  expect(commandsOf(deeds)).toEqual(commandNames());
});

function picture(store: Store): unknown {
  return Object.fromEntries(
    tableNames.map((table) => [
      table,
      store
        .all(table)
        .map((row) => JSON.stringify(row, Object.keys(row).sort()))
        .sort(),
    ]),
  );
}

describe('a command, then its reverse, is the identity', () => {
  test.each(Object.entries(deeds))('%s', (_, arbitrary) => {
    fc.assert(
      fc.property(arbitrary, (deedOf) => {
        const store = fill();
        const before = picture(store);
        const { steps } = deedOf(store);
        store.apply(steps);
        store.apply(reverseSteps(steps));
        expect(picture(store)).toEqual(before);
      }),
      { numRuns: 40 },
    );
  });

  test('any history, kept by the server, undone from its end', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(...Object.values(deeds)), { maxLength: 25 }), (history) => {
        const store = fill();
        const before = picture(store);
        const done = history.map((deedOf) => {
          const { steps } = deedOf(store);
          store.apply(steps);
          store.settle(steps, 'kept');
          return steps;
        });
        for (const steps of done.reverse()) {
          const back = reverseSteps(steps);
          store.apply(back);
          store.settle(back, 'kept');
        }
        expect(picture(store)).toEqual(before);
      }),
      { numRuns: 150 },
    );
  });

  test('any history, refused by the server in any order, leaves no trace', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.oneof(...Object.values(deeds)), fc.nat()), { maxLength: 20 }), (history) => {
        const store = fill();
        const before = picture(store);
        const sent = history.map(([deedOf, order]) => {
          const { steps } = deedOf(store);
          store.apply(steps);
          return { steps, order };
        });
        for (const { steps } of sent.sort((one, other) => one.order - other.order)) store.settle(steps, 'refused');
        expect(picture(store)).toEqual(before);
      }),
      { numRuns: 150 },
    );
  });
});

describe('moving', () => {
  test('lands where it was dropped', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(id, column, fc.nat(9)), { maxLength: 60 }), (moves) => {
        const store = fill();
        for (const [task, columnId, place] of moves) {
          const others = readColumnTasks(store, columnId).filter((one) => one.id !== task);
          const at = Math.min(place, others.length);
          const { steps } = moveTask(store, task, { columnId, beforeId: others[at]?.id ?? null });
          store.apply(steps);
          store.settle(steps, 'kept');
          expect(readColumnTasks(store, columnId).findIndex((one) => one.id === task)).toBe(at);
        }
      }),
    );
  });

  test('names the neighbour it was dropped at, so that the server decides the rank', () => {
    const store = fill();
    const [step] = moveTask(store, 't0', { columnId: 'todo', beforeId: 't4' }).steps;
    expect(step).toMatchObject({ beside: { before_id: 't4' }, after: { column_id: 'todo' } });
    const [last] = moveTask(store, 't0', { columnId: 'todo', beforeId: null }).steps;
    expect(last).toMatchObject({ beside: { after_id: 't7' } });
  });

  test('of many into an empty column can be taken back to the very places', () => {
    const store = fill();
    const ids = readColumnTasks(store, 'todo').map((task) => task.id);
    const empty = columns.find((one) => readColumnTasks(store, one).length === 0) ?? 'done';
    for (const step of reverseSteps(moveTasks(store, ids, empty).steps))
      expect(step).toMatchObject({ after: { column_id: 'todo', order_rank: expect.any(String) } });
  });

  test('into a done column completes it, out of it opens it again', () => {
    const store = fill();
    const there = moveTask(store, 't1', { columnId: 'done', beforeId: null }).steps;
    store.apply(there);
    expect(store.get('tasks', 't1')?.completed_at).not.toBeNull();
    store.apply(moveTask(store, 't1', { columnId: 'todo', beforeId: null }).steps);
    expect(store.get('tasks', 't1')?.completed_at).toBeNull();
  });

  test('to where it already is does nothing', () => {
    const store = fill();
    expect(moveTask(store, 't1', { columnId: 'todo', beforeId: 't4' }).steps).toEqual([]);
  });
});
