// Catch-up of a known project after a gap: the result equals a full fetch, for a small part of the bytes.

import { createClient } from '@supabase/supabase-js';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { type Door, dataOf } from '../../web/sync/door.ts';
import { catchUp } from '../../web/sync/live/catch-up.ts';
import { openProjectFetch } from '../../web/sync/rows/project-fetch.ts';
import type { Call } from '../../web/sync/rows/results.ts';
import { tableNames } from '../../web/sync/rows/rows.ts';
import { questionsOf, type Scope } from '../../web/sync/rows/scopes.ts';
import { Store } from '../../web/sync/rows/store.ts';
import { startApp } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { person } from '../helpers/person.ts';

const app = forSuite(startApp);
const ada = person(app, 'Ada Lovelace');

/** The web app's rows of one project, and how many bytes its answers had. */
function reader(projectId: string, user = ada) {
  let bytes = 0;
  let requests = 0;
  const door = createClient(app.url, app.anonKey, {
    auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
    realtime: { transport: WebSocket as never },
    global: {
      headers: { Authorization: `Bearer ${user.token}` },
      fetch: async (asked, init) => {
        const response = await fetch(asked, init);
        const body = await response.arrayBuffer();
        bytes += body.byteLength;
        requests += 1;
        return new Response(body, response);
      },
    },
  }) as unknown as Door;
  const store = new Store();
  const call: Call = async (procedure, args) => dataOf(await door.rpc(procedure, args));
  store.receive([{ table: 'projects', row: { id: projectId, name: 'Harbour' } }]);
  const scope: Extract<Scope, { kind: 'project' }> = { kind: 'project', projectId };
  const ask = openProjectFetch({ door, store, call, catchUp: () => catchUp }, scope);
  return {
    store,
    async fetch() {
      [bytes, requests] = [0, 0];
      await ask();
      return { bytes, requests };
    },
    /** All rows, the columns that boards and lists show. */
    rows() {
      return Object.fromEntries(
        questionsOf(scope).map(({ table, columns }) => [
          table,
          store
            .baseRows(table)
            .map((row) => JSON.stringify(columns.map((column) => row[column as keyof typeof row] ?? null)))
            .sort(),
        ]),
      );
    },
  };
}

async function project(tasks: number): Promise<string> {
  const made = await ada.client.rpc('create_project_with_defaults', { name: 'Harbour' });
  const { id } = made.data as { id: string };
  await app.sql(
    `insert into tasks (project_id, column_id, title, description)
     select $1, c.id, 'Task ' || n, 'Words about it' from generate_series(1, $2::int) n, workflow_columns c where c.project_id = $1 and c.kind = 'todo'`,
    [id, tasks],
  );
  await app.sql(
    `insert into task_labels (project_id, name, color) select $1, 'Label ' || n, '#cc4a3d' from generate_series(1, 3) n`,
    [id],
  );
  await app.sql(
    `insert into task_label_links (project_id, task_id, label_id) select $1, t.id, l.id from tasks t, task_labels l
     where t.project_id = $1 and l.project_id = $1 and t.number % 10 = 0`,
    [id],
  );
  await app.sql(
    `insert into task_checklist_items (project_id, task_id, title) select $1, id, 'Item' from tasks where project_id = $1 and number % 10 = 1`,
    [id],
  );
  await app.sql(
    `insert into task_comments (project_id, task_id, author_id, body) select $1, id, $2, 'Well' from tasks where project_id = $1 and number % 10 = 2`,
    [id, ada.id],
  );
  return id;
}

/** What others may do to a project while one is away; each is given the project and chance numbers. */
const writes: readonly string[] = [
  `update tasks set title = title || '!' where project_id = $1 and number % 17 = $2`,
  `delete from tasks where project_id = $1 and number % 23 = $2`,
  `delete from task_label_links where project_id = $1 and task_id in (select id from tasks where number % 3 = $2 % 3)`,
  `insert into task_assignees (project_id, task_id, user_id) select $1, t.id, m.user_id from tasks t join project_members m using (project_id)
   where t.project_id = $1 and t.number % 11 = $2 on conflict do nothing`,
  `delete from task_assignees where project_id = $1 and task_id in (select id from tasks where number % 2 = $2 % 2)`,
  `update task_checklist_items set is_done = not is_done where project_id = $1 and task_id in (select id from tasks where number % 3 = $2 % 3)`,
  `insert into tasks (project_id, column_id, title) select $1, id, 'New' from workflow_columns where project_id = $1 and $2 >= 0`,
  `delete from task_comments where project_id = $1 and task_id in (select id from tasks where number % 3 = $2 % 3)`,
  // Two tasks swap a label: as many links as before, and the same ids in them.
  `with pair as (
     select array_agg(id order by number) as tasks, (select array_agg(l.id order by name) from task_labels l where l.project_id = $1) as labels
     from (select id, number from tasks where project_id = $1 and $2 >= 0 order by number limit 2) t
   ), cleared as (
     delete from task_label_links k using pair where k.task_id = any (pair.tasks) returning 1
   )
   insert into task_label_links (project_id, task_id, label_id)
   select $1, tasks[1], labels[1 + ($2 % 2)] from pair union all select $1, tasks[2], labels[2 - ($2 % 2)] from pair
   on conflict do nothing`,
];

test('catching up gives the same rows as fetching all anew, whatever was written', async () => {
  const id = await project(120);
  const away = reader(id);
  await away.fetch();
  for (let round = 0; round < 24; round++) {
    const some = writes.filter((_, at) => (at * 7 + round * 5) % 4 < 2);
    for (const write of some) await app.sql(write, [id, round % 5]);
    await away.fetch();
    const anew = reader(id);
    await anew.fetch();
    expect(away.rows(), `round ${round}: ${some.join('\n')}`).toEqual(anew.rows());
  }
}, 120_000);

test('ten changes on a board of 2,000 cost a small part of its bytes, and nothing changed costs next to nothing', async () => {
  const id = await project(2000);
  // What was written while the oldest open transaction runs is answered again, and other databases of the same Postgres have such too.
  const [made] = await app.sql<{ id: string }>('select pg_current_xact_id()::text as id');
  const past = 'select pg_snapshot_xmin(pg_current_snapshot())::text::bigint > $1::bigint as settled';
  await expect.poll(() => app.sql(past, [made?.id]), { timeout: 60_000 }).toEqual([{ settled: true }]);
  const away = reader(id);
  const whole = await away.fetch();
  const nothing = await away.fetch();
  await app.sql(`update tasks set title = 'Changed' where project_id = $1 and number in (1, 700, 1200, 1999)`, [id]);
  await app.sql(`delete from tasks where project_id = $1 and number in (5, 900, 1500)`, [id]);
  await app.sql(
    `insert into tasks (project_id, column_id, title) select $1, id, 'New' from workflow_columns, generate_series(1, 3) where project_id = $1 and kind = 'todo'`,
    [id],
  );
  const changed = await away.fetch();
  console.log(
    `a board of 2,000: ${whole.bytes} bytes whole, ${changed.bytes} after ten changes, ${nothing.bytes} after none`,
  );
  const anew = reader(id);
  await anew.fetch();
  expect(away.rows()).toEqual(anew.rows());
  expect(changed.requests).toBe(1);
  expect(changed.bytes).toBeLessThan(whole.bytes / 50);
  expect(nothing.bytes).toBeLessThan(500);
}, 120_000);

test('a write during the fetch of a project is not missed', async () => {
  const id = await project(20);
  const away = reader(id);
  // A transaction that was under way when the rows were read, and is kept after.
  const late = app.sql(
    `with held as (select pg_sleep(0.3)) update tasks set title = 'Late' from held where project_id = $1 and number = 7`,
    [id],
  );
  await away.fetch();
  await late;
  await away.fetch();
  const titles = away.store.baseRows('tasks').map(({ title }) => title);
  expect(titles).toContain('Late');
});

test('strangers learn nothing, and members only of the tables they ask about', async () => {
  const id = await project(3);
  const eve = await app.createUser({ name: 'Eve' });
  const refused = await eve.client.rpc('changes_since', { project_id: id, since: '1', known: { tasks: [0] } });
  expect(refused.error).not.toBeNull();
  const { data } = await ada.client.rpc('changes_since', {
    project_id: id,
    since: '1',
    known: { tasks: [0], nothing: [0] },
  });
  const { changed } = data as { changed: Record<string, unknown[]> };
  expect(Object.keys(changed)).toEqual(['tasks']);
  expect(changed.tasks).toHaveLength(3);
  expect(tableNames).toContain('tasks');
  const tomorrow = await ada.client.rpc('changes_since', {
    project_id: id,
    since: '999999999999',
    known: { tasks: [0] },
  });
  expect(tomorrow.data).toMatchObject({ changed: null, present: null });
});
