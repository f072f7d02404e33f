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

export const readAdminProviders = (sync: Sync) =>
  readAdmin<{ readonly address: string; readonly providers: readonly AdminProvider[] }>(sync, '/providers');
