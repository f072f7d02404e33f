// Mapping of the OpenID Connect provider's groups, for the admin pages, and what another one would change.

import type { Sync } from '../../sync/sync.ts';
import { readAdmin } from './admin.ts';

export interface GroupPair {
  /** Of the claim. */
  readonly value: string;
  /** Of the group here. */
  readonly name: string;
}

export interface GroupMapping {
  /** Null: there is none. */
  readonly provider: string | null;
  readonly claim: string | null;
  readonly is_locked: boolean;
  /** None: all groups count, by their values. */
  readonly groups: readonly GroupPair[];
  /** Whose groups are known. */
  readonly people: number;
  readonly values: readonly { readonly value: string; readonly people: number }[];
}

interface MappedPerson {
  readonly id: string;
  readonly name: string;
  readonly email: string | null;
}

export interface MappingPreview {
  readonly people: number;
  readonly renames: readonly { readonly from: string; readonly to: string }[];
  readonly groups: readonly {
    /** Null: it is made. */
    readonly id: string | null;
    readonly name: string;
    readonly joining: number;
    readonly leaving: number;
    /** The first hundred. */
    readonly joins: readonly MappedPerson[];
    readonly leaves: readonly MappedPerson[];
  }[];
}

export const readGroupMapping = (sync: Sync) => readAdmin<GroupMapping>(sync, '/group-mapping');
