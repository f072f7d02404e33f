// Changes that provisioned groups would bring, for the admin pages: people with their names, projects with roles gained and lost.

import type { Role } from '../../sync/rows/rows.ts';

export interface NamedPerson {
  readonly id: string;
  readonly name: string | null;
  readonly email: string | null;
}

export interface NamedPeople {
  readonly total: number;
  /** The first hundred. */
  readonly people: readonly NamedPerson[];
}

export interface Rename {
  readonly from: string;
  readonly to: string;
}

/** `guest`: of single tasks. Null: no access. */
export type ProvisionedRole = Role | 'guest';

export interface RoleChange extends NamedPeople {
  readonly from: ProvisionedRole | null;
  readonly to: ProvisionedRole | null;
}

export interface ProjectChanges {
  readonly id: string;
  readonly name: string;
  readonly changes: readonly RoleChange[];
}
