// Placeholder until the screen stands.

import type { ProjectViewProps } from '../project/project.tsx';

export default function List(_: ProjectViewProps) {
  return null;
}
