// The values that pass between the operations of the identity room: accounts as clients see them, sessions just opened, who asks.

import type { Fragment } from '../database/sql.ts';

/** Something that takes SQL: the identity room, one statement at a time, or a transaction of it. */
export interface Db {
  query<T = Record<string, unknown>>(sql: Fragment): Promise<T[]>;
}

/** Who asks, as far as a session remembers it. */
export interface ClientInfo {
  readonly address: string;
  readonly agent: string;
}

/** An account as `auth.describe_user` gives it and clients see it. */
export interface User {
  readonly id: string;
  readonly aud: string;
  readonly role: string;
  readonly email: string;
  readonly phone: string;
  readonly app_metadata: Record<string, unknown>;
  readonly user_metadata: Record<string, unknown>;
  readonly is_anonymous: boolean;
  readonly email_confirmed_at?: string;
  readonly confirmed_at?: string;
  readonly invited_at?: string;
  readonly banned_until?: string;
  readonly new_email?: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly identities: readonly UserIdentity[];
  readonly factors?: readonly { readonly id: string; readonly factor_type: string; readonly status: string }[];
  readonly [field: string]: unknown;
}

export interface UserIdentity {
  readonly identity_id: string;
  readonly id: string;
  readonly provider: string;
  readonly email: string | null;
  readonly identity_data: Record<string, unknown>;
}

export interface AuthMethod {
  readonly method: string;
  readonly timestamp: number;
}

/** What `auth.open_session` and `auth.refresh_session` hand over. */
export interface OpenedSession {
  readonly session: {
    readonly id: string;
    readonly counter: number;
    readonly aal: string;
    readonly amr: readonly AuthMethod[];
  };
  readonly user: User;
}
