// State of the server for the admin pages.

import type { Sync } from '../../sync/sync.ts';
import { readAdmin } from './admin.ts';

export interface AdminState {
  readonly version: string;
  readonly node: string;
  readonly site: string;
  readonly started_at: string;
  readonly findings: readonly Finding[];
}

export interface Finding {
  readonly state: 'good' | 'thought' | 'broken';
  readonly about: string;
  readonly next?: string;
}

export interface AdminRequests {
  readonly minutes: number;
  /** Of the last day, the oldest first. */
  readonly slots: readonly {
    readonly began_at: string;
    readonly requests: number;
    /** Answered with 4xx. */
    readonly refused: number;
    /** Answered with 5xx. */
    readonly failed: number;
  }[];
}

export interface AdminSetting {
  readonly room: string;
  readonly name: string;
  readonly meaning: string;
  readonly value: string;
  /** Of one that is set, the value says so. */
  readonly is_secret: boolean;
  readonly source: 'flag' | 'environment' | '.env' | 'admin page' | 'default';
  /** Whether it can be changed here; locked: what the server was started with says it. */
  readonly change: 'open' | 'locked' | 'none';
}

export interface AdminDatabase {
  readonly version: string;
  readonly started_at: string;
  readonly embedded: boolean;
  readonly bytes: number;
  readonly connections: number;
  readonly most_connections: number;
  /** Whether statements of other roles are shown. */
  readonly sees_others: boolean;
  readonly tables: readonly {
    readonly name: string;
    readonly bytes: number;
    readonly rows: number;
    readonly dead: number;
  }[];
  /** Null without pg_stat_statements. */
  readonly statements:
    | readonly {
        readonly text: string;
        readonly calls: number;
        readonly mean_ms: number;
        readonly max_ms: number;
        readonly total_seconds: number;
      }[]
    | null;
  readonly running: readonly {
    readonly pid: number;
    readonly role: string;
    readonly state: string;
    readonly since: string;
    readonly text: string;
  }[];
  readonly locks: readonly {
    readonly pid: number;
    readonly role: string;
    readonly mode: string;
    readonly relation: string;
    readonly since: string | null;
    readonly waits_for: readonly number[];
    readonly text: string | null;
  }[];
  readonly slots: readonly {
    readonly name: string;
    readonly active: boolean;
    readonly temporary: boolean;
    readonly state: string;
    readonly behind: number | null;
  }[];
  readonly migrations: {
    readonly applied: number;
    readonly latest: readonly { readonly origin: string; readonly name: string; readonly applied_at: string }[];
  };
  readonly unsettled: readonly string[];
}

export interface AdminFiles {
  readonly place: string;
  readonly free_bytes: number | null;
  readonly buckets: readonly { readonly name: string; readonly files: number; readonly bytes: number }[];
}

export interface AdminBackup {
  readonly due_at: string;
  readonly finished_at: string | null;
  readonly file: string | null;
  readonly row_count: number | null;
  readonly file_count: number | null;
  readonly bytes: number | null;
  readonly error: string | null;
}

export interface AdminBackups {
  readonly last_good: AdminBackup | null;
  readonly latest: readonly AdminBackup[];
  /** Null: never by itself. */
  readonly schedule: string | null;
  readonly place?: string;
  readonly keep?: number;
  readonly next_at?: string | null;
  readonly holds_secrets?: boolean;
}

export interface AdminJobs {
  /** Imports and exports that people began, the last ones first. */
  readonly latest: readonly {
    readonly id: string;
    readonly job: 'import' | 'export';
    /** From which product, or into which format. */
    readonly what: string;
    readonly state: string;
    readonly done: number;
    readonly total: number;
    readonly email: string;
    readonly created_at: string;
    readonly finished_at: string | null;
  }[];
  readonly queues: readonly {
    readonly name: string;
    readonly waiting: number;
    readonly failed: number;
    readonly oldest: string | null;
  }[];
  readonly rounds: readonly {
    readonly job: string;
    readonly node: string;
    readonly finished_at: string;
    readonly seconds: number;
    readonly error: string | null;
  }[];
}

export const readAdminState = (sync: Sync) => readAdmin<AdminState>(sync, '/state');
export const readAdminRequests = (sync: Sync) => readAdmin<AdminRequests>(sync, '/requests');
export const readAdminSettings = (sync: Sync) => readAdmin<readonly AdminSetting[]>(sync, '/settings');
export const readAdminDatabase = (sync: Sync) => readAdmin<AdminDatabase>(sync, '/database');
export const readAdminFiles = (sync: Sync) => readAdmin<AdminFiles>(sync, '/files');
export const readAdminBackups = (sync: Sync) => readAdmin<AdminBackups>(sync, '/backups');
export const readAdminJobs = (sync: Sync) => readAdmin<AdminJobs>(sync, '/jobs');
