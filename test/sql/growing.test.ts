// A project that is worked on: its tasks stay on the pages of the database they came to, so that a board is read from few of them.

import { expect, test } from 'vitest';
import { startApp } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { makeBoard } from './board.ts';

const app = forSuite(startApp);

test('tasks that are renamed and moved stay on their page', async () => {
  const { project, columns, people } = await makeBoard(app);
  const { client } = people.owner;
  const tasks = Array.from({ length: 400 }, (_, at) => ({
    project_id: project,
    column_id: columns.todo,
    title: `Task ${at}`,
  }));
  expect((await client.from('tasks').insert(tasks)).error).toBeNull();
  const pages = async (): Promise<Map<string, number>> =>
    new Map(
      (
        await app.sql<{ id: string; page: number }>(
          'select id, (ctid::text::point)[0]::int as page from public.tasks where project_id = $1 and title like $2 order by number',
          [project, 'Task %'],
        )
      ).map(({ id, page }) => [id, page]),
    );
  const before = await pages();
  // Every eighth: what finds room on a page without anything being cleared away.
  const changed = [...before.keys()].filter((_, at) => at % 8 === 0);
  for (const [at, id] of changed.entries()) {
    const { error } =
      at % 2 === 0
        ? await client
            .from('tasks')
            .update({ title: `Task ${at}, renamed` })
            .eq('id', id)
        : await client.rpc('move_task', { task_id: id, column_id: columns.in_progress });
    expect(error).toBeNull();
  }
  const after = await pages();
  expect(changed.length).toBe(50);
  expect(changed.filter((id) => after.get(id) !== before.get(id))).toEqual([]);
});
