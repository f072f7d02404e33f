// Outlines of projects as the operator's desk is told of them; what is in a project is its members'.

import type { Door } from '../../sync/door.ts';
import type { OperatorEntry } from '../projects/operator-entries.ts';
import { askDesk, deskAnswer } from './desk.ts';

export interface DeskProject {
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

export interface DeskProjectWhole {
  readonly is_member: boolean;
  /** Until when the operator who asks is in it as one. */
  readonly entered_until: string | null;
  readonly entries: readonly OperatorEntry[];
}

export function readDeskProjects(door: Door, words: string, kind: string, skip: number) {
  const query = new URLSearchParams({ words, kind, skip: String(skip) });
  return deskAnswer<{ readonly total: number; readonly projects: readonly DeskProject[] }>(
    askDesk(door, `/projects?${query}`),
  );
}

export const readDeskProject = (door: Door, id: string) =>
  deskAnswer<DeskProjectWhole>(askDesk(door, `/projects/${id}`));

export const enterProject = (door: Door, id: string, reason: string) =>
  askDesk(door, `/projects/${id}/enter`, { reason });
export const leaveEnteredProject = (door: Door, id: string) => askDesk(door, `/projects/${id}/leave`, {});
export const restoreDeskProject = (door: Door, id: string, reason: string) =>
  askDesk(door, `/projects/${id}/restore`, { reason });
export const passProjectOn = (door: Door, id: string, email: string, reason: string) =>
  askDesk(door, `/projects/${id}/pass-on`, { email, reason });
