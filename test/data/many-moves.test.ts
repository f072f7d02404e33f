// Many people drag cards on one board at once: every move succeeds, however slow the database is.

import { beforeAll, expect, test } from 'vitest';
import { startApp, type TestUser } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';

const together = 200;

let people: TestUser[];
let columns: string[];
let tasks: string[];

const app = forSuite(startApp);
beforeAll(async () => {
  people = await Promise.all(Array.from({ length: 10 }, (_, nth) => app.createUser({ name: `Mover ${nth}` })));
  const [owner, ...editors] = people as [TestUser, ...TestUser[]];
  const { data: project } = await owner.client
    .rpc('create_project_with_defaults', { name: 'Board' })
    .single<{ id: string }>();
  const id = project?.id ?? '';
  for (const { id: user } of editors)
    await app.sql(`insert into public.project_members (project_id, user_id, role) values ($1, $2, 'editor')`, [
      id,
      user,
    ]);
  columns = (await owner.client.from('workflow_columns').select('id').eq('project_id', id).order('position')).data?.map(
    (column) => String(column.id),
  ) as string[];
  const { data } = await owner.client
    .from('tasks')
    .insert(
      Array.from({ length: together }, (_, nth) => ({ project_id: id, column_id: columns[0], title: `Card ${nth}` })),
    )
    .select('id');
  tasks = (data ?? []).map((task) => String(task.id));
  // Each move keeps the board a moment, one after the other: the line grows and nobody in it is quick.
  await app.sql(`
    create function private.hold_a_moment() returns trigger language plpgsql set search_path = '' as $$
    begin
      perform pg_advisory_xact_lock(4712);
      perform pg_sleep(0.01);
      return new;
    end $$`);
  await app.sql(
    'create trigger zz_hold_a_moment before update on public.tasks for each row execute function private.hold_a_moment()',
  );
});

test('two hundred moves of one board are all served', async () => {
  let answered = 0;
  const move = async (task: string, nth: number) => {
    const { client } = people[nth % people.length] as TestUser;
    const { status, error } = await client.rpc('move_task', { task_id: task, column_id: columns[1 + (nth % 2)] });
    answered++;
    return { status, code: error?.code ?? null };
  };
  const first = tasks.slice(0, together / 2).map(move);
  // The others come while those wait, when it has shown how slowly they go.
  await expect.poll(() => answered, { timeout: 30_000 }).toBeGreaterThan(together / 8);
  const others = tasks.slice(together / 2).map(move);
  const refused = (await Promise.all([...first, ...others])).filter(({ status }) => status !== 200);
  expect(refused).toEqual([]);
});
