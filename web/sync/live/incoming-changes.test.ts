// Tests for consequences of row changes: a deleted project takes all of its rows along, and a joined one brings more than a board.

import { expect, test } from 'vitest';
import { taskRow } from '../../../test/helpers/task-row.ts';
import type { Scope } from '../rows/scopes.ts';
import { type RowChange, Store } from '../rows/store.ts';
import { openIncomingChanges } from './incoming-changes.ts';
import { openLostProjects } from './lost-projects.ts';

function world() {
  const store = new Store();
  const returned: string[] = [];
  const asked: (Scope['kind'] | 'all')[] = [];
  store.receive([
    { table: 'projects', row: { id: 'p', name: 'Harbour' } },
    { table: 'profiles', row: { id: 'ada' } },
    membership('p', 'ada'),
  ]);
  const lostProjects = openLostProjects(
    store,
    () => undefined,
    (id) => returned.push(id),
  );
  const receive = openIncomingChanges({
    userId: 'ada',
    store,
    lostProjects,
    refresh: (scope) => asked.push(scope?.kind ?? 'all'),
    announce: () => undefined,
  });
  const arrive = (...changes: RowChange[]) => receive(changes.map((change) => ({ change, knownOnly: false })));
  return { store, lostProjects, arrive, returned, asked };
}

const membership = (project_id: string, user_id: string): RowChange => ({
  table: 'project_members',
  row: { project_id, user_id, role: 'editor' },
});

test('rows of a project that arrive right before its deletion go with it', () => {
  const { store, lostProjects, arrive } = world();
  arrive(
    { table: 'tasks', row: taskRow('a', { project_id: 'p', title: 'Last words' }) },
    { table: 'projects', gone: 'p' },
  );
  expect(store.all('tasks')).toEqual([]);
  expect(lostProjects.find('p')).toEqual({ name: 'Harbour', why: 'deleted' });
});

test('a person who joins a project asks for all there is of it, and for the people when a member is new', () => {
  const { arrive, asked } = world();
  arrive(membership('p', 'ada'));
  expect(asked).toEqual([]);
  arrive(membership('p', 'bob'));
  expect(asked.splice(0)).toEqual(['me']);
  arrive(membership('q', 'ada'), membership('q', 'bob'));
  expect(asked.splice(0)).toEqual(['all']);
  // Where its own row was sooner.
  arrive({ table: 'projects', row: { id: 'r', name: 'Lighthouse' } });
  arrive(membership('r', 'ada'));
  expect(asked).toEqual(['all']);
});

test('a deletion that is taken back is no return before the server has agreed', () => {
  const { store, arrive, returned } = world();
  const row = store.get('projects', 'p');
  arrive({ table: 'projects', gone: 'p' });
  const back = [{ kind: 'insert', table: 'projects', row }] as never;
  store.apply(back);
  expect(store.get('projects', 'p')).toEqual(row);
  expect(returned).toEqual([]);
  store.accept(back, [{ table: 'projects', row: { id: 'p', updated_at: 'later' } as never }]);
  expect(returned).toEqual(['p']);
});

test('a restored project stays when its deletion is told late', () => {
  const { store, lostProjects, arrive, asked } = world();
  const project = (version: number) => ({ id: 'p', name: 'Harbour', version });
  store.receive([{ table: 'projects', row: project(1) }]);
  store.receive([{ table: 'projects', gone: 'p', version: 1 }]);
  store.receive([{ table: 'projects', row: project(2) }]);
  arrive({ table: 'project_members', gone: 'p ada' }, { table: 'projects', gone: 'p' });
  expect(store.get('projects', 'p')).toEqual(project(2));
  expect(lostProjects.find('p')).toBeNull();
  arrive({ table: 'projects', row: project(2) }, membership('p', 'ada'));
  expect(asked).toEqual(['all']);
  arrive({ table: 'project_members', gone: 'p ada' });
  expect(lostProjects.find('p')).toEqual({ name: 'Harbour', why: 'removed' });
});

const grantTo = (group_id: string | null, user_id: string | null, task_id = 't', project_id = 'q'): RowChange =>
  ({
    table: group_id === null ? 'task_grants' : 'group_grants',
    row: { project_id, task_id, group_id, user_id },
  }) as never;
const inGroup = (group_id: string, user_id: string): RowChange => ({
  table: 'group_members',
  row: { group_id, user_id },
});

test('a person who comes into a group asks for all there is, and one who leaves it loses what it alone gave', () => {
  const { store, lostProjects, arrive, asked } = world();
  // As the channel of grants of people and that of groups bring them.
  arrive({ table: 'task_grants', row: { project_id: 'q', task_id: 't', user_id: null } } as never);
  arrive({ table: 'group_grants', row: { project_id: 'q', task_id: 't', group_id: null } } as never);
  expect([store.all('task_grants'), store.all('group_grants')]).toEqual([[], []]);
  arrive(inGroup('crew', 'bob'));
  expect(asked).toEqual([]);
  arrive(inGroup('crew', 'ada'));
  expect(asked.splice(0)).toEqual(['all']);
  // An answer had the row sooner, and perhaps not yet what it brings.
  store.receive([inGroup('crew', 'ada')]);
  arrive(inGroup('crew', 'ada'));
  expect(asked.splice(0)).toEqual(['all']);
  arrive(grantTo('crew', null));
  expect(asked.splice(0)).toEqual(['all']);
  store.receive([
    { table: 'projects', row: { id: 'q', name: 'Quay' } },
    { table: 'tasks', row: taskRow('t', { project_id: 'q', title: 'Sweep' }) },
  ]);
  arrive({ table: 'group_members', gone: 'crew ada' });
  expect(asked.splice(0)).toEqual(['all']);
  expect(lostProjects.find('q')).toEqual({ name: 'Quay', why: 'gone' });
});

test('a person who leaves a group whose rows are not here asks for all there is', () => {
  const { arrive, asked } = world();
  arrive({ table: 'group_members', gone: 'crew bob' });
  expect(asked).toEqual([]);
  arrive({ table: 'group_members', gone: 'crew ada' });
  expect(asked).toEqual(['all']);
});

test('tasks of two projects that are shared at once ask for both', () => {
  const { store, arrive, asked } = world();
  store.receive([{ table: 'projects', row: { id: 'q', name: 'Quay' } }]);
  arrive(grantTo(null, 'ada', 't', 'p'), grantTo(null, 'ada', 'u', 'q'), grantTo(null, 'ada', 'v', 'q'));
  expect(asked).toEqual(['project', 'project']);
});

test('a guest keeps a project of which something else is shared with them', () => {
  const { store, lostProjects, arrive } = world();
  store.receive([
    { table: 'projects', row: { id: 'q', name: 'Quay' } },
    inGroup('crew', 'ada'),
    grantTo('crew', null),
    grantTo(null, 'ada', 'u'),
  ]);
  arrive({ table: 'group_grants', gone: 't crew' });
  expect(lostProjects.find('q')).toBeNull();
  arrive({ table: 'task_grants', gone: 'u ada' });
  expect(lostProjects.find('q')).toEqual({ name: 'Quay', why: 'gone' });
});
