// Placeholder until the screen stands.

import type { ProjectViewProps } from '../project/project.tsx';

export default function Settings(_: ProjectViewProps) {
  return null;
}
