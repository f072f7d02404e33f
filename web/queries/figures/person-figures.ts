// Figures of people's work: in one project, and over all shared projects.

import type { ColumnKind, Priority, Role } from '../../sync/rows/rows.ts';
import type { LiveResult } from '../../sync/use-result.ts';
import { useResult } from '../../sync/use-result.ts';

export interface PersonFigures {
  readonly user_id: string;
  /** The last thing they did in the project; null: nothing yet. */
  readonly last_active_at: string | null;
  readonly open_tasks: number;
}

export function usePeopleOfProject(projectId: string): LiveResult<readonly PersonFigures[]> {
  return useResult<readonly PersonFigures[]>('project_people', { project_id: projectId });
}

export interface PersonTask {
  readonly id: string;
  readonly project_id: string;
  readonly key: string;
  readonly number: number;
  readonly title: string;
  readonly priority: Priority;
  readonly due_date: string | null;
  readonly column_name: string;
  readonly column_kind: ColumnKind;
  readonly column_color: string | null;
}

export interface PersonLine {
  readonly id: string;
  readonly project_id: string;
  readonly kind: string;
  readonly change: unknown;
  readonly created_at: string;
  readonly number: number;
  readonly key: string;
  readonly title: string;
}

export interface PersonPage {
  readonly projects: readonly {
    readonly id: string;
    readonly name: string;
    /** Null: a guest. */
    readonly role: Role | null;
    readonly is_archived: boolean;
    readonly last_active_at: string | null;
  }[];
  readonly open_tasks: number;
  readonly tasks: readonly PersonTask[];
  /** The newest first. */
  readonly activity: readonly PersonLine[];
}

export function usePersonPage(userId: string): LiveResult<PersonPage> {
  return useResult<PersonPage>('person_page', { user_id: userId });
}
