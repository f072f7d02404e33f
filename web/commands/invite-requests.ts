// Invitations to a project or a task, with their links, and the end of a guest.

import type { GrantLevel, Role } from '../sync/rows/rows.ts';
import type { Sync } from '../sync/sync.ts';

/** To be sent by hand; there is one whether or not mail works. */
const linkOf = (token: string): string => `${location.origin}/invitation#${token}`;

/** Who could be invited, each with their link; the others with the reason. */
export interface Invited {
  readonly email: string;
  readonly link: string | null;
  readonly reason: unknown;
}

/** One after the other: what is wrong with one address keeps out nobody else. */
export async function inviteMembers(
  sync: Sync,
  projectId: string,
  emails: readonly string[],
  role: Role,
): Promise<readonly Invited[]> {
  return inviteEach(sync, projectId, emails, (email) =>
    sync.call('invite_member', { project_id: projectId, email, role }),
  );
}

/** As guests, to one task. */
export async function inviteGuests(
  sync: Sync,
  { projectId, taskId }: { readonly projectId: string; readonly taskId: string },
  emails: readonly string[],
  level: GrantLevel,
): Promise<readonly Invited[]> {
  return inviteEach(sync, projectId, emails, (email) => sync.call('invite_guest', { task_id: taskId, email, level }));
}

async function inviteEach(
  sync: Sync,
  projectId: string,
  emails: readonly string[],
  invite: (email: string) => Promise<{ readonly token: string }>,
): Promise<readonly Invited[]> {
  const results: Invited[] = [];
  for (const email of emails) {
    try {
      const made = await invite(email);
      results.push({ email, link: linkOf(made.token), reason: null });
    } catch (reason) {
      results.push({ email, link: null, reason });
    }
  }
  await sync.refresh({ kind: 'project', projectId });
  return results;
}

/** A link of an open invitation. Those made before go on working. */
export async function linkOfInvitation(sync: Sync, invitationId: string): Promise<string> {
  return linkOf(await sync.call('invitation_token', { invitation_id: invitationId }));
}

/** Nothing of the project is shared with them any more. */
export async function removeGuest(sync: Sync, projectId: string, userId: string): Promise<void> {
  await sync.call('remove_guest', { project_id: projectId, user_id: userId });
  await sync.refresh({ kind: 'project', projectId });
}
