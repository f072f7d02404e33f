// Identity providers that provision by SCIM, for the admin pages. Of tokens only their first characters are known.

import type { Sync } from '../../sync/sync.ts';
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
  readonly people: number;
  readonly groups: number;
  readonly tokens: readonly AdminProviderToken[];
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
