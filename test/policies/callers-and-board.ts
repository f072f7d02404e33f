// Test data for policies: a board for each state of a project that callers are asked about, and every caller of it, on any server.

import { setTimeout as pause } from 'node:timers/promises';
import type { SupabaseClient } from '@supabase/supabase-js';
import type { TestApp, TestUser } from '../helpers/app.ts';
import { type Callers, openCallers } from '../helpers/callers.ts';
import { addMember, addRow, addTask, type Board, makeBoard, makeGroup, makeProject, one } from '../sql/board.ts';
import { callers, everybody, isPerson, type Level, type Who } from './callers.ts';
import { pathOf } from './questions.ts';

export interface Server {
  readonly url: string;
  readonly anonKey: string;
  readonly serviceKey: string;
  /** As the owner of the tables. */
  readonly sql: TestApp['sql'];
  readonly asUser: TestApp['asUser'];
}

type App = Server & Callers & Pick<TestApp, 'createUser'>;

/** A board with what hangs on its project. */
interface Place {
  readonly board: Board;
  /** Of the project, for its members; there is an archived task, too. */
  readonly projectTemplate: string;
  /** What the mail of the board's invitation says. */
  readonly invitation: string;
  /** A token of the board's join link. */
  readonly joinLink: string;
}

export interface Ground extends Place {
  readonly app: App;
  /** Where viewers may comment, and where the three tasks are restricted. */
  readonly talking: Place;
  readonly closed: Place;
  /** Another project of all owners, editors and viewers, who may comment there on its task. */
  readonly second: string;
  readonly discussed: string;
  /** One that was deleted, of the same people. */
  readonly deleted: string;
  /** Addresses of calendars of the project: the editor's, and that of who was removed. */
  readonly feeds: Readonly<Record<'editor' | 'removed', string>>;
  readonly removed: TestUser;
  /** Ids of accounts, keys and links: explain_access or reach_of tells of them. */
  readonly idOf: (who: Who) => string | undefined;
  /** None for who is anonymous: the public key's. */
  readonly tokenOf: (who: Who) => string | undefined;
  readonly clientOf: (who: Who) => SupabaseClient;
}

/** All callers at once, but for those who change what others ask about: one after the other. */
export async function each(
  ask: (who: Who) => Promise<void>,
  isAlone: (who: Who) => boolean = () => false,
): Promise<void> {
  await Promise.all(everybody.filter((who) => !isAlone(who)).map(ask));
  for (const who of everybody.filter(isAlone)) await ask(who);
}

/** The same, with the board that this one is asked about. */
export const groundOf = (ground: Ground, who: Who): Ground => {
  const { place } = callers[who];
  return place === undefined ? ground : { ...ground, ...ground[place] };
};

async function makePlace(app: App): Promise<Place> {
  const board = await makeBoard(app);
  const { owner, editor } = board.people;
  await addTask(app, editor, {
    project_id: board.project,
    title: 'Put away',
    archived_at: '2026-01-01T00:00:00Z',
  });
  await one(editor.client.storage.from('attachments').upload(pathOf(board), new Blob(['On it'])));
  const template = { project_id: board.project, is_shared: true };
  const { id: projectTemplate } = await one(
    editor.client.rpc('save_project_as_template', template).single<{ id: string }>(),
  );
  await one(owner.client.rpc('invite_guest', { task_id: board.tasks[2], email: 'guest@example.test' }));
  const invitation: string = await one(owner.client.rpc('invitation_token', { invitation_id: board.invitation }));
  const joinLink: string = await one(owner.client.rpc('join_link_token', { link_id: board.joinLink }));
  return { board, projectTemplate, invitation, joinLink };
}

/** All three tasks, one with the others under it, for the owner, the editor who works on it, and those who are named. */
export async function restrict(
  app: Pick<App, 'sql' | 'asUser' | 'createUser'>,
  board: Board,
  named: TestUser,
): Promise<void> {
  const { owner, editor } = board.people;
  const [task_id, ...parts] = board.tasks;
  await one(owner.client.from('task_dependencies').delete().eq('id', board.dependency).select());
  await one(owner.client.from('tasks').update({ parent_id: task_id }).in('id', parts).select());
  await one(owner.client.from('task_grants').insert({ task_id, user_id: named.id }).select());
  await one(owner.client.from('tasks').update({ is_restricted: true }).eq('id', task_id).select());
  const before = await addTask(app, editor, { project_id: board.project, title: 'Ask around', parent_id: task_id });
  await addRow(app, editor, 'task_dependencies', { predecessor_id: before, successor_id: parts[0] });
}

async function makeMembers(
  app: App,
  { board, talking, closed }: Readonly<Record<'board' | 'talking' | 'closed', Board>>,
) {
  const make = async (name: string) => app.createUser({ name });
  const people = {
    removed: await make('Remo Removed'),
    'signed out': await make('Sina Gone'),
    'member by a group': await make('Greta Group'),
    'member by two groups': await make('Toni Twice'),
    'removed from a group': await make('Lena Left'),
    'viewer who may comment': talking.people.viewer,
    'named member': await make('Nadja Named'),
    'unnamed member': await make('Ulf Unnamed'),
  };
  await addMember(app, board.project, people.removed, 'editor');
  await addMember(app, board.project, people['signed out'], 'editor');
  for (const who of ['named member', 'unnamed member'] as const)
    await addMember(app, closed.project, people[who], 'editor');
  const manager = await make('Mona Manager');
  const [viewers, editors] = [await makeGroup(app, manager), await makeGroup(app, manager)];
  for (const { project } of [talking, closed])
    await app.sql(`insert into public.project_members (project_id, group_id, role) values ($1, $2, 'viewer')`, [
      project,
      await makeGroup(app, manager),
    ]);
  const join = (group: string, who: keyof typeof people) =>
    app.sql('insert into public.group_members (group_id, user_id) values ($1, $2)', [group, people[who].id]);
  for (const who of ['member by a group', 'member by two groups', 'removed from a group'] as const)
    await join(viewers, who);
  await join(editors, 'member by two groups');
  return { people, groups: { viewer: viewers, editor: editors } };
}

/** A second project and a deleted one, of all who are in one of the boards. */
async function makeOthers(
  app: App,
  owner: TestUser,
  { people, groups }: Awaited<ReturnType<typeof makeMembers>>,
  board: Board,
) {
  const [second, deleted] = [
    (await makeProject(app, owner, 'Second')).project,
    (await makeProject(app, owner, 'Thrown away')).project,
  ];
  const { editor, viewer } = board.people;
  for (const project of [second, deleted]) {
    for (const person of [editor, people['named member'], people['unnamed member']])
      await addMember(app, project, person, 'editor');
    for (const person of [viewer, people['viewer who may comment']]) await addMember(app, project, person, 'viewer');
  }
  for (const project of [board.project, second, deleted])
    for (const [role, group] of Object.entries(groups))
      await app.sql('insert into public.project_members (project_id, group_id, role) values ($1, $2, $3)', [
        project,
        group,
        role,
      ]);
  await app.sql('delete from public.group_members where group_id = $1 and user_id = $2', [
    groups.viewer,
    people['removed from a group'].id,
  ]);
  await one(owner.client.from('projects').delete().eq('id', deleted).select());
  await one(owner.client.from('projects').update({ viewers_may_comment: true }).eq('id', second).select());
  const discussed = await addTask(app, editor, { project_id: second, title: 'Ask everyone' });
  return { second, deleted, discussed };
}

async function makeGuests(app: App, { people: { owner }, tasks }: Board) {
  const make = async (level: Level) => {
    const guest = await app.createUser({ name: `Gast ${level}` });
    await one(owner.client.from('task_grants').insert({ task_id: tasks[0], user_id: guest.id, level }).select());
    while ((await one(guest.client.from('tasks').select('id'))).length === 0) await pause(20);
    return guest;
  };
  return {
    'guest who sees': await make('see'),
    'guest who comments': await make('comment'),
    'guest who edits': await make('edit'),
  };
}

interface Held {
  readonly id: string;
  readonly token: string;
}

/** Keys, a service account with one, and links, each with the token that it brings. */
async function makeHeld(app: App, { people: { owner, editor }, project }: Board, second: string) {
  const key = (scope: string): PromiseLike<Held> =>
    one(editor.client.rpc('create_api_key', { name: scope, scope, project_ids: [project] }));
  const { id } = await one(owner.client.rpc('create_service_account', { name: 'Release bot', project_id: project }));
  const { token } = await one(
    owner.client.rpc('create_service_account_key', { service_account_id: id, name: 'CI', scope: 'write' }),
  );
  return {
    'reading key': await key('read'),
    'writing key': await key('write'),
    'service account': { id, token },
    'public link': await openedLink(app, owner, {
      project_id: project,
      options: { names: true, comments: true, files: true },
    }),
    'public link to another project': await openedLink(app, owner, {
      project_id: second,
      options: { names: true, comments: true, files: true },
    }),
    'public link with a password': await openedLink(app, owner, { project_id: project, password }),
  };
}

/** By the door that makes and opens them; one with a password is not opened without it. */
export async function openedLink(
  { request }: Pick<Callers, 'request'>,
  owner: TestUser,
  link: Readonly<Record<string, unknown>> & { readonly password?: string },
): Promise<Held> {
  const post = async (path: string, body: object, token?: string) => {
    const answer = await request(`/auth/v1/share_links${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      ...(token === undefined ? {} : { token }),
    });
    return {
      status: answer.status,
      body: (await answer.json()) as { id: string; token: string; access_token: string },
    };
  };
  const made = (await post('', link, owner.token)).body;
  if (link.password !== undefined && (await post('/open', { token: made.token })).status !== 401)
    throw new Error('A link was opened without its password');
  const opened = await post('/open', { token: made.token, password: link.password });
  if (opened.status !== 200) throw new Error(`No link was opened: ${JSON.stringify(opened.body)}`);
  return { id: made.id, token: opened.body.access_token };
}

export async function makeGround(server: Server): Promise<Ground> {
  const open = openCallers(server.url, server.anonKey);
  const app = { ...server, ...open, createUser: signUpAt(open) };
  const [main, talking, closed] = [await makePlace(app), await makePlace(app), await makePlace(app)];
  const { board } = main;
  const { owner, editor } = board.people;
  const members = await makeMembers(app, { board, talking: talking.board, closed: closed.board });
  const { removed } = members.people;
  const others = await makeOthers(app, owner, members, board);
  const guests = await makeGuests(app, board);
  const held = await makeHeld(app, board, others.second);
  const { project } = talking.board;
  await one(
    talking.board.people.owner.client.from('projects').update({ viewers_may_comment: true }).eq('id', project).select(),
  );
  await restrict(app, closed.board, members.people['named member']);
  const feeds = { editor: await feedOf(editor, board.project), removed: await feedOf(removed, board.project) };
  await addRow(app, removed, 'task_comments', { task_id: board.tasks[0], body: 'I was here' });
  await app.sql('delete from public.project_members where project_id = $1 and user_id = $2', [
    board.project,
    removed.id,
  ]);
  await signOut(app, members.people['signed out']);
  // A server that sends push messages has made one.
  await app.sql(`select private.save_push_keys(repeat('k', 87), 'sealed', null)`);

  const users = { ...board.people, ...members.people, ...guests };
  const clients = new Map<Who, SupabaseClient>();
  const tokenOf = (who: Who): string | undefined =>
    who === 'anonymous'
      ? undefined
      : who in held
        ? held[who as keyof typeof held].token
        : users[who as keyof typeof users].token;
  return {
    ...main,
    ...{ app, talking, closed, removed, feeds },
    ...others,
    idOf: (who) =>
      who in held ? held[who as keyof typeof held].id : isPerson(who) ? users[who as keyof typeof users].id : undefined,
    tokenOf,
    clientOf: (who) => {
      const token = tokenOf(who);
      const client = clients.get(who) ?? app.client(token === undefined ? {} : { token });
      clients.set(who, client);
      return client;
    },
  };
}

const password = 'correct horse battery staple';
let count = 0;

/** By the door that people sign up at. */
function signUpAt({ client, request }: Callers): TestApp['createUser'] {
  return async ({ name = 'Ada', email } = {}) => {
    const address = email ?? `${name.toLowerCase().replaceAll(' ', '.')}-${Date.now()}-${++count}@example.test`;
    const answer = await request('/auth/v1/signup', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: address, password, data: { name } }),
    });
    const session = (await answer.json()) as { access_token?: string; user?: { id: string } };
    if (session.access_token === undefined || session.user === undefined)
      throw new Error(`Nobody could sign up: ${answer.status} ${JSON.stringify(session)}`);
    const { access_token: token, user } = session;
    return { id: user.id, email: address, name, password, token, client: client({ token }) };
  };
}

/** The news travels through Postgres; it takes a moment. */
async function signOut({ request }: Callers, { token }: TestUser): Promise<void> {
  await request('/auth/v1/logout', { method: 'POST', token });
  while ((await request('/rest/v1/projects?select=id', { token })).status !== 401) await pause(20);
}

async function feedOf({ client }: TestUser, project: string): Promise<string> {
  const made = await one(client.rpc('create_calendar_feed', { kind: 'project', project_id: project }));
  return (made as { path: string }).path;
}
