// Colleagues chosen for people of an imported file: they join the project when the import starts, and go again by its undo; by owners alone.

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RunningJob } from '../../server/background/every.ts';
import { openFileSaver } from '../../server/files/file-saver.ts';
import { startImports } from '../../server/imports/door/start-imports.ts';
import { notSaved } from '../../server/imports/files-in-zip.ts';
import { startApp, type TestUser } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { person } from '../helpers/person.ts';
import { makeProject } from '../sql/board.ts';

const app = forSuite(startApp);
const ada = person(app, 'Ada');
const bob = person(app, 'Bob');
const cyd = person(app, 'Cyd');
const dan = person(app, 'Dan');
/** In none of Ada's projects. */
const zoe = person(app, 'Zoe');
let node: RunningJob;
const startNode = async (): Promise<RunningJob> =>
  startImports(app.services, await openFileSaver(app.services, notSaved));
beforeAll(async () => {
  node = await startNode();
  const { project } = await makeProject(app, ada, 'Shared');
  await letIn(project, bob, 'viewer');
  await letIn(project, cyd, 'editor');
  await letIn(project, dan, 'viewer');
});
afterAll(() => node?.stop());

const table = Buffer.from('ID,Title,Assignee\n1,Caulk,B. Smith\n2,Tar,Caspar\n3,Rest,B. Smith');

interface ImportReport {
  readonly id: string;
  readonly projectId: string;
  readonly code: string;
  readonly message: string;
  readonly people: readonly object[];
  readonly canUndo: boolean;
}

async function ask(who: TestUser, method: string, path: string, body?: unknown) {
  const isFile = Buffer.isBuffer(body);
  const response = await fetch(`${app.url}/api/imports${path}`, {
    method,
    headers: {
      authorization: `Bearer ${who.token}`,
      ...(body !== undefined && { 'content-type': isFile ? 'application/octet-stream' : 'application/json' }),
    },
    ...(body !== undefined && { body: isFile ? new Uint8Array(body) : JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as ImportReport };
}

const upload = async (who: TestUser, file = table): Promise<string> =>
  (await ask(who, 'POST', '/?name=yard.csv', file)).body.id;
const ended = (who: TestUser, id: string, state: string) =>
  expect.poll(async () => (await ask(who, 'GET', `/${id}`)).body, { timeout: 100_000 }).toMatchObject({ state });
const letIn = (projectId: string, who: TestUser, role: string) =>
  app.sql('insert into public.project_members (project_id, user_id, role) values ($1, $2, $3::public.project_role)', [
    projectId,
    who.id,
    role,
  ]);
const membersOf = async (projectId: string): Promise<string[]> =>
  (
    await app.sql<{ words: string }>(
      `select p.display_name || ' ' || m.role as words from public.project_members m join public.profiles p on p.id = m.user_id
       where m.project_id = $1 order by 1`,
      [projectId],
    )
  ).map(({ words }) => words);
const assigned = (projectId: string) =>
  app.sql(
    `select t.title, a.user_id from public.task_assignees a join public.tasks t on t.id = a.task_id where a.project_id = $1 order by 1`,
    [projectId],
  );
const projectsOf = async (who: TestUser): Promise<number> =>
  (await app.sql('select id from public.projects where created_by = $1', [who.id])).length;

test('a colleague joins a new project as an editor, is told, has the tasks, and goes by undo', async () => {
  const id = await upload(ada);
  const people = { 'B. Smith': bob.id.toUpperCase(), Caspar: ada.id };
  const { body: shown } = await ask(ada, 'POST', `/${id}/preview`, { people });
  expect(shown.people).toMatchObject([
    { key: 'B. Smith', userId: bob.id, joins: true },
    { key: 'Caspar', userId: ada.id, joins: false },
  ]);
  const { status, body } = await ask(ada, 'POST', `/${id}/start`, { name: 'Yard', people });
  expect(status).toBe(202);
  await ended(ada, id, 'done');
  expect(await membersOf(body.projectId)).toEqual(['Ada owner', 'Bob editor']);
  expect(await assigned(body.projectId)).toEqual([
    { title: 'Caulk', user_id: bob.id },
    { title: 'Rest', user_id: bob.id },
    { title: 'Tar', user_id: ada.id },
  ]);
  const told = await app.sql('select kind from public.notifications where user_id = $1 and project_id = $2', [
    bob.id,
    body.projectId,
  ]);
  expect(told).toEqual([{ kind: 'added' }]);

  await ask(ada, 'POST', `/${id}/undo`);
  await ended(ada, id, 'undone');
  expect(await membersOf(body.projectId)).toEqual(['Ada owner']);
});

test('an existing project gets the colleague; undo keeps members from before, those with work since, and what a group brings', async () => {
  const { project, columns } = await makeProject(app, ada, 'Dock');
  await letIn(project, cyd, 'viewer');
  const people = { 'B. Smith': bob.id, Caspar: cyd.id, Dan: dan.id };
  const id = await upload(ada, Buffer.from(`${table}\n4,Bail,Dan`));
  const { body: shown } = await ask(ada, 'POST', `/${id}/preview`, { project, people });
  expect(shown.people).toMatchObject([
    { userId: bob.id, joins: true },
    { userId: cyd.id, joins: false },
    { userId: dan.id, joins: true },
  ]);
  // Looking adds nobody.
  expect(await membersOf(project)).toEqual(['Ada owner', 'Cyd viewer']);
  await ask(ada, 'POST', `/${id}/start`, { project, people });
  await ended(ada, id, 'done');
  expect(await membersOf(project)).toEqual(['Ada owner', 'Bob editor', 'Cyd viewer', 'Dan editor']);

  const [group] = await app.sql<{ id: string }>(`insert into public.groups (name) values ('Crew') returning id`);
  await app.sql('insert into public.group_members (group_id, user_id) values ($1, $2)', [group?.id, dan.id]);
  await app.sql(`insert into public.project_members (project_id, group_id, role) values ($1, $2, 'viewer')`, [
    project,
    group?.id,
  ]);
  await app.asUser(bob.id, 'insert into public.tasks (project_id, column_id, title) values ($1, $2, $3)', [
    project,
    columns.todo,
    'Sweep',
  ]);
  await ask(ada, 'POST', `/${id}/undo`);
  await ended(ada, id, 'undone');
  expect(await membersOf(project)).toEqual(['Ada owner', 'Bob editor', 'Cyd viewer', 'Dan viewer']);
});

test('an id of somebody else is refused by name before anything is made', async () => {
  const id = await upload(ada);
  const before = await projectsOf(ada);
  const { project } = await makeProject(app, ada, 'Quay');
  for (const who of [zoe.id, '00000000-0000-4000-8000-000000000001'])
    for (const path of ['preview', 'start'])
      for (const target of [{ project }, path === 'start' ? { name: 'Yard' } : {}])
        expect(await ask(ada, 'POST', `/${id}/${path}`, { ...target, people: { Caspar: who } })).toMatchObject({
          status: 400,
          body: { code: 'KB824', message: expect.stringMatching(new RegExp(`${who}.*“Caspar”.*neither a member`)) },
        });
  expect(await projectsOf(ada)).toBe(before + 1);
  expect(await membersOf(project)).toEqual(['Ada owner']);
  expect(await ask(ada, 'GET', `/${id}`)).toMatchObject({ body: { state: 'ready' } });
});

test('an editor adds nobody: members are matched, a colleague is refused', async () => {
  const { project } = await makeProject(app, ada, 'Pier');
  await letIn(project, cyd, 'editor');
  const id = await upload(cyd);
  for (const path of ['preview', 'start'])
    expect(
      await ask(cyd, 'POST', `/${id}/${path}`, { project, people: { Caspar: ada.id, 'B. Smith': bob.id } }),
    ).toMatchObject({
      status: 403,
      body: { code: 'KB826', message: expect.stringMatching(new RegExp(`Only owners.*${bob.id}.*“B. Smith”`)) },
    });
  await ask(cyd, 'POST', `/${id}/start`, { project, people: { Caspar: ada.id } });
  await ended(cyd, id, 'done');
  expect(await membersOf(project)).toEqual(['Ada owner', 'Cyd editor']);
  expect(await assigned(project)).toEqual([{ title: 'Tar', user_id: ada.id }]);
});

test('seats of the plan are counted before the import starts; cancelled before it runs, undo removes who joined', async () => {
  const id = await upload(ada);
  const people = { 'B. Smith': bob.id, Caspar: cyd.id };
  const before = await projectsOf(ada);
  await app.sql(
    `insert into billing.plans (price_id, name, limits, is_enforced) values ('free', 'Free', '{"members_per_project": 2}', true)
     on conflict (price_id) do update set limits = excluded.limits, is_enforced = true`,
  );
  expect(await ask(ada, 'POST', `/${id}/start`, { name: 'Yard', people })).toMatchObject({
    status: 400,
    body: { code: 'KB824', message: 'The plan of this project allows 2 members' },
  });
  expect(await projectsOf(ada)).toBe(before);
  await app.sql(`update billing.plans set is_enforced = false where price_id = 'free'`);

  await node.stop();
  const { body } = await ask(ada, 'POST', `/${id}/start`, { name: 'Yard', people });
  expect(await membersOf(body.projectId)).toEqual(['Ada owner', 'Bob editor', 'Cyd editor']);
  await ask(ada, 'POST', `/${id}/cancel`);
  expect((await ask(ada, 'GET', `/${id}`)).body).toMatchObject({ state: 'cancelled', canUndo: true });
  await ask(ada, 'POST', `/${id}/undo`);
  node = await startNode();
  await ended(ada, id, 'undone');
  expect(await membersOf(body.projectId)).toEqual(['Ada owner']);
});
