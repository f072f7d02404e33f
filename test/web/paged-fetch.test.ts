// A project of many pages is fetched completely and once, whatever page size a server allows.

import { beforeAll, expect, test } from 'vitest';
import { fetchScope } from '../../web/sync/rows/scopes.ts';
import { Store } from '../../web/sync/rows/store.ts';
import { startApp, type TestUser } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { makeProject } from '../sql/board.ts';

const tasks = 107;
const labels = 5;
let ada: TestUser;
let projectId: string;

const app = forSuite(() => startApp({ settings: { DATA_MAX_ROWS: '7' } }));
beforeAll(async () => {
  ada = await app.createUser({ name: 'Ada' });
  const { project, columns } = await makeProject(app, ada, 'Crowd');
  projectId = project;
  await app.sql(
    `insert into tasks (project_id, column_id, title) select $1, $2, 'Task ' || n from generate_series(1, ${tasks}) n`,
    [project, columns.todo],
  );
  await app.sql(
    `insert into task_labels (project_id, name) select $1, 'Label ' || n from generate_series(1, ${labels}) n`,
    [project],
  );
  await app.sql(
    `insert into task_label_links (project_id, task_id, label_id)
     select t.project_id, t.id, l.id from tasks t join task_labels l using (project_id) where t.project_id = $1`,
    [project],
  );
});

test('every row of every table, also where a page ends amid the rows of one task', async () => {
  const store = new Store();
  await fetchScope(ada.client, store, { kind: 'project', projectId });
  expect(store.count('tasks', 'project_id', projectId)).toBe(tasks);
  expect(store.count('task_label_links', 'project_id', projectId)).toBe(tasks * labels);
});
