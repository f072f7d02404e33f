// Requests: what only the server can decide. They wait for its response, put it into the store, and have no undo.

import { storedName } from '../sync/device-storage.ts';
import { type Door, dataOf } from '../sync/door.ts';
import type { InvitationDetails } from '../sync/procedures.ts';
import type { ProjectRow } from '../sync/rows/rows.ts';
import type { Sync } from '../sync/sync.ts';

export type { InvitationDetails };

export interface NewProject {
  readonly name: string;
  readonly description: string;
  readonly key: string | null;
  readonly color: string;
  /** What it begins with; left out: four columns. */
  readonly templateId?: string | undefined;
  /** The day from which its days are counted. */
  readonly startDate?: string | undefined;
}

export async function createProject(sync: Sync, made: NewProject): Promise<ProjectRow> {
  const named = {
    name: made.name.trim(),
    description: made.description.trim(),
    ...(made.key ? { key: made.key } : {}),
  };
  const project = await (made.templateId === undefined
    ? sync.call('create_project_with_defaults', named)
    : sync.call('create_project_from_template', {
        ...named,
        template_id: made.templateId,
        ...(made.startDate === undefined ? {} : { start_date: made.startDate }),
      }));
  const now = new Date().toISOString();
  sync.store.receive([
    { table: 'projects', row: project },
    { table: 'project_members', row: { project_id: project.id, user_id: sync.userId, role: 'owner', created_at: now } },
  ]);
  return project;
}

/** For whoever holds its link, signed in or not. */
export async function readInvitation(door: Door, token: string): Promise<InvitationDetails> {
  return dataOf(await door.rpc('invitation_details', { token }));
}

/** By an invitation to one's own address, without its link. The id of the project. */
export async function joinProject(sync: Sync, invitationId: string): Promise<string> {
  const { project_id } = await sync.call('join_project', { invitation_id: invitationId });
  await sync.refresh();
  return project_id;
}

/** The id of the project one is now a member of. */
export async function acceptInvitation(door: Door, token: string): Promise<string> {
  return dataOf(await door.rpc('accept_invitation', { token })).project_id;
}

export async function leaveProject(sync: Sync, projectId: string): Promise<void> {
  await sync.call('leave_project', { project_id: projectId });
  sync.live.forgetProject(projectId);
}

/** With all that was in it and everybody who was. */
export async function restoreProject(sync: Sync, projectId: string): Promise<void> {
  await sync.call('restore_project', { project_id: projectId });
  await sync.refresh();
}

/** Before its thirty days are over; there is no way back. */
export async function endDeletedProject(sync: Sync, projectId: string): Promise<void> {
  await sync.call('end_deleted_project', { project_id: projectId });
}

/** Where this person's day is, for who has never said so: what is due and the daily mail go by it. Once on each device. */
export async function tellTimeZone(sync: Sync): Promise<void> {
  const sent = storedName(sync.userId, 'zone told');
  if (localStorage.getItem(sent) !== null) return;
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const { error, status } = await sync.door
    .from('notification_schedules')
    .upsert({ user_id: sync.userId, time_zone: timeZone }, { ignoreDuplicates: true });
  // A zone that the server does not know is not sent again.
  if (error === null || (status >= 400 && status < 500)) localStorage.setItem(sent, timeZone);
}
