// Rows the app holds, table by table, as tables.ts declares them; and how a row is named in its table.

import type { Database } from '../../../contract/database.ts';
import {
  namesIn,
  type Served,
  type ServedName,
  type Sure,
  type TableName,
  tableNames,
  tables,
  type Unsure,
} from '../tables.ts';

export { type TableName, tableNames };

type Enums = Database['public']['Enums'];
export type Role = Enums['project_role'];
export type Priority = Enums['task_priority'];
export type ColumnKind = Enums['workflow_column_kind'];
export type FieldKind = Enums['custom_field_kind'];

type Columns<T extends TableName> = Served[ServedName<T>]['Row'];
/** The version of a row is there once the server has given the row. */
type Row<T extends TableName> = Readonly<
  Pick<Columns<T>, Sure<T> & keyof Columns<T>> & Partial<Pick<Columns<T>, Unsure<T> & keyof Columns<T>>>
> & { readonly version?: number };

export type TaskRow = Omit<Row<'tasks'>, 'number'> & {
  /** Null while the server has not given it one yet. */
  readonly number: number | null;
};

/** Of a person; a membership of a group is a row of `project_groups`. */
type MemberRow = Omit<Row<'project_members'>, 'user_id'> & { readonly user_id: string };
type GroupOfProjectRow = Omit<Row<'project_groups'>, 'group_id'> & { readonly group_id: string };

type GrantOfPersonRow = Omit<Row<'task_grants'>, 'user_id'> & { readonly user_id: string };
type GrantOfGroupRow = Omit<Row<'group_grants'>, 'group_id'> & { readonly group_id: string };

type Narrowed = 'tasks' | 'project_members' | 'project_groups' | 'task_grants' | 'group_grants';
type OtherRows = { [T in Exclude<TableName, Narrowed>]: Row<T> };

export interface Rows extends OtherRows {
  tasks: TaskRow;
  project_members: MemberRow;
  project_groups: GroupOfProjectRow;
  task_grants: GrantOfPersonRow;
  group_grants: GrantOfGroupRow;
}

export type AnyRow = Rows[TableName];
export type GroupRow = Rows['groups'];
export type ProfileRow = Rows['profiles'];
export type ProjectRow = Rows['projects'];
export type ColumnRow = Rows['workflow_columns'];
export type LabelRow = Rows['task_labels'];
export type ChecklistItemRow = Rows['task_checklist_items'];
export type AttachmentRow = Rows['task_attachments'];
export type DependencyRow = Rows['task_dependencies'];
export type FieldRow = Rows['custom_fields'];
export type FieldValueRow = Rows['task_field_values'];
export type ClaimRow = Rows['task_claims'];
export type RecurrenceRow = Rows['task_recurrences'];
export type CommentRow = Rows['task_comments'];
export type ResolutionRow = Rows['comment_resolutions'];
export type ActivityRow = Rows['task_activity'];
export type InvitationRow = Rows['project_invitations'];
export type JoinLinkRow = Rows['join_links'];
export type NotificationRow = Rows['notifications'];
export type NotificationSettingRow = Rows['notification_settings'];
export type NotificationScheduleRow = Rows['notification_schedules'];
export type SavedViewRow = Rows['saved_views'];
export type GrantRow = Rows['task_grants'];
/** What a guest may do with a task. */
export type GrantLevel = NonNullable<GrantRow['level']>;
export type TemplateRow = Rows['templates'];

/** The columns that name a row, in order. */
export const primaryKeys = Object.fromEntries(
  tableNames.map((table) => [table, namesIn(tables[table].key ?? 'id')]),
) as unknown as { readonly [T in TableName]: readonly (keyof Rows[T] & string)[] };

export function keyOf<T extends TableName>(table: T, row: Partial<Rows[T]>): string {
  const columns = primaryKeys[table];
  if (columns.length === 1) return String(row[columns[0] as keyof Rows[T]]);
  return columns.map((column) => String(row[column])).join(' ');
}
