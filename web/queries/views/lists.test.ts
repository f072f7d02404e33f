// The list groups and sorts as it says; my tasks fall into the right days; search finds by key and by beginnings of words.

import { describe, expect, test } from 'vitest';
import { type Grouping, groupable, noFilter, type SortKey, sortable } from '../../../contract/views.ts';
import { taskRow } from '../../../test/helpers/task-row.ts';
import type { TaskRow } from '../../sync/rows/rows.ts';
import { Store } from '../../sync/rows/store.ts';
import { localDay } from '../days/days.ts';
import { findByKey, findProjects, findTasks, titleHolds } from '../tasks/search.ts';
import { commonAssignees, dueGroupOf, groupedListOf, myTasks } from './lists.ts';

const moment = '2026-05-01T09:00:00Z';

const taskOf = (number: number, patch: Partial<TaskRow> = {}): TaskRow =>
  taskRow(`t${number}`, {
    ...{ number, title: `Task ${number}`, order_rank: `a${number}`, created_at: moment, updated_at: moment },
    ...patch,
  });

function openWorld(tasks: readonly TaskRow[]): Store {
  const store = new Store();
  const project = {
    id: 'p',
    name: 'Website relaunch',
    description: '',
    key: 'WEB',
    color: null,
    archived_at: null,
    enforce_dependencies: true,
    created_by: null,
    created_at: moment,
    updated_at: moment,
  };
  const column = { project_id: 'p', wip_limit: null, color: null };
  store.receive([
    { table: 'projects', row: project },
    { table: 'workflow_columns', row: { ...column, id: 'todo', name: 'To do', kind: 'todo', position: 1 } },
    { table: 'workflow_columns', row: { ...column, id: 'done', name: 'Done', kind: 'done', position: 2 } },
    { table: 'profiles', row: { id: 'ada', display_name: 'Ada', avatar_url: null } },
    { table: 'profiles', row: { id: 'bob', display_name: 'Bob', avatar_url: null } },
    { table: 'task_labels', row: { id: 'bug', project_id: 'p', name: 'Bug', color: null } },
    ...tasks.map((row) => ({ table: 'tasks' as const, row })),
  ]);
  return store;
}

function assignTo(store: Store, ...pairs: readonly [task: string, user: string][]): void {
  store.receive(
    pairs.map(([task_id, user_id]) => ({ table: 'task_assignees', row: { project_id: 'p', task_id, user_id } })),
  );
}

describe('the list', () => {
  const world = openWorld([
    taskOf(1, { title: 'beta', priority: 'p1', due_date: '2026-06-02' }),
    taskOf(2, { title: 'Alpha', priority: 'p0', column_id: 'done' }),
    taskOf(3, { title: 'gamma 10', due_date: '2026-05-02', updated_at: '2026-05-03T09:00:00Z' }),
    taskOf(4, { title: 'gamma 9', archived_at: moment }),
  ]);
  assignTo(world, ['t1', 'ada'], ['t1', 'bob'], ['t2', 'ada']);
  const ids = (grouping: Grouping | null, by?: SortKey, descending = false) =>
    groupedListOf
      .read(world, 'p', noFilter, grouping, by ? [{ by, descending }] : [])
      .groups.map((group) => [group.id, group.tasks.map((task) => task.number)]);

  test('stands in column order, in board order within', () => {
    expect(ids('column')).toEqual([
      ['todo', [1, 3]],
      ['done', [2]],
    ]);
  });

  test('a task of two people stands with both, one of nobody at the end', () => {
    expect(ids('assignee', 'number')).toEqual([
      ['ada', [1, 2]],
      ['bob', [1]],
      ['', [3]],
    ]);
  });

  test('sorts by every measure, both ways', () => {
    expect(ids(null, 'title')).toEqual([['all', [2, 1, 3]]]);
    expect(ids(null, 'priority')).toEqual([['all', [2, 1, 3]]]);
    expect(ids(null, 'due_date')).toEqual([['all', [3, 1, 2]]]);
    expect(ids(null, 'updated_at', true)).toEqual([['all', [3, 1, 2]]]);
    expect(ids(null, 'number', true)).toEqual([['all', [3, 2, 1]]]);
  });

  test('every grouping shows every task that is not archived', () => {
    for (const grouping of [...groupable, null])
      for (const by of sortable) {
        const { groups, shown } = groupedListOf.read(world, 'p', noFilter, grouping, [{ by, descending: false }]);
        const shownIds = new Set(groups.flatMap((group) => group.tasks.map((task) => task.id)));
        expect([shownIds.size, shown]).toEqual([3, 3]);
      }
  });

  test('says how many a filter leaves of how many', () => {
    const list = groupedListOf.read(
      world,
      'p',
      { all: [{ property: 'priority', is: 'any_of', value: ['p0', 'p1'] }] },
      null,
      [],
    );
    expect([list.shown, list.total]).toEqual([2, 3]);
  });

  test('a bulk edit knows who is on all of the selected', () => {
    expect(commonAssignees.read(world, 't1,t2')).toEqual(['ada']);
    expect(commonAssignees.read(world, 't1,t3')).toEqual([]);
  });
});

describe('my tasks', () => {
  const now = new Date(2026, 4, 6, 15, 0);

  test.each([
    ['2026-05-05', 'overdue'],
    ['2026-05-06', 'today'],
    ['2026-05-07', 'week'],
    ['2026-05-13', 'week'],
    ['2026-05-14', 'later'],
    [null, 'none'],
  ] as const)('%s is %s', (due, group) => {
    expect(dueGroupOf(due, now)).toBe(group);
  });

  test('are mine, open, and of projects that are not archived', () => {
    const today = localDay(new Date());
    const store = openWorld([
      taskOf(1, { due_date: today }),
      taskOf(2, { due_date: today, completed_at: moment }),
      taskOf(3, { archived_at: moment }),
      taskOf(4),
      taskOf(5, { due_date: today, priority: 'p0' }),
    ]);
    assignTo(store, ['t1', 'ada'], ['t2', 'ada'], ['t3', 'ada'], ['t4', 'bob'], ['t5', 'ada']);
    const mine = myTasks.read(store, 'ada', '');
    expect(mine.groups.map((group) => [group.id, group.tasks.map((task) => task.number)])).toEqual([['today', [5, 1]]]);
    store.receive([{ table: 'projects', row: { id: 'p', archived_at: moment } }]);
    expect(myTasks.read(store, 'ada', '').total).toBe(0);
  });
});

describe('search', () => {
  const store = openWorld([
    taskOf(1, { title: 'Relaunch the landing page' }),
    taskOf(12, { title: 'Plan the launch' }),
    taskOf(120, { title: 'Launch party', completed_at: moment }),
    taskOf(121, { title: 'Crème brûlée for the party' }),
  ]);
  const findIn = (there: Store, text: string) => findTasks(there, text, 10).map((task) => task.number);
  const numbers = (text: string): (number | null)[] => findIn(store, text);

  test('beginnings of titles come before beginnings of words, those before middles', () => {
    expect(numbers('launch')).toEqual([120, 12, 1]);
  });

  test('every word must be there, in any order, accents aside', () => {
    expect(numbers('party creme')).toEqual([121]);
    expect(numbers('party nobody')).toEqual([]);
  });

  test('a key finds its task first', () => {
    expect(numbers('web-12')[0]).toBe(12);
    expect(numbers('12')[0]).toBe(12);
    expect(numbers('WEB-120')).toEqual([120]);
  });

  test('a key alone names its project or task, however it is written', () => {
    expect(findByKey(store, 'web').project?.id).toBe('p');
    for (const text of ['WEB-12', 'web-12', 'web 12', 'web12']) expect(findByKey(store, text).task?.number).toBe(12);
    for (const text of ['we', 'web-13', 'webs', '12', '', 'web 12 a']) expect(findByKey(store, text)).toEqual({});
  });

  test('letters that were left out do not matter where few hold the words', () => {
    expect(numbers('lndng')).toEqual([1]);
    expect(numbers('pln lnch')).toEqual([12]);
    expect(numbers('xqz')).toEqual([]);
  });

  test('a match that is not in the title is marked', () => {
    const [task] = findTasks(store, 'landing', 1);
    expect(task && titleHolds(task, 'landing')).toBe(true);
    expect(task && titleHolds(task, 'comment')).toBe(false);
  });

  test('tasks of a project one was removed from are not found', () => {
    const left = openWorld([taskOf(1, { title: 'Launch party' })]);
    expect(findTasks(left, 'launch', 10)).toHaveLength(1);
    left.receive([{ table: 'projects', gone: 'p' }]);
    expect(findTasks(left, 'launch', 10)).toHaveLength(0);
  });

  test('letter by letter, forth and back, finds what the whole text finds, also of what changes meanwhile', () => {
    const typed = ['p', 'pa', 'par', 'part', 'party', 'party c', 'party', 'part', 'pa', 'pl', 'pln', '1', '12', '120'];
    for (const text of typed)
      expect([text, numbers(text)]).toEqual([text, findIn(openWorld(store.all('tasks')), text)]);
    const changing = openWorld([taskOf(1, { title: 'Launch party' })]);
    expect(findIn(changing, 'laun')).toEqual([1]);
    changing.receive([{ table: 'tasks', row: taskOf(2, { title: 'Launder the flags' }) }]);
    expect(findIn(changing, 'laund')).toEqual([2]);
    changing.receive([{ table: 'tasks', row: { id: 't2', title: 'Flags' } }]);
    expect(findIn(changing, 'launde')).toEqual([]);
  });

  test('projects are found by name and by key', () => {
    expect(findProjects(store, 'relaunch', 5)).toHaveLength(1);
    expect(findProjects(store, 'we', 5)).toHaveLength(1);
    expect(findProjects(store, 'nothing', 5)).toHaveLength(0);
  });
});
