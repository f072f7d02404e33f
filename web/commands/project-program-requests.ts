// Requests about apps that reach a project by OAuth, for its owners: listed, and taken out of reach.

import { dataOf } from '../sync/door.ts';
import type { KeyScope } from '../sync/procedures.ts';
import type { Sync } from '../sync/sync.ts';

export interface ProgramOfProject {
  readonly id: string;
  /** Who let it in, or the service account that it acts for. */
  readonly user_id: string;
  readonly name: string;
  readonly scope: KeyScope;
  readonly granted_at: string;
  readonly expires_at: string | null;
  readonly last_used_at: string | null;
}

export async function listProjectPrograms({ door }: Sync, projectId: string): Promise<readonly ProgramOfProject[]> {
  const programs = dataOf(await door.rpc('project_programs', { project_id: projectId }));
  return programs as unknown as readonly ProgramOfProject[];
}

export async function removeProgramFromProject({ door }: Sync, id: string, projectId: string): Promise<void> {
  dataOf(await door.rpc('remove_program_from_project', { grant_id: id, project_id: projectId }));
}
