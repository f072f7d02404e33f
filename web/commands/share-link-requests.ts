// Requests about public links of a project: made, listed and turned off by its owners.

import { dataOf, Refusal } from '../sync/door.ts';
import { readPageSettings } from '../sync/page-settings.ts';
import type { Sync } from '../sync/sync.ts';

export interface NewShareLink {
  readonly projectId: string;
  /** With its subtasks; null: the whole project. */
  readonly taskId: string | null;
  /** As the view is now; null: no view. */
  readonly viewId: string | null;
  /** Null: it doesn't expire. */
  readonly days: number | null;
  /** Empty: none. */
  readonly password: string;
  readonly names: boolean;
  readonly comments: boolean;
  readonly files: boolean;
}

export interface ShareLink {
  readonly id: string;
  readonly task_id: string | null;
  readonly view_id: string | null;
  /** As the view was called. */
  readonly view_name: string | null;
  readonly has_password: boolean;
  readonly expires_at: string | null;
  readonly uses: number;
}

/** Its address, which the server doesn't tell again. The identity door hashes the password. */
export async function createShareLink(sync: Sync, link: NewShareLink): Promise<string> {
  const { data } = await sync.door.auth.getSession();
  const answer = await fetch('/auth/v1/share_links', {
    method: 'POST',
    headers: {
      apikey: readPageSettings(document).anonKey,
      authorization: `Bearer ${data.session?.access_token}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({
      project_id: link.projectId,
      task_id: link.taskId,
      view_id: link.viewId,
      days: link.days,
      ...(link.password === '' ? {} : { password: link.password }),
      options: { names: link.names, comments: link.comments, files: link.files },
    }),
  }).catch(() => null);
  if (answer === null) throw new Refusal('', '', 0);
  const body = (await answer.json().catch(() => ({}))) as { token?: string; message?: string; code?: string };
  if (!answer.ok) throw new Refusal(body.message ?? '', body.code ?? '', answer.status);
  return `${location.origin}/share#${body.token}`;
}

/** Those that open something, the latest first. */
export async function listShareLinks(sync: Sync, projectId: string): Promise<readonly ShareLink[]> {
  const links = dataOf(
    await sync.door
      .from('share_links')
      .select('id, task_id, view_id, view_name:view->>name, has_password, expires_at, uses')
      .eq('project_id', projectId)
      .is('revoked_at', null)
      .order('created_at', { ascending: false }),
  );
  return links.filter(({ expires_at }) => expires_at === null || Date.parse(expires_at) > Date.now());
}

export async function revokeShareLink(sync: Sync, id: string): Promise<void> {
  await sync.call('revoke_share_link', { link_id: id });
}
