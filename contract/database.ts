// Row types of what /rest/v1 serves, for `createClient<Database>()`. Written by `npm run generate` from the database.

export type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[];

export type Database = {
  __InternalSupabase: {
    PostgrestVersion: '14';
  };
  public: {
    Tables: {
      comment_reactions: {
        Row: {
          /** The comment. */
          comment_id: string;
          /** When the row was made; kept by the database. */
          created_at: string;
          /** One of 👍 👎 ❤️ 🎉 😄 👀 🚀 ✅. */
          emoji: string;
          /** The project; filled from the comment when left out. */
          project_id: string;
          /** The task; filled from the comment when left out. */
          task_id: string;
          /** Who reacted: the caller. */
          user_id: string;
        };
        Insert: {
          comment_id?: string;
          created_at?: string;
          emoji: string;
          project_id?: string;
          task_id?: string;
          user_id?: string;
        };
        Update: {
          comment_id?: string;
          created_at?: string;
          emoji?: string;
          project_id?: string;
          task_id?: string;
          user_id?: string;
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
        };
        Insert: {
          comment_id?: string;
          created_at?: string;
          project_id?: string;
          task_id?: string;
          user_id?: string | null;
        };
        Update: {
          comment_id?: string;
          created_at?: string;
          project_id?: string;
          task_id?: string;
          user_id?: string | null;
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
        };
        Insert: {
          created_at?: string;
          daily_hour?: number;
          time_zone?: string;
          updated_at?: string;
          user_id?: string;
        };
        Update: {
          created_at?: string;
          daily_hour?: number;
          time_zone?: string;
          updated_at?: string;
          user_id?: string;
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
          /** mentioned, assigned, commented, unblocked, unassigned, state_changed, overdue, due_soon, added or invited: the weightiest of what one person did to the task within a minute. */
          kind: string;
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
        };
        Insert: {
          actor_id?: string | null;
          created_at?: string;
          data?: Json;
          done_at?: string | null;
          id?: string;
          kind: string;
          project_id?: string | null;
          read_at?: string | null;
          snoozed_until?: string | null;
          task_id?: string | null;
          updated_at?: string;
          user_id: string;
        };
        Update: {
          actor_id?: string | null;
          created_at?: string;
          data?: Json;
          done_at?: string | null;
          id?: string;
          kind?: string;
          project_id?: string | null;
          read_at?: string | null;
          snoozed_until?: string | null;
          task_id?: string | null;
          updated_at?: string;
          user_id?: string;
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
          /** Whether the app shows others which project and task this person has open. */
          shows_presence: boolean;
          /** When the row last changed; kept by the database. */
          updated_at: string;
        };
        Insert: {
          avatar_url?: string | null;
          created_at?: string;
          display_name?: string | null;
          id: string;
          shows_presence?: boolean;
          updated_at?: string;
        };
        Update: {
          avatar_url?: string | null;
          created_at?: string;
          display_name?: string | null;
          id?: string;
          shows_presence?: boolean;
          updated_at?: string;
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
          /** Who invited; empty once their account is gone. */
          invited_by: string | null;
          /** The project. */
          project_id: string;
          /** What they become. */
          role: Database['public']['Enums']['project_role'];
          /** When the row last changed; kept by the database. */
          updated_at: string;
        };
        Insert: {
          accepted_at?: string | null;
          created_at?: string;
          email: string;
          expires_at?: string;
          id?: string;
          invited_by?: string | null;
          project_id: string;
          role?: Database['public']['Enums']['project_role'];
          updated_at?: string;
        };
        Update: {
          accepted_at?: string | null;
          created_at?: string;
          email?: string;
          expires_at?: string;
          id?: string;
          invited_by?: string | null;
          project_id?: string;
          role?: Database['public']['Enums']['project_role'];
          updated_at?: string;
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
        ];
      };
      project_members: {
        Row: {
          /** Since when; kept by the database. */
          created_at: string;
          /** The project. */
          project_id: string;
          /** owner, editor or viewer. */
          role: Database['public']['Enums']['project_role'];
          /** When the row last changed; kept by the database. */
          updated_at: string;
          /** The member. */
          user_id: string;
        };
        Insert: {
          created_at?: string;
          project_id: string;
          role?: Database['public']['Enums']['project_role'];
          updated_at?: string;
          user_id: string;
        };
        Update: {
          created_at?: string;
          project_id?: string;
          role?: Database['public']['Enums']['project_role'];
          updated_at?: string;
          user_id?: string;
        };
        Relationships: [
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
        };
        Insert: {
          created_at?: string;
          project_id: string;
          user_id?: string;
        };
        Update: {
          created_at?: string;
          project_id?: string;
          user_id?: string;
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
          /** When the row last changed; kept by the database. */
          updated_at: string;
        };
        Insert: {
          archived_at?: string | null;
          avatar_url?: string | null;
          color?: string | null;
          created_at?: string;
          created_by?: string | null;
          description?: string;
          enforce_dependencies?: boolean;
          id?: string;
          key: string;
          name: string;
          updated_at?: string;
        };
        Update: {
          archived_at?: string | null;
          avatar_url?: string | null;
          color?: string | null;
          created_at?: string;
          created_by?: string | null;
          description?: string;
          enforce_dependencies?: boolean;
          id?: string;
          key?: string;
          name?: string;
          updated_at?: string;
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
        };
        Relationships: [];
      };
      saved_views: {
        Row: {
          /** When the row was made; kept by the database. */
          created_at: string;
          /** What the view shows; a JSON object only clients look into. */
          filter: Json;
          /** Made by the server unless the client sends its own. */
          id: string;
          /** Whether the other members see it; sharing needs the editor role. */
          is_shared: boolean;
          /** Up to 200 characters. */
          name: string;
          /** Whose it is; empty for a shared view whose owner's account is gone. */
          owner_id: string | null;
          /** The project. */
          project_id: string;
          /** When the row last changed; kept by the database. */
          updated_at: string;
        };
        Insert: {
          created_at?: string;
          filter?: Json;
          id?: string;
          is_shared?: boolean;
          name: string;
          owner_id?: string | null;
          project_id: string;
          updated_at?: string;
        };
        Update: {
          created_at?: string;
          filter?: Json;
          id?: string;
          is_shared?: boolean;
          name?: string;
          owner_id?: string | null;
          project_id?: string;
          updated_at?: string;
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
      task_activity: {
        Row: {
          /** Who did it; empty for the service itself, and once their account is gone. */
          actor_id: string | null;
          /** What changed, as {"column": {"from": …, "to": …}}. */
          change: Json;
          /** When; kept by the database. */
          created_at: string;
          /** Sorted by time. */
          id: string;
          /** What happened: created, updated, moved, archived, restored, deleted, assigned, unassigned, labeled, unlabeled, checklist_item_*, attached, attachment_renamed, detached, dependency_*, commented, comment_edited, comment_deleted. */
          kind: string;
          /** The project. */
          project_id: string;
          /** The task; empty once it is deleted. */
          task_id: string | null;
        };
        Insert: {
          actor_id?: string | null;
          change?: Json;
          created_at?: string;
          id?: string;
          kind: string;
          project_id: string;
          task_id?: string | null;
        };
        Update: {
          actor_id?: string | null;
          change?: Json;
          created_at?: string;
          id?: string;
          kind?: string;
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
          /** When the row was made; kept by the database. */
          created_at: string;
          /** Made by the server unless the client sends its own. */
          id: string;
          /** The project; filled from the task when left out. */
          project_id: string;
          /** The task. */
          task_id: string;
          /** The member. */
          user_id: string;
        };
        Insert: {
          created_at?: string;
          id?: string;
          project_id?: string;
          task_id?: string;
          user_id: string;
        };
        Update: {
          created_at?: string;
          id?: string;
          project_id?: string;
          task_id?: string;
          user_id?: string;
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
        };
        Insert: {
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
        };
        Update: {
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
        };
        Insert: {
          created_at?: string;
          id?: string;
          is_done?: boolean;
          position?: number;
          project_id?: string;
          task_id?: string;
          title: string;
          updated_at?: string;
        };
        Update: {
          created_at?: string;
          id?: string;
          is_done?: boolean;
          position?: number;
          project_id?: string;
          task_id?: string;
          title?: string;
          updated_at?: string;
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
      task_comments: {
        Row: {
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
          /** The project; filled from the task when left out. */
          project_id: string;
          /** The task. */
          task_id: string;
          /** When the row last changed; kept by the database. */
          updated_at: string;
        };
        Insert: {
          author_id?: string | null;
          body: string;
          created_at?: string;
          edited_at?: string | null;
          id?: string;
          parent_id?: string | null;
          project_id?: string;
          task_id?: string;
          updated_at?: string;
        };
        Update: {
          author_id?: string | null;
          body?: string;
          created_at?: string;
          edited_at?: string | null;
          id?: string;
          parent_id?: string | null;
          project_id?: string;
          task_id?: string;
          updated_at?: string;
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
        };
        Insert: {
          created_at?: string;
          id?: string;
          lag_days?: number;
          predecessor_id: string;
          project_id?: string;
          successor_id?: string;
          type?: Database['public']['Enums']['dependency_type'];
          updated_at?: string;
        };
        Update: {
          created_at?: string;
          id?: string;
          lag_days?: number;
          predecessor_id?: string;
          project_id?: string;
          successor_id?: string;
          type?: Database['public']['Enums']['dependency_type'];
          updated_at?: string;
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
      task_label_links: {
        Row: {
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
        };
        Insert: {
          created_at?: string;
          id?: string;
          label_id: string;
          project_id?: string;
          task_id?: string;
        };
        Update: {
          created_at?: string;
          id?: string;
          label_id?: string;
          project_id?: string;
          task_id?: string;
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
        };
        Insert: {
          color?: string | null;
          created_at?: string;
          id?: string;
          name: string;
          project_id: string;
          updated_at?: string;
        };
        Update: {
          color?: string | null;
          created_at?: string;
          id?: string;
          name?: string;
          project_id?: string;
          updated_at?: string;
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
      task_watchers: {
        Row: {
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
        };
        Insert: {
          created_at?: string;
          is_watching?: boolean;
          project_id?: string;
          reason?: string;
          task_id?: string;
          updated_at?: string;
          user_id?: string;
        };
        Update: {
          created_at?: string;
          is_watching?: boolean;
          project_id?: string;
          reason?: string;
          task_id?: string;
          updated_at?: string;
          user_id?: string;
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
          /** 1, 2, 3 … in each project; with the project's key it reads WEB-12. Given by the database. */
          number: number;
          /** Place within the column: text compared byte by byte. Left out: at the end. A rank that is taken becomes the next free one after it. */
          order_rank: string;
          /** p0, p1 or p2. */
          priority: Database['public']['Enums']['task_priority'];
          /** The project; filled from the column when left out. Cannot be changed. */
          project_id: string;
          /** Not after due_date. */
          start_date: string | null;
          /** When the task first reached a column of kind in_progress; kept by the database. */
          started_at: string | null;
          /** Up to 500 characters. */
          title: string;
          /** When the row last changed; kept by the database. */
          updated_at: string;
        };
        Insert: {
          archived_at?: string | null;
          column_id?: string;
          completed_at?: string | null;
          cover_attachment_id?: string | null;
          created_at?: string;
          created_by?: string | null;
          description?: string;
          due_date?: string | null;
          estimate?: number | null;
          id?: string;
          number?: number;
          order_rank?: string;
          priority?: Database['public']['Enums']['task_priority'];
          project_id?: string;
          start_date?: string | null;
          started_at?: string | null;
          title: string;
          updated_at?: string;
        };
        Update: {
          archived_at?: string | null;
          column_id?: string;
          completed_at?: string | null;
          cover_attachment_id?: string | null;
          created_at?: string;
          created_by?: string | null;
          description?: string;
          due_date?: string | null;
          estimate?: number | null;
          id?: string;
          number?: number;
          order_rank?: string;
          priority?: Database['public']['Enums']['task_priority'];
          project_id?: string;
          start_date?: string | null;
          started_at?: string | null;
          title?: string;
          updated_at?: string;
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
            foreignKeyName: 'tasks_project_id_fkey';
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
          /** When the row last changed; kept by the database. */
          updated_at: string;
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
          updated_at?: string;
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
          updated_at?: string;
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
      apply_changes: { Args: { changes: Json }; Returns: Json };
      archived_tasks: { Args: { project_id?: string; max_rows?: number }; Returns: Database['public']['Tables']['tasks']['Row'][] };
      changes_since: { Args: { project_id: string; since?: string; known?: Json }; Returns: Json };
      cover: { Args: { task: Database['public']['Tables']['tasks']['Row'] }; Returns: Database['public']['Tables']['task_attachments']['Row'][] };
      create_project_with_defaults: { Args: { name: string; description?: string; key?: string }; Returns: Database['public']['Tables']['projects']['Row'] };
      creator: { Args: { project: Database['public']['Tables']['projects']['Row'] }; Returns: Database['public']['Tables']['profiles']['Row'][] } | { Args: { task: Database['public']['Tables']['tasks']['Row'] }; Returns: Database['public']['Tables']['profiles']['Row'][] };
      current_project_role: { Args: { project_id: string }; Returns: Database['public']['Enums']['project_role'] };
      dashboard_metrics: { Args: { project_id?: string }; Returns: Json };
      delete_my_account: { Args: { email: string }; Returns: undefined };
      drop_push_subscription: { Args: { endpoint: string }; Returns: undefined };
      duplicate_task: { Args: { task_id: string; new_id?: string }; Returns: Database['public']['Tables']['tasks']['Row'] };
      end_my_session: { Args: { session_id: string }; Returns: undefined };
      export_my_data: { Args: never; Returns: Json };
      invitation_details: { Args: { token: string }; Returns: Json };
      invitation_token: { Args: { invitation_id: string }; Returns: string };
      invite_member: { Args: { project_id: string; email: string; role?: Database['public']['Enums']['project_role'] }; Returns: Json };
      join_project: { Args: { invitation_id: string }; Returns: Database['public']['Tables']['project_members']['Row'] };
      leave_project: { Args: { project_id: string }; Returns: undefined };
      list_my_sessions: { Args: never; Returns: { id: string; user_agent: string; address: string; created_at: string; last_seen_at: string; aal: string; is_current: boolean }[] };
      move_task: { Args: { task_id: string; column_id?: string; before_id?: string; after_id?: string; order_rank?: string }; Returns: Database['public']['Tables']['tasks']['Row'] };
      my_account_end: { Args: never; Returns: Json };
      my_billing: { Args: never; Returns: Json };
      my_first_steps: { Args: never; Returns: Json };
      notification_kinds: { Args: never; Returns: { kind: string; weight: number; inbox: boolean; mail: string; push: boolean }[] };
      person_page: { Args: { user_id: string }; Returns: Json };
      project_people: { Args: { project_id: string }; Returns: { user_id: string; last_active_at: string; open_tasks: number }[] };
      project_progress: { Args: never; Returns: { project_id: string; total: number; completed: number; overdue: number }[] };
      push_key: { Args: never; Returns: string };
      save_push_subscription: { Args: { endpoint: string; p256dh: string; auth: string }; Returns: string };
      search_tasks: { Args: { query: string; project_id?: string; max_rows?: number }; Returns: Database['public']['Tables']['tasks']['Row'][] };
    };
    Enums: {
      dependency_type: 'FS';
      project_role: 'owner' | 'editor' | 'viewer';
      task_priority: 'p0' | 'p1' | 'p2';
      workflow_column_kind: 'backlog' | 'todo' | 'in_progress' | 'done' | 'custom';
    };
    CompositeTypes: { [_ in never]: never };
  };
};
