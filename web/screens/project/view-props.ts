// Props of every view of a project; apart from the list of views, so that a view need not know the others.

import type { ReactNode } from 'react';
import type { ProjectRow } from '../../queries.ts';
import type { ViewHandle } from './view-handle.ts';

export interface ProjectViewProps {
  readonly project: ProjectRow;
  /** Nothing is known of the project yet. */
  readonly loading: boolean;
}

/** What every layout of a view across projects is given. */
export interface AcrossProps {
  readonly handle: ViewHandle;
  /** Where one chooses the layout. */
  readonly children: ReactNode;
}
