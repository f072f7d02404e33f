// Rereads: of all that a page has asked, a change of one task has only those queries made again that looked at it.

import { beforeAll, expect, test } from 'vitest';
import { noFilter } from '../../contract/views.ts';
import { taskRow } from '../../test/helpers/task-row.ts';
import { update } from '../sync/rows/diff.ts';
import type { Rows, TableName } from '../sync/rows/rows.ts';
import { type Query, Store } from '../sync/rows/store.ts';
import { membersOf, roleIn } from './people/people.ts';
import { boardOf } from './projects/board.ts';
import { columnsOf, labelsOf, openProjects } from './projects/projects.ts';
import { cardFactsOf, listOf } from './tasks/tasks.ts';
import { groupedListOf, myTasks } from './views/lists.ts';
import { earlyOf, timelineOf } from './views/timeline.ts';

const store = new Store();
const states = ['todo', 'doing', 'review', 'done'];

/** Twenty-one projects, the first with 2,000 tasks, of which hers are the first ten of each. */
beforeAll(() => {
  const give = <T extends TableName>(table: T, row: Partial<Rows[T]>): void => store.merge(table, [row], 0);
  store.batch(() => {
    give('profiles', { id: 'ada', display_name: 'Ada', avatar_url: null });
    for (let at = 0; at < 21; at++) {
      const project_id = `p${at}`;
      give('projects', { id: project_id, name: project_id, key: `P${at}`, archived_at: null });
      give('project_members', { project_id, user_id: 'ada', role: 'owner' });
      states.forEach((name, position) => {
        give('workflow_columns', { id: `${project_id} ${name}`, project_id, name, kind: 'todo', position });
      });
      for (let number = 1; number <= (at === 0 ? 2000 : 100); number++) {
        const id = `${project_id}-${number}`;
        const column_id = `${project_id} ${states[number % states.length]}`;
        give('tasks', taskRow(id, { project_id, column_id, number, order_rank: String(number).padStart(5, '0') }));
        if (number <= 10) give('task_assignees', { project_id, task_id: id, user_id: 'ada' });
      }
    }
  });
});

/** All that pages of a project ask, and what was made again since. */
function openPage(projectId: string): { again(): readonly string[] } {
  let made: string[] = [];
  const ask = <A extends readonly unknown[]>(name: string, query: Query<A, unknown>, ...args: A) => {
    const read: typeof query.read = (from, ...given) => {
      made.push(name);
      return query.read(from, ...given);
    };
    return store.reading({ ...query, read }, args, name);
  };
  const readings = [
    ask('projects', openProjects),
    ask('role', roleIn, projectId, 'ada'),
    ask('members', membersOf, projectId),
    ask('columns', columnsOf, projectId),
    ask('labels', labelsOf, projectId),
    ask('board', boardOf, projectId, noFilter, null, null, []),
    ask('list', listOf, projectId, noFilter),
    ask('groups', groupedListOf, projectId, noFilter, null, []),
    ask('timeline', timelineOf, projectId, noFilter, null, []),
    ask('early', earlyOf, projectId),
    ask('mine', myTasks, 'ada', ''),
    ...Array.from({ length: 60 }, (_, at) => ask('card', cardFactsOf, `${projectId}-${at + 1}`)),
  ];
  const again = (): readonly string[] => {
    made = [];
    for (const { value } of readings) void value;
    return made;
  };
  again();
  return { again };
}

function rename(id: string, title: string): void {
  const task = store.get('tasks', id);
  const one = task && update('tasks', task, { title });
  if (one) store.apply([one]);
}

test('a page asks nothing again when a task of another project changes', () => {
  const page = openPage('p1');
  rename('p0-1999', 'elsewhere');
  expect(page.again()).toEqual([]);
});

test('one task has its own card and the lists of its project made again, and no other of 60 cards', () => {
  const page = openPage('p0');
  rename('p0-5', 'here');
  expect(page.again()).toEqual(['board', 'list', 'groups', 'timeline', 'mine', 'card']);
  rename('p0-1999', 'further down');
  expect(page.again()).toEqual(['board', 'list', 'groups', 'timeline']);
  expect(page.again()).toEqual([]);
});

test('a card is made again with what hangs on its task, wherever that stands', () => {
  const page = openPage('p0');
  store.receive([{ table: 'task_checklist_items', row: { id: 'item', project_id: 'p0', task_id: 'p0-7' } }]);
  expect(page.again()).toEqual(['card']);
  store.receive([{ table: 'task_checklist_items', gone: 'item' }]);
  expect(page.again()).toEqual(['card']);
  store.receive([
    { table: 'tasks', row: taskRow('part', { project_id: 'p0', column_id: 'p0 done', parent_id: 'p0-9' }) },
  ]);
  expect(page.again()).toEqual(['board', 'list', 'groups', 'timeline', 'card']);
});

test('an order of tasks that a list shares is made again with what it looks at, and only then', () => {
  const sort = [{ by: 'title', descending: false }] as const;
  const ids = (): string =>
    store.read(groupedListOf, 'p2', noFilter, null, sort).groups.flatMap(({ tasks }) => tasks)[0]?.id ?? '';
  rename('p2-50', '! first');
  expect(ids()).toBe('p2-50');
  rename('p2-51', '! before it');
  rename('p3-1', '! another project');
  rename('p2-50', 'last of all');
  expect(ids()).toBe('p2-51');
});
