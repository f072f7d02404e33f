// Mapping of the OpenID Connect provider's groups, for the admin pages, and what another one would change.

import type { GroupPair } from '../../../contract/group-pairs.ts';
import type { Sync } from '../../sync/sync.ts';
import type { NamedPerson, ProjectChanges, Rename } from './access-changes.ts';
import { readAdmin } from './admin.ts';

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

export interface MappingPreview {
  readonly people: number;
  readonly renames: readonly Rename[];
  readonly groups: readonly {
    /** Null: it is made. */
    readonly id: string | null;
    readonly name: string;
    readonly joining: number;
    readonly leaving: number;
    /** The first hundred. */
    readonly joins: readonly NamedPerson[];
    readonly leaves: readonly NamedPerson[];
  }[];
  readonly projects: readonly ProjectChanges[];
}

export const readGroupMapping = (sync: Sync) => readAdmin<GroupMapping>(sync, '/group-mapping');
