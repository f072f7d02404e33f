// Outlines of projects for the admin pages; the contents of a project are read by its members alone.

import type { Sync } from '../../sync/sync.ts';
import type { OperatorEntry } from '../projects/operator-entries.ts';
import type { ProjectTransfer } from '../projects/transfers.ts';
import { readAdmin } from './admin.ts';

export interface AdminProject {
  readonly id: string;
  readonly name: string;
  readonly key: string;
  readonly created_at: string;
  readonly archived_at: string | null;
  readonly deleted_at: string | null;
  /** Until when it can be brought back, where it is deleted. */
  readonly kept_until: string | null;
  readonly members: number;
  readonly tasks: number;
  /** Of its attachments. */
  readonly bytes: number;
  readonly last_active_at: string | null;
  readonly owners: readonly { readonly id: string; readonly email: string; readonly name: string }[];
}

export interface AdminProjectWhole {
  readonly is_member: boolean;
  /** Until when the operator who asks is in it as one. */
  readonly entered_until: string | null;
  readonly entries: readonly OperatorEntry[];
  readonly transfers: readonly ProjectTransfer[];
}

export function readAdminProjects(sync: Sync, words: string, kind: string, skip: number) {
  const query = new URLSearchParams({ words, kind, skip: String(skip) });
  return readAdmin<{ readonly total: number; readonly projects: readonly AdminProject[] }>(sync, `/projects?${query}`);
}

export const readAdminProject = (sync: Sync, id: string) => readAdmin<AdminProjectWhole>(sync, `/projects/${id}`);
