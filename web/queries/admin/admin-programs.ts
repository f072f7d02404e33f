// Keys, service accounts and OAuth clients of the whole server, for the admin pages.

import type { KeyScope } from '../../sync/procedures.ts';
import type { Sync } from '../../sync/sync.ts';
import { readAdmin } from './admin.ts';

export interface AdminKey {
  readonly id: string;
  readonly name: string;
  readonly prefix: string;
  readonly scope: KeyScope;
  /** Empty of a service account. */
  readonly email: string | null;
  /** Name of the account. */
  readonly account: string | null;
  /** How many; null: all of its account. */
  readonly projects: number | null;
  readonly expires_at: string | null;
  readonly last_used_at: string | null;
  readonly last_used_address: string | null;
}

export interface AdminServiceAccount {
  readonly id: string;
  readonly name: string;
  readonly owner_email: string | null;
  readonly project_name: string | null;
  readonly is_disabled: boolean;
  readonly projects: number;
  readonly keys: number;
  readonly clients: number;
}

export interface AdminClient {
  readonly id: string;
  readonly name: string;
  /** Of its document, where it is registered by one. */
  readonly address: string | null;
  readonly registration: 'manual' | 'dynamic' | 'document';
  readonly is_confidential: boolean;
  readonly redirect_uris: readonly string[];
  /** Whom it gets tokens for by its secret. */
  readonly service_account: string | null;
  /** How many let it in. */
  readonly people: number | null;
  readonly last_used_at: string | null;
}

export const programKinds = ['keys', 'serviceAccounts', 'clients'] as const;
export type ProgramKind = (typeof programKinds)[number];

export const programPath = (kind: string): string => (kind === 'serviceAccounts' ? 'service-accounts' : kind);

/** Of the kind that was asked for. */
export interface AdminPrograms {
  readonly total: number;
  readonly keys?: readonly AdminKey[];
  readonly accounts?: readonly AdminServiceAccount[];
  readonly clients?: readonly AdminClient[];
}

export const readAdminPrograms = (sync: Sync, words: string, kind: string, skip: number) =>
  readAdmin<AdminPrograms>(sync, `/${programPath(kind)}?${new URLSearchParams({ words, skip: String(skip) })}`);
