// Requests: what only the server can decide. They wait for its response, put it into the store, and have no undo.

import type { Door } from '../sync/door.ts';
import { dataOf, Refusal } from '../sync/door.ts';
import type { ProjectRow, Role } from '../sync/rows.ts';
import type { Sync } from '../sync/sync.ts';

export interface NewProject {
  readonly name: string;
  readonly description: string;
  readonly key: string | null;
  readonly color: string;
}

export async function createProject(sync: Sync, made: NewProject): Promise<ProjectRow> {
  const project = await sync.call('create_project_with_defaults', {
    name: made.name.trim(),
    description: made.description.trim(),
    ...(made.key ? { key: made.key } : {}),
  });
  const now = new Date().toISOString();
  sync.store.receive([
    { table: 'projects', row: project },
    { table: 'project_members', row: { project_id: project.id, user_id: sync.userId, role: 'owner', created_at: now } },
  ]);
  return project;
}

export interface Invitation {
  /** To be sent by hand; always there, whether or not mail works. */
  readonly link: string;
}

export async function inviteMember(sync: Sync, projectId: string, email: string, role: Role): Promise<Invitation> {
  const made = await sync.call('invite_member', { project_id: projectId, email: email.trim(), role });
  await sync.refresh({ kind: 'project', projectId });
  const { token } = made as { readonly token: string };
  return { link: `${location.origin}/invitation/${token}` };
}

/** The id of the project one is now a member of. */
export async function acceptInvitation(door: Door, token: string): Promise<string> {
  return dataOf(await door.rpc('accept_invitation', { token })).project_id;
}

export async function leaveProject(sync: Sync, projectId: string): Promise<void> {
  await sync.call('leave_project', { project_id: projectId });
  sync.live.leaveQuietly(projectId);
}

/** Signs out one device. One that has ended meanwhile is what was wanted. */
export async function endSession(sync: Sync, sessionId: string): Promise<void> {
  try {
    await sync.call('end_my_session', { session_id: sessionId });
  } catch (reason) {
    if (!(reason instanceof Refusal) || reason.status !== 404) throw reason;
  }
}
