// Tables whose changes decide who sees rows of others: few, and none that changes all the time, for each of their changes has answers asked anew.

import { beforeAll, expect, test } from 'vitest';
import { type AccessTables, findAccessTables } from '../../server/realtime/changes/access/access-tables.ts';
import { startApp } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';

const app = forSuite(startApp);
let found: AccessTables;
/** Without views, which change nothing by themselves. */
const names = new Map<number, string>();
beforeAll(async () => {
  const tables = await app.sql<{ id: string; name: string }>(
    `select oid::int8 as id, oid::regclass::text as name from pg_class where relkind in ('r', 'p')`,
  );
  for (const { id, name } of tables) names.set(Number(id), name);
  found = await findAccessTables(app.database);
});

const named = (ids: Iterable<number>): readonly string[] => [...ids].flatMap((id) => names.get(id) ?? []).sort();
const decidesOver = (table: string): readonly string[] =>
  named(
    [...found.affected].flatMap(([id, others]) => ([...others].some((one) => names.get(one) === table) ? [id] : [])),
  );

test.each(['tasks', 'task_comments', 'task_field_values', 'workflow_columns'])(
  '%s are seen by members and guests',
  (table) => {
    expect(decidesOver(table)).toEqual(['agents', 'group_members', 'project_members', 'projects', 'task_grants']);
  },
);

test('tables that nobody is told of decide over nothing that a board shows', () => {
  expect(named(found.unsure)).toEqual(['access_log', 'group_members', 'groups']);
});

test('a change of a task lets nobody see others but on its own topic', () => {
  const [tasks] = [...found.affected].filter(([id]) => names.get(id) === 'tasks');
  expect(named(tasks?.[1] ?? [])).toEqual(['realtime.messages']);
});
