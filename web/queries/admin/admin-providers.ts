// Identity providers that provision by SCIM, for the admin pages. Of tokens only their first characters are known.

import type { Sync } from '../../sync/sync.ts';
import type { NamedPeople, ProjectChanges, Rename } from './access-changes.ts';
import { readAdmin } from './admin.ts';

export interface AdminProviderToken {
  readonly id: string;
  readonly prefix: string;
  readonly created_at: string;
  readonly last_used_at: string | null;
}

export interface AdminProvider {
  readonly id: string;
  readonly name: string;
  /** Null: what it sends holds at once. */
  readonly trial_since: string | null;
  readonly people: number;
  readonly groups: number;
  readonly tokens: readonly AdminProviderToken[];
}

export interface TrialPreview {
  /** Of what the provider has sent. */
  readonly version: string;
  readonly refused: readonly {
    readonly kind: 'person' | 'group';
    readonly name: string;
    readonly email: string | null;
    readonly code: string;
  }[];
  readonly created: NamedPeople;
  readonly created_disabled: NamedPeople;
  readonly adopted: NamedPeople;
  readonly disabled: NamedPeople;
  readonly enabled: NamedPeople;
  readonly readdressed: readonly Rename[];
  readonly renames: readonly Rename[];
  readonly groups: readonly {
    readonly id: string;
    readonly name: string;
    readonly is_new: boolean;
    readonly is_gone: boolean;
    readonly joins: NamedPeople;
    readonly leaves: NamedPeople;
  }[];
  readonly projects: readonly ProjectChanges[];
}

/** People sign in with it; entered by the API for administrators. */
export interface AdminSignInProvider {
  readonly identifier: string;
  readonly name: string;
  readonly host: string;
  readonly is_enabled: boolean;
  readonly people: number;
}

interface AdminProviders {
  readonly address: string;
  readonly providers: readonly AdminProvider[];
  readonly sign_in: readonly AdminSignInProvider[];
}

export const readAdminProviders = (sync: Sync) => readAdmin<AdminProviders>(sync, '/providers');
