// Names of guests on a card, also where not all of them are known.

import { expect, test } from 'vitest';
import { taskRow } from '../../../test/helpers/task-row.ts';
import { Store } from '../../sync/rows/store.ts';
import { readGuestNames } from './guests-on-tasks.ts';

test('a card names the groups and people that are known, and says that it is shared where none is', () => {
  const store = new Store();
  const task = taskRow('t');
  store.receive([
    { table: 'tasks', row: task },
    { table: 'project_members', row: { project_id: 'p', user_id: 'ada', role: 'owner' } },
  ]);
  expect(readGuestNames(store, task)).toBeNull();
  store.receive([
    { table: 'group_grants', row: { project_id: 'p', task_id: 't', group_id: 'crew', is_named: true } },
    { table: 'task_grants', row: { project_id: 'p', task_id: 't', user_id: 'gwen', is_named: true } },
  ]);
  expect(readGuestNames(store, task)).toBe('');
  store.receive([{ table: 'profiles', row: { id: 'gwen', display_name: 'Gwen Guest' } }]);
  expect(readGuestNames(store, task)).toBe('Gwen Guest');
  store.receive([{ table: 'groups', row: { id: 'crew', name: 'Crew' } }]);
  expect(readGuestNames(store, task)).toBe('Crew, Gwen Guest');
});
