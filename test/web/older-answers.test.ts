// Responses requested before a live change of a row don't overwrite the newer row.

import { beforeAll, beforeEach, expect, test } from 'vitest';
import { searchTasks } from '../../web/queries/hooks.ts';
import { findTaskAt } from '../../web/queries/projects/other-projects.ts';
import { fetchArchived } from '../../web/queries/tasks/archive.ts';
import { findTasks } from '../../web/queries/tasks/found-tasks.ts';
import { type Door, dataOf } from '../../web/sync/door.ts';
import type { Call } from '../../web/sync/rows/results.ts';
import type { TaskRow } from '../../web/sync/rows/rows.ts';
import { Store } from '../../web/sync/rows/store.ts';
import { startApp, type TestUser } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { makeProject } from '../sql/board.ts';

const app = forSuite(() => startApp());
let ada: TestUser;
let projectId: string;
let columnId: string;
let task: TaskRow;
let filed: TaskRow;
let store: Store;

beforeAll(async () => {
  ada = await app.createUser({ name: 'Ada' });
  const made = await makeProject(app, ada, 'Quay');
  projectId = made.project;
  columnId = made.columns.todo ?? '';
  const insert = async (title: string, archived_at: string | null): Promise<TaskRow> =>
    dataOf(
      await ada.client
        .from('tasks')
        .insert({ project_id: projectId, column_id: columnId, title, archived_at })
        .select()
        .single(),
    );
  task = await insert('Caulk the deck', null);
  filed = await insert('Scrape the hull', '2026-01-01T00:00:00Z');
});
beforeEach(() => {
  store = new Store();
});

/** What comes live while the answer is on its way. */
function arrive(): void {
  const version = Number.MAX_SAFE_INTEGER;
  for (const { id } of [task, filed])
    store.receive([{ table: 'tasks', row: { ...task, id, title: 'Newer', version } }]);
  store.receive([{ table: 'workflow_columns', row: { id: columnId, project_id: projectId, name: 'Newer', version } }]);
}

const call: Call = async (procedure, args) => {
  const data = dataOf(await (ada.client as unknown as Door).rpc(procedure, args));
  arrive();
  return data;
};

/** The client of somebody to whom things come live before each answer. */
function door(): Door {
  const { client } = ada;
  return new Proxy(client as unknown as Door, {
    get(target, name, of) {
      if (name !== 'from') return Reflect.get(target, name, of) as unknown;
      return (table: 'tasks') => {
        arrive();
        return target.from(table);
      };
    },
  });
}

test.each<[string, () => Promise<unknown>, () => string]>([
  ['tasks of a view across projects', () => findTasks({ door: door(), store }, { all: [] }, [], 10), () => task.id],
  ['the archive', () => fetchArchived({ call, store }), () => filed.id],
  ['a task by its address', () => findTaskAt({ call, store }, projectId, task.number ?? 0), () => task.id],
  ['a search', () => searchTasks({ call, store }, 'Caulk', 10), () => task.id],
])('%s', async (_, ask, id) => {
  await ask();
  expect(store.get('tasks', id())?.title).toBe('Newer');
  expect(store.get('workflow_columns', columnId)?.name).toBe('Newer');
});
