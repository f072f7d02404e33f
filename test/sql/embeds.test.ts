// Embedding a table by its name is unambiguous, and means the obvious relationship.

import { beforeAll, expect, it } from 'vitest';
import { startApp, type TestApp } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { addMember, addRow, addTask, makeProject, one } from './board.ts';

let ada: Awaited<ReturnType<TestApp['createUser']>>;
let bob: typeof ada;
let project: string;
let task: string;
const app = forSuite(startApp);
beforeAll(async () => {
  [ada, bob] = [await app.createUser({ name: 'Ada' }), await app.createUser({ name: 'Bob' })];
  ({ project } = await makeProject(app, ada, 'Engine'));
  await addMember(app, project, bob, 'editor');
  task = await addTask(app, ada, { project_id: project, title: 'Draw the wheels' });
  await addRow(app, ada, 'task_assignees', { task_id: task, user_id: bob.id });
  const label = await addRow(app, ada, 'task_labels', { project_id: project, name: 'brass' });
  await addRow(app, ada, 'task_label_links', { task_id: task, label_id: label });
});

const read = <T>(table: string, columns: string): Promise<T> =>
  one(bob.client.from(table).select(columns).order('created_at')) as Promise<T>;

it('a member is a person', async () => {
  expect(await read('project_members', 'role, profiles(display_name)')).toEqual([
    { role: 'owner', profiles: { display_name: 'Ada' } },
    { role: 'editor', profiles: { display_name: 'Bob' } },
  ]);
});

it('the people of a task work on it, its creator has made it', async () => {
  expect(await read('tasks', 'title, assignees:profiles(display_name), creator(display_name)')).toEqual([
    { title: 'Draw the wheels', assignees: [{ display_name: 'Bob' }], creator: { display_name: 'Ada' } },
  ]);
  expect(await read('tasks', 'task_assignees(profiles(display_name))')).toEqual([
    { task_assignees: [{ profiles: { display_name: 'Bob' } }] },
  ]);
});

it('the people of a project are its members, its creator began it', async () => {
  const [row] = await read<{ profiles: { display_name: string }[]; creator: unknown }[]>(
    'projects',
    'name, profiles(display_name), creator(display_name)',
  );
  expect(row?.profiles.map((person) => person.display_name).sort()).toEqual(['Ada', 'Bob']);
  expect(row?.creator).toEqual({ display_name: 'Ada' });
});

it('projects, tasks and labels find each other', async () => {
  expect(await read('projects', 'name, tasks(title, task_labels(name)), task_labels(name)')).toEqual([
    {
      name: 'Engine',
      tasks: [{ title: 'Draw the wheels', task_labels: [{ name: 'brass' }] }],
      task_labels: [{ name: 'brass' }],
    },
  ]);
  expect(await read('tasks', 'projects(name)')).toEqual([{ projects: { name: 'Engine' } }]);
  expect(await read('task_labels', 'projects(name), tasks(title)')).toEqual([
    { projects: { name: 'Engine' }, tasks: [{ title: 'Draw the wheels' }] },
  ]);
  expect(await read('project_members', 'projects(name)')).toEqual(
    Array.from({ length: 2 }, () => ({ projects: { name: 'Engine' } })),
  );
});

it('the person of a notification is who caused it', async () => {
  expect(await read('notifications', 'kind, profiles(display_name)')).toEqual([
    { kind: 'added', profiles: null },
    { kind: 'assigned', profiles: { display_name: 'Ada' } },
  ]);
});

it('of all pairs of tables only those with two keys between them ask which is meant', async () => {
  const tables = await app.sql<{ name: string }>(
    `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1`,
  );
  const ambiguous: string[] = [];
  for (const { name: from } of tables)
    await Promise.all(
      tables.map(async ({ name: to }) => {
        const { status } = await app.request(`/rest/v1/${from}?select=${to}(created_at)&limit=1`, { token: ada.token });
        if (status === 300) ambiguous.push(`${from} ${to}`);
      }),
    );
  expect(ambiguous.sort()).toEqual([
    'agent_proposals profiles',
    'agent_sessions profiles',
    'profiles agent_proposals',
    'profiles agent_sessions',
    'profiles templates',
    'task_dependencies tasks',
    'tasks task_dependencies',
    'templates profiles',
  ]);
}, 120_000);

it('a leaver is unassigned and a non-member cannot be assigned, also when both happen at once', async () => {
  const eve = await app.createUser({ name: 'Eve' });
  const assign = { task_id: task, user_id: eve.id };
  expect((await ada.client.from('task_assignees').insert(assign)).error).toMatchObject({ code: '23503' });
  for (let round = 0; round < 8; round++) {
    await addMember(app, project, eve, 'viewer');
    await Promise.all([
      ada.client.from('task_assignees').insert(assign),
      ada.client.from('project_members').delete().eq('project_id', project).eq('user_id', eve.id),
    ]);
    expect(await app.sql('select from public.task_assignees where user_id = $1', [eve.id])).toEqual([]);
  }
});
