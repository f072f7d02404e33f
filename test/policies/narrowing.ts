// Tokens that are narrowed by a scope and by projects, and what they leave of the cells and procedures of their person. Owned by the tests of programs
// and by the programs among the callers.

import type { Role } from '../sql/board.ts';
import type { Cells } from '../sql/matrix-cells.ts';

export interface Narrowing {
  readonly scope: string;
  /** All of the person's, that of the board, or another one; or of a service account the one it works in, by its membership. */
  readonly projects: 'all' | 'here' | 'elsewhere' | 'own';
}

/** For people alone: nobody's program lets others in. */
const closed = [
  'access_grants',
  'agents',
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
  'agents',
  'api_keys',
  'favorite_views',
  'group_members',
  'groups',
  'notification_schedules',
  'notification_settings',
  'push_subscriptions',
  'service_accounts',
];

export const levelOf = (scope: string): number => ['read', 'comment', 'write'].indexOf(scope) + 1;

/** Cells left by a token. */
export function narrowed(table: string, cells: Cells, { scope, projects: named }: Narrowing): Cells {
  const projects = named === 'own' ? 'all' : named;
  // Whose profile it is, is in the other project, too.
  const isReached =
    !hidden.includes(table) &&
    (projects === 'all' || table === 'profiles' || (projects === 'here' && !personal.includes(table)));
  const needed = closed.includes(table) || hidden.includes(table) ? 4 : comments.includes(table) ? 2 : 3;
  // One's own profile is a person's, in whatever project it is seen.
  const isWritable = isReached && !(table === 'profiles' && projects !== 'all');
  // The row is in no project, and the one that is written is.
  const isAddable = isWritable || (table === 'notification_settings' && projects === 'here');
  const may = (roles: readonly Role[], isOpen = isWritable): readonly Role[] =>
    isOpen && levelOf(scope) >= needed ? roles : [];
  const removed = may(cells.delete.may);
  return {
    ...cells,
    sees: isReached && levelOf(scope) > 0 ? cells.sees : [],
    insert: { ...cells.insert, may: may(cells.insert.may, isAddable) },
    update: { ...cells.update, may: may(cells.update.may) },
    // Of others' comments it takes the scope write.
    delete: {
      may: table === 'task_comments' && scope === 'comment' ? removed.filter((role) => role !== 'owner') : removed,
    },
  };
}

// Procedures ---------------------------------------------------------------------------------------------------------------

/** Accounts, members, links, exports and what outlives a token. */
const ofPeople = [
  'accept_invitation',
  'accept_proposal',
  'accept_proposals',
  'access_log_page',
  'begin_export',
  'cancel_export',
  'confirm_agent_session',
  'create_agent',
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
  'delegate_to_agent',
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
  'reject_proposal',
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
  'undo_session',
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
  'agent_inbox',
  'drop_push_subscription',
  'invitation_details',
  'join_link_details',
  'my_first_steps',
  'notification_kinds',
  'person_page',
  'project_groups',
  'project_progress',
  'push_key',
];

/** Null: it may be answered, with what the program sees. */
export function mayCall(
  { scope, projects }: Narrowing,
  { name, door }: { readonly name: string; readonly door: string },
  given: Readonly<Record<string, unknown>>,
): boolean | null {
  const level = levelOf(scope);
  if (ofNoProject.includes(name) || (name === 'dashboard_metrics' && given.project_id === undefined)) return null;
  if (ofPeople.includes(name)) return false;
  const isRead = door !== 'procedures that write';
  const isComment =
    JSON.stringify(given).includes('task_comments') || name.endsWith('agent_session') || name === 'add_agent_activity';
  if (level < (isRead ? 1 : isComment ? 2 : 3)) return false;
  // A template of one's own is in no project.
  const isOwn = name.startsWith('save_') && given.is_shared !== true;
  if (isOwn) return projects === 'all' || projects === 'own';
  if (ofAllProjects.includes(name)) return projects === 'all';
  // The one that everybody may comment on is in the other project; the line of the board's own is alike.
  return projects === 'all' || (isComment ? null : projects !== 'elsewhere');
}
