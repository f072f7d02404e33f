// Tables whose rows the app holds, each declared once: columns, key, indexes, parent and scopes. Derived from it: row types and keys
// (rows/rows.ts), questions (rows/scopes.ts), live channels (live/following.ts), indexes (rows/store.ts). A new column is one word here.

import type { Database } from '../../contract/database.ts';

export type Served = Database['public']['Tables'];

/** Scopes of one person, and of one project; that of an open task is `task`. */
export type PersonalScope = 'me' | 'mine' | 'inbox' | 'hearing' | 'views' | 'templates';
export type ProjectScope = 'project' | 'fields' | 'watchers';

/** Lists are names with a space between. */
interface Table {
  /** The server's table, where it is called otherwise here: its rows stand in two. */
  readonly served?: keyof Served;
  /** What is asked for; `?` where a row may lack it: of an older snapshot, or made here. */
  readonly columns: string;
  /** Asked for by the scope of an open task alone. */
  readonly more?: string;
  /** The columns that name a row, in order; else `id`. */
  readonly key?: string;
  /** The column that says what the row belongs to; it has an index. */
  readonly parent?: string;
  /** Other columns that rows are looked up by. */
  readonly index?: string;
  /** Scopes that ask for rows, and the column that picks theirs; all rows where it is empty. */
  readonly scopes: Readonly<Partial<Record<PersonalScope | ProjectScope | 'task', string>>>;
  /** Only rows in which this column is empty are asked for. */
  readonly open?: string;
  /** Rows that only their owner writes. */
  readonly isPersonal?: true;
  /** Rows that this device does not remember. */
  readonly isUnsaved?: true;
  /** Figures are made of its rows. */
  readonly isCounted?: true;
  /** History: rows that never change have no version. */
  readonly isFinal?: true;
}

type Names<List extends string> = List extends `${infer Name} ${infer Rest}` ? Name | Names<Rest> : List;
type Lists = 'columns' | 'more' | 'key' | 'parent' | 'index' | 'open';
type Bare<Name extends string> = Name extends `${infer Column}?` ? Column : Name;
type Named<D, L extends Lists> = D extends { readonly [List in L]: infer Names_ extends string }
  ? Names<Names_>
  : never;

/** The server's table behind one here. */
type ServedOf<T, D> = D extends { readonly served: infer S extends keyof Served } ? S : T;

/** A name that is no column of its table does not compile. */
type Checked<D> = {
  readonly [T in keyof D]: ServedOf<T, D[T]> extends infer S extends keyof Served
    ? { readonly [L in keyof D[T] & Lists]: Bare<Named<D[T], L>> extends keyof Served[S]['Row'] ? string : never }
    : never;
};

const declare = <const D extends Readonly<Record<string, Table>>>(tables: D & Checked<D>): D => tables;

/** What people write of a task's row, beside title and description. A new one is a word here. */
const written = 'priority start_date due_date estimate';
export type TaskColumn = Names<typeof written>;
export const taskColumns = written.split(' ') as readonly TaskColumn[];

const declared = declare({
  profiles: {
    columns: 'id display_name avatar_url shows_presence? is_service_account? is_agent?',
    scopes: { me: '' },
    isPersonal: true,
  },
  projects: {
    columns:
      'id name description key color avatar_url archived_at enforce_dependencies parents_wait_for_subtasks? viewers_may_comment? created_by created_at updated_at',
    scopes: { me: '' },
  },
  project_members: {
    columns: 'project_id user_id role own_role? created_at',
    key: 'project_id user_id',
    parent: 'project_id',
    index: 'user_id',
    // Memberships of groups: each of their people has a row.
    open: 'group_id',
    scopes: { me: '' },
  },
  // Groups are asked for by their pages alone (queries/people/groups.ts), and who is in them; one's own say what one sees as a guest.
  project_groups: {
    served: 'project_members',
    columns: 'project_id group_id role',
    key: 'project_id group_id',
    parent: 'project_id',
    scopes: {},
  },
  groups: { columns: 'id name description source', scopes: {} },
  group_members: {
    columns: 'group_id user_id is_manager?',
    key: 'group_id user_id',
    parent: 'group_id',
    index: 'user_id',
    scopes: { me: 'user_id' },
  },
  workflow_columns: {
    columns: 'id project_id name kind position wip_limit color required_fields?',
    parent: 'project_id',
    scopes: { mine: '', project: 'project_id' },
    isCounted: true,
  },
  tasks: {
    columns: `id project_id column_id number title order_rank ${written} completed_at archived_at cover_attachment_id? parent_id? subtask_position? is_restricted? audience_id? created_by created_at updated_at`,
    more: 'description',
    parent: 'project_id',
    index: 'column_id parent_id',
    scopes: { mine: 'task_assignees.user_id', project: 'project_id', task: 'id' },
    isCounted: true,
  },
  task_assignees: {
    columns: 'project_id task_id user_id',
    key: 'task_id user_id',
    parent: 'task_id',
    index: 'project_id user_id',
    scopes: { mine: 'user_id', project: 'project_id' },
    isCounted: true,
  },
  task_grants: {
    columns: 'project_id task_id user_id is_named level?',
    key: 'task_id user_id',
    parent: 'task_id',
    index: 'project_id user_id',
    open: 'group_id',
    // One's own say what one sees as a guest.
    scopes: { me: 'user_id', project: 'project_id' },
  },
  group_grants: {
    served: 'task_grants',
    columns: 'project_id task_id group_id is_named level?',
    key: 'task_id group_id',
    parent: 'task_id',
    index: 'project_id group_id',
    open: 'user_id',
    scopes: { me: '' },
  },
  task_claims: {
    columns: 'id project_id task_id user_id program expires_at ended_at',
    parent: 'task_id',
    index: 'project_id',
    scopes: { project: 'project_id', task: 'task_id' },
    open: 'ended_at',
  },
  agent_sessions: {
    columns: 'id project_id task_id agent_id user_id state ends_at ended_at',
    parent: 'project_id',
    index: 'task_id',
    scopes: { project: 'project_id' },
    open: 'ended_at',
  },
  // Asked for by what shows a session (queries/agents/sessions.ts); of proposals the open ones, which tasks are marked by.
  agent_activities: { columns: 'id project_id', scopes: {} },
  agent_proposals: {
    columns: 'id project_id session_id task_id decided_at',
    parent: 'project_id',
    index: 'task_id',
    scopes: { project: 'project_id' },
    open: 'decided_at',
  },
  task_labels: { columns: 'id project_id name color', parent: 'project_id', scopes: { project: 'project_id' } },
  task_label_links: {
    columns: 'project_id task_id label_id',
    key: 'task_id label_id',
    parent: 'task_id',
    index: 'project_id label_id',
    scopes: { project: 'project_id' },
  },
  task_checklist_items: {
    columns: 'id project_id task_id title is_done position',
    parent: 'task_id',
    index: 'project_id',
    scopes: { project: 'project_id' },
  },
  task_attachments: {
    columns: 'id project_id task_id name content_type size_bytes object_path uploaded_by created_at',
    parent: 'task_id',
    index: 'project_id',
    scopes: { project: 'project_id' },
  },
  task_dependencies: {
    columns: 'id project_id predecessor_id successor_id type lag_days',
    parent: 'successor_id',
    index: 'predecessor_id project_id',
    scopes: { project: 'project_id' },
    isCounted: true,
  },
  custom_fields: {
    columns: 'id project_id name kind options unit default_value position',
    parent: 'project_id',
    scopes: { project: 'project_id' },
  },
  // A project may have hundreds of thousands: what shows those of many tasks asks for columns of them (queries/projects/field-columns.ts).
  task_field_values: {
    columns: 'project_id task_id field_id value',
    key: 'task_id field_id',
    parent: 'task_id',
    scopes: { fields: 'project_id', task: 'task_id' },
  },
  task_recurrences: {
    columns:
      'id project_id task_id rule mode time_zone starts_on copies column_id lead_days? paused_at next_on is_over',
    parent: 'task_id',
    index: 'project_id',
    scopes: { project: 'project_id' },
  },
  task_comments: {
    columns: 'id project_id task_id author_id parent_id? created_at program?',
    more: 'body edited_at',
    parent: 'task_id',
    index: 'project_id',
    scopes: { project: 'project_id', task: 'task_id' },
  },
  comment_reactions: {
    columns: 'project_id task_id comment_id user_id emoji',
    key: 'task_id comment_id user_id emoji',
    parent: 'comment_id',
    index: 'task_id',
    scopes: { task: 'task_id' },
  },
  comment_resolutions: {
    columns: 'project_id task_id comment_id user_id',
    key: 'task_id comment_id',
    parent: 'comment_id',
    index: 'task_id',
    scopes: { task: 'task_id' },
  },
  task_activity: {
    columns: 'id project_id task_id actor_id kind change created_at program?',
    parent: 'task_id',
    index: 'project_id',
    scopes: { task: 'task_id' },
    isFinal: true,
  },
  project_invitations: {
    columns: 'id project_id email role task_id? level? invited_by expires_at accepted_at created_at',
    parent: 'project_id',
    scopes: { project: 'project_id' },
    isUnsaved: true,
  },
  join_links: {
    columns: 'id project_id role created_by expires_at revoked_at joined_count created_at',
    parent: 'project_id',
    scopes: { project: 'project_id' },
    open: 'revoked_at',
    isUnsaved: true,
  },
  // Of a whole project only where a filter asks who watches.
  task_watchers: {
    columns: 'project_id task_id user_id is_watching',
    key: 'task_id user_id',
    parent: 'task_id',
    scopes: { watchers: 'project_id', task: 'task_id' },
    isPersonal: true,
  },
  project_watchers: {
    columns: 'project_id user_id',
    key: 'project_id user_id',
    scopes: { hearing: 'user_id' },
    isPersonal: true,
  },
  notifications: {
    columns: 'id user_id kind project_id task_id actor_id data read_at snoozed_until done_at created_at program?',
    scopes: { inbox: 'user_id' },
    open: 'done_at',
    isPersonal: true,
  },
  notification_settings: {
    columns: 'id user_id project_id kind inbox mail push',
    scopes: { hearing: 'user_id' },
    isPersonal: true,
  },
  notification_schedules: {
    columns: 'user_id time_zone daily_hour',
    key: 'user_id',
    scopes: { hearing: 'user_id' },
    isPersonal: true,
  },
  saved_views: {
    columns: 'id project_id owner_id name filter is_shared layout grouping lanes sort shown position',
    scopes: { views: '' },
  },
  favorite_views: {
    columns: 'user_id view_id position',
    key: 'user_id view_id',
    scopes: { views: 'user_id' },
    isPersonal: true,
  },
  view_defaults: { columns: 'id project_id user_id view_id', parent: 'project_id', scopes: { views: '' } },
  // Without their documents, which only the server reads.
  templates: {
    columns: 'id project_id owner_id built_in language kind name description holds',
    scopes: { templates: '' },
  },
});

export type TableName = keyof typeof declared;
/** The server's name of a table. */
export type ServedName<T extends TableName> = ServedOf<T, (typeof declared)[T]> & keyof Served;

/** The columns of a table's rows: those that each row has, and those that it may lack. */
export type Sure<T extends TableName> = Exclude<Named<(typeof declared)[T], 'columns'>, `${string}?`>;
export type Unsure<T extends TableName> =
  | Bare<Extract<Named<(typeof declared)[T], 'columns'>, `${string}?`>>
  | Named<(typeof declared)[T], 'more'>;

export const tables: Readonly<Record<TableName, Table>> = declared;
export const tableNames = Object.keys(declared) as TableName[];
export const servedName = (table: TableName) => (tables[table].served ?? table) as TableName & keyof Served;

export const namesIn = (list = ''): readonly string[] => (list === '' ? [] : list.replaceAll('?', '').split(' '));

/** What a question asks for; `isOpen`: of a task that is open. */
export function columnsOf(table: TableName, isOpen = false): readonly string[] {
  const { columns, more, isFinal } = tables[table];
  return [...namesIn(columns), ...(isOpen ? namesIn(more) : []), ...(isFinal ? [] : ['version'])];
}

/** Columns that rows are looked up by. */
export function indexesOf(table: TableName): readonly string[] {
  const { parent, index } = tables[table];
  return [...namesIn(parent), ...namesIn(index)];
}
