// Test data for policies: every kind of caller, and a board with only some of them as members, on any server.

import { setTimeout as pause } from 'node:timers/promises';
import type { SupabaseClient } from '@supabase/supabase-js';
import type { TestApp, TestUser } from '../helpers/app.ts';
import { type Callers, openCallers } from '../helpers/callers.ts';
import {
  addMember,
  addRow,
  addTask,
  type Board,
  makeBoard,
  makeGroup,
  makeProject,
  one,
  type Role,
} from '../sql/board.ts';
import { pathOf } from './questions.ts';

/** An editor who was removed, and one who has signed out, beside the roles of the matrix. */
export type Who = Role | 'removed' | 'signed out';
export const everybody: readonly Who[] = [
  'owner',
  'editor',
  'viewer',
  'guest',
  'removed',
  'outsider',
  'anonymous',
  'signed out',
];

export interface Server {
  readonly url: string;
  readonly anonKey: string;
  readonly serviceKey: string;
  /** As the owner of the tables. */
  readonly sql: TestApp['sql'];
  readonly asUser: TestApp['asUser'];
}

export interface Ground {
  readonly app: Server & Callers & Pick<TestApp, 'createUser'>;
  readonly board: Board;
  readonly removed: TestUser;
  readonly signedOut: TestUser;
  /** Another project of the same owner, editor and viewer, who may comment there on its task. */
  readonly second: string;
  readonly discussed: string;
  /** One that was deleted, of the same three. */
  readonly deleted: string;
  /** Of the project, for its members; there is an archived task, too. */
  readonly projectTemplate: string;
  /** What the mail of the board's invitation says. */
  readonly invitation: string;
  /** A token of the board's join link. */
  readonly joinLink: string;
  /** Addresses of calendars of the project: the editor's, and that of who was removed. */
  readonly feeds: Readonly<Record<'editor' | 'removed', string>>;
  /** None for who is anonymous: the public key's. */
  readonly tokenOf: (who: Who) => string | undefined;
  readonly clientOf: (who: Who) => SupabaseClient;
}

/** What the matrix of the tables knows of somebody: who was removed is nobody any more. */
export const roleOf = (who: Who): Role => (who === 'removed' || who === 'signed out' ? 'outsider' : who);
export const isMember = (who: Who): boolean => who === 'owner' || who === 'editor' || who === 'viewer';

export async function makeGround(server: Server): Promise<Ground> {
  const callers = openCallers(server.url, server.anonKey);
  const app = { ...server, ...callers, createUser: signUpAt(callers) };
  const board = await makeBoard(app);
  const { owner, editor, viewer } = board.people;
  const [removed, signedOut] = [
    await app.createUser({ name: 'Remo Removed' }),
    await app.createUser({ name: 'Sina Gone' }),
  ];
  await addMember(app, board.project, removed, 'editor');
  await addMember(app, board.project, signedOut, 'editor');
  const [second, deleted] = [
    (await makeProject(app, owner, 'Second')).project,
    (await makeProject(app, owner, 'Thrown away')).project,
  ];
  for (const project of [second, deleted]) {
    await addMember(app, project, editor, 'editor');
    await addMember(app, project, viewer, 'viewer');
  }
  await one(owner.client.from('projects').delete().eq('id', deleted).select());
  await one(owner.client.from('projects').update({ viewers_may_comment: true }).eq('id', second).select());
  const discussed = await addTask(app, editor, { project_id: second, title: 'Ask everyone' });
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
  const feeds = { editor: await feedOf(editor, board.project), removed: await feedOf(removed, board.project) };
  const invitation: string = await one(owner.client.rpc('invitation_token', { invitation_id: board.invitation }));
  const joinLink: string = await one(owner.client.rpc('join_link_token', { link_id: board.joinLink }));

  await addRow(app, removed, 'task_comments', { task_id: board.tasks[0], body: 'I was here' });
  await app.sql('delete from public.project_members where project_id = $1 and user_id = $2', [
    board.project,
    removed.id,
  ]);
  await signOut(app, signedOut);
  // A server that sends push messages has made one.
  await app.sql(`select private.save_push_keys(repeat('k', 87), 'sealed', null)`);

  const users = { ...board.people, removed, 'signed out': signedOut };
  const nobody = app.client();
  return {
    app,
    board,
    removed,
    signedOut,
    second,
    discussed,
    deleted,
    projectTemplate,
    invitation,
    joinLink,
    feeds,
    tokenOf: (who) => (who === 'anonymous' ? undefined : users[who].token),
    clientOf: (who) => (who === 'anonymous' ? nobody : users[who].client),
  };
}

/** The same people with the same roles, which groups give them: the editor two, and who was removed one that they left. */
export async function giveRolesByGroups(ground: Ground): Promise<Ground> {
  const { app, board, removed, second } = ground;
  const { owner, editor, viewer } = board.people;
  const [viewers, editors] = [await makeGroup(app, owner), await makeGroup(app, owner)];
  const add = (group: string, person: TestUser) =>
    app.sql('insert into public.group_members (group_id, user_id) values ($1, $2)', [group, person.id]);
  for (const person of [editor, viewer, removed]) await add(viewers, person);
  for (const project of [board.project, second])
    for (const [group, role] of [
      [viewers, 'viewer'],
      [editors, 'editor'],
    ])
      await app.sql('insert into public.project_members (project_id, group_id, role) values ($1, $2, $3)', [
        project,
        group,
        role,
      ]);
  await add(editors, editor);
  await app.sql('update public.project_members set own_role = null where user_id = any ($1)', [[editor.id, viewer.id]]);
  await app.sql('delete from public.group_members where group_id = $1 and user_id = $2', [viewers, removed.id]);
  return ground;
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
