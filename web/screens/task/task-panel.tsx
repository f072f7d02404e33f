// Placeholder until the panel stands.

import type { ProjectView } from '../../routes.ts';
import type { ProjectRow } from '../../sync/rows.ts';

export default function TaskPanel(_: { project: ProjectRow; address: string; view: ProjectView }) {
  return null;
}
