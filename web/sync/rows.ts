// The rows the web app holds, table by table, and how a row is named within its table.
// Columns a screen loads later (a task's description, a comment's body) are optional here.

export type Role = 'owner' | 'editor' | 'viewer';
export type Priority = 'p0' | 'p1' | 'p2';
export type ColumnKind = 'backlog' | 'todo' | 'in_progress' | 'done' | 'custom';

export interface ProfileRow {
  readonly id: string;
  readonly display_name: string | null;
  readonly avatar_url: string | null;
}

export interface ProjectRow {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly key: string;
  readonly color: string | null;
  readonly archived_at: string | null;
  readonly enforce_dependencies: boolean;
  readonly created_by: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

export interface MemberRow {
  readonly project_id: string;
  readonly user_id: string;
  readonly role: Role;
  readonly created_at: string;
}

export interface ColumnRow {
  readonly id: string;
  readonly project_id: string;
  readonly name: string;
  readonly kind: ColumnKind;
  readonly position: number;
  readonly wip_limit: number | null;
  readonly color: string | null;
}

export interface TaskRow {
  readonly id: string;
  readonly project_id: string;
  readonly column_id: string;
  /** Null while the server has not given it one yet. */
  readonly number: number | null;
  readonly title: string;
  readonly description?: string | null;
  readonly priority: Priority;
  readonly order_rank: string;
  readonly start_date: string | null;
  readonly due_date: string | null;
  readonly estimate: number | null;
  readonly completed_at: string | null;
  readonly archived_at: string | null;
  readonly created_by: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

export interface AssigneeRow {
  readonly project_id: string;
  readonly task_id: string;
  readonly user_id: string;
}

export interface LabelRow {
  readonly id: string;
  readonly project_id: string;
  readonly name: string;
  readonly color: string | null;
}

export interface LabelLinkRow {
  readonly project_id: string;
  readonly task_id: string;
  readonly label_id: string;
}

export interface ChecklistItemRow {
  readonly id: string;
  readonly project_id: string;
  readonly task_id: string;
  readonly title: string;
  readonly is_done: boolean;
  readonly position: number;
}

export interface DependencyRow {
  readonly id: string;
  readonly project_id: string;
  readonly predecessor_id: string;
  readonly successor_id: string;
  readonly type: 'FS';
  readonly lag_days: number;
}

export interface CommentRow {
  readonly id: string;
  readonly project_id: string;
  readonly task_id: string;
  readonly author_id: string | null;
  readonly body?: string;
  readonly edited_at?: string | null;
  readonly created_at: string;
}

export interface ActivityRow {
  readonly id: string;
  readonly project_id: string;
  readonly task_id: string;
  readonly actor_id: string | null;
  readonly kind: string;
  readonly change: unknown;
  readonly created_at: string;
}

export interface InvitationRow {
  readonly id: string;
  readonly project_id: string;
  readonly email: string;
  readonly role: Role;
  readonly invited_by: string | null;
  readonly expires_at: string;
  readonly accepted_at: string | null;
  readonly created_at: string;
}

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
  task_dependencies: DependencyRow;
  task_comments: CommentRow;
  task_activity: ActivityRow;
  project_invitations: InvitationRow;
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
  task_dependencies: ['id'],
  task_comments: ['id'],
  task_activity: ['id'],
  project_invitations: ['id'],
};

/** The columns rows are looked up by; each has an index in the store. */
export const indexedColumns: { readonly [T in TableName]: readonly (keyof Rows[T] & string)[] } = {
  profiles: [],
  projects: [],
  project_members: ['project_id', 'user_id'],
  workflow_columns: ['project_id'],
  tasks: ['project_id', 'column_id'],
  task_assignees: ['task_id', 'project_id', 'user_id'],
  task_labels: ['project_id'],
  task_label_links: ['task_id', 'project_id', 'label_id'],
  task_checklist_items: ['task_id', 'project_id'],
  task_dependencies: ['successor_id', 'predecessor_id', 'project_id'],
  task_comments: ['task_id', 'project_id'],
  task_activity: ['task_id', 'project_id'],
  project_invitations: ['project_id'],
};

export const tableNames = Object.keys(primaryKeys) as TableName[];

export function keyOf<T extends TableName>(table: T, row: Partial<Rows[T]>): string {
  const columns = primaryKeys[table];
  if (columns.length === 1) return String(row[columns[0] as keyof Rows[T]]);
  return columns.map((column) => String(row[column])).join(' ');
}
