// Entries of the page, and the words and people that several of them show.

import type { CSSProperties, FunctionComponent } from 'react';

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
/** The task that the page knows (main.tsx). */
export const taskKey = 'HAR-7';
