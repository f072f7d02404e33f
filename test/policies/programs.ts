// Programs: tokens of a person that are narrowed by scope and projects. What is due to one follows from the matrix: all that its person may, as far
// as the token leaves it.

import { randomUUID } from 'node:crypto';
import { tryVerb, verbsWith } from '../files/verbs.ts';
import type { TestApp } from '../helpers/app.ts';
import { hangUp, subscribe } from '../realtime/subscribe.ts';
import { type Board, one, type Role } from '../sql/board.ts';
import { askCell, type Cells, due, matrix, type Verb } from '../sql/matrix-cells.ts';
import type { Ground } from './callers-and-board.ts';
import { asTrial, inShort } from './cells.ts';
import { after, before } from './files.ts';
import { every } from './procedures.ts';

export interface Program {
  readonly name: string;
  readonly person: 'owner' | 'editor';
  readonly scope: string;
  /** All of the person's, that of the board, or another one. */
  readonly projects: 'all' | 'here' | 'elsewhere';
}

const people = ['owner', 'editor'] as const;
export const programs: readonly Program[] = people.flatMap((person) =>
  (
    [
      ['read', 'all'],
      ['read', 'here'],
      ['comment', 'here'],
      ['write', 'here'],
      ['write', 'all'],
      ['write', 'elsewhere'],
      ['openid email', 'all'],
    ] as const
  ).map(([scope, projects]) => ({ name: `${scope}, ${projects}, of the ${person}`, person, scope, projects })),
);

/** Tokens by name of the program. */
export async function tokensOf(
  app: Pick<TestApp, 'services'>,
  { board, second }: Pick<Ground, 'board' | 'second'>,
): Promise<ReadonlyMap<string, string>> {
  const tokens = new Map<string, string>();
  for (const { name, person, scope, projects } of programs) {
    const named = { all: undefined, here: [board.project], elsewhere: [second] }[projects];
    const claims = { sub: board.people[person].id, role: 'authenticated', aud: 'authenticated', scope };
    const token = await app.services.sessions.sign(
      { ...claims, ...(named === undefined ? {} : { projects: named }) },
      3600,
    );
    tokens.set(name, token);
  }
  return tokens;
}

/** The token of a key of a service account, a member as the editor is, whose own no row is. */
export async function tokenOfService(
  app: Pick<TestApp, 'services' | 'client'>,
  board: Board,
  scope: string,
): Promise<{ id: string; token: string }> {
  const given = { name: 'Release bot', project_id: board.project };
  const { id } = await one(app.client({ token: board.people.owner.token }).rpc('create_service_account', given));
  const claims = { sub: id, role: 'authenticated', aud: 'authenticated', scope };
  return { id, token: await app.services.sessions.sign(claims, 3600) };
}

/** Rows that are the editor's, as who wrote them or whom they are about. */
const ofEditor = [
  ...['access_grants', 'api_keys', 'calendar_feeds', 'favorite_views', 'notification_schedules', 'notifications'],
  ...['notification_settings', 'project_watchers', 'push_subscriptions', 'task_watchers', 'view_defaults'],
  'saved_views',
  ...['comment_reactions', 'task_comments', 'profiles'],
];
export const sharedTables: readonly string[] = Object.keys(matrix).filter((table) => !ofEditor.includes(table));

/** For people alone: nobody's program lets others in. */
const closed = [
  'access_grants',
  'api_keys',
  'calendar_feeds',
  'group_members',
  'groups',
  'join_links',
  'project_invitations',
  'project_members',
  'push_subscriptions',
  'service_accounts',
  'share_links',
];
/** Not even read: addresses of chats are secrets, and what they were told is more than a scope says. */
const hidden = ['webhook_deliveries', 'webhooks'];
const comments = ['comment_reactions', 'task_comments'];
/** Rows of a person, in no project: of a token that names projects they are out of reach. */
const personal = [
  'api_keys',
  'favorite_views',
  'group_members',
  'groups',
  'notification_schedules',
  'notification_settings',
  'push_subscriptions',
  'service_accounts',
];

const levelOf = (scope: string): number => ['read', 'comment', 'write'].indexOf(scope) + 1;

export function dueTo({ person, scope, projects }: Program, table: string, verb: Verb): ReturnType<typeof due> {
  const cells = matrix[table] as Cells;
  // Whose profile it is, is in the other project, too.
  const isReached =
    !hidden.includes(table) &&
    (projects === 'all' || table === 'profiles' || (projects === 'here' && !personal.includes(table)));
  const needed = closed.includes(table) || hidden.includes(table) ? 4 : comments.includes(table) ? 2 : 3;
  // One's own profile is a person's, in whatever project it is seen.
  const isWritable = isReached && !(table === 'profiles' && projects !== 'all');
  // The row is in no project, and the one that is written is.
  const isAddable = isWritable || (table === 'notification_settings' && projects === 'here');
  const sees = isReached && levelOf(scope) > 0 ? cells.sees : [];
  const may = (roles: readonly Role[], isOpen = isWritable): readonly Role[] =>
    isOpen && levelOf(scope) >= needed ? roles : [];
  const left: Cells = {
    ...cells,
    sees,
    insert: { ...cells.insert, may: may(cells.insert.may, isAddable) },
    update: { ...cells.update, may: may(cells.update.may) },
    // Of others' comments it takes the scope write.
    delete: {
      may: table === 'task_comments' && scope === 'comment' && person === 'owner' ? [] : may(cells.delete.may),
    },
  };
  return due(left, verb, person);
}

export async function askProgram(
  app: Pick<TestApp, 'request'>,
  board: Board,
  { program, token, table, verb }: { program: Program; token: string; table: string; verb: Verb },
): Promise<{ readonly due: string; readonly came: string }> {
  const show = ({ status, rows, code }: ReturnType<typeof due>): string =>
    rows === null ? `${status} ${code}` : `${status}, ${rows} rows`;
  const came = await askCell(app, board, { verb, table, role: program.person, token });
  return { due: show(dueTo(program, table, verb)), came: show(came) };
}

// Procedures ---------------------------------------------------------------------------------------------------------------

/** Accounts, members, links, exports and what outlives a token. */
const ofPeople = [
  'accept_invitation',
  'access_log_page',
  'begin_export',
  'cancel_export',
  'create_api_key',
  'create_calendar_feed',
  'create_group',
  'create_join_link',
  'create_service_account',
  'create_service_account_client',
  'create_service_account_key',
  'create_share_link',
  'delete_my_account',
  'delete_service_account',
  'delete_service_account_client',
  'deleted_projects',
  'end_deleted_project',
  'end_my_session',
  'explain_access',
  'export_my_data',
  'invitation_token',
  'invite_guest',
  'invite_member',
  'join_by_link',
  'join_link_token',
  'join_project',
  'leave_project',
  'list_my_sessions',
  'my_account_end',
  'my_billing',
  'my_exports',
  'my_groups',
  'object_to_transfer',
  'project_api_keys',
  'project_programs',
  'reach_of',
  'redeliver_webhook',
  'remove_api_key_from_project',
  'remove_guest',
  'remove_program_from_project',
  'renew_calendar_feed',
  'restore_project',
  'restore_webhook',
  'revoke_api_key',
  'revoke_join_link',
  'revoke_share_link',
  'rotate_service_account_client',
  'save_push_subscription',
  'service_account_clients',
  'test_webhook',
  'webhook_payload',
];
/** They reach beyond one project: a new one, a second one, a template or group of no project. */
const ofAllProjects = [
  'create_project_from_template',
  'create_project_with_defaults',
  'duplicate_project',
  'foresee_move_to_project',
  'group_page',
  'move_task_to_project',
  'move_tasks_to_project',
];
/** They show what anybody may know, or of the caller's projects those that the token names. */
const ofNoProject = [
  'drop_push_subscription',
  'invitation_details',
  'join_link_details',
  'my_first_steps',
  'notification_kinds',
  'person_page',
  'project_progress',
  'push_key',
];

/** Beside what each may, what came of it for the person: the program gets the same, or less. */
export async function askProcedures(
  ground: Ground,
  { program, token }: { program: Program; token: string },
): Promise<string[]> {
  const wrong: string[] = [];
  const ask = async (line: (typeof every)[number], bearer: string): Promise<string> =>
    inShort(
      await ground.app.request(`/rest/v1/rpc/${line.name}`, {
        method: 'POST',
        token: bearer,
        headers: asTrial,
        body: JSON.stringify(line.given(ground)),
      }),
    );
  for (const line of every) {
    const given = line.given(ground);
    const due = mayCall(program, line, given);
    const [person, came] = [await ask(line, ground.board.people[program.person].token), await ask(line, token)];
    const isLess = /^(403 42501|404 PT404|200, nothing)$/.test(came);
    if (due === null ? !/^2/.test(came) && !isLess : due ? came !== person : !isLess)
      wrong.push(`${line.name} ${JSON.stringify(given)}: the person gets ${person}, the program ${came}`);
  }
  return wrong;
}

/** Null: it may be answered, with what the program sees. */
function mayCall(
  { scope, projects }: Program,
  { name, door }: (typeof every)[number],
  given: Readonly<Record<string, unknown>>,
): boolean | null {
  const level = levelOf(scope);
  if (ofNoProject.includes(name) || (name === 'dashboard_metrics' && given.project_id === undefined)) return null;
  if (ofPeople.includes(name)) return false;
  const isRead = door !== 'procedures that write';
  const isComment = JSON.stringify(given).includes('task_comments');
  if (level < (isRead ? 1 : isComment ? 2 : 3)) return false;
  // A template of one's own is in no project.
  const isOwn = name.startsWith('save_') && given.is_shared !== true;
  if (ofAllProjects.includes(name) || isOwn) return projects === 'all';
  // The one that everybody may comment on is in the other project; the line of the board's own is alike.
  return projects === 'all' || (isComment ? null : projects === 'here');
}

// Files and channels -------------------------------------------------------------------------------------------------------

const reading = ['download', 'resize', 'info', 'list', 'sign'];

export async function askFiles(
  { app, board }: Ground,
  { program, token }: { program: Program; token: string },
): Promise<string[]> {
  const wrong: string[] = [];
  const server = app.client({ key: app.serviceKey }).storage.from('attachments');
  const bucket = app.client({ token }).storage.from('attachments');
  const isReached = program.projects !== 'elsewhere';
  for (const [name, verb] of Object.entries(verbsWith(after))) {
    if (name === 'by address') continue;
    const folder = `${board.project}/${board.tasks[0]}/${randomUUID()}`;
    const asked = { bucket, server, path: `${folder}.png`, other: `${folder} 2.png`, before };
    const { result, kept } = await tryVerb(verb, asked);
    const may = isReached && levelOf(program.scope) >= (reading.includes(name) ? 1 : 3);
    if (!kept || (result === 'ok') !== may) wrong.push(`${name}: ${result}, ${kept ? 'as' : 'not as'} the file says`);
  }
  return wrong;
}

export async function askTopics(
  { app, board }: Ground,
  { program, token }: { program: Program; token: string },
): Promise<Readonly<Record<string, boolean>>> {
  const client = app.client({ token });
  await client.realtime.setAuth();
  const config = { private: true };
  const joins = async (name: string): Promise<boolean> => {
    const channel = client.channel(name, { config });
    const came = await subscribe(channel).then(
      () => true,
      () => false,
    );
    await client.removeChannel(channel);
    return came;
  };
  const speaks = (name: string): Promise<boolean> =>
    client
      .channel(name, { config })
      .httpSend('word', {})
      .then(
        ({ success }) => success,
        () => false,
      );
  const own = `user:${board.people[program.person].id}`;
  const came = {
    'listens in the project’s': await joins(`project:${board.project}`),
    'speaks in the project’s': await speaks(`project:${board.project}`),
    'listens in its person’s': await joins(own),
    'speaks in its person’s': await speaks(own),
  };
  await hangUp(client);
  return came;
}

export function dueInTopics({ scope, projects }: Program): Readonly<Record<string, boolean>> {
  const level = levelOf(scope);
  return {
    'listens in the project’s': level > 0 && projects !== 'elsewhere',
    'speaks in the project’s': level > 1 && projects !== 'elsewhere',
    'listens in its person’s': level > 0 && projects === 'all',
    'speaks in its person’s': level > 1 && projects === 'all',
  };
}
