// Every procedure, asked by everybody: who may, and what everyone else gets. The list is held to the catalog, so a new procedure without a line fails.

import { randomUUID } from 'node:crypto';
import { callers, isMember, type Level, may, type Who } from './callers.ts';
import { each, type Ground, groundOf } from './callers-and-board.ts';
import { asTrial, ended, inShort, type Note } from './cells.ts';
import { mayCall } from './narrowing.ts';

type Arguments = Readonly<Record<string, unknown>>;
/** Roles of the project, a guest of another task, and an account in no relation to it. */
type Kind = 'owner' | 'editor' | 'viewer' | 'guest' | 'removed' | 'outsider' | 'anonymous';
interface Line {
  readonly door: string;
  readonly name: string;
  readonly given: (ground: Ground) => Arguments;
  readonly may: readonly Kind[];
  /** Answer to those who may. */
  readonly done: string;
  /** Answers to a member who may not, and to somebody who does not see the project. */
  readonly member: string;
  readonly stranger: string;
  readonly anonymous: string;
  /** A change of a row that decides: who may make it at its table may here. */
  readonly as?: readonly ['insert' | 'update', string];
  /** The least that lets a guest of the first task. */
  readonly guest?: Level;
  /** Answer to guests of the first task, in place of a member's. */
  readonly guests?: string;
  /** Answer to a member who sees no restricted task, where it names none. */
  readonly unnamed?: string;
  /** Answer to a member by groups alone. */
  readonly grouped?: string;
  /** Callers who may with their own alone. */
  readonly own?: Kind;
}

const members: readonly Kind[] = ['owner', 'editor', 'viewer'];
const writers: readonly Kind[] = ['owner', 'editor'];
const owners: readonly Kind[] = ['owner'];
const signedIn: readonly Kind[] = [...members, 'guest', 'removed', 'outsider'];
const nobody: readonly Kind[] = [];

const [forbidden, unseen, nothing] = ['403 42501', '404 PT404', '200, nothing'];
const usual = { done: '200', member: forbidden, stranger: unseen, anonymous: '401 42501' };
type More = Partial<Omit<Line, 'door' | 'name' | 'given' | 'may'>>;
const lines =
  (door: string) =>
  (name: string, may: readonly Kind[], given: (ground: Ground) => Arguments = () => ({}), more: More = {}): Line => ({
    door,
    name,
    given,
    may,
    ...usual,
    ...more,
  });
const read = lines('procedures that read');
const write = lines('procedures that write');
const invite = lines('invitations');
const search = lines('search');
const figures = lines('dashboard');

const ofProject = ({ board }: Ground): Arguments => ({ project_id: board.project });
const ofTask = ({ board }: Ground): Arguments => ({ task_id: board.tasks[0] });
const ofService = ({ board }: Ground): Arguments => ({ service_account_id: board.service });
const invisible = { stranger: nothing };
const gone = { done: '204, nothing' };

const reading: readonly Line[] = [
  read('access_log_page', owners, ofProject),
  read('access_log_page', nobody, undefined, { stranger: forbidden }),
  read('archived_tasks', members, ofProject, invisible),
  read('archived_tasks', members, undefined, invisible),
  read('changes_since', [...members, 'guest'], ofProject),
  read('current_project_role', members, ofProject, invisible),
  read('custom_field_use', [...members, 'guest'], ({ board }) => ({ field_id: board.field })),
  read('deleted_projects', owners, undefined, { member: nothing, stranger: nothing }),
  read('explain_access', owners, ({ board }) => ({ object: board.tasks[0] })),
  read('export_my_data', signedIn),
  read('field_columns', members, ({ board }) => ({ project_id: board.project, field_ids: [board.field] }), {
    ...invisible,
    guest: 'see',
    unnamed: nothing,
  }),
  read('foresee_move_to_project', members, ({ board, second }) => ({ task_ids: [board.tasks[2]], project_id: second })),
  read('foresee_project_copy', members, ofProject),
  read('group_page', owners, ({ board }) => ({ group_id: board.group }), { member: unseen }),
  read('list_my_sessions', signedIn),
  read('my_account_end', signedIn),
  read('my_billing', signedIn),
  read('my_exports', signedIn, undefined, { done: nothing }),
  read('my_first_steps', signedIn),
  read('my_groups', signedIn),
  read('notification_kinds', signedIn),
  read('operator_entries', members, ofProject, { done: nothing }),
  read('person_page', [...members, 'guest'], ({ board }) => ({ user_id: board.people.editor.id })),
  read('project_api_keys', owners, ofProject),
  read('project_groups', members, ofProject),
  read('project_programs', owners, ofProject, { done: nothing }),
  read('project_people', members, ofProject, invisible),
  read('project_progress', [...members, 'outsider'], undefined, invisible),
  read('project_transfers', members, ofProject, { done: nothing }),
  read('agent_inbox', signedIn),
  read('push_key', signedIn),
  read('reach_of', owners, ({ board }) => ({ subject: board.joinLink }), { member: unseen }),
  read('service_account_clients', owners, ofService, { done: nothing, member: unseen }),
  read('task_at', members, ({ board }) => ({ project_id: board.project, number: 1 }), {
    ...invisible,
    unnamed: nothing,
  }),
  read('task_flow', members, ofProject),
  read('task_flows', members, ({ board }) => ({ project_ids: [board.project] }), invisible),
  search('search_tasks', members, () => ({ query: 'Draft' }), { ...invisible, guest: 'see', unnamed: nothing }),
  search('search_tasks', [...members, 'guest'], ({ board }) => ({ query: 'page', project_id: board.project }), {
    guest: 'see',
  }),
  search('search_tasks', members, () => ({ query: 'On it' }), { ...invisible, guest: 'see', unnamed: nothing }),
  figures('dashboard_metrics', members, ofProject),
  figures('dashboard_metrics', signedIn),
];

const retitled = ({ board }: Ground): Arguments => ({
  changes: [{ change: 'update', table: 'tasks', rows: [{ id: board.tasks[0], title: 'Changed' }] }],
});
const commented = (taskId: string): Arguments => ({
  changes: [{ change: 'insert', table: 'task_comments', rows: [{ task_id: taskId, body: 'Which red?' }] }],
});
const push = { endpoint: 'https://push.test/x', p256dh: 'k'.repeat(87), auth: 'a'.repeat(22) };

const ofSession = ({ board }: Ground): Arguments => ({ session_id: board.session });
const writing: readonly Line[] = [
  // Of none.
  write('accept_proposal', nobody, () => ({ proposal_id: randomUUID() }), { member: unseen }),
  write('accept_proposals', writers, ofSession),
  write('reject_proposal', nobody, () => ({ proposal_id: randomUUID() }), { member: unseen }),
  write('undo_session', writers, ofSession, { own: 'editor' }),
  write('add_agent_activity', ['editor'], (ground) => ({ ...ofSession(ground), kind: 'thought', body: 'Well' })),
  write('confirm_agent_session', writers, ofSession, { own: 'editor' }),
  write('create_agent', signedIn, () => ({ name: 'Planner' })),
  write('create_agent', owners, (ground) => ({ name: 'Planner', ...ofProject(ground) })),
  // It is in no project.
  write('delegate_to_agent', nobody, (ground) => ({ ...ofTask(ground), agent_id: ground.board.agent }), {
    member: unseen,
  }),
  write('connect_agent_session', members, (ground) => ({ connection: 'rights-of-all', ...ofProject(ground) })),
  write('open_agent_session', members, ofProject),
  write('report_agent_session', ['editor'], ofSession),
  write('stop_agent_session', writers, ofSession, { own: 'editor' }),
  write('apply_changes', writers, retitled, { as: ['update', 'tasks'] }),
  write('apply_changes', writers, ({ board }) => commented(board.tasks[0]), {
    stranger: forbidden,
    as: ['insert', 'task_comments'],
  }),
  write('apply_changes', members, ({ discussed }) => commented(discussed), { stranger: forbidden }),
  write('begin_export', members, ({ board }) => ({ format: 'json', project_id: board.project })),
  write('cancel_export', nobody, () => ({ export_id: randomUUID() }), { member: unseen }),
  write('checklist_item_to_task', writers, ({ board }) => ({ item_id: board.item })),
  write('create_api_key', signedIn, () => ({ name: 'CI', scope: 'read' })),
  write('create_calendar_feed', members, ({ board }) => ({ kind: 'project', project_id: board.project })),
  // Operators alone, as long as the setting says nothing else.
  write('create_group', nobody, () => ({ name: 'Crew' }), { stranger: forbidden }),
  write('create_project_from_template', members, (ground) => ({ template_id: ground.projectTemplate, name: 'Alike' })),
  write('create_project_with_defaults', signedIn, () => ({ name: 'Mine' })),
  write('create_service_account', signedIn, () => ({ name: 'Bot' })),
  write('create_service_account', owners, (ground) => ({ name: 'Bot', ...ofProject(ground) })),
  write('create_service_account_client', owners, (ground) => ({ ...ofService(ground), name: 'CI', scope: 'read' }), {
    member: unseen,
  }),
  write('create_service_account_key', owners, (ground) => ({ ...ofService(ground), name: 'CI', scope: 'read' }), {
    member: unseen,
  }),
  write('create_task_from_template', writers, ({ board }) => ({
    template_id: board.template,
    project_id: board.project,
  })),
  // Only with one's own address, which this is not.
  write('delete_my_account', nobody, () => ({ email: 'somebody@example.test' }), {
    member: '400 22023',
    stranger: '400 22023',
  }),
  write('claim_next_task', writers, ({ board }) => ({ project: board.project })),
  write('delete_service_account', owners, ofService, { ...gone, member: unseen }),
  write('delete_service_account_client', nobody, () => ({ client_id: randomUUID() }), { member: unseen }),
  write('drop_push_subscription', signedIn, () => ({ endpoint: push.endpoint }), gone),
  write('duplicate_project', members, ofProject),
  write('duplicate_task', writers, ofTask),
  write('duplicate_tasks', writers, ({ board }) => ({ task_ids: [board.tasks[0], board.tasks[1]] })),
  // A deleted project is there for its owners alone.
  write('end_deleted_project', owners, ({ deleted }) => ({ project_id: deleted }), { ...gone, member: unseen }),
  write('end_my_session', nobody, () => ({ session_id: randomUUID() }), { member: unseen }),
  write('keep_claim', ['editor'], ({ board }) => ({ claim: board.claim })),
  write('leave_project', ['editor', 'viewer', 'guest'], ofProject, {
    ...gone,
    member: '409 KB003',
    grouped: '409 KB020',
  }),
  write('move_task', writers, ({ board }) => ({ task_id: board.tasks[0], column_id: board.columns.todo }), {
    as: ['update', 'tasks'],
  }),
  write('move_task_to_project', writers, ({ board, second }) => ({ task_id: board.tasks[2], project_id: second })),
  write('move_tasks_to_project', writers, ({ board, second }) => ({ task_ids: [board.tasks[2]], project_id: second })),
  // Of a transfer that is none.
  write('object_to_transfer', nobody, () => ({ transfer_id: randomUUID() }), { member: unseen }),
  write('release_claim', writers, ({ board }) => ({ claim: board.claim }), { own: 'editor' }),
  write('remove_api_key_from_project', owners, ({ board }) => ({ key_id: board.key, project_id: board.project }), gone),
  write(
    'remove_guest',
    ['owner', 'guest'],
    ({ board }) => ({ project_id: board.project, user_id: board.people.guest.id }),
    gone,
  ),
  // Of none.
  write('remove_program_from_project', owners, (ground) => ({ ...ofProject(ground), grant_id: randomUUID() }), {
    done: unseen,
  }),
  write('renew_calendar_feed', ['editor'], ({ board }) => ({ feed_id: board.feed }), { member: unseen }),
  write('restore_project', owners, ({ deleted }) => ({ project_id: deleted }), { member: unseen }),
  write('revoke_api_key', ['editor'], ({ board }) => ({ key_id: board.key }), { ...gone, member: unseen }),
  write('rotate_service_account_client', nobody, () => ({ client_id: randomUUID() }), { member: unseen }),
  write('save_project_as_template', members, ofProject),
  write('save_project_as_template', writers, (ground) => ({ ...ofProject(ground), is_shared: true })),
  write('save_push_subscription', signedIn, () => push),
  write('save_task_as_template', members, ofTask, { guest: 'see' }),
  write('save_task_as_template', writers, (ground) => ({ ...ofTask(ground), is_shared: true })),
  write('task_to_checklist_item', writers, ({ board }) => ({ task_id: board.tasks[2], of_task_id: board.tasks[0] })),
];

const inviting: readonly Line[] = [
  // For whoever holds the token, without an account, too.
  invite('invitation_details', [...signedIn, 'anonymous'], ({ invitation }) => ({ token: invitation })),
  invite('invitation_token', owners, ({ board }) => ({ invitation_id: board.invitation })),
  invite('invite_guest', owners, ({ board }) => ({ task_id: board.tasks[0], email: 'more@example.test' }), {
    guests: unseen,
  }),
  invite('invite_member', owners, ({ board }) => ({ project_id: board.project, email: 'more@example.test' })),
  // It is somebody else's.
  invite('accept_invitation', nobody, ({ invitation }) => ({ token: invitation }), { stranger: forbidden }),
  invite('join_link_details', [...signedIn, 'anonymous'], ({ joinLink }) => ({ token: joinLink })),
  invite('join_link_token', owners, ({ board }) => ({ link_id: board.joinLink }), { member: unseen }),
  invite('create_join_link', owners, ofProject),
  invite('revoke_join_link', owners, ({ board }) => ({ link_id: board.joinLink }), { ...gone, member: unseen }),
  invite('create_share_link', owners, ofProject),
  invite('revoke_share_link', owners, ({ board }) => ({ link_id: board.shareLink }), { ...gone, member: unseen }),
  invite('test_webhook', owners, ({ board }) => ({ webhook_id: board.webhook }), { member: unseen }),
  // It is there.
  invite('restore_webhook', nobody, ({ board }) => ({ webhook_id: board.webhook }), { member: unseen }),
  // It is off.
  invite('redeliver_webhook', owners, ({ board }) => ({ webhook_id: board.webhook, delivery_id: board.delivery }), {
    done: '409 PT409',
    member: unseen,
  }),
  invite('webhook_payload', owners, ({ board }) => ({ delivery_id: board.delivery }), {
    done: nothing,
    member: unseen,
  }),
  invite('join_by_link', signedIn, ({ joinLink }) => ({ token: joinLink })),
  invite('join_project', nobody, ({ board }) => ({ invitation_id: board.invitation }), { member: unseen }),
];

export const every: readonly Line[] = [...reading, ...writing, ...inviting];

export async function askProcedures(ground: Ground, note: Note): Promise<void> {
  await expectAll(ground);
  for (const line of every)
    await each(
      async (who) => {
        const { app, tokenOf } = ground;
        const token = tokenOf(who);
        const asked = groundOf(ground, who);
        const answer = await app.request(`/rest/v1/rpc/${line.name}`, {
          method: 'POST',
          ...(token === undefined ? {} : { token }),
          headers: asTrial,
          body: JSON.stringify(line.given(asked)),
        });
        const came = await inShort(answer);
        note({ door: line.door, who, what: line.name, ...ofProgram(line, who, asked, came), came });
      },
      (who) => !reading.includes(line) && dueTo(line, who, groundOf(ground, who)).startsWith('2'),
    );
}

/** A program gets what its person gets, or where its token leaves it less, no more than who sees nothing. */
function ofProgram(line: Line, who: Who, ground: Ground, came: string): { due: string } {
  const { program } = callers[who];
  const due = dueTo(line, who, ground);
  const leaves = program === undefined || mayCall(program, line, line.given(ground));
  if (leaves === true) return { due };
  const isLess = isRefusal(came) || (leaves === null && /^2/.test(came));
  return { due: isLess ? came : `less than ${due}` };
}
export const isRefusal = (came: string): boolean => /^(403 42501|404 PT404|200, nothing)$/.test(came);

export function dueTo(line: Line, who: Who, ground: Ground): string {
  const { role, hasEnded, isFellow, isByGroup, level, isUnnamed, link } = callers[who];
  const { done, member, stranger, anonymous, unnamed, grouped, as, guest } = line;
  if (hasEnded === true) return ended;
  // Its role may call none.
  if (link !== undefined) return forbidden;
  const text = JSON.stringify(line.given(ground));
  const [first, ...others] = ground.board.tasks;
  const isAbout = (ids: readonly string[]): boolean => ids.some((id) => text.includes(id));
  const isOfFirst = isAbout([first, ground.board.item]);
  const place = (id: string): number => (text.includes(id) ? text.indexOf(id) : text.length);
  // The refusal is that of the task which is named first.
  const isShown =
    level !== undefined && isOfFirst && others.every((id) => !text.includes(id) || place(id) > place(first));
  if (isUnnamed === true && (isOfFirst || isAbout([...others, ground.board.claim, ground.board.session])))
    return stranger;
  if (isUnnamed === true && unnamed !== undefined) return unnamed;
  if (isByGroup === true && grouped !== undefined) return grouped;
  if (as !== undefined && may(who, ...as)) return done;
  if (level !== undefined && guest !== undefined && levels.indexOf(level) >= levels.indexOf(guest)) return done;
  const kind: Kind = role === 'outsider' && who !== 'outsider' ? 'removed' : role;
  // The editor's own, and the guest who is named.
  const isTheirs =
    isFellow === true
      ? line.may.join() === 'editor' || line.own === kind
      : level !== undefined && text.includes(ground.board.people.guest.id);
  if (line.may.includes(kind) && !isTheirs) return done;
  if (role === 'anonymous') return anonymous;
  return isMember(who) ? member : isShown ? (line.guests ?? member) : stranger;
}
const levels: readonly Level[] = ['see', 'comment', 'edit'];

/** Those that are asked of a row and shown beside it are embeds. */
async function expectAll({ app }: Ground): Promise<void> {
  const served = await app.sql<{ name: string }>(
    `select distinct p.proname as name from pg_proc p
     where p.pronamespace = 'public'::regnamespace and p.prokind = 'f' and has_function_privilege('authenticated', p.oid, 'execute')
       and not exists (select from unnest(p.proargtypes::oid[]) a (type) join pg_type t on t.oid = a.type where t.typtype = 'c') order by 1`,
  );
  const missing = served.filter(({ name }) => !every.some((line) => line.name === name));
  if (missing.length > 0) throw new Error(`Nobody says who may call ${missing.map(({ name }) => name).join(', ')}`);
}
