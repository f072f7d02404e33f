// The rows the web app holds, table by table, picked from what the server says it serves; and how a row is named in its table.
// Columns a screen loads later (a task's description, a comment's body) are optional here.

import type { Database } from '../../../contract/database.ts';

type Tables = Database['public']['Tables'];
type Enums = Database['public']['Enums'];
/** Columns of a table, as the server serves them; the version of a row is there once the server has given the row. */
type Columns<T extends keyof Tables, C extends keyof Tables[T]['Row']> = Readonly<Pick<Tables[T]['Row'], C>> & {
  readonly version?: number;
};

export type Role = Enums['project_role'];
export type Priority = Enums['task_priority'];
export type ColumnKind = Enums['workflow_column_kind'];
export type FieldKind = Enums['custom_field_kind'];

export type ProfileRow = Columns<'profiles', 'id' | 'display_name' | 'avatar_url'> &
  Partial<Columns<'profiles', 'shows_presence'>>;

export type ProjectRow = Columns<
  'projects',
  | 'id'
  | 'name'
  | 'description'
  | 'key'
  | 'color'
  | 'avatar_url'
  | 'archived_at'
  | 'enforce_dependencies'
  | 'created_by'
  | 'created_at'
  | 'updated_at'
> &
  Partial<Columns<'projects', 'parents_wait_for_subtasks'>>;

export type MemberRow = Columns<'project_members', 'project_id' | 'user_id' | 'role' | 'created_at'>;

export type ColumnRow = Columns<
  'workflow_columns',
  'id' | 'project_id' | 'name' | 'kind' | 'position' | 'wip_limit' | 'color'
> &
  Partial<Columns<'workflow_columns', 'required_fields'>>;

export type TaskRow = Columns<
  'tasks',
  | 'id'
  | 'project_id'
  | 'column_id'
  | 'title'
  | 'priority'
  | 'order_rank'
  | 'start_date'
  | 'due_date'
  | 'estimate'
  | 'completed_at'
  | 'archived_at'
  | 'created_by'
  | 'created_at'
  | 'updated_at'
> &
  Partial<Columns<'tasks', 'description' | 'cover_attachment_id' | 'parent_id' | 'subtask_position'>> & {
    /** Null while the server has not given it one yet. */
    readonly number: Tables['tasks']['Row']['number'] | null;
  };

export type AssigneeRow = Columns<'task_assignees', 'project_id' | 'task_id' | 'user_id'>;

export type LabelRow = Columns<'task_labels', 'id' | 'project_id' | 'name' | 'color'>;

export type LabelLinkRow = Columns<'task_label_links', 'project_id' | 'task_id' | 'label_id'>;

export type ChecklistItemRow = Columns<
  'task_checklist_items',
  'id' | 'project_id' | 'task_id' | 'title' | 'is_done' | 'position'
>;

export type AttachmentRow = Columns<
  'task_attachments',
  | 'id'
  | 'project_id'
  | 'task_id'
  | 'name'
  | 'content_type'
  | 'size_bytes'
  | 'object_path'
  | 'uploaded_by'
  | 'created_at'
>;

export type DependencyRow = Columns<
  'task_dependencies',
  'id' | 'project_id' | 'predecessor_id' | 'successor_id' | 'type' | 'lag_days'
>;

export type FieldRow = Columns<
  'custom_fields',
  'id' | 'project_id' | 'name' | 'kind' | 'options' | 'unit' | 'default_value' | 'position'
>;

export type FieldValueRow = Columns<'task_field_values', 'project_id' | 'task_id' | 'field_id' | 'value'>;

export type RecurrenceRow = Columns<
  'task_recurrences',
  | 'id'
  | 'project_id'
  | 'task_id'
  | 'rule'
  | 'mode'
  | 'time_zone'
  | 'starts_on'
  | 'copies'
  | 'column_id'
  | 'paused_at'
  | 'next_on'
  | 'is_over'
> &
  Partial<Columns<'task_recurrences', 'lead_days'>>;

export type CommentRow = Columns<'task_comments', 'id' | 'project_id' | 'task_id' | 'author_id' | 'created_at'> &
  Partial<Columns<'task_comments', 'body' | 'edited_at' | 'parent_id'>>;

export type ReactionRow = Columns<'comment_reactions', 'project_id' | 'task_id' | 'comment_id' | 'user_id' | 'emoji'>;

export type ResolutionRow = Columns<'comment_resolutions', 'project_id' | 'task_id' | 'comment_id' | 'user_id'>;

export type ActivityRow = Columns<
  'task_activity',
  'id' | 'project_id' | 'task_id' | 'actor_id' | 'kind' | 'change' | 'created_at'
>;

export type InvitationRow = Columns<
  'project_invitations',
  'id' | 'project_id' | 'email' | 'role' | 'invited_by' | 'expires_at' | 'accepted_at' | 'created_at'
>;

export type WatcherRow = Columns<'task_watchers', 'project_id' | 'task_id' | 'user_id' | 'is_watching'>;

export type ProjectWatcherRow = Columns<'project_watchers', 'project_id' | 'user_id'>;

export type NotificationRow = Columns<
  'notifications',
  | 'id'
  | 'user_id'
  | 'kind'
  | 'project_id'
  | 'task_id'
  | 'actor_id'
  | 'data'
  | 'read_at'
  | 'snoozed_until'
  | 'done_at'
  | 'created_at'
>;

export type NotificationSettingRow = Columns<
  'notification_settings',
  'id' | 'user_id' | 'project_id' | 'kind' | 'inbox' | 'mail' | 'push'
>;

export type NotificationScheduleRow = Columns<'notification_schedules', 'user_id' | 'time_zone' | 'daily_hour'>;

export type SavedViewRow = Columns<
  'saved_views',
  | 'id'
  | 'project_id'
  | 'owner_id'
  | 'name'
  | 'filter'
  | 'is_shared'
  | 'layout'
  | 'grouping'
  | 'lanes'
  | 'sort'
  | 'shown'
  | 'position'
>;

export type ViewDefaultRow = Columns<'view_defaults', 'id' | 'project_id' | 'user_id' | 'view_id'>;

/** Without its document, which only the server reads. */
export type TemplateRow = Columns<
  'templates',
  'id' | 'project_id' | 'owner_id' | 'built_in' | 'language' | 'kind' | 'name' | 'description' | 'holds'
>;

export interface Rows {
  profiles: ProfileRow;
  projects: ProjectRow;
  project_members: MemberRow;
  workflow_columns: ColumnRow;
  tasks: TaskRow;
  task_assignees: AssigneeRow;
  task_labels: LabelRow;
  task_label_links: LabelLinkRow;
  task_checklist_items: ChecklistItemRow;
  task_attachments: AttachmentRow;
  task_dependencies: DependencyRow;
  custom_fields: FieldRow;
  task_field_values: FieldValueRow;
  task_recurrences: RecurrenceRow;
  task_comments: CommentRow;
  comment_reactions: ReactionRow;
  comment_resolutions: ResolutionRow;
  task_activity: ActivityRow;
  project_invitations: InvitationRow;
  task_watchers: WatcherRow;
  project_watchers: ProjectWatcherRow;
  notifications: NotificationRow;
  notification_settings: NotificationSettingRow;
  notification_schedules: NotificationScheduleRow;
  saved_views: SavedViewRow;
  view_defaults: ViewDefaultRow;
  templates: TemplateRow;
}

export type TableName = keyof Rows;
export type AnyRow = Rows[TableName];

/** The columns that name a row, in order. */
export const primaryKeys: { readonly [T in TableName]: readonly (keyof Rows[T] & string)[] } = {
  profiles: ['id'],
  projects: ['id'],
  project_members: ['project_id', 'user_id'],
  workflow_columns: ['id'],
  tasks: ['id'],
  task_assignees: ['task_id', 'user_id'],
  task_labels: ['id'],
  task_label_links: ['task_id', 'label_id'],
  task_checklist_items: ['id'],
  task_attachments: ['id'],
  task_dependencies: ['id'],
  custom_fields: ['id'],
  task_field_values: ['task_id', 'field_id'],
  task_recurrences: ['id'],
  task_comments: ['id'],
  comment_reactions: ['task_id', 'comment_id', 'user_id', 'emoji'],
  comment_resolutions: ['task_id', 'comment_id'],
  task_activity: ['id'],
  project_invitations: ['id'],
  task_watchers: ['task_id', 'user_id'],
  project_watchers: ['project_id', 'user_id'],
  notifications: ['id'],
  notification_settings: ['id'],
  notification_schedules: ['user_id'],
  saved_views: ['id'],
  view_defaults: ['id'],
  templates: ['id'],
};

/** The columns rows are looked up by; each has an index in the store. */
export const indexedColumns: { readonly [T in TableName]: readonly (keyof Rows[T] & string)[] } = {
  profiles: [],
  projects: [],
  project_members: ['project_id', 'user_id'],
  workflow_columns: ['project_id'],
  tasks: ['project_id', 'column_id', 'parent_id'],
  task_assignees: ['task_id', 'project_id', 'user_id'],
  task_labels: ['project_id'],
  task_label_links: ['task_id', 'project_id', 'label_id'],
  task_checklist_items: ['task_id', 'project_id'],
  task_attachments: ['task_id', 'project_id'],
  task_dependencies: ['successor_id', 'predecessor_id', 'project_id'],
  custom_fields: ['project_id'],
  task_field_values: ['task_id'],
  task_recurrences: ['task_id', 'project_id'],
  task_comments: ['task_id', 'project_id'],
  comment_reactions: ['comment_id', 'task_id'],
  comment_resolutions: ['comment_id', 'task_id'],
  task_activity: ['task_id', 'project_id'],
  project_invitations: ['project_id'],
  task_watchers: ['task_id'],
  project_watchers: [],
  notifications: [],
  notification_settings: [],
  notification_schedules: [],
  saved_views: [],
  view_defaults: ['project_id'],
  templates: [],
};

/** Whether the rows have versions: of two states of one row the later has the greater. History never changes and needs none. */
export function hasVersions(table: TableName): boolean {
  return table !== 'task_activity';
}

export const tableNames = Object.keys(primaryKeys) as TableName[];

export function keyOf<T extends TableName>(table: T, row: Partial<Rows[T]>): string {
  const columns = primaryKeys[table];
  if (columns.length === 1) return String(row[columns[0] as keyof Rows[T]]);
  return columns.map((column) => String(row[column])).join(' ');
}
