// Versions of rows: every state of a row has a greater one than the state before, clients cannot set it, and a batch is refused where a row
// is no longer the one it was based on.

import { beforeAll, expect, test } from 'vitest';
import { startApp, type TestUser } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { type Board, makeBoard, one } from './board.ts';

let board: Board;
const app = forSuite(startApp);
beforeAll(async () => {
  board = await makeBoard(app);
});

type Row = Readonly<Record<string, unknown>> & { readonly id: string; readonly version: number };
type Rows = readonly { readonly rows: readonly Row[] }[];

const apply = (user: TestUser, ...changes: readonly object[]) => user.client.rpc('apply_changes', { changes });
const task = async (id = board.tasks[0]): Promise<Row> =>
  (await one(board.people.owner.client.from('tasks').select().eq('id', id).single())) as Row;

test('every table but history has versions, and every change of a row raises its own', async () => {
  const tables = await app.sql<{ name: string }>(
    `select c.relname as name from pg_class c
     where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and private.has_versions(c.oid) order by 1`,
  );
  expect(
    await app.sql(
      `select c.relname as name from pg_class c where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
       and c.relname not in ('access_log', 'task_activity', 'webhook_deliveries') and not private.has_versions(c.oid)`,
    ),
  ).toEqual([]);
  for (const { name } of tables) {
    const [was] = await app.sql<{ lowest: number | null; most: number; rows: number; distinct: number }>(
      `select min(version)::float8 as lowest, max(version)::float8 as most, count(*)::int as rows, count(distinct version)::int as distinct
       from public.${name}`,
    );
    if (was === undefined || was.lowest === null) continue;
    expect(was.lowest, name).toBeGreaterThan(0);
    expect(was.distinct, name).toBe(was.rows);
    await app.sql(`update public.${name} set created_at = created_at`);
    const [is] = await app.sql<{ lowest: number }>(`select min(version)::float8 as lowest from public.${name}`);
    expect(is?.lowest, name).toBeGreaterThan(was.most);
  }
});

test('a version that a client or the service key sends is set aside, in new rows and in old ones', async () => {
  const forged = 9_000_000_000;
  for (const client of [board.people.editor.client, app.client({ key: app.serviceKey })]) {
    const made = (await one(
      client
        .from('task_labels')
        .insert({ project_id: board.project, name: `Forged ${Math.random()}`, version: forged })
        .select()
        .single(),
    )) as Row;
    expect(made.version).toBeLessThan(forged);
    const changed = (await one(
      client.from('task_labels').update({ version: forged, color: '#112233' }).eq('id', made.id).select().single(),
    )) as Row;
    expect(changed.version).toBeGreaterThan(made.version);
    expect(changed.version).toBeLessThan(forged);
    const whole = (await one(
      client
        .from('task_labels')
        .upsert({ ...made, color: '#445566' })
        .select()
        .single(),
    )) as Row;
    expect(whole.version).toBeGreaterThan(changed.version);
  }
});

test('a batch is refused where a row has changed since, and names the task', async () => {
  const { editor, viewer } = board.people;
  const { id, version } = await task();
  const update = (to: object) => ({ change: 'update', table: 'tasks', rows: [{ id, ...to }] });
  // Two changes of one row in a batch, and a move.
  const answer = (await one(
    apply(editor, update({ title: 'First', version }), update({ priority: 'p0', version }), {
      change: 'move',
      table: 'tasks',
      rows: [{ id, column_id: board.columns.todo, version }],
    }),
  )) as Rows;
  const last = answer.at(-1)?.rows[0]?.version ?? 0;
  expect(last).toBeGreaterThan(version);
  for (const change of [
    update({ title: 'Second', version }),
    { change: 'move', table: 'tasks', rows: [{ id, column_id: board.columns.backlog, version }] },
  ])
    expect(await apply(editor, change)).toMatchObject({
      status: 409,
      error: { code: 'KB017', message: expect.stringMatching(/^[A-Z]+-\d+: someone else has changed it since$/) },
    });
  expect(await task()).toMatchObject({ title: 'First', column_id: board.columns.todo, version: last });
  // Unknown: nothing is compared.
  await one(apply(editor, update({ title: 'Third', version: null })));
  const { version: now } = await task();
  expect(await apply(viewer, update({ title: 'Not theirs', version: now }))).toMatchObject({
    error: { code: '42501' },
  });
  const item = { id: board.item, title: 'Checked' };
  const [{ version: ofItem = 0 } = {}] = (await one(
    editor.client.from('task_checklist_items').select('version').eq('id', board.item),
  )) as readonly Partial<Row>[];
  await one(apply(editor, { change: 'update', table: 'task_checklist_items', rows: [{ ...item, version: ofItem }] }));
  expect(
    await apply(editor, { change: 'update', table: 'task_checklist_items', rows: [{ ...item, version: ofItem }] }),
  ).toMatchObject({ error: { code: 'KB017' } });
});

test('of changes with one version at the same moment one passes', async () => {
  const { editor, owner } = board.people;
  const { id, version } = await task(board.tasks[1]);
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, at) =>
      apply(at % 2 ? editor : owner, { change: 'update', table: 'tasks', rows: [{ id, title: `Try ${at}`, version }] }),
    ),
  );
  expect(answers.filter(({ error }) => error === null)).toHaveLength(1);
  expect(answers.flatMap(({ error }) => (error === null ? [] : [error.code]))).toEqual(Array(7).fill('KB017'));
});

test('a deletion answers with the last version, and a row that is made again has a later one', async () => {
  const { editor } = board.people;
  const row = { project_id: board.project, task_id: board.tasks[2], label_id: board.spareLabel };
  const link = (change: string) => apply(editor, { change, table: 'task_label_links', rows: [row] });
  const [made] = (await one(link('insert'))) as Rows;
  const [gone] = (await one(link('delete'))) as Rows;
  const [again] = (await one(link('insert'))) as Rows;
  expect(gone?.rows[0]?.version).toBe(made?.rows[0]?.version);
  expect(again?.rows[0]?.version).toBeGreaterThan(made?.rows[0]?.version ?? 0);
});

test('a table of somebody else keeps a column of that name for what it means there', async () => {
  await app.sql(`create table public.releases (id int primary key, version text)`);
  await app.sql(`grant all on public.releases to authenticated`);
  await app.sql(`insert into public.releases values (1, '1.0')`);
  await one(apply(board.people.editor, { change: 'update', table: 'releases', rows: [{ id: 1, version: '1.1' }] }));
  expect(await app.sql('select version from public.releases')).toEqual([{ version: '1.1' }]);
  await one(apply(board.people.editor, { change: 'delete', table: 'releases', rows: [{ id: 1 }] }));
  await app.sql('drop table public.releases');
});
