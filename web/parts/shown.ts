// Entries of the page, and the words and people that several of them show.

import type { CSSProperties, FunctionComponent } from 'react';
import type { TaskRow } from '../sync/rows/rows.ts';

export interface Shown {
  readonly file: string;
  /** Its buttons open something over the page. */
  readonly opens?: true;
  readonly Draw: FunctionComponent;
}

export const inRow: CSSProperties = { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: '0.75rem' };
export const priorities = ['p0', 'p1', 'p2'] as const;
export const kinds = ['backlog', 'todo', 'in_progress', 'custom', 'done'] as const;
export const people = ['Ada Lovelace', 'Grace Hopper', 'Linus'];
export const nothing = (): void => undefined;
export const taskKey = 'HAR-7';
/** The one that the page knows (main.tsx). */
export const shownTask = {
  id: 'crane',
  project_id: 'harbour',
  column_id: 'quay',
  number: 7,
  title: 'Mend the crane',
  priority: 'p1',
  start_date: null,
  due_date: '2026-12-24',
  estimate: 3,
  created_at: '2026-11-02T09:00:00Z',
  completed_at: null,
} as TaskRow;
