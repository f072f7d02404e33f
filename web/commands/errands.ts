// What only the server can decide: these wait for its answer, lay it into the store, and have no undo.

import { words } from '../strings/words.ts';
import { Refusal } from '../sync/door.ts';
import type { ProjectRow, Role } from '../sync/rows.ts';
import type { Sync } from '../sync/sync.ts';

export interface NewProject {
  readonly name: string;
  readonly description: string;
  readonly key: string | null;
  readonly color: string;
}

export async function createProject(sync: Sync, made: NewProject): Promise<ProjectRow> {
  const answer = await sync.call<ProjectRow | ProjectRow[]>('create_project_with_defaults', {
    name: made.name.trim(),
    description: made.description.trim(),
    ...(made.key ? { key: made.key } : {}),
  });
  const project = Array.isArray(answer) ? answer[0] : answer;
  if (project === undefined) throw new Error('no project came back');
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
  const answer = await sync.call<unknown>('invite_member', { project_id: projectId, email: email.trim(), role });
  const made = (Array.isArray(answer) ? answer[0] : answer) as { token?: string; url?: string } | string | null;
  const token = typeof made === 'string' ? made : made?.token;
  await sync.watch.refresh({ kind: 'project', projectId });
  return { link: token ? `${location.origin}/invitation/${token}` : (typeof made === 'object' && made?.url) || '' };
}

/** The id of the project one is now a member of. */
export async function acceptInvitation(
  call: (procedure: string, args: Record<string, unknown>) => Promise<unknown>,
  token: string,
): Promise<string | null> {
  const answer = await call('accept_invitation', { token });
  const row = (Array.isArray(answer) ? answer[0] : answer) as { project_id?: string; id?: string } | string | null;
  return typeof row === 'string' ? row : (row?.project_id ?? row?.id ?? null);
}

export async function leaveProject(sync: Sync, projectId: string): Promise<void> {
  await sync.call('leave_project', { project_id: projectId });
  forgetProject(sync, projectId);
}

export async function deleteProject(sync: Sync, project: ProjectRow): Promise<void> {
  const steps = [{ kind: 'delete', table: 'projects', row: project }] as const;
  await sync.journal.run({ label: words.settings.did.deleted(project.name), steps, silent: true });
  forgetProject(sync, project.id);
}

function forgetProject(sync: Sync, projectId: string): void {
  const { store } = sync;
  const members = store.where('project_members', 'project_id', projectId);
  const tasks = store.where('tasks', 'project_id', projectId);
  store.receive([
    { table: 'projects', gone: projectId },
    ...members.map((member) => ({ table: 'project_members' as const, gone: `${projectId} ${member.user_id}` })),
    ...tasks.map((task) => ({ table: 'tasks' as const, gone: task.id })),
  ]);
}

/** Signs out one device. One that has ended meanwhile is what was wanted. */
export async function endSession(sync: Sync, sessionId: string): Promise<void> {
  try {
    await sync.call('end_my_session', { session_id: sessionId });
  } catch (reason) {
    if (!(reason instanceof Refusal) || reason.status !== 404) throw reason;
  }
}
