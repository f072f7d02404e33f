// Types of procedures where the generated ones know no more than jsonb; the SQL of each produces these.

import type { Database as Generated } from '../../contract/database.ts';
import type { FieldColumn } from './rows/field-columns.ts';
import type { AnyRow, GrantLevel, Role, TableName } from './rows/rows.ts';

/** One part of a batch: rows of a table, and what is to be done with them. */
export interface Change {
  readonly change: 'insert' | 'update' | 'delete' | 'move';
  readonly table: TableName;
  /** All with the same columns. */
  readonly rows: readonly object[];
}

export interface ChangesSince {
  readonly until: string;
  /** Null: the moment means nothing to this database. */
  readonly changed: Partial<Record<TableName, Partial<AnyRow>[]>> | null;
  /** Of each bucket whose sums differ, all keys there are. */
  readonly present: Partial<Record<TableName, Record<string, string[]>>> | null;
}

export interface InvitationDetails {
  readonly email: string;
  /** Null: as a guest, to one task. */
  readonly role: Role | null;
  /** Key and title. */
  readonly task: string | null;
  readonly level: GrantLevel | null;
  readonly expires_at: string;
  readonly project_name: string;
  readonly inviter_name: string | null;
  readonly inviter_avatar_url: string | null;
}

/** A membership; without a role: as a guest. */
export interface Joined {
  readonly project_id: string;
  readonly role: Role | null;
}

/** Without the project's name once it was turned off. */
export type JoinLinkDetails =
  | { readonly state: 'revoked' }
  | (Pick<InvitationDetails, 'project_name' | 'inviter_name' | 'inviter_avatar_url'> & {
      readonly role: Role;
      readonly state: 'open' | 'member' | 'expired' | 'archived' | 'full';
      /** Of a member. */
      readonly project_id: string | null;
    });

/** What the app itself reads of all that the server holds about a person; the rest is passed on as it is. */
export interface MyData {
  readonly profile: { readonly avatar_url: string | null } | null;
  readonly tasks: readonly { readonly description: string }[];
  readonly comments: readonly { readonly body: string }[];
  readonly attachments: readonly {
    readonly id: string;
    readonly task_key: string;
    readonly name: string;
    readonly object_path: string;
    readonly created_at: string;
  }[];
}

export type ExportFormat = 'json' | 'zip' | 'csv' | 'markdown' | 'ical';

/** A file that the server writes, or has written, for the caller. */
export interface Export {
  readonly id: string;
  /** Null: of everything one sees. */
  readonly project_id: string | null;
  readonly format: ExportFormat;
  readonly state: 'waiting' | 'running' | 'done' | 'failed';
  readonly done: number;
  readonly total: number;
  readonly path: string | null;
  readonly size_bytes: number | null;
  readonly created_at: string;
  readonly expires_at: string;
}

/** What moving tasks to another project would mean. */
export interface MoveForeseen {
  /** Those that would move, with all that is under them. */
  readonly tasks: number;
  readonly subtasks: number;
  readonly parents_left: number;
  readonly columns: readonly {
    readonly from: string;
    readonly from_id: string;
    readonly to: string;
    readonly to_id: string;
  }[];
  readonly labels_made: readonly string[];
  /** Names of fields whose values have no place there. */
  readonly fields_left: readonly string[];
  readonly people_left: readonly { readonly user_id: string; readonly name: string }[];
  /** Guests, groups (without a name where the caller does not see it), and invited addresses. */
  readonly guests_left: readonly {
    readonly user_id: string | null;
    readonly group_id: string | null;
    readonly name: string | null;
  }[];
  readonly named_left: readonly { readonly user_id: string; readonly name: string }[];
  readonly links_left: number;
  readonly watchers_left: number;
  readonly dependencies_left: number;
  readonly readers_left: number;
}

/** What a copy of a project would have. */
export interface CopyForeseen {
  readonly columns: number;
  readonly labels: number;
  readonly fields: number;
  readonly views: number;
  readonly shared_views: number;
  readonly tasks: number;
  /** They stay behind. */
  readonly archived: number;
  /** Beside oneself. */
  readonly members: number;
  readonly starts_on: string | null;
  readonly most_tasks: number;
}

/** Why somebody is in a project, or who could come in. */
export interface AccessReason {
  readonly rule:
    | 'founder'
    | 'role'
    | 'invitation'
    | 'join_link'
    | 'group'
    | 'operator_visit'
    | 'service_account'
    | 'named'
    | 'assigned'
    | 'guest'
    | 'guest_of_part'
    | 'open_invitation'
    | 'open_join_link';
  /** Left out, or null, where a guest comes by it. */
  readonly role?: Role | null;
  /** Of a guest. */
  readonly level?: GrantLevel;
  readonly at: string;
  /** Id of a person. */
  readonly by?: string;
  readonly group_id?: string;
  readonly group_name?: string;
  readonly until?: string;
  /** Of the operator. */
  readonly words?: string;
  /** For so many restricted tasks, where none is asked about. */
  readonly tasks?: number;
}

export interface Rights {
  readonly sees: boolean;
  readonly comments: boolean;
  readonly changes: boolean;
  readonly manages: boolean;
}

export interface ExplainedAccess extends Rights {
  /** Null: an open invitation, whose address is the name, or the join link, which has none. */
  readonly person_id: string | null;
  readonly display_name: string | null;
  readonly avatar_url: string | null;
  /** Null: a guest, or somebody invited as one. */
  readonly role: Role | null;
  readonly reasons: readonly AccessReason[];
}

export type UnattendedKind = 'calendar_feed' | 'file_link' | 'folder_link' | 'upload_link' | 'unsubscribe_link';

export interface ReachedProject extends Rights {
  readonly project_id: string;
  readonly project_name: string;
  readonly role: Role;
  readonly reasons: readonly AccessReason[];
  /** How many of each kind open something of it without a session. */
  readonly opens: Readonly<Partial<Record<UnattendedKind, number>>>;
}

/** Group that is a member of a project, or sees tasks of it. */
export interface GroupOfProject {
  readonly group_id: string;
  readonly name: string;
  /** Null: its people are guests. */
  readonly role: Role | null;
  /** Whether the caller does. */
  readonly manages: boolean;
  readonly people: number;
  /** Their ids. */
  readonly brings: readonly string[];
}

type GroupSource = 'hand' | 'oidc' | 'scim';

export interface MyGroups {
  readonly may_create: boolean;
  readonly groups: readonly {
    readonly id: string;
    readonly name: string;
    readonly description: string;
    readonly source: GroupSource;
    readonly manages: boolean;
    readonly people: number;
    /** Of those the caller sees. */
    readonly projects: number;
  }[];
}

export interface GroupPage {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly source: GroupSource;
  readonly manages: boolean;
  readonly people: number;
  /** Not more than a thousand. */
  readonly members: readonly {
    readonly user_id: string;
    readonly display_name: string | null;
    readonly avatar_url: string | null;
    readonly is_manager: boolean;
  }[];
  readonly projects: readonly {
    readonly id: string;
    readonly name: string;
    /** Null: it sees tasks as a guest. */
    readonly role: Role | null;
    readonly is_archived: boolean;
  }[];
}

export type KeyScope = 'read' | 'comment' | 'write';

/** A member's key that reaches a project. */
export interface KeyOfProject {
  readonly id: string;
  readonly user_id: string;
  readonly name: string;
  readonly scope: KeyScope;
  readonly expires_at: string | null;
  readonly last_used_at: string | null;
}

/** A change in the access log, as the server tells it; which of `change` there are depends on its subject and object. */
export interface AccessLine {
  readonly id: string;
  readonly created_at: string;
  readonly kind: AccessKind;
  readonly actor_id: string | null;
  readonly actor: string | null;
  readonly subject: {
    readonly kind: 'person' | 'group' | 'invitation' | 'join_link' | 'key' | 'program' | 'viewers' | 'members';
    readonly id?: string;
    readonly name: string | null;
    readonly email?: string;
  };
  readonly object: {
    readonly kind: 'project' | 'group' | 'task' | 'server';
    readonly id?: string;
    readonly name?: string;
  };
  readonly change: {
    readonly role?: { readonly from: Role | null; readonly to: Role | null };
    readonly scope?: { readonly from: KeyScope | null; readonly to: KeyScope | null };
    /** Of a guest, where it is more than to see. */
    readonly level?: { readonly from: GrantLevel | null; readonly to: GrantLevel | null };
    readonly through?: { readonly id: string; readonly name: string };
  } & Readonly<
    Partial<
      Record<
        'accepted' | 'member' | 'manager' | 'viewers_may_comment' | 'operator' | 'named' | 'restricted',
        { readonly from?: boolean; readonly to: boolean }
      >
    >
  >;
  readonly address: string | null;
}

export type AccessKind = 'people' | 'groups' | 'invitations' | 'settings' | 'operators';

// A type, not an interface: the client takes none for its tables of procedures.
type Known = {
  access_log_page: {
    Args: { project_id?: string; words?: string; kind?: AccessKind; before?: string; size?: number };
    Returns: readonly AccessLine[];
  };
  apply_changes: { Args: { changes: readonly Change[] }; Returns: readonly Change[] };
  begin_export: { Args: { format: ExportFormat; project_id?: string }; Returns: Export };
  cancel_export: { Args: { export_id: string }; Returns: undefined };
  changes_since: {
    Args: { project_id: string; since?: string; known?: Readonly<Record<string, readonly number[]>> };
    Returns: ChangesSince;
  };
  create_api_key: {
    Args: { name: string; scope: KeyScope; project_ids: readonly string[] | null; days: number | null };
    Returns: { readonly id: string; readonly token: string };
  };
  create_calendar_feed: {
    Args: { kind: string; project_id?: string; view_id?: string; name?: string };
    Returns: { readonly id: string; readonly path: string };
  };
  create_join_link: {
    Args: { project_id: string; role: Role; days: number | null };
    Returns: { readonly id: string; readonly token: string };
  };
  custom_field_use: {
    Args: { field_id: string };
    Returns: { readonly tasks: number; readonly options: Readonly<Record<string, number>> };
  };
  explain_access: { Args: { object: string; person?: string }; Returns: readonly ExplainedAccess[] };
  export_my_data: { Args: never; Returns: MyData };
  field_columns: {
    Args: { project_id: string; field_ids: readonly string[] };
    Returns: Readonly<Record<string, FieldColumn>>;
  };
  foresee_move_to_project: { Args: { task_ids: readonly string[]; project_id: string }; Returns: MoveForeseen };
  foresee_project_copy: { Args: { project_id: string }; Returns: CopyForeseen };
  group_page: { Args: { group_id: string }; Returns: GroupPage };
  invitation_details: { Args: { token: string }; Returns: InvitationDetails };
  join_link_details: { Args: { token: string }; Returns: JoinLinkDetails };
  my_groups: { Args: never; Returns: MyGroups };
  project_api_keys: { Args: { project_id: string }; Returns: readonly KeyOfProject[] };
  project_groups: { Args: { project_id: string }; Returns: readonly GroupOfProject[] };
  my_exports: { Args: never; Returns: readonly Export[] };
  reach_of: { Args: { subject: string }; Returns: readonly ReachedProject[] };
  renew_calendar_feed: { Args: { feed_id: string }; Returns: { readonly id: string; readonly path: string } };
  accept_invitation: { Args: { token: string }; Returns: Joined };
  invite_guest: { Args: { task_id: string; email: string; level: GrantLevel }; Returns: { readonly token: string } };
  invite_member: { Args: { project_id: string; email: string; role?: Role }; Returns: { readonly token: string } };
};

type Schema = Generated['public'];

/** Procedures that only read: the app waits for them as for any other read. */
export const readingProcedures = [
  'access_log_page',
  'archived_tasks',
  'changes_since',
  'custom_field_use',
  'dashboard_metrics',
  'deleted_projects',
  'explain_access',
  'export_my_data',
  'field_columns',
  'foresee_move_to_project',
  'foresee_project_copy',
  'group_page',
  'invitation_details',
  'join_link_details',
  'list_my_sessions',
  'my_account_end',
  'my_billing',
  'my_exports',
  'my_first_steps',
  'my_groups',
  'notification_kinds',
  'operator_entries',
  'person_page',
  'project_api_keys',
  'project_groups',
  'project_people',
  'project_programs',
  'project_progress',
  'project_transfers',
  'push_key',
  'reach_of',
  'search_tasks',
  'service_account_clients',
  'task_at',
  'task_flow',
  'task_flows',
  'webhook_payload',
] as const satisfies readonly (keyof (Schema['Functions'] & Known))[];

/** What the server has, as the app calls it. */
export type Database = Omit<Generated, 'public'> & {
  public: Omit<Schema, 'Functions'> & { Functions: Omit<Schema['Functions'], keyof Known> & Known };
};
