// Examples of docs/build/api-by-example.md: its blocks as they stand, and what they answer, on the real tables under the real policies.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { startApp } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { person } from '../helpers/person.ts';

const app = forSuite(startApp);
const ada = person(app, 'Ada');

test('a project, tasks, the board, a move, a count', async () => {
  const kanbase = ada.client;
  const { data: project } = await kanbase.rpc('create_project_with_defaults', { name: 'Garden' });
  expect(project).toMatchObject({ name: 'Garden' });
  const columns = await kanbase.from('workflow_columns').select().eq('project_id', project.id).order('position');
  const [, todo, doing, done] = columns.data ?? [];
  const added = await kanbase
    .from('tasks')
    .insert([
      { project_id: project.id, column_id: todo.id, title: 'Water the beans' },
      { project_id: project.id, column_id: todo.id, title: 'Pick the plums' },
    ])
    .select('id, title')
    .order('number');
  expect(added.error).toBeNull();
  expect(added.data?.map(({ title }) => title)).toEqual(['Water the beans', 'Pick the plums']);
  const [beans, plums] = added.data ?? [];
  await kanbase.from('task_assignees').insert({ task_id: beans?.id, user_id: ada.id }).throwOnError();

  const board = await kanbase
    .from('workflow_columns')
    .select(
      'name, tasks(number, title, priority, task_assignees(profiles(display_name)), task_label_links(task_labels(name, color)))',
    )
    .eq('project_id', project.id)
    .order('position')
    .order('order_rank', { referencedTable: 'tasks' });
  expect(board.error).toBeNull();
  expect(board.data?.[1]).toEqual({
    name: todo.name,
    tasks: [
      {
        number: 1,
        title: 'Water the beans',
        priority: 'p2',
        task_assignees: [{ profiles: { display_name: 'Ada' } }],
        task_label_links: [],
      },
      { number: 2, title: 'Pick the plums', priority: 'p2', task_assignees: [], task_label_links: [] },
    ],
  });

  expect((await kanbase.rpc('move_task', { task_id: beans?.id, column_id: doing.id })).data).toMatchObject({
    column_id: doing.id,
  });
  expect(
    (await kanbase.rpc('move_task', { task_id: plums?.id, column_id: doing.id, before_id: beans?.id })).error,
  ).toBeNull();
  const ranked = await kanbase.from('tasks').select('title').eq('column_id', doing.id).order('order_rank');
  expect(ranked.data?.map(({ title }) => title)).toEqual(['Pick the plums', 'Water the beans']);
  expect((await kanbase.rpc('move_task', { task_id: plums?.id, column_id: done.id })).data).toMatchObject({
    completed_at: expect.any(String),
  });

  expect(
    await kanbase.from('tasks').update({ priority: 'p0' }).eq('project_id', project.id).maxAffected(1),
  ).toMatchObject({ error: { code: 'PGRST124' } });
  const mine = await kanbase
    .from('tasks')
    .select('id, title, task_assignees!inner(user_id)', { count: 'exact' })
    .eq('task_assignees.user_id', ada.id)
    .or('due_date.lt.2030-01-01,priority.eq.p2')
    .is('completed_at', null)
    .order('due_date', { nullsFirst: false })
    .range(0, 49);
  expect(mine).toMatchObject({ count: 1, data: [{ title: 'Water the beans' }] });
});

test('blocks of the guide run one after the other as they stand', async () => {
  const guide = readFileSync('docs/build/api-by-example.md', 'utf8');
  const [signIn = '', ...blocks] = [...guide.matchAll(/^```js .*\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block);
  expect(signIn).toContain('createClient(');
  expect(blocks.length).toBeGreaterThan(4);
  // What a reader has from before: tasks to move, and their own id.
  const before = `const [{ id: task_id }, { id: other_id }] = (await kanbase.from('tasks')
    .insert([{ project_id: project.id, column_id: columns[2].id, title: 'One' }, { project_id: project.id, column_id: columns[2].id, title: 'Other' }])
    .select('id').throwOnError()).data;`;
  const moving = blocks.findIndex((block) => block.includes('task_id'));
  const program = [
    ...blocks.slice(0, moving),
    before,
    ...blocks.slice(moving),
    'return { board, tasks, members, data, count };',
  ];
  const AsyncFunction = Object.getPrototypeOf(async () => undefined).constructor as new (
    ...parts: readonly string[]
  ) => (...given: readonly unknown[]) => Promise<Record<string, unknown>>;
  const found = await new AsyncFunction('kanbase', 'me', program.join('\n'))(ada.client, ada.id);
  expect(found).toMatchObject({ members: [{ role: 'owner', profiles: { display_name: 'Ada' } }], data: [], count: 0 });
  expect((found.board as readonly unknown[]).length).toBeGreaterThan(3);
  expect(found.tasks).toEqual([{ title: 'Water the beans', assignees: [], creator: { display_name: 'Ada' } }]);
});
