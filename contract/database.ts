// Row types of what /rest/v1 serves, for `createClient<Database>()`. Written by `npm run generate` from the database.

export type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[];

export type Database = {
  __InternalSupabase: {
    PostgrestVersion: '14';
  };
  public: {
    Tables: {
      access_grants: {
        Row: {
          /** The bucket whose objects the signed addresses open. */
          bucket_id: string | null;
          /** When the row was made; kept by the database. */
          created_at: string;
          /** The epoch of the account it was made in; it opens nothing in a later one. */
          epoch: number;
          /** When the last of its addresses will have expired; empty: never. */
          expires_at: string | null;
          /** The calendar, where it is one. */
          feed_id: string | null;
          /** Made by the server; signed addresses name it. */
          id: string;
          /** calendar_feed; file_link, folder_link, upload_link: signed addresses; unsubscribe_link. */
          kind: string;
          /** When it last opened something, to the hour; kept by the server. */
          last_used_at: string | null;
          /** The project it is of; it ends with the membership. */
          project_id: string | null;
          /** When the row last changed; kept by the database. */
          updated_at: string;
          /** With whose rights it opens. */
          user_id: string;
          /** Grows with every change of the row; kept by the database. apply_changes takes it as the state that a change was based on. */
          version: number;
        };
        Insert: {
          bucket_id?: string | null;
          created_at?: string;
          epoch: number;
          expires_at?: string | null;
          feed_id?: string | null;
          id?: string;
          kind: string;
          last_used_at?: string | null;
          project_id?: string | null;
          updated_at?: string;
          user_id: string;
          version?: number;
        };
        Update: {
          bucket_id?: string | null;
          created_at?: string;
          epoch?: number;
          expires_at?: string | null;
          feed_id?: string | null;
          id?: string;
          kind?: string;
          last_used_at?: string | null;
          project_id?: string | null;
          updated_at?: string;
          user_id?: string;
          version?: number;
        };
        Relationships: [
          {
            foreignKeyName: 'access_grants_feed_id_fkey';
            columns: ['feed_id'];
            isOneToOne: false;
            referencedRelation: 'calendar_feeds';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'access_grants_project_id_fkey';
            columns: ['project_id'];
            isOneToOne: false;
            referencedRelation: 'projects';
            referencedColumns: ['id'];
          },
        ];
      };
      access_log: {
        Row: {
          /** Who did it; empty for the service itself, for sign-in providers, and once their account is gone. */
          actor_id: string | null;
          /** Network address that the change came from, where a request made it. */
          address: string | null;
          /** What changed, as {"role": {"from": …, "to": …}}; "through" names the group that brings a person, "scope" and "task_id" say how much a public link shows. */
          change: Json;
          /** When; kept by the database. */
          created_at: string;
          /** Sorted by time. */
          id: string;
          /** To what: {"kind": "project" or "group", "id", "name"}, {"kind": "task", "id", "name"} with its key as name, or {"kind": "server"}. */
          object: Json;
          /** The project; empty for what is about a group or the server alone, and once the project is gone. */
          project_id: string | null;
          /** Name of the identity provider that did it by SCIM. */
          provider: string | null;
          /** Who or what got or lost access: {"kind": "person", "id"} (of a service account with its name), {"kind": "key" or "program", "id", "name", "user_id"}, {"kind": "group", "id", "name"}, {"kind": "invitation", "id", "email"}, {"kind": "join_link", "id"}, {"kind": "share_link", "id"}, {"kind": "viewers"} or, of a task that is restricted, {"kind": "members"}. The address goes with the account that it was the address of. */
          subject: Json;
        };
        Insert: {
          actor_id?: string | null;
          address?: string | null;
          change: Json;
          created_at?: string;
          id?: string;
          object: Json;
          project_id?: string | null;
          provider?: string | null;
          subject: Json;
        };
        Update: {
          actor_id?: string | null;
          address?: string | null;
          change?: Json;
          created_at?: string;
          id?: string;
          object?: Json;
          project_id?: string | null;
          provider?: string | null;
          subject?: Json;
        };
        Relationships: [
          {
            foreignKeyName: 'access_log_project_id_fkey';
            columns: ['project_id'];
            isOneToOne: false;
            referencedRelation: 'projects';
            referencedColumns: ['id'];
          },
        ];
      };
      agent_activities: {
        Row: {
          /** The restricted task that it belongs to, whose people alone see it; empty for most. Kept by the database. */
          audience_id: string | null;
          /** The words, as Markdown. */
          body: string;
          /** When the row was made; kept by the database. */
          created_at: string;
          /** Made by the server unless the client sends its own. */
          id: string;
          /** thought, action, elicitation (it asks a person), response or error, of the agent; prompt, of a person. */
          kind: string;
          /** Of a prompt that the database wrote: {"kind"}, one of handed_over, assigned, unassigned, proposal_rejected and proposal_conflict; of the last two with "proposal_id", and "reason" where a person gave one. */
          occasion: Json | null;
          /** The project. */
          project_id: string;
          /** The session. */
          session_id: string;
          /** The task. */
          task_id: string | null;
          /** When the row last changed; kept by the database. */
          updated_at: string;
          /** Who wrote it. */
          user_id: string | null;
          /** Grows with every change of the row; kept by the database. apply_changes takes it as the state that a change was based on. */
          version: number;
        };
        Insert: {
          audience_id?: string | null;
          body: string;
          created_at?: string;
          id?: string;
          kind: string;
          occasion?: Json | null;
          project_id: string;
          session_id: string;
          task_id?: string | null;
          updated_at?: string;
          user_id?: string | null;
          version?: number;
        };
        Update: {
          audience_id?: string | null;
          body?: string;
          created_at?: string;
          id?: string;
          kind?: string;
          occasion?: Json | null;
          project_id?: string;
          session_id?: string;
          task_id?: string | null;
          updated_at?: string;
          user_id?: string | null;
          version?: number;
        };
        Relationships: [
          {
            foreignKeyName: 'agent_activities_project_id_fkey';
            columns: ['project_id'];
            isOneToOne: false;
            referencedRelation: 'projects';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'agent_activities_session_id_fkey';
            columns: ['session_id'];
            isOneToOne: false;
            referencedRelation: 'agent_sessions';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'agent_activities_task_of_same_project';
            columns: ['project_id', 'task_id'];
            isOneToOne: false;
            referencedRelation: 'tasks';
            referencedColumns: ['project_id', 'id'];
          },
          {
            foreignKeyName: 'agent_activities_user_id_fkey';
            columns: ['user_id'];
            isOneToOne: false;
            referencedRelation: 'profiles';
            referencedColumns: ['id'];
          },
        ];
      };
      agent_proposals: {
        Row: {
          /** The restricted task that it belongs to, whose people alone see it; empty for most. Kept by the database. */
          audience_id: string | null;
          /** The request, as {"method", "path", "body"}. */
          call: Json;
          /** When the row was made; kept by the database. */
          created_at: string;
          /** When they did. */
          decided_at: string | null;
          /** Who accepted or rejected it. */
          decided_by: string | null;
          /** The rows it would change, as [{"table", "was", "becomes"}]. */
          difference: Json;
          /** Made by the server unless the client sends its own. */
          id: string;
          /** The project. */
          project_id: string;
          /** Words of who rejected it, or what stood against it. */
          reason: string | null;
          /** The session it comes from. */
          session_id: string;
          /** open, accepted, rejected, or conflict: what it would change has changed meanwhile. */
          state: string;
          /** Of a conflict: what stood against it, as accept_proposal answers it. */
          stays: Json | null;
          /** What it would do, in a few words. */
          summary: string;
          /** The task that it changes, or that the session is about. */
          task_id: string | null;
          /** When the row last changed; kept by the database. */
          updated_at: string;
          /** Who proposes it. */
          user_id: string | null;
          /** Grows with every change of the row; kept by the database. apply_changes takes it as the state that a change was based on. */
          version: number;
        };
        Insert: {
          audience_id?: string | null;
          call: Json;
          created_at?: string;
          decided_at?: string | null;
          decided_by?: string | null;
          difference: Json;
          id?: string;
          project_id: string;
          reason?: string | null;
          session_id: string;
          state?: string;
          stays?: Json | null;
          summary?: string;
          task_id?: string | null;
          updated_at?: string;
          user_id?: string | null;
          version?: number;
        };
        Update: {
          audience_id?: string | null;
          call?: Json;
          created_at?: string;
          decided_at?: string | null;
          decided_by?: string | null;
          difference?: Json;
          id?: string;
          project_id?: string;
          reason?: string | null;
          session_id?: string;
          state?: string;
          stays?: Json | null;
          summary?: string;
          task_id?: string | null;
          updated_at?: string;
          user_id?: string | null;
          version?: number;
        };
        Relationships: [
          {
            foreignKeyName: 'agent_proposals_decided_by_fkey';
            columns: ['decided_by'];
            isOneToOne: false;
            referencedRelation: 'profiles';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'agent_proposals_project_id_fkey';
            columns: ['project_id'];
            isOneToOne: false;
            referencedRelation: 'projects';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'agent_proposals_session_id_fkey';
            columns: ['session_id'];
            isOneToOne: false;
            referencedRelation: 'agent_sessions';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'agent_proposals_task_of_same_project';
            columns: ['project_id', 'task_id'];
            isOneToOne: false;
            referencedRelation: 'tasks';
            referencedColumns: ['project_id', 'id'];
          },
          {
            foreignKeyName: 'agent_proposals_user_id_fkey';
            columns: ['user_id'];
            isOneToOne: false;
            referencedRelation: 'profiles';
            referencedColumns: ['id'];
          },
        ];
      };
      agent_sessions: {
        Row: {
          /** The agent; empty where a person's own program works. */
          agent_id: string | null;
          /** The restricted task that it belongs to, whose people alone see it; empty for most. Kept by the database. */
          audience_id: string | null;
          /** When a person let it go on with all its rights after that. */
          confirmed_at: string | null;
          /** What it says that it cost, in the currency of who runs it. */
          cost: number | null;
          /** When the row was made; kept by the database. */
          created_at: string;
          /** When it ended; empty while it is open. */
          ended_at: string | null;
          /** When it ends by itself. */
          ends_at: string;
          /** Made by the server unless the client sends its own. */
          id: string;
          /** When it last did or said something. */
          last_activity_at: string;
          /** Addresses of what it made elsewhere, as [{"title", "url"}]. */
          links: Json;
          /** What it may do, within the rights of its account and token: read, comment, propose or write. */
          mode: string;
          /** Its steps, as [{"title", "state"}]. */
          plan: Json;
          /** The key or app that opened it, as {"kind", "sub", "name"}; kept by the database. */
          program: Json | null;
          /** The project. */
          project_id: string;
          /** The projects it reaches; empty: all of its token. */
          project_ids: string[] | null;
          /** The person who handed over the work, and answers for it. */
          responsible_id: string | null;
          /** pending: not begun; active; awaiting_input: a person is asked; complete; error, also where its account or its place in the project is gone; stale: silent for half an hour, or out of time. */
          state: string;
          /** The person who stopped it. */
          stopped_by: string | null;
          /** When it first read words of people from outside the team: it then reaches its own project alone, and adds no links. */
          tainted_at: string | null;
          /** The task it is about, if it is about one. */
          task_id: string | null;
          /** What it is about, in a few words. */
          title: string;
          /** When its changes were undone. */
          undone_at: string | null;
          /** When the row last changed; kept by the database. */
          updated_at: string;
          /** With whose rights it works: the agent's, or the person's. */
          user_id: string | null;
          /** Grows with every change of the row; kept by the database. apply_changes takes it as the state that a change was based on. */
          version: number;
          /** How many rows may be changed within an hour, in all sessions of its account together. */
          writes_an_hour: number;
        };
        Insert: {
          agent_id?: string | null;
          audience_id?: string | null;
          confirmed_at?: string | null;
          cost?: number | null;
          created_at?: string;
          ended_at?: string | null;
          ends_at: string;
          id?: string;
          last_activity_at?: string;
          links?: Json;
          mode: string;
          plan?: Json;
          program?: Json | null;
          project_id: string;
          project_ids?: string[] | null;
          responsible_id?: string | null;
          state?: string;
          stopped_by?: string | null;
          tainted_at?: string | null;
          task_id?: string | null;
          title?: string;
          undone_at?: string | null;
          updated_at?: string;
          user_id?: string | null;
          version?: number;
          writes_an_hour: number;
        };
        Update: {
          agent_id?: string | null;
          audience_id?: string | null;
          confirmed_at?: string | null;
          cost?: number | null;
          created_at?: string;
          ended_at?: string | null;
          ends_at?: string;
          id?: string;
          last_activity_at?: string;
          links?: Json;
          mode?: string;
          plan?: Json;
          program?: Json | null;
          project_id?: string;
          project_ids?: string[] | null;
          responsible_id?: string | null;
          state?: string;
          stopped_by?: string | null;
          tainted_at?: string | null;
          task_id?: string | null;
          title?: string;
          undone_at?: string | null;
          updated_at?: string;
          user_id?: string | null;
          version?: number;
          writes_an_hour?: number;
        };
        Relationships: [
          {
            foreignKeyName: 'agent_sessions_agent_id_fkey';
            columns: ['agent_id'];
            isOneToOne: false;
            referencedRelation: 'agents';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'agent_sessions_project_id_fkey';
            columns: ['project_id'];
            isOneToOne: false;
            referencedRelation: 'projects';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'agent_sessions_responsible_id_fkey';
            columns: ['responsible_id'];
            isOneToOne: false;
            referencedRelation: 'profiles';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'agent_sessions_stopped_by_fkey';
            columns: ['stopped_by'];
            isOneToOne: false;
            referencedRelation: 'profiles';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'agent_sessions_task_of_same_project';
            columns: ['project_id', 'task_id'];
            isOneToOne: false;
            referencedRelation: 'tasks';
            referencedColumns: ['project_id', 'id'];
          },
          {
            foreignKeyName: 'agent_sessions_user_id_fkey';
            columns: ['user_id'];
            isOneToOne: false;
            referencedRelation: 'profiles';
            referencedColumns: ['id'];
          },
        ];
      };
      agents: {
        Row: {
          /** What it is for. */
          about: string;
          /** When the row was made; kept by the database. */
          created_at: string;
          /** Of its service account and its profile. */
          id: string;
          /** The most that its sessions may do: read, comment, propose (its changes wait until a person accepts them) or write. */
          mode: string;
          /** After how many minutes a session of it ends by itself. */
          session_minutes: number;
          /** When the row last changed; kept by the database. */
          updated_at: string;
          /** Grows with every change of the row; kept by the database. apply_changes takes it as the state that a change was based on. */
          version: number;
          /** How many rows it may change within an hour, in all its sessions together. */
          writes_an_hour: number;
        };
        Insert: {
          about?: string;
          created_at?: string;
          id: string;
          mode?: string;
          session_minutes?: number;
          updated_at?: string;
          version?: number;
          writes_an_hour?: number;
        };
        Update: {
          about?: string;
          created_at?: string;
          id?: string;
          mode?: string;
          session_minutes?: number;
          updated_at?: string;
          version?: number;
          writes_an_hour?: number;
        };
        Relationships: [
          {
            foreignKeyName: 'agents_id_fkey';
            columns: ['id'];
            isOneToOne: true;
            referencedRelation: 'service_accounts';
            referencedColumns: ['id'];
          },
        ];
      };
      api_keys: {
        Row: {
          /** When the row was made; kept by the database. */
          created_at: string;
          /** Who made it. */
          created_by: string | null;
          /** Until when it works; empty: until it is revoked. */
          expires_at: string | null;
          /** Made by the server unless the client sends its own. */
          id: string;
          /** Network address that it was last used from. */
          last_used_address: string | null;
          /** When it was last used, to the minute; kept by the server. */
          last_used_at: string | null;
          /** What it is for, as its person said. */
          name: string;
          /** Its first characters, to be recognised by. */
          prefix: string;
          /** The projects it reaches; empty: all of its person. */
          project_ids: string[] | null;
          /** When it was ended; kept by the database. */
          revoked_at: string | null;
          /** read, comment or write; each includes the one before. */
          scope: string;
          /** When the row last changed; kept by the database. */
          updated_at: string;
          /** With whose rights it works, narrowed. */
          user_id: string;
          /** Grows with every change of the row; kept by the database. apply_changes takes it as the state that a change was based on. */
          version: number;
        };
        Insert: {
          created_at?: string;
          created_by?: string | null;
          expires_at?: string | null;
          id?: string;
          last_used_address?: string | null;
          last_used_at?: string | null;
          name: string;
          prefix: string;
          project_ids?: string[] | null;
          revoked_at?: string | null;
          scope: string;
          updated_at?: string;
          user_id: string;
          version?: number;
        };
        Update: {
          created_at?: string;
          created_by?: string | null;
          expires_at?: string | null;
          id?: string;
          last_used_address?: string | null;
          last_used_at?: string | null;
          name?: string;
          prefix?: string;
          project_ids?: string[] | null;
          revoked_at?: string | null;
          scope?: string;
          updated_at?: string;
          user_id?: string;
          version?: number;
        };
        Relationships: [];
      };
      calendar_feeds: {
        Row: {
          /** When the row was made; kept by the database. */
          created_at: string;
          /** Made by the server. */
          id: string;
          /** mine: the tasks one works on; project; view. */
          kind: string;
          /** When a program last asked for it, to the hour; kept by the server. */
          last_used_at: string | null;
          /** What the calendar is called. */
          name: string;
          /** The project, where it is of one. */
          project_id: string | null;
          /** When the row last changed; kept by the database. */
          updated_at: string;
          /** Whose it is: it shows what they may see. */
          user_id: string;
          /** Grows with every change of the row; kept by the database. apply_changes takes it as the state that a change was based on. */
          version: number;
          /** The view, where it is of one. */
          view_id: string | null;
        };
        Insert: {
          created_at?: string;
          id?: string;
          kind: string;
          last_used_at?: string | null;
          name: string;
          project_id?: string | null;
          updated_at?: string;
          user_id?: string;
          version?: number;
          view_id?: string | null;
        };
        Update: {
          created_at?: string;
          id?: string;
          kind?: string;
          last_used_at?: string | null;
          name?: string;
          project_id?: string | null;
          updated_at?: string;
          user_id?: string;
          version?: number;
          view_id?: string | null;
        };
        Relationships: [
          {
            foreignKeyName: 'calendar_feeds_project_id_fkey';
            columns: ['project_id'];
            isOneToOne: false;
            referencedRelation: 'projects';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'calendar_feeds_user_id_fkey';
            columns: ['user_id'];
            isOneToOne: false;
            referencedRelation: 'profiles';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'calendar_feeds_view_id_fkey';
            columns: ['view_id'];
            isOneToOne: false;
            referencedRelation: 'saved_views';
            referencedColumns: ['id'];
          },
        ];
      };
      comment_reactions: {
        Row: {
          /** The restricted task that it belongs to, whose people alone see it; empty for most. Kept by the database. */
          audience_id: string | null;
          /** The comment. */
          comment_id: string;
          /** When the row was made; kept by the database. */
          created_at: string;
          /** A single emoji; up to 20 different ones for a comment (KB018). */
          emoji: string;
          /** The project; filled from the comment when left out. */
          project_id: string;
          /** The task; filled from the comment when left out. */
          task_id: string;
          /** Who reacted: the caller. */
          user_id: string;
          /** Grows with every change of the row; kept by the database. apply_changes takes it as the state that a change was based on. */
          version: number;
        };
        Insert: {
          audience_id?: string | null;
          comment_id?: string;
          created_at?: string;
          emoji: string;
          project_id?: string;
          task_id?: string;
          user_id?: string;
          version?: number;
        };
        Update: {
          audience_id?: string | null;
          comment_id?: string;
          created_at?: string;
          emoji?: string;
          project_id?: string;
          task_id?: string;
          user_id?: string;
          version?: number;
        };
        Relationships: [
          {
            foreignKeyName: 'comment_reactions_comment_of_same_task';
            columns: ['project_id', 'task_id', 'comment_id'];
            isOneToOne: false;
            referencedRelation: 'task_comments';
            referencedColumns: ['project_id', 'task_id', 'id'];
          },
        ];
      };
      comment_resolutions: {
        Row: {
          /** The restricted task that it belongs to, whose people alone see it; empty for most. Kept by the database. */
          audience_id: string | null;
          /** The comment the thread begins with. */
          comment_id: string;
          /** When the row was made; kept by the database. */
          created_at: string;
          /** The project; filled from the comment when left out. */
          project_id: string;
          /** The task; filled from the comment when left out. */
          task_id: string;
          /** Who resolved it: the caller. Empty once their account is gone. */
          user_id: string | null;
          /** Grows with every change of the row; kept by the database. apply_changes takes it as the state that a change was based on. */
          version: number;
        };
        Insert: {
          audience_id?: string | null;
          comment_id?: string;
          created_at?: string;
          project_id?: string;
          task_id?: string;
          user_id?: string | null;
          version?: number;
        };
        Update: {
          audience_id?: string | null;
          comment_id?: string;
          created_at?: string;
          project_id?: string;
          task_id?: string;
          user_id?: string | null;
          version?: number;
        };
        Relationships: [
          {
            foreignKeyName: 'comment_resolutions_comment_of_same_task';
            columns: ['project_id', 'task_id', 'comment_id'];
            isOneToOne: true;
            referencedRelation: 'task_comments';
            referencedColumns: ['project_id', 'task_id', 'id'];
          },
        ];
      };
      custom_fields: {
        Row: {
          /** When the row was made; kept by the database. */
          created_at: string;
          /** What new tasks begin with; empty: nothing. */
          default_value: Json | null;
          /** Made by the server unless the client sends its own. */
          id: string;
          /** What it holds. Cannot be changed. */
          kind: Database['public']['Enums']['custom_field_kind'];
          /** Unique in the project, letter case aside. */
          name: string;
          /** Of select and multi_select: up to 100 of {"id", "name", "color"} in their order, e.g. [{"id": "high", "name": "High", "color": "#aa2200"}]. Values keep the ids; those of an option that is taken out go with it (custom_field_use says how many). */
          options: Json;
          /** Top to bottom; fractions are welcome. Left out: at the end. */
          position: number;
          /** The project. */
          project_id: string;
          /** Of numbers: what they count, shown behind them. */
          unit: string | null;
          /** When the row last changed; kept by the database. */
          updated_at: string;
          /** Grows with every change of the row; kept by the database. apply_changes takes it as the state that a change was based on. */
          version: number;
        };
        Insert: {
          created_at?: string;
          default_value?: Json | null;
          id?: string;
          kind?: Database['public']['Enums']['custom_field_kind'];
          name: string;
          options?: Json;
          position?: number;
          project_id?: string;
          unit?: string | null;
          updated_at?: string;
          version?: number;
        };
        Update: {
          created_at?: string;
          default_value?: Json | null;
          id?: string;
          kind?: Database['public']['Enums']['custom_field_kind'];
          name?: string;
          options?: Json;
          position?: number;
          project_id?: string;
          unit?: string | null;
          updated_at?: string;
          version?: number;
        };
        Relationships: [
          {
            foreignKeyName: 'custom_fields_project_id_fkey';
            columns: ['project_id'];
            isOneToOne: false;
            referencedRelation: 'projects';
            referencedColumns: ['id'];
          },
        ];
      };
      favorite_views: {
        Row: {
          /** When the row was made; kept by the database. */
          created_at: string;
          /** Its place among the person's favorites, the lowest first. */
          position: number;
          /** When the row last changed; kept by the database. */
          updated_at: string;
          /** Whose favorite it is; the caller. */
          user_id: string;
          /** Grows with every change of the row; kept by the database. apply_changes takes it as the state that a change was based on. */
          version: number;
          /** A view that the caller sees. The row stays when they no longer do. */
          view_id: string;
        };
        Insert: {
          created_at?: string;
          position?: number;
          updated_at?: string;
          user_id?: string;
          version?: number;
          view_id: string;
        };
        Update: {
          created_at?: string;
          position?: number;
          updated_at?: string;
          user_id?: string;
          version?: number;
          view_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: 'favorite_views_view_id_fkey';
            columns: ['view_id'];
            isOneToOne: false;
            referencedRelation: 'saved_views';
            referencedColumns: ['id'];
          },
        ];
      };
      group_members: {
        Row: {
          /** When the row was made; kept by the database. */
          created_at: string;
          /** The group. */
          group_id: string;
          /** Whether they manage the group. */
          is_manager: boolean;
          /** When the row last changed; kept by the database. */
          updated_at: string;
          /** The person. */
          user_id: string;
          /** Grows with every change of the row; kept by the database. apply_changes takes it as the state that a change was based on. */
          version: number;
        };
        Insert: {
          created_at?: string;
          group_id: string;
          is_manager?: boolean;
          updated_at?: string;
          user_id: string;
          version?: number;
        };
        Update: {
          created_at?: string;
          group_id?: string;
          is_manager?: boolean;
          updated_at?: string;
          user_id?: string;
          version?: number;
        };
        Relationships: [
          {
            foreignKeyName: 'group_members_group_id_fkey';
            columns: ['group_id'];
            isOneToOne: false;
            referencedRelation: 'groups';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'group_members_user_id_fkey';
            columns: ['user_id'];
            isOneToOne: false;
            referencedRelation: 'profiles';
            referencedColumns: ['id'];
          },
        ];
      };
      groups: {
        Row: {
          /** When the row was made; kept by the database. */
          created_at: string;
          /** Who made it; empty once their account is gone. */
          created_by: string | null;
          /** Plain text. */
          description: string;
          /** Its name or id at the source. */
          external_id: string | null;
          /** Made by the server unless the client sends its own. */
          id: string;
          /** Of all groups of the server, letter case aside, one has it. */
          name: string;
          /** Where its people come from: hand, oidc or scim. Only those by hand are changed here. */
          source: string;
          /** When the row last changed; kept by the database. */
          updated_at: string;
          /** Grows with every change of the row; kept by the database. apply_changes takes it as the state that a change was based on. */
          version: number;
        };
        Insert: {
          created_at?: string;
          created_by?: string | null;
          description?: string;
          external_id?: string | null;
          id?: string;
          name: string;
          source?: string;
          updated_at?: string;
          version?: number;
        };
        Update: {
          created_at?: string;
          created_by?: string | null;
          description?: string;
          external_id?: string | null;
          id?: string;
          name?: string;
          source?: string;
          updated_at?: string;
          version?: number;
        };
        Relationships: [];
      };
      join_links: {
        Row: {
          /** When the row was made; kept by the database. */
          created_at: string;
          /** Who made it; empty once their account is gone. */
          created_by: string | null;
          /** Until when it works; empty: until it is revoked. */
          expires_at: string | null;
          /** Made by the server unless the client sends its own. */
          id: string;
          /** How many joined by it; kept by the database. */
          joined_count: number;
          /** The project. */
          project_id: string;
          /** When it was turned off, replaced, or its author stopped owning the project; kept by the database. */
          revoked_at: string | null;
          /** What people who join become: editor or viewer. */
          role: Database['public']['Enums']['project_role'];
          /** When the row last changed; kept by the database. */
          updated_at: string;
          /** Grows with every change of the row; kept by the database. apply_changes takes it as the state that a change was based on. */
          version: number;
        };
        Insert: {
          created_at?: string;
          created_by?: string | null;
          expires_at?: string | null;
          id?: string;
          joined_count?: number;
          project_id: string;
          revoked_at?: string | null;
          role: Database['public']['Enums']['project_role'];
          updated_at?: string;
          version?: number;
        };
        Update: {
          created_at?: string;
          created_by?: string | null;
          expires_at?: string | null;
          id?: string;
          joined_count?: number;
          project_id?: string;
          revoked_at?: string | null;
          role?: Database['public']['Enums']['project_role'];
          updated_at?: string;
          version?: number;
        };
        Relationships: [
          {
            foreignKeyName: 'join_links_created_by_fkey';
            columns: ['created_by'];
            isOneToOne: false;
            referencedRelation: 'profiles';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'join_links_project_id_fkey';
            columns: ['project_id'];
            isOneToOne: false;
            referencedRelation: 'projects';
            referencedColumns: ['id'];
          },
        ];
      };
      notification_schedules: {
        Row: {
          /** When the row was made; kept by the database. */
          created_at: string;
          /** The hour of the daily mail, 0 to 23, by that zone. */
          daily_hour: number;
          /** As the IANA database names it, for example Europe/Berlin. */
          time_zone: string;
          /** When the row last changed; kept by the database. */
          updated_at: string;
          /** Whose: the caller. */
          user_id: string;
          /** Grows with every change of the row; kept by the database. apply_changes takes it as the state that a change was based on. */
          version: number;
        };
        Insert: {
          created_at?: string;
          daily_hour?: number;
          time_zone?: string;
          updated_at?: string;
          user_id?: string;
          version?: number;
        };
        Update: {
          created_at?: string;
          daily_hour?: number;
          time_zone?: string;
          updated_at?: string;
          user_id?: string;
          version?: number;
        };
        Relationships: [];
      };
      notification_settings: {
        Row: {
          /** When the row was made; kept by the database. */
          created_at: string;
          /** Made by the server unless the client sends its own. */
          id: string;
          /** Whether it is in the inbox. */
          inbox: boolean;
          /** The kind, as in notifications. */
          kind: string;
          /** now: within minutes; daily: in the daily mail; off. */
          mail: string;
          /** The project; empty: all. */
          project_id: string | null;
          /** Whether it is sent to the browsers that take push messages. */
          push: boolean;
          /** When the row last changed; kept by the database. */
          updated_at: string;
          /** Whose: the caller. */
          user_id: string;
          /** Grows with every change of the row; kept by the database. apply_changes takes it as the state that a change was based on. */
          version: number;
        };
        Insert: {
          created_at?: string;
          id?: string;
          inbox?: boolean;
          kind: string;
          mail?: string;
          project_id?: string | null;
          push?: boolean;
          updated_at?: string;
          user_id?: string;
          version?: number;
        };
        Update: {
          created_at?: string;
          id?: string;
          inbox?: boolean;
          kind?: string;
          mail?: string;
          project_id?: string | null;
          push?: boolean;
          updated_at?: string;
          user_id?: string;
          version?: number;
        };
        Relationships: [
          {
            foreignKeyName: 'notification_settings_project_id_fkey';
            columns: ['project_id'];
            isOneToOne: false;
            referencedRelation: 'projects';
            referencedColumns: ['id'];
          },
        ];
      };
      notifications: {
        Row: {
          /** Who caused it; empty for reminders, and once their account is gone. */
          actor_id: string | null;
          /** When; kept by the database. */
          created_at: string;
          /** What to show: task_number, task_title; also (further kinds); comment_id and excerpt; from, to and their ids; count; due_date; project_name, role and invitation_id. */
          data: Json;
          /** Set when it was dealt with; the moment is the database's. */
          done_at: string | null;
          /** Sorted by time. */
          id: string;
          /** mentioned, assigned, commented, unblocked, unassigned, state_changed, overdue, due_soon, added or invited: the weightiest of what one person did to the task within a minute. transfer: an operator gives the project another owner. Operators also get backup_failed. */
          kind: string;
          /** The key or app through which they did, as {"kind", "sub", "name"}; kept by the database. */
          program: Json | null;
          /** The project. */
          project_id: string | null;
          /** Set when it was read; the moment is the database's. */
          read_at: string | null;
          /** Put off until then. */
          snoozed_until: string | null;
          /** The task, if it is about one. */
          task_id: string | null;
          /** When the row last changed; kept by the database. */
          updated_at: string;
          /** Whom it tells. */
          user_id: string;
          /** Grows with every change of the row; kept by the database. apply_changes takes it as the state that a change was based on. */
          version: number;
        };
        Insert: {
          actor_id?: string | null;
          created_at?: string;
          data?: Json;
          done_at?: string | null;
          id?: string;
          kind: string;
          program?: Json | null;
          project_id?: string | null;
          read_at?: string | null;
          snoozed_until?: string | null;
          task_id?: string | null;
          updated_at?: string;
          user_id: string;
          version?: number;
        };
        Update: {
          actor_id?: string | null;
          created_at?: string;
          data?: Json;
          done_at?: string | null;
          id?: string;
          kind?: string;
          program?: Json | null;
          project_id?: string | null;
          read_at?: string | null;
          snoozed_until?: string | null;
          task_id?: string | null;
          updated_at?: string;
          user_id?: string;
          version?: number;
        };
        Relationships: [
          {
            foreignKeyName: 'notifications_actor_id_fkey';
            columns: ['actor_id'];
            isOneToOne: false;
            referencedRelation: 'profiles';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'notifications_project_id_fkey';
            columns: ['project_id'];
            isOneToOne: false;
            referencedRelation: 'projects';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'notifications_task_of_same_project';
            columns: ['project_id', 'task_id'];
            isOneToOne: false;
            referencedRelation: 'tasks';
            referencedColumns: ['project_id', 'id'];
          },
        ];
      };
      profiles: {
        Row: {
          /** Where their picture is: an https address, or a path on this site. */
          avatar_url: string | null;
          /** When the row was made; kept by the database. */
          created_at: string;
          /** What the person is called; taken from user_metadata.name at sign-up. */
          display_name: string | null;
          /** The user's id. */
          id: string;
          /** Whether it is an agent; kept by the database. */
          is_agent: boolean;
          /** Whether it is a service account, and no person; kept by the database. */
          is_service_account: boolean;
          /** Whether the app shows others which project and task this person has open. */
          shows_presence: boolean;
          /** When the row last changed; kept by the database. */
          updated_at: string;
          /** Grows with every change of the row; kept by the database. apply_changes takes it as the state that a change was based on. */
          version: number;
        };
        Insert: {
          avatar_url?: string | null;
          created_at?: string;
          display_name?: string | null;
          id: string;
          is_agent?: boolean;
          is_service_account?: boolean;
          shows_presence?: boolean;
          updated_at?: string;
          version?: number;
        };
        Update: {
          avatar_url?: string | null;
          created_at?: string;
          display_name?: string | null;
          id?: string;
          is_agent?: boolean;
          is_service_account?: boolean;
          shows_presence?: boolean;
          updated_at?: string;
          version?: number;
        };
        Relationships: [];
      };
      project_invitations: {
        Row: {
          /** When it was accepted; kept by the database. */
          accepted_at: string | null;
          /** When the row was made; kept by the database. */
          created_at: string;
          /** Whom it is for; only an account with this address, verified, can accept. */
          email: string;
          /** Until when the token works; seven days unless invited again. */
          expires_at: string;
          /** Made by the server unless the client sends its own. */
          id: string;
          /** Who invited; empty once their account is gone, or where the service key did. */
          invited_by: string | null;
          /** What a guest may do with it: see, comment or edit. */
          level: Database['public']['Enums']['grant_level'] | null;
          /** The project. */
          project_id: string;
          /** What they become; empty where they are invited as a guest. */
          role: Database['public']['Enums']['project_role'] | null;
          /** The task a guest is invited to, alone; empty of the whole project. */
          task_id: string | null;
          /** When the row last changed; kept by the database. */
          updated_at: string;
          /** Grows with every change of the row; kept by the database. apply_changes takes it as the state that a change was based on. */
          version: number;
        };
        Insert: {
          accepted_at?: string | null;
          created_at?: string;
          email: string;
          expires_at?: string;
          id?: string;
          invited_by?: string | null;
          level?: Database['public']['Enums']['grant_level'] | null;
          project_id: string;
          role?: Database['public']['Enums']['project_role'] | null;
          task_id?: string | null;
          updated_at?: string;
          version?: number;
        };
        Update: {
          accepted_at?: string | null;
          created_at?: string;
          email?: string;
          expires_at?: string;
          id?: string;
          invited_by?: string | null;
          level?: Database['public']['Enums']['grant_level'] | null;
          project_id?: string;
          role?: Database['public']['Enums']['project_role'] | null;
          task_id?: string | null;
          updated_at?: string;
          version?: number;
        };
        Relationships: [
          {
            foreignKeyName: 'project_invitations_invited_by_fkey';
            columns: ['invited_by'];
            isOneToOne: false;
            referencedRelation: 'profiles';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'project_invitations_project_id_fkey';
            columns: ['project_id'];
            isOneToOne: false;
            referencedRelation: 'projects';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'project_invitations_task_of_same_project';
            columns: ['project_id', 'task_id'];
            isOneToOne: false;
            referencedRelation: 'tasks';
            referencedColumns: ['project_id', 'id'];
          },
        ];
      };
      project_members: {
        Row: {
          /** Since when; kept by the database. */
          created_at: string;
          /** The group; empty in the row of a person. */
          group_id: string | null;
          /** What the person was given themselves: writing role writes it. Empty: groups alone bring them. */
          own_role: Database['public']['Enums']['project_role'] | null;
          /** The project. */
          project_id: string;
          /** owner, editor or viewer: of a person the strongest of what they were given themselves and of what their groups bring. */
          role: Database['public']['Enums']['project_role'];
          /** When the row last changed; kept by the database. */
          updated_at: string;
          /** The person; empty where a group is the member. */
          user_id: string | null;
          /** Grows with every change of the row; kept by the database. apply_changes takes it as the state that a change was based on. */
          version: number;
        };
        Insert: {
          created_at?: string;
          group_id?: string | null;
          own_role?: Database['public']['Enums']['project_role'] | null;
          project_id: string;
          role?: Database['public']['Enums']['project_role'];
          updated_at?: string;
          user_id?: string | null;
          version?: number;
        };
        Update: {
          created_at?: string;
          group_id?: string | null;
          own_role?: Database['public']['Enums']['project_role'] | null;
          project_id?: string;
          role?: Database['public']['Enums']['project_role'];
          updated_at?: string;
          user_id?: string | null;
          version?: number;
        };
        Relationships: [
          {
            foreignKeyName: 'project_members_group_id_fkey';
            columns: ['group_id'];
            isOneToOne: false;
            referencedRelation: 'groups';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'project_members_project_id_fkey';
            columns: ['project_id'];
            isOneToOne: false;
            referencedRelation: 'projects';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'project_members_user_id_fkey';
            columns: ['user_id'];
            isOneToOne: false;
            referencedRelation: 'profiles';
            referencedColumns: ['id'];
          },
        ];
      };
      project_watchers: {
        Row: {
          /** When the row was made; kept by the database. */
          created_at: string;
          /** The project. */
          project_id: string;
          /** Who watches; the caller. */
          user_id: string;
          /** Grows with every change of the row; kept by the database. apply_changes takes it as the state that a change was based on. */
          version: number;
        };
        Insert: {
          created_at?: string;
          project_id: string;
          user_id?: string;
          version?: number;
        };
        Update: {
          created_at?: string;
          project_id?: string;
          user_id?: string;
          version?: number;
        };
        Relationships: [
          {
            foreignKeyName: 'project_watchers_project_id_fkey';
            columns: ['project_id'];
            isOneToOne: false;
            referencedRelation: 'projects';
            referencedColumns: ['id'];
          },
        ];
      };
      projects: {
        Row: {
          /** Set when the project was put away; the moment is the database's. */
          archived_at: string | null;
          /** Where its picture is, as a path on this site. Empty: its key on its colour. */
          avatar_url: string | null;
          /** As #rrggbb. */
          color: string | null;
          /** When the row was made; kept by the database. */
          created_at: string;
          /** Who made it; empty once their account is gone. */
          created_by: string | null;
          /** Since when it is deleted: for thirty days its owners can have it back, then it is gone. Only the service role sees one where it is set. */
          deleted_at: string | null;
          /** Markdown. */
          description: string;
          /** Whether a task with open predecessors is kept out of done columns. */
          enforce_dependencies: boolean;
          /** Made by the server, sorted by time. */
          id: string;
          /** 2 to 6 of A–Z and 0–9: the WEB of WEB-12. */
          key: string;
          /** Up to 200 characters. */
          name: string;
          /** A task is done only after its subtasks (KB010). */
          parents_wait_for_subtasks: boolean;
          /** When the row last changed; kept by the database. */
          updated_at: string;
          /** Grows with every change of the row; kept by the database. apply_changes takes it as the state that a change was based on. */
          version: number;
          /** Viewers comment and react, too, and change and delete what they wrote. */
          viewers_may_comment: boolean;
        };
        Insert: {
          archived_at?: string | null;
          avatar_url?: string | null;
          color?: string | null;
          created_at?: string;
          created_by?: string | null;
          deleted_at?: string | null;
          description?: string;
          enforce_dependencies?: boolean;
          id?: string;
          key: string;
          name: string;
          parents_wait_for_subtasks?: boolean;
          updated_at?: string;
          version?: number;
          viewers_may_comment?: boolean;
        };
        Update: {
          archived_at?: string | null;
          avatar_url?: string | null;
          color?: string | null;
          created_at?: string;
          created_by?: string | null;
          deleted_at?: string | null;
          description?: string;
          enforce_dependencies?: boolean;
          id?: string;
          key?: string;
          name?: string;
          parents_wait_for_subtasks?: boolean;
          updated_at?: string;
          version?: number;
          viewers_may_comment?: boolean;
        };
        Relationships: [];
      };
      push_subscriptions: {
        Row: {
          /** The browser's secret; never selected. */
          auth: string;
          /** When the row was made; kept by the database. */
          created_at: string;
          /** Where the browser is reached; never selected. */
          endpoint: string;
          /** Made by the server. */
          id: string;
          /** The browser's key; never selected. */
          p256dh: string;
          /** The session it ends with. */
          session_id: string;
          /** When the row last changed; kept by the database. */
          updated_at: string;
          /** Whose browser. */
          user_id: string;
          /** Grows with every change of the row; kept by the database. apply_changes takes it as the state that a change was based on. */
          version: number;
        };
        Insert: {
          auth: string;
          created_at?: string;
          endpoint: string;
          id?: string;
          p256dh: string;
          session_id: string;
          updated_at?: string;
          user_id: string;
          version?: number;
        };
        Update: {
          auth?: string;
          created_at?: string;
          endpoint?: string;
          id?: string;
          p256dh?: string;
          session_id?: string;
          updated_at?: string;
          user_id?: string;
          version?: number;
        };
        Relationships: [];
      };
      saved_views: {
        Row: {
          /** When the row was made; kept by the database. */
          created_at: string;
          /** Which tasks: {"all": […]} or {"any": […]} of conditions {"property", "is", "value"}; see docs/use/views.md. */
          filter: Json;
          /** The property by which tasks stand together; empty: they do not. */
          grouping: string | null;
          /** Made by the server unless the client sends its own. */
          id: string;
          /** Whether others see it; sharing in a project needs the editor role. */
          is_shared: boolean;
          /** The property of the lanes across a board; empty: it has none. */
          lanes: string | null;
          /** board, list, calendar, timeline or dashboard. */
          layout: string;
          /** Up to 200 characters. */
          name: string;
          /** Whose it is; empty for a shared view whose owner's account is gone. */
          owner_id: string | null;
          /** Its place among the views of the project, the lowest first. */
          position: number;
          /** The project; empty: a view of all projects of whoever looks. */
          project_id: string | null;
          /** What the layout shows of a task; an object only clients look into. */
          shown: Json;
          /** The order: a list of {"by", "descending"}; empty: that of the board. */
          sort: Json;
          /** When the row last changed; kept by the database. */
          updated_at: string;
          /** Grows with every change of the row; kept by the database. apply_changes takes it as the state that a change was based on. */
          version: number;
        };
        Insert: {
          created_at?: string;
          filter?: Json;
          grouping?: string | null;
          id?: string;
          is_shared?: boolean;
          lanes?: string | null;
          layout?: string;
          name: string;
          owner_id?: string | null;
          position?: number;
          project_id?: string | null;
          shown?: Json;
          sort?: Json;
          updated_at?: string;
          version?: number;
        };
        Update: {
          created_at?: string;
          filter?: Json;
          grouping?: string | null;
          id?: string;
          is_shared?: boolean;
          lanes?: string | null;
          layout?: string;
          name?: string;
          owner_id?: string | null;
          position?: number;
          project_id?: string | null;
          shown?: Json;
          sort?: Json;
          updated_at?: string;
          version?: number;
        };
        Relationships: [
          {
            foreignKeyName: 'saved_views_owner_id_fkey';
            columns: ['owner_id'];
            isOneToOne: false;
            referencedRelation: 'profiles';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'saved_views_project_id_fkey';
            columns: ['project_id'];
            isOneToOne: false;
            referencedRelation: 'projects';
            referencedColumns: ['id'];
          },
        ];
      };
      service_accounts: {
        Row: {
          /** When the row was made; kept by the database. */
          created_at: string;
          /** Who made it; empty once their account is gone. */
          created_by: string | null;
          /** Of the account, as of a person's. */
          id: string;
          /** The person it belongs to; empty where a project owns it. */
          owner_id: string | null;
          /** The project it belongs to; empty where a person owns it. */
          project_id: string | null;
          /** When the row last changed; kept by the database. */
          updated_at: string;
          /** Grows with every change of the row; kept by the database. apply_changes takes it as the state that a change was based on. */
          version: number;
        };
        Insert: {
          created_at?: string;
          created_by?: string | null;
          id: string;
          owner_id?: string | null;
          project_id?: string | null;
          updated_at?: string;
          version?: number;
        };
        Update: {
          created_at?: string;
          created_by?: string | null;
          id?: string;
          owner_id?: string | null;
          project_id?: string | null;
          updated_at?: string;
          version?: number;
        };
        Relationships: [
          {
            foreignKeyName: 'service_accounts_id_fkey';
            columns: ['id'];
            isOneToOne: true;
            referencedRelation: 'profiles';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'service_accounts_project_id_fkey';
            columns: ['project_id'];
            isOneToOne: false;
            referencedRelation: 'projects';
            referencedColumns: ['id'];
          },
        ];
      };
      share_links: {
        Row: {
          /** When the row was made; kept by the database. */
          created_at: string;
          /** Who made it; empty once their account is gone, and then it shows nothing. */
          created_by: string | null;
          /** Until when it works; empty: until it is revoked. */
          expires_at: string | null;
          /** It asks for a password. */
          has_password: boolean;
          /** Made by the server unless the client sends its own. */
          id: string;
          /** When it was last opened; kept by the database. */
          last_used_at: string | null;
          /** Parts that are shown: {"names": …, "comments": …, "files": …}, each true or false. */
          options: Json;
          /** The project. */
          project_id: string;
          /** When it was turned off, or its author stopped owning the project; kept by the database. */
          revoked_at: string | null;
          /** project, task: that task with its subtasks, or view: the tasks of its filter. */
          scope: string;
          /** The task of a link of scope task. */
          task_id: string | null;
          /** When the row last changed; kept by the database. */
          updated_at: string;
          /** Times it was opened; kept by the database. */
          uses: number;
          /** Grows with every change of the row; kept by the database. apply_changes takes it as the state that a change was based on. */
          version: number;
          /** Name, layout, filter and sort of the view as they were when the link was made: what changes in it later is not shared. "me" in its filter is who made the link, days are those of their time zone. */
          view: Json | null;
          /** The saved view of a link of scope view; the link ends with it. */
          view_id: string | null;
        };
        Insert: {
          created_at?: string;
          created_by?: string | null;
          expires_at?: string | null;
          has_password: boolean;
          id?: string;
          last_used_at?: string | null;
          options: Json;
          project_id: string;
          revoked_at?: string | null;
          scope: string;
          task_id?: string | null;
          updated_at?: string;
          uses?: number;
          version?: number;
          view?: Json | null;
          view_id?: string | null;
        };
        Update: {
          created_at?: string;
          created_by?: string | null;
          expires_at?: string | null;
          has_password?: boolean;
          id?: string;
          last_used_at?: string | null;
          options?: Json;
          project_id?: string;
          revoked_at?: string | null;
          scope?: string;
          task_id?: string | null;
          updated_at?: string;
          uses?: number;
          version?: number;
          view?: Json | null;
          view_id?: string | null;
        };
        Relationships: [
          {
            foreignKeyName: 'share_links_created_by_fkey';
            columns: ['created_by'];
            isOneToOne: false;
            referencedRelation: 'profiles';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'share_links_project_id_fkey';
            columns: ['project_id'];
            isOneToOne: false;
            referencedRelation: 'projects';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'share_links_task_of_same_project';
            columns: ['project_id', 'task_id'];
            isOneToOne: false;
            referencedRelation: 'tasks';
            referencedColumns: ['project_id', 'id'];
          },
          {
            foreignKeyName: 'share_links_view_id_fkey';
            columns: ['view_id'];
            isOneToOne: false;
            referencedRelation: 'saved_views';
            referencedColumns: ['id'];
          },
        ];
      };
      task_activity: {
        Row: {
          /** Who did it; empty for the service itself, and once their account is gone. */
          actor_id: string | null;
          /** The restricted task that it belongs to, whose people alone see it; empty for most. Kept by the database. */
          audience_id: string | null;
          /** What changed, as {"column": {"from": …, "to": …}}. */
          change: Json;
          /** When; kept by the database. */
          created_at: string;
          /** Sorted by time. */
          id: string;
          /** What happened: created, updated, moved, archived, restored, deleted, assigned, unassigned, labeled, unlabeled, checklist_item_*, attached, attachment_renamed, detached, dependency_*, commented, comment_edited, comment_deleted, claimed, claim_released, claim_expired; moved_in: it came from another project and brought its history along, moved_out: it left for another one. */
          kind: string;
          /** The key or app that they did it through, as {"kind", "sub", "name"}; kept by the database. */
          program: Json | null;
          /** The project. */
          project_id: string;
          /** The task; empty once it is gone, and where the line is about a field, a shared view or a template of the project. */
          task_id: string | null;
        };
        Insert: {
          actor_id?: string | null;
          audience_id?: string | null;
          change?: Json;
          created_at?: string;
          id?: string;
          kind: string;
          program?: Json | null;
          project_id: string;
          task_id?: string | null;
        };
        Update: {
          actor_id?: string | null;
          audience_id?: string | null;
          change?: Json;
          created_at?: string;
          id?: string;
          kind?: string;
          program?: Json | null;
          project_id?: string;
          task_id?: string | null;
        };
        Relationships: [
          {
            foreignKeyName: 'task_activity_actor_id_fkey';
            columns: ['actor_id'];
            isOneToOne: false;
            referencedRelation: 'profiles';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'task_activity_project_id_fkey';
            columns: ['project_id'];
            isOneToOne: false;
            referencedRelation: 'projects';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'task_activity_task_of_same_project';
            columns: ['project_id', 'task_id'];
            isOneToOne: false;
            referencedRelation: 'tasks';
            referencedColumns: ['project_id', 'id'];
          },
        ];
      };
      task_assignees: {
        Row: {
          /** The restricted task that it belongs to, whose people alone see it; empty for most. Kept by the database. */
          audience_id: string | null;
          /** When the row was made; kept by the database. */
          created_at: string;
          /** Made by the server unless the client sends its own. */
          id: string;
          /** The project; filled from the task when left out. */
          project_id: string;
          /** The task. */
          task_id: string;
          /** The member or guest. */
          user_id: string;
          /** Grows with every change of the row; kept by the database. apply_changes takes it as the state that a change was based on. */
          version: number;
        };
        Insert: {
          audience_id?: string | null;
          created_at?: string;
          id?: string;
          project_id?: string;
          task_id?: string;
          user_id: string;
          version?: number;
        };
        Update: {
          audience_id?: string | null;
          created_at?: string;
          id?: string;
          project_id?: string;
          task_id?: string;
          user_id?: string;
          version?: number;
        };
        Relationships: [
          {
            foreignKeyName: 'task_assignees_task_of_same_project';
            columns: ['project_id', 'task_id'];
            isOneToOne: false;
            referencedRelation: 'tasks';
            referencedColumns: ['project_id', 'id'];
          },
          {
            foreignKeyName: 'task_assignees_user_id_fkey';
            columns: ['user_id'];
            isOneToOne: false;
            referencedRelation: 'profiles';
            referencedColumns: ['id'];
          },
        ];
      };
      task_attachments: {
        Row: {
          /** The restricted task that it belongs to, whose people alone see it; empty for most. Kept by the database. */
          audience_id: string | null;
          /** Its media type. */
          content_type: string;
          /** When the row was made; kept by the database. */
          created_at: string;
          /** Made by the server unless the client sends its own. */
          id: string;
          /** What the file is called. */
          name: string;
          /** <project_id>/<task_id>/… in the bucket. Cannot be changed. The file goes with the row, once the time to undo is over. */
          object_path: string;
          /** The project; filled from the task when left out. */
          project_id: string;
          /** Its size. */
          size_bytes: number;
          /** The task. */
          task_id: string;
          /** When the row last changed; kept by the database. */
          updated_at: string;
          /** Who attached it; empty once their account is gone. */
          uploaded_by: string | null;
          /** Grows with every change of the row; kept by the database. apply_changes takes it as the state that a change was based on. */
          version: number;
        };
        Insert: {
          audience_id?: string | null;
          content_type?: string;
          created_at?: string;
          id?: string;
          name: string;
          object_path: string;
          project_id?: string;
          size_bytes?: number;
          task_id?: string;
          updated_at?: string;
          uploaded_by?: string | null;
          version?: number;
        };
        Update: {
          audience_id?: string | null;
          content_type?: string;
          created_at?: string;
          id?: string;
          name?: string;
          object_path?: string;
          project_id?: string;
          size_bytes?: number;
          task_id?: string;
          updated_at?: string;
          uploaded_by?: string | null;
          version?: number;
        };
        Relationships: [
          {
            foreignKeyName: 'task_attachments_project_id_fkey';
            columns: ['project_id'];
            isOneToOne: false;
            referencedRelation: 'projects';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'task_attachments_task_of_same_project';
            columns: ['project_id', 'task_id'];
            isOneToOne: false;
            referencedRelation: 'tasks';
            referencedColumns: ['project_id', 'id'];
          },
          {
            foreignKeyName: 'task_attachments_uploaded_by_fkey';
            columns: ['uploaded_by'];
            isOneToOne: false;
            referencedRelation: 'profiles';
            referencedColumns: ['id'];
          },
        ];
      };
      task_checklist_items: {
        Row: {
          /** The restricted task that it belongs to, whose people alone see it; empty for most. Kept by the database. */
          audience_id: string | null;
          /** When the row was made; kept by the database. */
          created_at: string;
          /** Made by the server unless the client sends its own. */
          id: string;
          /** Ticked off. */
          is_done: boolean;
          /** Top to bottom; fractions are welcome. Left out: at the end. */
          position: number;
          /** The project; filled from the task when left out. */
          project_id: string;
          /** The task. */
          task_id: string;
          /** Up to 500 characters. */
          title: string;
          /** When the row last changed; kept by the database. */
          updated_at: string;
          /** Grows with every change of the row; kept by the database. apply_changes takes it as the state that a change was based on. */
          version: number;
        };
        Insert: {
          audience_id?: string | null;
          created_at?: string;
          id?: string;
          is_done?: boolean;
          position?: number;
          project_id?: string;
          task_id?: string;
          title: string;
          updated_at?: string;
          version?: number;
        };
        Update: {
          audience_id?: string | null;
          created_at?: string;
          id?: string;
          is_done?: boolean;
          position?: number;
          project_id?: string;
          task_id?: string;
          title?: string;
          updated_at?: string;
          version?: number;
        };
        Relationships: [
          {
            foreignKeyName: 'task_checklist_items_project_id_fkey';
            columns: ['project_id'];
            isOneToOne: false;
            referencedRelation: 'projects';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'task_checklist_items_task_of_same_project';
            columns: ['project_id', 'task_id'];
            isOneToOne: false;
            referencedRelation: 'tasks';
            referencedColumns: ['project_id', 'id'];
          },
        ];
      };
      task_claims: {
        Row: {
          /** The restricted task that it belongs to, whose people alone see it; empty for most. Kept by the database. */
          audience_id: string | null;
          /** When the row was made; kept by the database. */
          created_at: string;
          /** When it ended; empty while it is open. One whose time has run out is written down as ended a little later. */
          ended_at: string | null;
          /** When the task is free again, unless keep_claim extends it. */
          expires_at: string;
          /** Rises with every claim. Sent as the header Claim-Fence, it has writes refused (KB022) once the claim has ended. */
          fence: number;
          /** Made by the server unless the client sends its own. */
          id: string;
          /** Words of who handed it back. */
          note: string | null;
          /** finished: the task was done or archived; released: handed back, or ended by an owner; expired: its time ran out. */
          outcome: string | null;
          /** The key or app that they did it through, as {"kind", "sub", "name"}; kept by the database. */
          program: Json | null;
          /** The project. */
          project_id: string;
          /** The task. */
          task_id: string;
          /** When the row last changed; kept by the database. */
          updated_at: string;
          /** Person or service account that claimed it. */
          user_id: string;
          /** Grows with every change of the row; kept by the database. apply_changes takes it as the state that a change was based on. */
          version: number;
        };
        Insert: {
          audience_id?: string | null;
          created_at?: string;
          ended_at?: string | null;
          expires_at: string;
          fence?: number;
          id?: string;
          note?: string | null;
          outcome?: string | null;
          program?: Json | null;
          project_id: string;
          task_id?: string;
          updated_at?: string;
          user_id: string;
          version?: number;
        };
        Update: {
          audience_id?: string | null;
          created_at?: string;
          ended_at?: string | null;
          expires_at?: string;
          fence?: number;
          id?: string;
          note?: string | null;
          outcome?: string | null;
          program?: Json | null;
          project_id?: string;
          task_id?: string;
          updated_at?: string;
          user_id?: string;
          version?: number;
        };
        Relationships: [
          {
            foreignKeyName: 'task_claims_project_id_fkey';
            columns: ['project_id'];
            isOneToOne: false;
            referencedRelation: 'projects';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'task_claims_task_of_same_project';
            columns: ['project_id', 'task_id'];
            isOneToOne: false;
            referencedRelation: 'tasks';
            referencedColumns: ['project_id', 'id'];
          },
          {
            foreignKeyName: 'task_claims_user_id_fkey';
            columns: ['user_id'];
            isOneToOne: false;
            referencedRelation: 'profiles';
            referencedColumns: ['id'];
          },
        ];
      };
      task_comments: {
        Row: {
          /** The restricted task that it belongs to, whose people alone see it; empty for most. Kept by the database. */
          audience_id: string | null;
          /** Who said it: the caller, whatever the body says. Empty once their account is gone. */
          author_id: string | null;
          /** Markdown; @[Name](user-id) or @Name mentions a member. */
          body: string;
          /** When the row was made; kept by the database. */
          created_at: string;
          /** When the words last changed; kept by the database. */
          edited_at: string | null;
          /** Made by the server unless the client sends its own. */
          id: string;
          /** The comment it answers, of the same task; a thread is one deep. */
          parent_id: string | null;
          /** The key or app that its author wrote it through, as {"kind", "sub", "name"}; kept by the database. */
          program: Json | null;
          /** The project; filled from the task when left out. */
          project_id: string;
          /** The task. */
          task_id: string;
          /** When the row last changed; kept by the database. */
          updated_at: string;
          /** Grows with every change of the row; kept by the database. apply_changes takes it as the state that a change was based on. */
          version: number;
        };
        Insert: {
          audience_id?: string | null;
          author_id?: string | null;
          body: string;
          created_at?: string;
          edited_at?: string | null;
          id?: string;
          parent_id?: string | null;
          program?: Json | null;
          project_id?: string;
          task_id?: string;
          updated_at?: string;
          version?: number;
        };
        Update: {
          audience_id?: string | null;
          author_id?: string | null;
          body?: string;
          created_at?: string;
          edited_at?: string | null;
          id?: string;
          parent_id?: string | null;
          program?: Json | null;
          project_id?: string;
          task_id?: string;
          updated_at?: string;
          version?: number;
        };
        Relationships: [
          {
            foreignKeyName: 'task_comments_author_id_fkey';
            columns: ['author_id'];
            isOneToOne: false;
            referencedRelation: 'profiles';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'task_comments_parent_of_same_task';
            columns: ['project_id', 'task_id', 'parent_id'];
            isOneToOne: false;
            referencedRelation: 'task_comments';
            referencedColumns: ['project_id', 'task_id', 'id'];
          },
          {
            foreignKeyName: 'task_comments_project_id_fkey';
            columns: ['project_id'];
            isOneToOne: false;
            referencedRelation: 'projects';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'task_comments_task_of_same_project';
            columns: ['project_id', 'task_id'];
            isOneToOne: false;
            referencedRelation: 'tasks';
            referencedColumns: ['project_id', 'id'];
          },
        ];
      };
      task_dependencies: {
        Row: {
          /** The restricted task that it belongs to, whose people alone see it; empty for most. Kept by the database. */
          audience_id: string | null;
          /** When the row was made; kept by the database. */
          created_at: string;
          /** Made by the server unless the client sends its own. */
          id: string;
          /** Days between the two; negative for an overlap. For planning; not enforced. */
          lag_days: number;
          /** What has to be done first. */
          predecessor_id: string;
          /** The project; filled from the successor when left out. */
          project_id: string;
          /** What waits. */
          successor_id: string;
          /** FS: finish to start. */
          type: Database['public']['Enums']['dependency_type'];
          /** When the row last changed; kept by the database. */
          updated_at: string;
          /** Grows with every change of the row; kept by the database. apply_changes takes it as the state that a change was based on. */
          version: number;
        };
        Insert: {
          audience_id?: string | null;
          created_at?: string;
          id?: string;
          lag_days?: number;
          predecessor_id?: string;
          project_id?: string;
          successor_id?: string;
          type?: Database['public']['Enums']['dependency_type'];
          updated_at?: string;
          version?: number;
        };
        Update: {
          audience_id?: string | null;
          created_at?: string;
          id?: string;
          lag_days?: number;
          predecessor_id?: string;
          project_id?: string;
          successor_id?: string;
          type?: Database['public']['Enums']['dependency_type'];
          updated_at?: string;
          version?: number;
        };
        Relationships: [
          {
            foreignKeyName: 'task_dependencies_predecessor_of_same_project';
            columns: ['project_id', 'predecessor_id'];
            isOneToOne: false;
            referencedRelation: 'tasks';
            referencedColumns: ['project_id', 'id'];
          },
          {
            foreignKeyName: 'task_dependencies_project_id_fkey';
            columns: ['project_id'];
            isOneToOne: false;
            referencedRelation: 'projects';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'task_dependencies_successor_of_same_project';
            columns: ['project_id', 'successor_id'];
            isOneToOne: false;
            referencedRelation: 'tasks';
            referencedColumns: ['project_id', 'id'];
          },
        ];
      };
      task_field_values: {
        Row: {
          /** The restricted task that it belongs to, whose people alone see it; empty for most. Kept by the database. */
          audience_id: string | null;
          /** When the row was made; kept by the database. */
          created_at: string;
          /** The field, of the same project. */
          field_id: string;
          /** The project; filled from the task when left out. */
          project_id: string;
          /** The task. */
          task_id: string;
          /** When the row last changed; kept by the database. */
          updated_at: string;
          /** By the kind of its field: a text, a number, a day as "2026-12-31", the id of an option, a list of them, a user id, an address, true or false. Checked by the database (23514). */
          value: Json;
          /** Grows with every change of the row; kept by the database. apply_changes takes it as the state that a change was based on. */
          version: number;
        };
        Insert: {
          audience_id?: string | null;
          created_at?: string;
          field_id?: string;
          project_id?: string;
          task_id?: string;
          updated_at?: string;
          value?: Json;
          version?: number;
        };
        Update: {
          audience_id?: string | null;
          created_at?: string;
          field_id?: string;
          project_id?: string;
          task_id?: string;
          updated_at?: string;
          value?: Json;
          version?: number;
        };
        Relationships: [
          {
            foreignKeyName: 'task_field_values_field_of_same_project';
            columns: ['project_id', 'field_id'];
            isOneToOne: false;
            referencedRelation: 'custom_fields';
            referencedColumns: ['project_id', 'id'];
          },
          {
            foreignKeyName: 'task_field_values_task_of_same_project';
            columns: ['project_id', 'task_id'];
            isOneToOne: false;
            referencedRelation: 'tasks';
            referencedColumns: ['project_id', 'id'];
          },
        ];
      };
      task_grants: {
        Row: {
          /** The restricted task that it belongs to, whose people alone see it; empty for most. Kept by the database. */
          audience_id: string | null;
          /** When the row was made; kept by the database. */
          created_at: string;
          /** Who named them: the caller. */
          created_by: string | null;
          /** The group, which stands for all who are in it, members of the project and guests; owners name groups. */
          group_id: string | null;
          /** Made by the server unless the client sends its own. */
          id: string;
          /** false: they see it as long as they work on it. */
          is_named: boolean;
          /** What a guest may do with the task and what is under it: see, comment or edit. Of a member it says nothing: their role does. */
          level: Database['public']['Enums']['grant_level'];
          /** The project; filled from the task when left out. */
          project_id: string;
          /** The task. */
          task_id: string;
          /** When the row last changed; kept by the database. */
          updated_at: string;
          /** The person: a member of the project, or a guest, whom owners name; empty where a group is named. */
          user_id: string | null;
          /** Grows with every change of the row; kept by the database. apply_changes takes it as the state that a change was based on. */
          version: number;
        };
        Insert: {
          audience_id?: string | null;
          created_at?: string;
          created_by?: string | null;
          group_id?: string | null;
          id?: string;
          is_named?: boolean;
          level?: Database['public']['Enums']['grant_level'];
          project_id?: string;
          task_id?: string;
          updated_at?: string;
          user_id?: string | null;
          version?: number;
        };
        Update: {
          audience_id?: string | null;
          created_at?: string;
          created_by?: string | null;
          group_id?: string | null;
          id?: string;
          is_named?: boolean;
          level?: Database['public']['Enums']['grant_level'];
          project_id?: string;
          task_id?: string;
          updated_at?: string;
          user_id?: string | null;
          version?: number;
        };
        Relationships: [
          {
            foreignKeyName: 'task_grants_group_id_fkey';
            columns: ['group_id'];
            isOneToOne: false;
            referencedRelation: 'groups';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'task_grants_task_of_same_project';
            columns: ['project_id', 'task_id'];
            isOneToOne: false;
            referencedRelation: 'tasks';
            referencedColumns: ['project_id', 'id'];
          },
        ];
      };
      task_label_links: {
        Row: {
          /** The restricted task that it belongs to, whose people alone see it; empty for most. Kept by the database. */
          audience_id: string | null;
          /** When the row was made; kept by the database. */
          created_at: string;
          /** Made by the server unless the client sends its own. */
          id: string;
          /** The label. */
          label_id: string;
          /** The project; filled from the task when left out. */
          project_id: string;
          /** The task. */
          task_id: string;
          /** Grows with every change of the row; kept by the database. apply_changes takes it as the state that a change was based on. */
          version: number;
        };
        Insert: {
          audience_id?: string | null;
          created_at?: string;
          id?: string;
          label_id: string;
          project_id?: string;
          task_id?: string;
          version?: number;
        };
        Update: {
          audience_id?: string | null;
          created_at?: string;
          id?: string;
          label_id?: string;
          project_id?: string;
          task_id?: string;
          version?: number;
        };
        Relationships: [
          {
            foreignKeyName: 'task_label_links_label_of_same_project';
            columns: ['project_id', 'label_id'];
            isOneToOne: false;
            referencedRelation: 'task_labels';
            referencedColumns: ['project_id', 'id'];
          },
          {
            foreignKeyName: 'task_label_links_task_of_same_project';
            columns: ['project_id', 'task_id'];
            isOneToOne: false;
            referencedRelation: 'tasks';
            referencedColumns: ['project_id', 'id'];
          },
        ];
      };
      task_labels: {
        Row: {
          /** As #rrggbb. */
          color: string | null;
          /** When the row was made; kept by the database. */
          created_at: string;
          /** Made by the server unless the client sends its own. */
          id: string;
          /** Up to 100 characters. */
          name: string;
          /** The project. */
          project_id: string;
          /** When the row last changed; kept by the database. */
          updated_at: string;
          /** Grows with every change of the row; kept by the database. apply_changes takes it as the state that a change was based on. */
          version: number;
        };
        Insert: {
          color?: string | null;
          created_at?: string;
          id?: string;
          name: string;
          project_id: string;
          updated_at?: string;
          version?: number;
        };
        Update: {
          color?: string | null;
          created_at?: string;
          id?: string;
          name?: string;
          project_id?: string;
          updated_at?: string;
          version?: number;
        };
        Relationships: [
          {
            foreignKeyName: 'task_labels_project_id_fkey';
            columns: ['project_id'];
            isOneToOne: false;
            referencedRelation: 'projects';
            referencedColumns: ['id'];
          },
        ];
      };
      task_recurrences: {
        Row: {
          /** The restricted task that it belongs to, whose people alone see it; empty for most. Kept by the database. */
          audience_id: string | null;
          /** Where the next task appears; empty: in the first column that is not done. */
          column_id: string | null;
          /** What the next task has of the one before, beside title, description, priority and estimate: checklist (nothing ticked), labels, assignees, fields, subtasks, attachments. */
          copies: string[];
          /** When the row was made; kept by the database. */
          created_at: string;
          /** Who set it, and makes its tasks. */
          created_by: string | null;
          /** Made by the server unless the client sends its own. The same for the whole series. */
          id: string;
          /** Whether no more come; kept by the server. */
          is_over: boolean;
          /** How many days before its due date the next task appears; at the latest on its start date. */
          lead_days: number;
          /** How many tasks this rule has made; kept by the server. */
          made: number;
          /** calendar: on the days of the rule; after_completion: when the task is done, with the first day of the rule counted from then. */
          mode: Database['public']['Enums']['recurrence_mode'];
          /** When it appears; kept by the server. Empty after completion, and when there is none. */
          next_at: string | null;
          /** The due date of the next task; kept by the server. */
          next_on: string | null;
          /** Since when nothing is made; empty: it is not paused. Days that pass meanwhile are passed over. */
          paused_at: string | null;
          /** The project; filled from the task when left out. */
          project_id: string;
          /** Which planning holds; kept by the server. */
          revision: number;
          /** RFC 5545, in days: FREQ=DAILY, WEEKLY, MONTHLY or YEARLY with INTERVAL, COUNT (tasks of the series, this one too), UNTIL, BYDAY, BYMONTHDAY, BYMONTH, BYSETPOS, WKST. Anything else is refused (KB014). */
          rule: string;
          /** The day the rule is counted from. Left out: the due date of the task, its start date, or today. */
          starts_on: string;
          /** The task that comes again: the last one of the series. */
          task_id: string;
          /** Where its days begin, as Europe/Berlin. */
          time_zone: string;
          /** When the row last changed; kept by the database. */
          updated_at: string;
          /** Grows with every change of the row; kept by the database. apply_changes takes it as the state that a change was based on. */
          version: number;
        };
        Insert: {
          audience_id?: string | null;
          column_id?: string | null;
          copies?: string[];
          created_at?: string;
          created_by?: string | null;
          id?: string;
          is_over?: boolean;
          lead_days?: number;
          made?: number;
          mode?: Database['public']['Enums']['recurrence_mode'];
          next_at?: string | null;
          next_on?: string | null;
          paused_at?: string | null;
          project_id?: string;
          revision?: number;
          rule?: string;
          starts_on?: string;
          task_id?: string;
          time_zone?: string;
          updated_at?: string;
          version?: number;
        };
        Update: {
          audience_id?: string | null;
          column_id?: string | null;
          copies?: string[];
          created_at?: string;
          created_by?: string | null;
          id?: string;
          is_over?: boolean;
          lead_days?: number;
          made?: number;
          mode?: Database['public']['Enums']['recurrence_mode'];
          next_at?: string | null;
          next_on?: string | null;
          paused_at?: string | null;
          project_id?: string;
          revision?: number;
          rule?: string;
          starts_on?: string;
          task_id?: string;
          time_zone?: string;
          updated_at?: string;
          version?: number;
        };
        Relationships: [
          {
            foreignKeyName: 'task_recurrences_column_of_same_project';
            columns: ['project_id', 'column_id'];
            isOneToOne: false;
            referencedRelation: 'workflow_columns';
            referencedColumns: ['project_id', 'id'];
          },
          {
            foreignKeyName: 'task_recurrences_created_by_fkey';
            columns: ['created_by'];
            isOneToOne: false;
            referencedRelation: 'profiles';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'task_recurrences_task_of_same_project';
            columns: ['project_id', 'task_id'];
            isOneToOne: true;
            referencedRelation: 'tasks';
            referencedColumns: ['project_id', 'id'];
          },
        ];
      };
      task_watchers: {
        Row: {
          /** The restricted task that it belongs to, whose people alone see it; empty for most. Kept by the database. */
          audience_id: string | null;
          /** When the row was made; kept by the database. */
          created_at: string;
          /** false: has stopped, and is not added again by what others do. */
          is_watching: boolean;
          /** The project; filled from the task when left out. */
          project_id: string;
          /** How it began: creator, assignee, commenter, mentioned or asked; kept by the database. */
          reason: string;
          /** The task. */
          task_id: string;
          /** When the row last changed; kept by the database. */
          updated_at: string;
          /** Who watches; the caller. */
          user_id: string;
          /** Grows with every change of the row; kept by the database. apply_changes takes it as the state that a change was based on. */
          version: number;
        };
        Insert: {
          audience_id?: string | null;
          created_at?: string;
          is_watching?: boolean;
          project_id?: string;
          reason?: string;
          task_id?: string;
          updated_at?: string;
          user_id?: string;
          version?: number;
        };
        Update: {
          audience_id?: string | null;
          created_at?: string;
          is_watching?: boolean;
          project_id?: string;
          reason?: string;
          task_id?: string;
          updated_at?: string;
          user_id?: string;
          version?: number;
        };
        Relationships: [
          {
            foreignKeyName: 'task_watchers_task_of_same_project';
            columns: ['project_id', 'task_id'];
            isOneToOne: false;
            referencedRelation: 'tasks';
            referencedColumns: ['project_id', 'id'];
          },
        ];
      };
      tasks: {
        Row: {
          /** Set when the task was put away; the moment is the database's. Archived tasks count nowhere. */
          archived_at: string | null;
          /** The restricted task that it belongs to, whose people alone see it; empty for most. Kept by the database. */
          audience_id: string | null;
          /** The column; left out on insert: the leftmost. */
          column_id: string;
          /** When the task reached a done column; empty while it is open. Kept by the database. */
          completed_at: string | null;
          /** The attachment of this task that is shown as a picture on its card. */
          cover_attachment_id: string | null;
          /** When the row was made; kept by the database. */
          created_at: string;
          /** Who made it; empty once their account is gone. */
          created_by: string | null;
          /** Markdown; @[Name](user-id) or @Name mentions a member. */
          description: string;
          /** When it should be done. */
          due_date: string | null;
          /** In whatever unit the team counts. */
          estimate: number | null;
          /** Made by the server, sorted by time, unless the client sends its own. */
          id: string;
          /** Whether it and what is under it is seen only by people named in task_grants, who works on it, and owners. Only for a task without a parent (KB021); whoever is no owner names themselves first. */
          is_restricted: boolean;
          /** 1, 2, 3 … in each project; with the project's key it reads WEB-12. Given by the database. */
          number: number;
          /** Place within the column: text compared byte by byte. Left out: at the end. A rank that is taken becomes the next free one after it; a task that the caller doesn't see gives way instead. */
          order_rank: string;
          /** The task it is a part of, of the same project; empty for most. No circle (KB008), no more than eight levels (KB009). Deleting or archiving a task takes what is under it along. */
          parent_id: string | null;
          /** p0, p1 or p2. */
          priority: Database['public']['Enums']['task_priority'];
          /** The project; filled from the column when left out. Cannot be changed. */
          project_id: string;
          /** Not after due_date. */
          start_date: string | null;
          /** When the task first reached a column of kind in_progress; kept by the database. */
          started_at: string | null;
          /** Place among the subtasks of its parent, top to bottom; fractions are welcome. Left out: at the end. Empty without a parent. */
          subtask_position: number | null;
          /** Up to 500 characters. */
          title: string;
          /** When the row last changed; kept by the database. */
          updated_at: string;
          /** Grows with every change of the row; kept by the database. apply_changes takes it as the state that a change was based on. */
          version: number;
        };
        Insert: {
          archived_at?: string | null;
          audience_id?: string | null;
          column_id?: string;
          completed_at?: string | null;
          cover_attachment_id?: string | null;
          created_at?: string;
          created_by?: string | null;
          description?: string;
          due_date?: string | null;
          estimate?: number | null;
          id?: string;
          is_restricted?: boolean;
          number?: number;
          order_rank?: string;
          parent_id?: string | null;
          priority?: Database['public']['Enums']['task_priority'];
          project_id?: string;
          start_date?: string | null;
          started_at?: string | null;
          subtask_position?: number | null;
          title: string;
          updated_at?: string;
          version?: number;
        };
        Update: {
          archived_at?: string | null;
          audience_id?: string | null;
          column_id?: string;
          completed_at?: string | null;
          cover_attachment_id?: string | null;
          created_at?: string;
          created_by?: string | null;
          description?: string;
          due_date?: string | null;
          estimate?: number | null;
          id?: string;
          is_restricted?: boolean;
          number?: number;
          order_rank?: string;
          parent_id?: string | null;
          priority?: Database['public']['Enums']['task_priority'];
          project_id?: string;
          start_date?: string | null;
          started_at?: string | null;
          subtask_position?: number | null;
          title?: string;
          updated_at?: string;
          version?: number;
        };
        Relationships: [
          {
            foreignKeyName: 'tasks_column_of_same_project';
            columns: ['project_id', 'column_id'];
            isOneToOne: false;
            referencedRelation: 'workflow_columns';
            referencedColumns: ['project_id', 'id'];
          },
          {
            foreignKeyName: 'tasks_parent_of_same_project';
            columns: ['project_id', 'parent_id'];
            isOneToOne: false;
            referencedRelation: 'tasks';
            referencedColumns: ['project_id', 'id'];
          },
          {
            foreignKeyName: 'tasks_project_id_fkey';
            columns: ['project_id'];
            isOneToOne: false;
            referencedRelation: 'projects';
            referencedColumns: ['id'];
          },
        ];
      };
      templates: {
        Row: {
          /** The document: {"version": 1, "columns", "labels", "fields", "views", "tasks", "dependencies"…}, days counted from a start day; checked by the database (KB015). docs/use/templates.md has all of it. */
          body: Json;
          /** A name for those that come with Kanbase, the same in every language; empty for all others. */
          built_in: string | null;
          /** When the row was made; kept by the database. */
          created_at: string;
          /** Who made it; empty once their account is gone. */
          created_by: string | null;
          /** What it is for, up to 2,000 characters. */
          description: string;
          /** What is in it: names of columns, how many labels, fields, views, tasks and steps, and whether it has days; kept by the database. */
          holds: Json;
          /** Made by the server unless the client sends its own. */
          id: string;
          /** task or project. Cannot be changed. */
          kind: string;
          /** Of those that come with Kanbase: the language of their words. */
          language: string | null;
          /** Up to 200 characters. */
          name: string;
          /** Who alone has it; the caller when neither this nor project_id is sent. */
          owner_id: string | null;
          /** Whose members have it; empty: it is somebody's own, or built in. */
          project_id: string | null;
          /** When the row last changed; kept by the database. */
          updated_at: string;
          /** Grows with every change of the row; kept by the database. apply_changes takes it as the state that a change was based on. */
          version: number;
        };
        Insert: {
          body?: Json;
          built_in?: string | null;
          created_at?: string;
          created_by?: string | null;
          description?: string;
          holds?: Json;
          id?: string;
          kind: string;
          language?: string | null;
          name: string;
          owner_id?: string | null;
          project_id?: string | null;
          updated_at?: string;
          version?: number;
        };
        Update: {
          body?: Json;
          built_in?: string | null;
          created_at?: string;
          created_by?: string | null;
          description?: string;
          holds?: Json;
          id?: string;
          kind?: string;
          language?: string | null;
          name?: string;
          owner_id?: string | null;
          project_id?: string | null;
          updated_at?: string;
          version?: number;
        };
        Relationships: [
          {
            foreignKeyName: 'templates_created_by_fkey';
            columns: ['created_by'];
            isOneToOne: false;
            referencedRelation: 'profiles';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'templates_owner_id_fkey';
            columns: ['owner_id'];
            isOneToOne: false;
            referencedRelation: 'profiles';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'templates_project_id_fkey';
            columns: ['project_id'];
            isOneToOne: false;
            referencedRelation: 'projects';
            referencedColumns: ['id'];
          },
        ];
      };
      view_defaults: {
        Row: {
          /** When the row was made; kept by the database. */
          created_at: string;
          /** Made by the server unless the client sends its own. */
          id: string;
          /** The project. */
          project_id: string;
          /** When the row last changed; kept by the database. */
          updated_at: string;
          /** For whom; empty: everybody who has chosen none, which owners decide. */
          user_id: string | null;
          /** Grows with every change of the row; kept by the database. apply_changes takes it as the state that a change was based on. */
          version: number;
          /** The view, of the same project. */
          view_id: string;
        };
        Insert: {
          created_at?: string;
          id?: string;
          project_id: string;
          updated_at?: string;
          user_id?: string | null;
          version?: number;
          view_id: string;
        };
        Update: {
          created_at?: string;
          id?: string;
          project_id?: string;
          updated_at?: string;
          user_id?: string | null;
          version?: number;
          view_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: 'view_defaults_project_id_fkey';
            columns: ['project_id'];
            isOneToOne: false;
            referencedRelation: 'projects';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'view_defaults_user_id_fkey';
            columns: ['user_id'];
            isOneToOne: false;
            referencedRelation: 'profiles';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'view_defaults_view_id_fkey';
            columns: ['project_id', 'view_id'];
            isOneToOne: false;
            referencedRelation: 'saved_views';
            referencedColumns: ['project_id', 'id'];
          },
        ];
      };
      webhook_deliveries: {
        Row: {
          /** When it was last sent. */
          attempted_at: string | null;
          /** How often it was sent. */
          attempts: number;
          /** When the row was made. */
          created_at: string;
          /** How long the last answer took. */
          duration_ms: number | null;
          /** Why the last attempt failed. */
          error: string | null;
          /** Type of the event; webhook.test for a test. */
          event: string;
          /** The header webhook-id: the same in every attempt, also when it is sent again later. */
          event_id: string;
          /** Made by the server, sorted by time. */
          id: string;
          /** When it is sent next, while it is queued. */
          next_attempt_at: string;
          /** Place among the events. */
          place: number;
          /** The project. */
          project_id: string;
          /** The body that was sent, where it is not the payload itself. */
          request: string | null;
          /** The first 4,000 characters of the last answer. */
          response: string | null;
          /** queued, delivered, or failed: given up. */
          state: string;
          /** HTTP status of the last answer. */
          status: number | null;
          /** The task, also after it is gone; empty for what is about none. */
          task_id: string | null;
          /** When the row last changed. */
          updated_at: string;
          /** The webhook. */
          webhook_id: string;
        };
        Insert: {
          attempted_at?: string | null;
          attempts?: number;
          created_at?: string;
          duration_ms?: number | null;
          error?: string | null;
          event: string;
          event_id: string;
          id?: string;
          next_attempt_at?: string;
          place: number;
          project_id: string;
          request?: string | null;
          response?: string | null;
          state?: string;
          status?: number | null;
          task_id?: string | null;
          updated_at?: string;
          webhook_id: string;
        };
        Update: {
          attempted_at?: string | null;
          attempts?: number;
          created_at?: string;
          duration_ms?: number | null;
          error?: string | null;
          event?: string;
          event_id?: string;
          id?: string;
          next_attempt_at?: string;
          place?: number;
          project_id?: string;
          request?: string | null;
          response?: string | null;
          state?: string;
          status?: number | null;
          task_id?: string | null;
          updated_at?: string;
          webhook_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: 'webhook_deliveries_webhook_of_same_project';
            columns: ['project_id', 'webhook_id'];
            isOneToOne: false;
            referencedRelation: 'webhooks';
            referencedColumns: ['project_id', 'id'];
          },
        ];
      };
      webhooks: {
        Row: {
          /** When the row was made; kept by the database. */
          created_at: string;
          /** Who made it, or turned it on last; "me" in its filter. Empty once their account is gone. */
          created_by: string | null;
          /** Types of events it is told of, task.created and so on. */
          events: string[];
          /** Since when every delivery fails; kept by the database. */
          failing_since: string | null;
          /** Which tasks: the filter of a view. Deleted tasks are told of if they were before; what is about no task always. */
          filter: Json;
          /** Made by the server unless the client sends its own. */
          id: string;
          /** Whether it is told of restricted tasks, too. */
          includes_restricted: boolean;
          /** Whether it is told of anything. Turning it off gives up what waits. */
          is_active: boolean;
          /** Up to 100 characters. */
          name: string;
          /** Why the database turned it off: gone (its receiver answered 410), failing (for a day), filter or secret (can't be read), operator, maker (owns the project no more); empty when an owner did. Kept by the database. */
          off_because: string | null;
          /** The project. */
          project_id: string;
          /** Verifies its v1a signatures (ed25519); kept by the database. */
          public_key: string;
          /** When its secret was last replaced; kept by the database. */
          rotated_at: string | null;
          /** What it is told in: json, or a message for slack, mattermost, discord, matrix or teams. */
          shape: string;
          /** When the row last changed; kept by the database. */
          updated_at: string;
          /** Where it is sent: http or https, without a user name. Checked against the networks that the server may reach whenever it sends. */
          url: string;
          /** Grows with every change of the row; kept by the database. apply_changes takes it as the state that a change was based on. */
          version: number;
        };
        Insert: {
          created_at?: string;
          created_by?: string | null;
          events: string[];
          failing_since?: string | null;
          filter?: Json;
          id?: string;
          includes_restricted?: boolean;
          is_active?: boolean;
          name: string;
          off_because?: string | null;
          project_id: string;
          public_key: string;
          rotated_at?: string | null;
          shape?: string;
          updated_at?: string;
          url: string;
          version?: number;
        };
        Update: {
          created_at?: string;
          created_by?: string | null;
          events?: string[];
          failing_since?: string | null;
          filter?: Json;
          id?: string;
          includes_restricted?: boolean;
          is_active?: boolean;
          name?: string;
          off_because?: string | null;
          project_id?: string;
          public_key?: string;
          rotated_at?: string | null;
          shape?: string;
          updated_at?: string;
          url?: string;
          version?: number;
        };
        Relationships: [
          {
            foreignKeyName: 'webhooks_created_by_fkey';
            columns: ['created_by'];
            isOneToOne: false;
            referencedRelation: 'profiles';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'webhooks_project_id_fkey';
            columns: ['project_id'];
            isOneToOne: false;
            referencedRelation: 'projects';
            referencedColumns: ['id'];
          },
        ];
      };
      workflow_columns: {
        Row: {
          /** As #rrggbb. */
          color: string | null;
          /** When the row was made; kept by the database. */
          created_at: string;
          /** Made by the server unless the client sends its own. */
          id: string;
          /** What the column stands for. Tasks in a done column are completed. */
          kind: Database['public']['Enums']['workflow_column_kind'];
          /** Up to 100 characters. */
          name: string;
          /** Left to right; fractions are welcome. Left out: the right end. */
          position: number;
          /** The project. */
          project_id: string;
          /** Fields of the project without which no task is moved here (KB011); a checkbox must be ticked. Tasks that are made here, or stand here, are not asked. */
          required_fields: string[];
          /** When the row last changed; kept by the database. */
          updated_at: string;
          /** Grows with every change of the row; kept by the database. apply_changes takes it as the state that a change was based on. */
          version: number;
          /** How many tasks the column should hold at most. Shown, not enforced. */
          wip_limit: number | null;
        };
        Insert: {
          color?: string | null;
          created_at?: string;
          id?: string;
          kind?: Database['public']['Enums']['workflow_column_kind'];
          name: string;
          position?: number;
          project_id?: string;
          required_fields?: string[];
          updated_at?: string;
          version?: number;
          wip_limit?: number | null;
        };
        Update: {
          color?: string | null;
          created_at?: string;
          id?: string;
          kind?: Database['public']['Enums']['workflow_column_kind'];
          name?: string;
          position?: number;
          project_id?: string;
          required_fields?: string[];
          updated_at?: string;
          version?: number;
          wip_limit?: number | null;
        };
        Relationships: [
          {
            foreignKeyName: 'workflow_columns_project_id_fkey';
            columns: ['project_id'];
            isOneToOne: false;
            referencedRelation: 'projects';
            referencedColumns: ['id'];
          },
        ];
      };
    };
    Views: { [_ in never]: never };
    Functions: {
      accept_invitation: { Args: { token: string }; Returns: Database['public']['Tables']['project_members']['Row'] };
      accept_proposal: { Args: { proposal_id: string }; Returns: Json };
      accept_proposals: { Args: { session_id: string }; Returns: Json };
      access_log_page: { Args: { project_id?: string; words?: string; kind?: string; before?: string; size?: number }; Returns: Json };
      add_agent_activity: { Args: { session_id: string; kind: string; body: string }; Returns: Database['public']['Tables']['agent_activities']['Row'] };
      agent_inbox: { Args: { after?: number }; Returns: Json };
      apply_changes: { Args: { changes: Json }; Returns: Json };
      archived_tasks: { Args: { project_id?: string; max_rows?: number }; Returns: Database['public']['Tables']['tasks']['Row'][] };
      begin_export: { Args: { format: string; project_id?: string }; Returns: Json };
      cancel_export: { Args: { export_id: string }; Returns: undefined };
      changes_since: { Args: { project_id: string; since?: string; known?: Json }; Returns: Json };
      checklist_item_to_task: { Args: { item_id: string; new_id?: string; as_subtask?: boolean }; Returns: Database['public']['Tables']['tasks']['Row'] };
      claim_next_task: { Args: { view?: string; project?: string; seconds?: number; start?: boolean }; Returns: Database['public']['Tables']['task_claims']['Row'][] };
      confirm_agent_session: { Args: { session_id: string }; Returns: Database['public']['Tables']['agent_sessions']['Row'] };
      connect_agent_session: { Args: { connection: string; session_id?: string; project_id?: string; title?: string; leave?: boolean }; Returns: Database['public']['Tables']['agent_sessions']['Row'][] };
      cover: { Args: { task: Database['public']['Tables']['tasks']['Row'] }; Returns: Database['public']['Tables']['task_attachments']['Row'][] };
      create_agent: { Args: { name: string; project_id?: string; role?: Database['public']['Enums']['project_role']; mode?: string; about?: string }; Returns: Json };
      create_api_key: { Args: { name: string; scope: string; project_ids?: string[]; days?: number }; Returns: Json };
      create_calendar_feed: { Args: { kind: string; project_id?: string; view_id?: string; name?: string }; Returns: Json };
      create_group: { Args: { name: string; description?: string }; Returns: Database['public']['Tables']['groups']['Row'] };
      create_join_link: { Args: { project_id: string; role?: Database['public']['Enums']['project_role']; days?: number }; Returns: Json };
      create_project_from_template: { Args: { template_id: string; name?: string; start_date?: string; description?: string; key?: string; color?: string; with_tasks?: boolean }; Returns: Database['public']['Tables']['projects']['Row'] };
      create_project_with_defaults: { Args: { name: string; description?: string; key?: string }; Returns: Database['public']['Tables']['projects']['Row'] };
      create_service_account: { Args: { name: string; project_id?: string; role?: Database['public']['Enums']['project_role'] }; Returns: Json };
      create_service_account_client: { Args: { service_account_id: string; name: string; scope: string; project_ids?: string[] }; Returns: Json };
      create_service_account_key: { Args: { service_account_id: string; name: string; scope: string; project_ids?: string[]; days?: number }; Returns: Json };
      create_share_link: { Args: { project_id: string; task_id?: string; days?: number; password_hash?: string; options?: Json; view_id?: string }; Returns: Json };
      create_task_from_template: { Args: { template_id: string; project_id: string; column_id?: string; title?: string; start_date?: string; new_id?: string; priority?: Database['public']['Enums']['task_priority']; due_date?: string; order_rank?: string; parent_id?: string; assignees?: string[]; labels?: string[]; field_values?: Json; label_ids?: Json }; Returns: Database['public']['Tables']['tasks']['Row'] };
      creator: { Args: { project: Database['public']['Tables']['projects']['Row'] }; Returns: Database['public']['Tables']['profiles']['Row'][] } | { Args: { task: Database['public']['Tables']['tasks']['Row'] }; Returns: Database['public']['Tables']['profiles']['Row'][] };
      current_project_role: { Args: { project_id: string }; Returns: Database['public']['Enums']['project_role'] };
      custom_field_use: { Args: { field_id: string }; Returns: Json };
      dashboard_metrics: { Args: { project_id?: string }; Returns: Json };
      delegate_to_agent: { Args: { task_id: string; agent_id: string; prompt?: string }; Returns: Database['public']['Tables']['agent_sessions']['Row'] };
      delete_my_account: { Args: { email: string }; Returns: undefined };
      delete_service_account: { Args: { service_account_id: string }; Returns: undefined };
      delete_service_account_client: { Args: { client_id: string }; Returns: undefined };
      deleted_projects: { Args: never; Returns: Json };
      drop_push_subscription: { Args: { endpoint: string }; Returns: undefined };
      duplicate_project: { Args: { project_id: string; name?: string; start_date?: string; with_tasks?: boolean; with_members?: boolean; key?: string }; Returns: Database['public']['Tables']['projects']['Row'] };
      duplicate_task: { Args: { task_id: string; new_id?: string }; Returns: Database['public']['Tables']['tasks']['Row'] };
      duplicate_tasks: { Args: { task_ids: string[]; new_ids?: string[] }; Returns: Database['public']['Tables']['tasks']['Row'][] };
      end_deleted_project: { Args: { project_id: string }; Returns: undefined };
      end_my_session: { Args: { session_id: string }; Returns: undefined };
      explain_access: { Args: { object: string; person?: string }; Returns: { person_id: string; display_name: string; avatar_url: string; role: Database['public']['Enums']['project_role']; sees: boolean; comments: boolean; changes: boolean; manages: boolean; reasons: Json }[] };
      export_my_data: { Args: never; Returns: Json };
      field_columns: { Args: { project_id: string; field_ids: string[] }; Returns: Json };
      foresee_move_to_project: { Args: { task_ids: string[]; project_id: string }; Returns: Json };
      foresee_project_copy: { Args: { project_id: string }; Returns: Json };
      group_page: { Args: { group_id: string }; Returns: Json };
      invitation_details: { Args: { token: string }; Returns: Json };
      invitation_token: { Args: { invitation_id: string }; Returns: string };
      invite_guest: { Args: { task_id: string; email: string; level?: Database['public']['Enums']['grant_level'] }; Returns: Json };
      invite_member: { Args: { project_id: string; email: string; role?: Database['public']['Enums']['project_role'] }; Returns: Json };
      join_by_link: { Args: { token: string }; Returns: Database['public']['Tables']['project_members']['Row'] };
      join_link_details: { Args: { token: string }; Returns: Json };
      join_link_token: { Args: { link_id: string }; Returns: string };
      join_project: { Args: { invitation_id: string }; Returns: Database['public']['Tables']['project_members']['Row'] };
      keep_claim: { Args: { claim: string; seconds?: number }; Returns: Database['public']['Tables']['task_claims']['Row'] };
      leave_project: { Args: { project_id: string }; Returns: undefined };
      list_my_sessions: { Args: never; Returns: { id: string; user_agent: string; address: string; created_at: string; last_seen_at: string; aal: string; is_current: boolean }[] };
      move_task: { Args: { task_id: string; column_id?: string; before_id?: string; after_id?: string; order_rank?: string }; Returns: Database['public']['Tables']['tasks']['Row'] };
      move_task_to_project: { Args: { task_id: string; project_id: string; column_id?: string }; Returns: Database['public']['Tables']['tasks']['Row'] };
      move_tasks_to_project: { Args: { task_ids: string[]; project_id: string; column_id?: string; brings_back?: boolean }; Returns: Database['public']['Tables']['tasks']['Row'][] };
      my_account_end: { Args: never; Returns: Json };
      my_billing: { Args: never; Returns: Json };
      my_exports: { Args: never; Returns: Json };
      my_first_steps: { Args: never; Returns: Json };
      my_groups: { Args: never; Returns: Json };
      notification_kinds: { Args: never; Returns: { kind: string; weight: number; inbox: boolean; mail: string; push: boolean }[] };
      object_to_transfer: { Args: { transfer_id: string }; Returns: undefined };
      open_agent_session: { Args: { project_id: string; task_id?: string; mode?: string; title?: string; project_ids?: string[]; minutes?: number }; Returns: Database['public']['Tables']['agent_sessions']['Row'] };
      operator_entries: { Args: { project_id: string }; Returns: Json };
      parent: { Args: { task: Database['public']['Tables']['tasks']['Row'] }; Returns: Database['public']['Tables']['tasks']['Row'][] };
      person_page: { Args: { user_id: string }; Returns: Json };
      project_api_keys: { Args: { project_id: string }; Returns: Json };
      project_groups: { Args: { project_id: string }; Returns: Json };
      project_people: { Args: { project_id: string }; Returns: { user_id: string; last_active_at: string; open_tasks: number }[] };
      project_programs: { Args: { project_id: string }; Returns: Json };
      project_progress: { Args: never; Returns: { project_id: string; total: number; completed: number; overdue: number }[] };
      project_transfers: { Args: { project_id: string }; Returns: Json };
      push_key: { Args: never; Returns: string };
      reach_of: { Args: { subject: string }; Returns: { project_id: string; project_name: string; role: Database['public']['Enums']['project_role']; sees: boolean; comments: boolean; changes: boolean; manages: boolean; reasons: Json; opens: Json }[] };
      redeliver_webhook: { Args: { webhook_id: string; delivery_id?: string; since?: string; only_failed?: boolean }; Returns: number };
      reject_proposal: { Args: { proposal_id: string; reason?: string }; Returns: Database['public']['Tables']['agent_proposals']['Row'] };
      release_claim: { Args: { claim: string; note?: string }; Returns: Database['public']['Tables']['task_claims']['Row'] };
      remove_api_key_from_project: { Args: { key_id: string; project_id: string }; Returns: undefined };
      remove_guest: { Args: { project_id: string; user_id: string }; Returns: undefined };
      remove_program_from_project: { Args: { grant_id: string; project_id: string }; Returns: undefined };
      renew_calendar_feed: { Args: { feed_id: string }; Returns: Json };
      report_agent_session: { Args: { session_id: string; state?: string; plan?: Json; links?: Json; cost?: number; title?: string }; Returns: Database['public']['Tables']['agent_sessions']['Row'] };
      restore_project: { Args: { project_id: string }; Returns: Database['public']['Tables']['projects']['Row'] };
      restore_webhook: { Args: { webhook_id: string }; Returns: Database['public']['Tables']['webhooks']['Row'] };
      revoke_api_key: { Args: { key_id: string }; Returns: undefined };
      revoke_join_link: { Args: { link_id: string }; Returns: undefined };
      revoke_share_link: { Args: { link_id: string }; Returns: undefined };
      rotate_service_account_client: { Args: { client_id: string }; Returns: Json };
      save_project_as_template: { Args: { project_id: string; name?: string; description?: string; is_shared?: boolean; with_tasks?: boolean; new_id?: string }; Returns: Database['public']['Tables']['templates']['Row'] };
      save_push_subscription: { Args: { endpoint: string; p256dh: string; auth: string }; Returns: string };
      save_task_as_template: { Args: { task_id: string; name?: string; description?: string; is_shared?: boolean; new_id?: string }; Returns: Database['public']['Tables']['templates']['Row'] };
      search_tasks: { Args: { query: string; project_id?: string; max_rows?: number }; Returns: Database['public']['Tables']['tasks']['Row'][] };
      service_account_clients: { Args: { service_account_id: string }; Returns: Json };
      stop_agent_session: { Args: { session_id: string }; Returns: Database['public']['Tables']['agent_sessions']['Row'] };
      subtasks: { Args: { task: Database['public']['Tables']['tasks']['Row'] }; Returns: Database['public']['Tables']['tasks']['Row'][] };
      task_at: { Args: { project_id: string; number: number }; Returns: Database['public']['Tables']['tasks']['Row'][] };
      task_flow: { Args: { project_id: string }; Returns: Json };
      task_flows: { Args: { project_ids: string[] }; Returns: Json };
      task_to_checklist_item: { Args: { task_id: string; new_id?: string; of_task_id?: string }; Returns: Database['public']['Tables']['task_checklist_items']['Row'] };
      test_webhook: { Args: { webhook_id: string }; Returns: Database['public']['Tables']['webhook_deliveries']['Row'] };
      undo_session: { Args: { session_id: string; dry_run?: boolean }; Returns: Json };
      webhook_payload: { Args: { delivery_id: string }; Returns: Json };
      words: { Args: { of: Database['public']['Tables']['task_field_values']['Row'] }; Returns: string };
    };
    Enums: {
      custom_field_kind: 'text' | 'number' | 'date' | 'select' | 'multi_select' | 'person' | 'url' | 'checkbox';
      dependency_type: 'FS';
      grant_level: 'see' | 'comment' | 'edit';
      project_role: 'owner' | 'editor' | 'viewer';
      recurrence_mode: 'calendar' | 'after_completion';
      task_priority: 'p0' | 'p1' | 'p2';
      workflow_column_kind: 'backlog' | 'todo' | 'in_progress' | 'done' | 'custom';
    };
    CompositeTypes: { [_ in never]: never };
  };
};
