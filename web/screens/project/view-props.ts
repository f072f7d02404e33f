// What every view of a project is given; apart from the list of views, so that a view need not know the others.

import type { ProjectRow } from '../../queries.ts';

export interface ProjectViewProps {
  readonly project: ProjectRow;
  /** Nothing is known of the project yet. */
  readonly loading: boolean;
}
